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

// findGaps lists what the bundle lacks of what priorities are made of. A policy that is known can do
// without some of it.
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
	lacks("sched_conf.txt", "no weight is known: qprism cannot recompute any priority", true, basic...)
	lacks("qstat-j.xml", "unknown: submission times of running jobs, -js, dependencies", true, basic...)
	lacks("complex.txt", "unknown: the urgency of resources", true, lastrun.RRContr)
	lacks("pes.txt", "unknown: urgency_slots of parallel environments", ranges(s), lastrun.RRContr)
	lacks("users.txt", "unknown: shares and override tickets of users", true, lastrun.Otckt, lastrun.Ftckt)
	lacks("projects.txt", "unknown: shares and override tickets of projects", projects(s), lastrun.Otckt, lastrun.Ftckt)
	lacks("usersets.txt", "unknown: shares and override tickets of departments", true, lastrun.Otckt, lastrun.Ftckt)
	lacks("share_tree.txt", "unknown: the share tree", tree, lastrun.Stckt)
	lacks("sge_share_mon.txt", "unknown: the usage in the share tree", tree &&
		(s.ShareTree != nil || !s.HasFile("share_tree.txt")),
		lastrun.Stckt)
	lacks("qstat-f.xml", "unknown: free slots; they limit how many tasks of an array job get tickets",
		arrays(s) && (tree || functional) && len(s.Instances) == 0, lastrun.Ftckt, lastrun.Stckt, lastrun.Otckt)
	if hidesTaskLimits(s) && (tree || functional) {
		gaps = append(gaps, Gap{File: "qstat-j.xml",
			What:   "this release does not print -tc; it limits how many tasks of an array job get tickets",
			Fields: closure([]lastrun.Field{lastrun.Ftckt, lastrun.Stckt, lastrun.Otckt})})
	}
	if p.MaxReservation > 0 && !s.HasFile("schedule") && slices.ContainsFunc(s.Jobs, func(j model.Job) bool {
		return reservedArray(&j)
	}) {
		gaps = append(gaps, Gap{File: "schedule", What: "unknown: reservations; after one, the " +
			"scheduler ranks the next task of an array job",
			only: reservedArray,
			Fields: []lastrun.Field{lastrun.Prio, lastrun.NTckts, lastrun.Tckts, lastrun.Otckt,
				lastrun.Ftckt, lastrun.Stckt, lastrun.Share}})
	}
	return gaps
}

// hidesTaskLimits reports whether an array may have a limit that its release does not print.
func hidesTaskLimits(s *model.Snapshot) bool {
	return s.Release.HidesTaskLimits() && slices.ContainsFunc(s.Jobs, func(j model.Job) bool {
		return j.Array && j.MaxRunningTasks == 0 && slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
			return t.Pending()
		})
	})
}

// reservedArray reports whether tasks of a job can get reservations one by one.
func reservedArray(j *model.Job) bool { return j.Array && j.Reserve }

// folder is the folder that can replace a combined file of objects.
func folder(file string) string { return strings.TrimSuffix(file, ".txt") + "/" }

// basic are the fields that all others are made of.
var basic = []lastrun.Field{lastrun.NPPrior, lastrun.RRContr, lastrun.WTContr, lastrun.DLContr,
	lastrun.Otckt, lastrun.Ftckt, lastrun.Stckt}

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
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool {
		return len(j.PERange) > 0 && j.PERange[0].Min != j.PERange[0].Max
	})
}

func projects(s *model.Snapshot) bool {
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.Project != "" })
}

func arrays(s *model.Snapshot) bool {
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.Array })
}
