// Package cluster reads a bundle of any system that the project knows.
package cluster

import (
	"io/fs"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
	"qprism/importer/source"
)

// Options say how to read a bundle.
type Options = source.Options

// Read reads a bundle into a snapshot, by the files in it as one of PBS or of Grid Engine. An error is an
// *importer.Problem with file, line and text.
func Read(bundle fs.FS, opts Options) (*model.Snapshot, error) {
	read := gridengine.Read
	if importer.SystemOf(bundle) == model.PBSSystem {
		read = pbs.Read
	}
	snap, err := read(bundle, opts)
	if err != nil {
		return nil, err
	}
	snap.Identity.System = snap.System // a fact of its files, whatever MANIFEST says
	return snap, nil
}
