package gridengine

import (
	"io/fs"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/qconf"
	"qprism/importer/gridengine/qstat"
	"qprism/importer/gridengine/records"
	"qprism/importer/source"
)

// Options say how to read a bundle.
type Options = source.Options

// Read reads a bundle into a snapshot. The snapshot's Missing lists files that the bundle lacks. A bundle
// without any known file is an error. Each error is an *importer.Problem with file, line and text.
func Read(files fs.FS, opts Options) (*model.Snapshot, error) {
	r := bundle.New(files, opts)
	for _, step := range []func(*bundle.Reader) error{
		bundle.ReadManifest,   // MANIFEST, qstat-help.txt: place, time, release
		inferZone,             // distance of local times from UTC, if MANIFEST does not have it
		qconf.Read,            // output of qconf
		qstat.ReadJobs,        // qstat.xml, qstat-j.xml
		qstat.ReadCluster,     // qstat-f.xml, qhost.xml, qrstat.xml
		records.ReadUsage,     // sge_share_mon.txt
		records.Read,          // schedule, messages, accounting
		bundle.InferRelease,   // from options of the configuration, if qstat-help.txt lacks the version
		qstat.InferTaskLimits, // -tc, if the release does not print it
		bundle.CheckFiles,     // files that the bundle has and lacks
	} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return r.Snap, nil
}

func inferZone(r *bundle.Reader) error { return r.InferZone(qstat.ReadJobs) }
