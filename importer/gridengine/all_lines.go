package gridengine

import (
	"cmp"
	"io/fs"
	"slices"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine/qconf"
	"qprism/importer/gridengine/records"
	"qprism/importer/source"
)

// Lines lists every line of every file of a bundle, file by file. A file that no parser knows becomes one entry
// without a kind. A line with another form than its file has no key.
func Lines(bundle fs.FS) (list []model.Line, err error) {
	r := source.New(bundle, Options{KeepGoing: true})
	err = fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return &importer.Problem{File: name, Err: err}
		}
		if entry.IsDir() {
			return nil
		}
		lines, err := linesOf(r, name)
		list = append(list, lines...)
		return err
	})
	for _, l := range r.Snap.LeftOut { // lines that are too long
		list = append(list, model.Line{File: l.File, Number: l.Line, Count: 1, Text: l.Reason})
	}
	slices.SortStableFunc(list, func(a, b model.Line) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Number-b.Number)
	})
	return list, err
}

// linesOf lists the lines of one file.
func linesOf(r *source.Reader, name string) ([]model.Line, error) {
	if lines, isConfig, err := qconf.Lines(r, name); isConfig {
		return lines, err
	}
	return records.Lines(r, name)
}
