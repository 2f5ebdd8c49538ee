package pbs

import (
	"io/fs"
	"time"

	"qprism/engine/model"
	"qprism/importer/pbs/object"
	"qprism/importer/source"
)

// Options say how to read a bundle.
type Options = source.Options

// Read reads a bundle into a snapshot. The snapshot's Missing lists files that the bundle lacks. A bundle
// without any file of PBS is an error. Each error is an *importer.Problem with file, line and text.
func Read(bundle fs.FS, opts Options) (*model.Snapshot, error) {
	return newReader(bundle, opts).read()
}

func (r *reader) read() (*model.Snapshot, error) {
	for _, step := range []func(*reader) error{
		readManifest,     // MANIFEST, date.txt, version.txt: where, when, which release
		inferZone,        // how far local times are from UTC, where MANIFEST does not say
		readResources,    // qmgr: custom resources
		readServer,       // qstat -B, qmgr
		readQueues,       // qstat -Q, qmgr
		readSchedulers,   // qmgr
		readHooks,        // qmgr
		readNodes,        // pbsnodes
		readJobs,         // qstat -f
		readReservations, // pbs_rstat
		readScheduler,    // sched_config, sched_formula, holidays, dedicated_time, resource_group, usage
		readFairshare,    // pbsfs
		readLogs,         // the scheduler's log, accounting
		checkFiles,       // what the bundle holds and lacks
	} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return r.Snap, nil
}

// A reader is one reading of one bundle.
type reader struct {
	*object.Reader
	pbs      *model.PBS
	zone     *time.Location            // of local times that commands print
	zoned    bool                      // the bundle says which
	local    bool                      // local times were read,
	atLocal  bool                      // and that of the bundle is one
	hints    source.ZoneHints          // what moments that the files show twice say of the zone
	files    map[string]bool           // those that were read
	answered map[string]bool           // those whose command succeeded, also where it printed nothing and left no file
	types    map[string]model.Resource // see resource
	private  string                    // the folder that sched_config is from
	listed   time.Time                 // when jobs were listed, as JSON says, in whole seconds
	clock    lastTime
	show     func(Object) // see Objects; nil for nobody
}

func newReader(bundle fs.FS, opts Options) *reader {
	r := &reader{pbs: &model.PBS{}, zone: time.UTC, hints: source.ZoneHints{}, files: map[string]bool{},
		answered: map[string]bool{}}
	r.Reader = &object.Reader{Reader: source.New(bundle, opts), Repairs: &r.pbs.Repairs, Stamp: r.stamp}
	r.Snap.System = model.PBSSystem
	r.Snap.PBS = r.pbs
	return r
}
