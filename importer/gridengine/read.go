package gridengine

import (
	"io/fs"

	"qprism/engine/model"
	"qprism/importer/source"
)

// Options say how to read a bundle.
type Options = source.Options

// Read reads a bundle into a snapshot. Files that a bundle lacks are listed in Missing; a bundle without
// any known file is refused. An error is an *importer.Problem with file, line and text.
func Read(files fs.FS, opts Options) (*model.Snapshot, error) {
	r := newReader(files, opts)
	for _, step := range []func(*reader) error{
		readManifest,      // MANIFEST, qstat-help.txt: where, when, which release
		inferZone,         // how far local times are from UTC, where MANIFEST does not say
		readConfiguration, // what qconf printed
		readJobs,          // qstat.xml, qstat-j.xml
		readCluster,       // qstat-f.xml, qhost.xml, qrstat.xml
		readUsage,         // sge_share_mon.txt
		readRecords,       // schedule, messages, accounting
		inferRelease,      // by the options of the configuration, where qstat-help.txt does not say
		inferTaskLimits,   // -tc, where the release does not print it
		checkFiles,        // what the bundle holds and lacks
	} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return r.Snap, nil
}

func inferZone(r *reader) error { return r.inferZone(readJobs) }
