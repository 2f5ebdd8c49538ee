package history

import (
	"cmp"
	"slices"

	"qprism/engine/model"
)

// Standings gives the place of every waiting job in a plan, by number, one for each job. For a job with
// several tasks, the rank is that of its first task, and the cause that of the first task that does not
// start.
//
// never reports whether a job can never run. If it is true, this is the only cause of the wait. never may be
// nil.
func Standings(s *model.Snapshot, p *model.Plan, never func(*model.Job) bool) []model.Standing {
	judge := newJudge(s, p)
	judge.never = never
	places := map[uint32]int{}
	var all []model.Standing
	rank := 0
	for i := range p.Decisions {
		d := &p.Decisions[i]
		k, known := places[d.Job]
		if !known {
			k = len(all)
			places[d.Job] = k
			all = append(all, model.Standing{Job: d.Job, Cause: model.CauseStarts})
		}
		st := &all[k]
		st.Tasks += int64(max(model.CountOf(d.Tasks), 1))
		if st.Rank == 0 && judge.takes(d) {
			rank++
			st.Rank = rank
		}
		judge.decide(d, st)
	}
	slices.SortFunc(all, func(a, b model.Standing) int { return cmp.Compare(a.Job, b.Job) })
	return all
}

// LoadOf says how much of the cluster is in use, and counts waiting jobs by cause.
func LoadOf(s *model.Snapshot, standings []model.Standing) model.Load {
	var l model.Load
	if s.PBS != nil {
		l.Slots, l.Used = cpus(s)
	} else {
		for i := range s.Instances {
			l.Slots += int64(s.Instances[i].Slots)
			l.Used += int64(s.Instances[i].Used)
		}
	}
	for _, c := range Causes {
		n := model.CauseCount{Cause: c}
		for _, st := range standings {
			if st.Cause == c {
				n.Jobs++
				n.Tasks += st.Tasks
			}
		}
		if n.Jobs > 0 {
			l.Waiting = append(l.Waiting, n)
		}
	}
	return l
}

// cpus counts the CPUs that vnodes have, and that jobs have of them.
func cpus(s *model.Snapshot) (total, used int64) {
	for i := range s.Hosts {
		total += cpusIn(s.Hosts[i].Capacity)
		if v := s.Hosts[i].PBS; v != nil {
			used += cpusIn(v.Assigned)
		}
	}
	return total, used
}

// Causes are all causes, in the order of reports.
var Causes = []model.Cause{model.CausePriority, model.CauseReserved, model.CauseBusy, model.CauseHost,
	model.CauseClosed, model.CauseQuota,
	model.CauseTaskLimit, model.CauseDependency, model.CauseHold, model.CauseTime, model.CauseAdvance,
	model.CauseError, model.CauseMisfit,
	model.CauseStarts, model.CauseUnknown}

// cpusIn is the number of CPUs among settings; 0 if there is none.
func cpusIn(settings []model.Setting) int64 {
	text, _ := model.Text(settings, "ncpus")
	n, err := model.ParseNumber(text)
	if err != nil || !(n >= 0 && n < 1<<53) {
		return 0
	}
	return int64(n)
}
