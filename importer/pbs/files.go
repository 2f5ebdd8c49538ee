package pbs

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
)

// A part of a bundle may be in one of several files, the most exact first. JSON keeps data that text cuts or
// joins; so does print of qmgr, compared with list. A listing with subjobs (-t) is better than one without.
// Names with a folder belong to a pbs_snapshot.
type part struct {
	name  string
	files []string
}

// parts lists all parts. Of each, one file is read.
var parts = []part{
	{"jobs", strings.Fields(`qstat_f.json job/qstat_tf.out job/qstat_f_F_json.out qstat_f.dsv job/qstat_f_F_dsv.out qstat_f_w.txt
		qstat_f.txt job/qstat_f.out qstat_x.xml qstat_xf.json qstat_xf.txt job/qstat_xf.out
		job/qstat_fx_F_dsv.out`)},
	{"queues", strings.Fields(`qstat_Qf.json qstat_Qf.txt server/qstat_Qf.out qmgr_list_queue.txt qmgr_print_queue.txt
		server/qmgr_pq.out qmgr_print_server.txt server/qmgr_ps.out`)},
	{"server", strings.Fields(`qstat_Bf.json qstat_Bf.txt server/qstat_Bf.out qmgr_list_server.txt qmgr_print_server.txt
		server/qmgr_ps.out`)},
	{"schedulers", strings.Fields(
		`qmgr_print_sched.txt scheduler/qmgr_psched.out qmgr_list_sched.txt scheduler/qmgr_lsched.out`)},
	{"nodes", strings.Fields(`pbsnodes_av.json node/pbsnodes_avFjson.out pbsnodes_av.txt node/pbsnodes_va.out qmgr_list_node.txt
		pbsnodes_a.txt pbsnodes_x.xml qmgr_print_node.txt node/qmgr_pn_default.out`)},
	{"resources", strings.Fields(`qmgr_print_resource.txt qmgr_list_resource.txt server/qmgr_pr.out resource/qmgr_pr.out
		qmgr_print_server.txt server/qmgr_ps.out`)},
	{"hooks", strings.Fields(`qmgr_list_hook.txt qmgr_print_hook.txt hook/qmgr_ph_default.out`)},
	{"reservations", strings.Fields(`pbs_rstat_F.txt reservation/pbs_rstat_f.out`)},
	{"sched_config", strings.Fields(`sched_config sched_priv/sched_config`)},
	{"sched_formula", strings.Fields(`sched_formula sched_priv/sched_formula`)},
	{"resource_group", strings.Fields(`resource_group sched_priv/resource_group`)},
	{"usage", strings.Fields(`usage sched_priv/usage`)},
	{"holidays", strings.Fields(`holidays sched_priv/holidays`)},
	{"dedicated_time", strings.Fields(`dedicated_time sched_priv/dedicated_time`)},
	{"pbsfs", strings.Fields(`pbsfs_p.txt pbsfs.txt pbsfs_t.txt`)},
	{"sched_log", strings.Fields(`sched_log.txt sched_logs/`)},
	{"accounting", strings.Fields(`accounting.txt accounting/ server_priv/accounting/`)},
	{"date", strings.Fields(`MANIFEST date.txt ctime`)},
	{"version", strings.Fields(`version.txt`)},
}

// notRead are files, or beginnings of names, that qprism does not need: forms for people, the same listing for
// another user, and facts about the machine in a pbs_snapshot.
var notRead = strings.Fields(`index.json transcript.txt truth.json formulas.json accrual.json probes.json placements.json
	server_log.txt qstat.txt qstat_an1.txt qstat_ans1.txt qstat_ans1w.txt qstat_T.txt qstat_Q.txt
	qstat_B.txt qstat_f_as_user.txt qstat_xf.dsv pbsnodes_aS.txt pbsnodes_aSj.txt pbsnodes_aSj.json
	pbsnodes_l.txt pbs_rstat.txt pbs_rstat_B.txt usage.bak usage.touch job/ node/ server/ scheduler/
	reservation/ hook/ resource/ sched_priv sched_logs server_priv/ server_logs/ mom_priv/ mom_logs/
	comm_logs/ datastore/ core_file_bt/ system/ pbs.conf pbs_snapshot.log pbs_dc_agent/ errors/`)

// SamePart reports whether two files have the same information in two forms.
func SamePart(a, b string) bool {
	return slices.ContainsFunc(parts, func(p part) bool {
		return slices.Contains(p.files, a) && slices.Contains(p.files, b)
	})
}

// choose finds the part's best file that exists and is not empty. file is empty if there is none.
func (r *reader) choose(name string) (file string) {
	i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
	for _, file := range parts[i].files {
		info, err := fs.Stat(r.Bundle, strings.TrimSuffix(file, "/"))
		isFolder := strings.HasSuffix(file, "/")
		if err != nil || info.IsDir() != isFolder || !isFolder && info.Size() == 0 && !meansNone[name] {
			continue
		}
		r.pbs.Sources = append(r.pbs.Sources, model.Setting{Name: name, Value: file})
		r.files[file] = true
		return file
	}
	return ""
}

// meansNone are parts that may be empty: an empty file means that there is nothing to list.
var meansNone = names(
	"sched_config resource_group holidays dedicated_time sched_log accounting reservations hooks")

// folder lists the files of a folder, by name.
func (r *reader) folder(name string) ([]string, error) {
	entries, err := fs.ReadDir(r.Bundle, strings.TrimSuffix(name, "/"))
	if err != nil {
		return nil, &importer.Problem{File: name, Err: err}
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() {
			files = append(files, name+e.Name())
		}
	}
	return files, nil
}

var errNothing = errors.New("no file of a PBS bundle; qstat_f.json, or sched_config, is one")

// checkFiles notes which files the bundle has and lacks.
func checkFiles(r *reader) error {
	err := fs.WalkDir(r.Bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return &importer.Problem{File: name, Err: err}
		case entry.IsDir():
		case r.isRead(name):
			r.Snap.Has = append(r.Snap.Has, name)
		case !Knows(name):
			r.Unknown(name, 0, "file", "")
		}
		return nil
	})
	if err == nil && len(r.Snap.Has) == 0 {
		err = &importer.Problem{File: ".", Err: errNothing}
	}
	r.listMissing()
	slices.Sort(r.Snap.Has)
	slices.SortStableFunc(r.Snap.Unknown, func(a, b model.Unknown) int { return cmp.Compare(a.File, b.File) })
	return err
}

// isRead reports whether a file or its folder was read.
func (r *reader) isRead(name string) bool {
	return r.files[name] || r.files[path.Dir(name)+"/"]
}

// listMissing lists the parts without a file, by the name of the best file. If a command succeeded without a
// file, it printed nothing. For example, pbs_rstat prints nothing without reservations.
func (r *reader) listMissing() {
	for _, p := range parts {
		_, found := model.Text(r.pbs.Sources, p.name)
		silent := meansNone[p.name] && slices.ContainsFunc(p.files, func(file string) bool { return r.answered[file] })
		if !found && !silent {
			r.Snap.Missing = append(r.Snap.Missing, p.files[0])
		}
	}
	slices.Sort(r.Snap.Missing)
}

// Knows reports whether a bundle can have a file with this name.
func Knows(name string) bool {
	for _, p := range notRead {
		if name == p || strings.HasSuffix(p, "/") && strings.HasPrefix(name, p) {
			return true
		}
	}
	return strings.HasPrefix(name, "sched_priv") || strings.HasPrefix(name, "sched_logs") ||
		slices.ContainsFunc(parts, func(p part) bool { return slices.Contains(p.files, name) })
}
