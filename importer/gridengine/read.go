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
		bundle.ReadManifest,   // MANIFEST, qstat-help.txt: where, when, which release
		inferZone,             // how far local times are from UTC, where MANIFEST does not say
		qconf.Read,            // what qconf printed
		qstat.ReadJobs,        // qstat.xml, qstat-j.xml
		qstat.ReadCluster,     // qstat-f.xml, qhost.xml, qrstat.xml
		records.ReadUsage,     // sge_share_mon.txt
		records.Read,          // schedule, messages, accounting
		bundle.InferRelease,   // by the options of the configuration, where qstat-help.txt does not say
		qstat.InferTaskLimits, // -tc, where the release does not print it
		bundle.CheckFiles,     // what the bundle holds and lacks
	} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return r.Snap, nil
}

func inferZone(r *bundle.Reader) error { return r.InferZone(qstat.ReadJobs) }
