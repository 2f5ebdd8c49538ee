package cluster

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
	"qprism/importer/source"
)

// Options say how to read a bundle.
type Options = source.Options

// Read reads a bundle of PBS or Grid Engine into a snapshot. It recognizes files with unusual names by their
// content. The error is an *importer.Problem with the file's name in the bundle.
func Read(bundle fs.FS, opts Options) (*model.Snapshot, error) {
	files, system := Recognize(bundle)
	read := gridengine.Read
	if system == model.PBSSystem {
		read = pbs.Read
	}
	s, err := read(files, opts)
	if p := (*importer.Problem)(nil); errors.As(err, &p) {
		p.File = files.DisplayName(p.File)
	}
	if err == nil {
		s.Identity.System = s.System // the files decide, not MANIFEST
		named(s, files)
	}
	return s, err
}

// named puts the original names of files and tables into the snapshot's lists of parts that were not read.
func named(s *model.Snapshot, files *importer.Renamed) {
	for i := range s.Unknown {
		u := &s.Unknown[i]
		if files.IsTable(u.File) {
			u.Name, u.Value = lineOfTable(u.Name, u.Value)
		}
		if u.Name == "file" && u.Line == 0 {
			u.Value = importer.Unread(headOf(files, u.File))
		}
		u.File = files.DisplayName(u.File)
	}
	noteLeftLines(s, files)
	repairs := s.Repairs()
	for i := range repairs {
		repairs[i].File = files.DisplayName(repairs[i].File)
	}
	for i := range s.LeftOut {
		s.LeftOut[i].File = files.DisplayName(s.LeftOut[i].File)
	}
}

// noteLeftLines lists the lines that belong to no listing of their file.
func noteLeftLines(s *model.Snapshot, files *importer.Renamed) {
	left := files.Left()
	for _, file := range slices.Sorted(maps.Keys(left)) {
		for _, l := range left[file] {
			s.Unknown = append(s.Unknown, model.Unknown{File: files.DisplayName(file), Line: l.Number,
				Name: "line", Value: l.Text, Count: 1})
		}
	}
}

// headOf returns the beginning of a file, as far as it can be read.
func headOf(bundle fs.FS, name string) []byte {
	f, err := bundle.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, headRead)
	n, _ := io.ReadFull(f, head) // a short file is complete
	return head[:n]
}

// lineOfTable returns name and value for an unused line of a table. In the form for programs, such a line is an
// element or a name.
func lineOfTable(name, value string) (string, string) {
	if text, is := strings.CutPrefix(name, "line "); is {
		return "line", text
	}
	if strings.HasSuffix(name, "/line") {
		name = "line"
	}
	return name, value
}
