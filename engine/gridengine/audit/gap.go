package audit

import (
	"slices"
	"strings"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// A Gap is an input that the bundle lacks, and the fields that this affects.
type Gap struct {
	File   string
	What   string
	Fields []lastrun.Field       // fields that may differ because of it
	only   func(*model.Job) bool // of these jobs; nil for all
}

// findGaps lists missing inputs of priorities. With a known policy, some inputs are not needed.
func findGaps(s *model.Snapshot) []Gap {
	var gaps []Gap
	lacks := func(file, what string, applies bool, fields ...lastrun.Field) {
		if applies && !s.HasFile(file) && !s.HasFile(folder(file)) {
			gaps = append(gaps, Gap{File: file, What: what, Fields: closure(fields)})
		}
	}
	p := &s.Policy
	unknown := !s.HasFile("sched_conf.txt")
	tree, functional := unknown || p.ShareTreeTickets > 0, unknown || p.FunctionalTickets > 0
	lacks("sched_conf.txt", "no weight is known: no priority can be recomputed", true, basic...)
	lacks("qstat-j.xml", "submission times of running jobs, -js and dependencies are not known", true, basic...)
	lacks("complex.txt", "the urgency of resources is not known", true, lastrun.RRContr)
	lacks("pes.txt", "urgency_slots of parallel environments is not known", ranges(s), lastrun.RRContr)
	lacks("users.txt", "shares and override tickets of users are not known", true, lastrun.Otckt, lastrun.Ftckt)
	lacks("projects.txt", "shares and override tickets of projects are not known", projects(s), lastrun.Otckt, lastrun.Ftckt)
	lacks("usersets.txt", "shares and override tickets of departments are not known", true, lastrun.Otckt, lastrun.Ftckt)
	lacks("share_tree.txt", "the share tree is not known", tree, lastrun.Stckt)
	lacks("sge_share_mon.txt", "the usage of the share tree is not known", tree && (s.ShareTree != nil || !s.HasFile("share_tree.txt")),
		lastrun.Stckt)
	lacks("qstat-f.xml", "free slots are not known, which limit how many tasks of an array get tickets",
		arrays(s) && (tree || functional) && len(s.Instances) == 0, lastrun.Ftckt, lastrun.Stckt, lastrun.Otckt)
	if hidesTaskLimits(s) && (tree || functional) {
		gaps = append(gaps, Gap{File: "qstat-j.xml", What: "this release does not print -tc, which limits how many tasks of an array get tickets",
			Fields: closure([]lastrun.Field{lastrun.Ftckt, lastrun.Stckt, lastrun.Otckt})})
	}
	if p.MaxReservation > 0 && !s.HasFile("schedule") && slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return reservedArray(&j) }) {
		gaps = append(gaps, Gap{File: "schedule", What: "reservations are not known, after which the next task of an array is ranked",
			only:   reservedArray,
			Fields: []lastrun.Field{lastrun.Prio, lastrun.NTckts, lastrun.Tckts, lastrun.Otckt, lastrun.Ftckt, lastrun.Stckt, lastrun.Share}})
	}
	return gaps
}

// hidesTaskLimits reports whether an array may have a limit that its release does not print.
func hidesTaskLimits(s *model.Snapshot) bool {
	return s.Release.HidesTaskLimits() && slices.ContainsFunc(s.Jobs, func(j model.Job) bool {
		return j.Array && j.MaxRunningTasks == 0 && slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Pending() })
	})
}

// reservedArray reports whether tasks of a job can get reservations one by one.
func reservedArray(j *model.Job) bool { return j.Array && j.Reserve }

// folder is the folder that can replace a combined file of objects.
func folder(file string) string { return strings.TrimSuffix(file, ".txt") + "/" }

// basic are the fields from which all others are computed.
var basic = []lastrun.Field{lastrun.NPPrior, lastrun.RRContr, lastrun.WTContr, lastrun.DLContr, lastrun.Otckt, lastrun.Ftckt, lastrun.Stckt}

func closure(fields []lastrun.Field) []lastrun.Field {
	var all []lastrun.Field
	for _, f := range fields {
		all = append(all, f.Affects()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// gapFor is the gap that affects a field of a job.
func (r *Report) gapFor(j *model.Job, f lastrun.Field) *Gap {
	for i := range r.Gaps {
		if g := &r.Gaps[i]; slices.Contains(g.Fields, f) && (g.only == nil || g.only(j)) {
			return g
		}
	}
	return nil
}

func ranges(s *model.Snapshot) bool {
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return len(j.PERange) > 0 && j.PERange[0].Min != j.PERange[0].Max })
}

func projects(s *model.Snapshot) bool {
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.Project != "" })
}

func arrays(s *model.Snapshot) bool {
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.Array })
}
