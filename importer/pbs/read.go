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
		readManifest,     // MANIFEST, date.txt, version.txt: place, time, release
		inferZone,        // distance of local times from UTC, if MANIFEST does not have it
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
		checkFiles,       // files that the bundle has and lacks
	} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return r.Snap, nil
}

// A reader reads one bundle once.
type reader struct {
	*object.Reader
	pbs      *model.PBS
	zone     *time.Location            // zone of local times in the output of commands
	zoned    bool                      // the bundle has the zone
	local    bool                      // local times were read
	atLocal  bool                      // the time of the bundle is local
	hints    source.ZoneHints          // moments that files show as local time and as Unix time
	files    map[string]bool           // files that were read
	answered map[string]bool           // files whose command succeeded, also without output
	types    map[string]model.Resource // see resource
	private  string                    // the folder of sched_config
	listed   time.Time                 // when jobs were listed, from JSON, in whole seconds
	clock    lastTime
	show     func(Object) // see Objects; may be nil
}

func newReader(bundle fs.FS, opts Options) *reader {
	r := &reader{pbs: &model.PBS{}, zone: time.UTC, hints: source.ZoneHints{}, files: map[string]bool{},
		answered: map[string]bool{}}
	r.Reader = &object.Reader{Reader: source.New(bundle, opts), Repairs: &r.pbs.Repairs, Stamp: r.stamp}
	r.Snap.System = model.PBSSystem
	r.Snap.PBS = r.pbs
	return r
}
