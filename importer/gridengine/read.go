package gridengine

import (
	"io/fs"
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// Options for reading a bundle.
type Options = source.Options

// Read reads a bundle into a snapshot. Missing files are listed in Missing. A bundle without any known file
// is an error. The error is an *importer.Problem with file, line and text.
func Read(bundle fs.FS, opts Options) (*model.Snapshot, error) {
	r := newReader(bundle, opts)
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

// A reader is one reading of one bundle.
type reader struct {
	*source.Reader
	offset     time.Duration                 // of the cluster's local time from UTC
	takenLocal bool                          // TakenAt is a local time of unknown zone
	zoned      bool                          // the bundle says what it is
	localTimes bool                          // some were read
	hints      source.ZoneHints              // what moments that the files show twice say of it
	noPolicy   bool                          // sched_conf.txt was left out: it is as if the bundle lacked it
	types      map[string]model.ResourceType // see resourceType
}

func newReader(bundle fs.FS, opts Options) *reader {
	return &reader{Reader: source.New(bundle, opts), hints: source.ZoneHints{}}
}
