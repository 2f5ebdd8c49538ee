package importer

import (
	"io/fs"

	"qprism/engine/model"
)

// pbsMarks are files that only bundles of PBS and Torque hold.
var pbsMarks = []string{
	"qstat_f.json", "qstat_f.dsv", "qstat_f_w.txt", "qstat_f.txt", "qstat_x.xml", "qstat_Bf.json", "qstat_Bf.txt",
	"pbsnodes_av.json", "pbsnodes_av.txt", "qmgr_print_server.txt", "pbsfs_p.txt", "sched_config",
	"resource_group", "job/qstat_f.out",
	"server/qstat_Bf.out",
}

// SystemOf says which batch system a bundle is of, by the names of its files: PBS also for Torque, whose releases say
// more only when they are read. A bundle of which nothing is known is taken for one of Grid Engine.
func SystemOf(bundle fs.FS) model.System {
	for _, mark := range pbsMarks {
		if info, err := fs.Stat(bundle, mark); err == nil && !info.IsDir() {
			return model.PBSSystem
		}
	}
	return model.GridEngine
}
