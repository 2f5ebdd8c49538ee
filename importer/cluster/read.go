package cluster

import (
	"errors"
	"io/fs"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
	"qprism/importer/source"
)

// Options say how to read a bundle.
type Options = source.Options

// Read reads a bundle into a snapshot, as one of PBS or of Grid Engine. Files whose names no bundle has are known by their content.
// An error is an *importer.Problem with file, line and text; it names files as the bundle does.
func Read(bundle fs.FS, opts Options) (*model.Snapshot, error) {
	files := recognise(bundle)
	read := gridengine.Read
	if systemOf(files) == model.PBSSystem {
		read = pbs.Read
	}
	s, err := read(files, opts)
	if p := (*importer.Problem)(nil); errors.As(err, &p) {
		p.File = files.Own(p.File)
	}
	if err == nil {
		s.Identity.System = s.System // a fact of its files, whatever MANIFEST says
		named(s, files)
	}
	return s, err
}

// named gives files their own names, where a snapshot says what was not read of them.
func named(s *model.Snapshot, files *importer.Renamed) {
	for i := range s.Unknown {
		s.Unknown[i].File = files.Own(s.Unknown[i].File)
	}
	for i := range s.Repaired {
		s.Repaired[i].File = files.Own(s.Repaired[i].File)
	}
	for i := range s.LeftOut {
		s.LeftOut[i].File = files.Own(s.LeftOut[i].File)
	}
}
