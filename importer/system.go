package importer

import (
	"io/fs"

	"qprism/engine/model"
)

// pbsMarks are files that only bundles of PBS and Torque have.
var pbsMarks = []string{
	"qstat_f.json", "qstat_f.dsv", "qstat_f_w.txt", "qstat_f.txt", "qstat_x.xml", "qstat_Bf.json", "qstat_Bf.txt",
	"pbsnodes_av.json", "pbsnodes_av.txt", "qmgr_print_server.txt", "pbsfs_p.txt", "sched_config",
	"resource_group", "job/qstat_f.out",
	"server/qstat_Bf.out",
}

// SystemOf finds the batch system of a bundle by the names of its files. The result is PBS also for Torque; the
// release distinguishes them later. If no file name shows the system, the result is Grid Engine.
func SystemOf(bundle fs.FS) model.System {
	for _, mark := range pbsMarks {
		if info, err := fs.Stat(bundle, mark); err == nil && !info.IsDir() {
			return model.PBSSystem
		}
	}
	return model.GridEngine
}
