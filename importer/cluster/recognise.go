package cluster

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
)

// Bounds of the search for files that are known by their content.
const (
	mostLooked = 500      // files
	headRead   = 64 << 10 // bytes of each
	deepest    = 3        // folders
)

// recognise gives the files of a bundle the names that they have in one, where their own are others: by what they hold. A bundle with
// a MANIFEST, which a capture made, is right about the names that it knows.
func recognise(bundle fs.FS) *importer.Renamed {
	s := &search{bundle: bundle, names: map[string]string{}}
	_, err := fs.Stat(bundle, "MANIFEST")
	s.trusts = err == nil
	_ = fs.WalkDir(bundle, ".", s.look) // what cannot be read is said by the reader
	return importer.Rename(bundle, s.names)
}

// A search finds out what the files of a bundle are.
type search struct {
	bundle fs.FS
	trusts bool              // known names are right
	names  map[string]string // of files, by the names of their content
	looked int
}

func (s *search) look(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return fs.SkipDir
	case entry.IsDir():
		if strings.Count(name, "/") >= deepest {
			return fs.SkipDir
		}
		return nil
	case s.looked == mostLooked:
		return fs.SkipAll
	}
	known := knows(name)
	if known && (s.trusts || !tellsItself(name)) {
		return nil
	}
	s.looked++
	as := s.nameOf(name)
	if as == "" || known && sameKind(as, name) || s.names[as] != "" || s.held(as, name) {
		return nil
	}
	s.names[as] = name
	return nil
}

// knows reports whether a bundle of either system has files of that name.
func knows(name string) bool { return gridengine.Knows(name) || pbs.Knows(name) }

// tellsItself reports whether a file's content says for certain what it is: XML and JSON do.
func tellsItself(name string) bool {
	return slices.Contains([]string{".xml", ".json", ".jsonl"}, path.Ext(name))
}

// sameKind reports whether a file may have the name that it has, by the one that its content has.
func sameKind(as, name string) bool {
	if as == name || gridengine.Knows(as) != gridengine.Knows(name) {
		return as == name
	}
	return pbs.SamePart(as, name) || gridengine.Knows(name) && as == "qstat.xml" && name == "qstat-f.xml"
}

// held reports whether the bundle has another file that is right under that name.
func (s *search) held(as, name string) bool {
	info, err := fs.Stat(s.bundle, as)
	return as != name && err == nil && info.Size() > 0 && (s.trusts || !tellsItself(as) || s.nameOf(as) == as)
}

// nameOf is the name of a file by its content; of an object, in the folder of its kind.
func (s *search) nameOf(name string) string {
	f, err := s.bundle.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, headRead)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	as := importer.NameByContent(head[:n])
	if strings.HasSuffix(as, "/") {
		return as + strings.TrimSuffix(path.Base(name), path.Ext(name)) + ".txt"
	}
	return as
}

// systemOf says which batch system a bundle is of, by the names of its files: PBS also for Torque. A bundle of which nothing is
// known is taken for one of Grid Engine.
func systemOf(bundle fs.FS) model.System {
	if importer.SystemOf(bundle) == model.PBSSystem {
		return model.PBSSystem
	}
	ge, pro := 0, 0
	_ = fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if !entry.IsDir() && gridengine.Knows(name) {
			ge++
		}
		if !entry.IsDir() && pbs.Knows(name) {
			pro++
		}
		return nil
	})
	if pro > ge {
		return model.PBSSystem
	}
	return model.GridEngine
}
