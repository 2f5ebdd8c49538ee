package diff

import (
	"time"

	"qprism/engine/model"
)

// A step is one scheduler run between two snapshots: what it found, and what it started.
type step struct {
	Options
	before, after *model.Snapshot
	expected      *model.Snapshot // the state that the run was expected to find
	state         *model.Snapshot // the one that it found, as far as is known
	at            time.Time
	starts        []start
	later         map[Task]bool // started by later runs

	plans map[model.Quirks]*decided
}

// steps are the runs between two snapshots that started anything, in their order; where none did, one at the time of the
// earlier snapshot.
func steps(before, after *model.Snapshot, o Options) (list []*step) {
	all := observe(before, after)
	groups := runsOf(all, after)
	if len(groups) == 0 {
		groups = [][]start{nil}
	}
	for i, g := range groups {
		if i == o.MostRuns {
			break
		}
		s := &step{Options: o, before: before, after: after, starts: g, at: moment(before, after, g), later: map[Task]bool{}, plans: map[model.Quirks]*decided{}}
		if !o.At.IsZero() && i == 0 {
			s.at = o.At
		}
		done := 0
		for _, earlier := range groups[:i] {
			done += len(earlier)
		}
		for _, l := range all[done+len(g):] {
			s.later[l.task] = true
		}
		s.state = stateBefore(before, after, all[:done], s.at)
		s.settle()
		list = append(list, s)
	}
	return list
}

// runsOf splits starts into runs: those of one cycle of a log, or no more than a second apart.
func runsOf(all []start, after *model.Snapshot) (groups [][]start) {
	from := 0
	for i := 1; i <= len(all); i++ {
		if i < len(all) && sameRun(&all[from], &all[i], after) {
			continue
		}
		rank(all[from:i])
		groups = append(groups, all[from:i:i])
		from = i
	}
	return groups
}

func sameRun(a, b *start, after *model.Snapshot) bool {
	if after.PBS != nil && a.seq > 0 && b.seq > 0 {
		return cycleOf(after, a.at) == cycleOf(after, b.at)
	}
	return b.at.Unix()-a.at.Unix() <= 1
}

// cycleOf is the last cycle of the log that began by a moment, -1 for none.
func cycleOf(s *model.Snapshot, at time.Time) int {
	last := -1
	for i := range s.PBS.Cycles {
		if !s.PBS.Cycles[i].Start.After(at) {
			last = i
		}
	}
	return last
}

// rank numbers the starts of a run in their order. Those of the same second are tied, unless a log tells of all of them.
func rank(list []start) {
	for lo := 0; lo < len(list); {
		hi, told := lo, true
		for ; hi < len(list) && list[hi].at.Unix() == list[lo].at.Unix(); hi++ {
			told = told && list[hi].seq > 0
		}
		for k := lo; k < hi; k++ {
			list[k].rank = int32(lo)
			if told {
				list[k].rank = int32(k)
			}
		}
		lo = hi
	}
}

// moment is when a run took place: when its log says, at its first start, or where nothing started at the time of the earlier
// snapshot.
func moment(before, after *model.Snapshot, starts []start) time.Time {
	if len(starts) == 0 {
		return before.TakenAt
	}
	if after.PBS != nil && starts[0].seq > 0 {
		if i := cycleOf(after, starts[0].at); i >= 0 {
			return after.PBS.Cycles[i].Start
		}
	}
	return starts[0].at
}

func (s *step) ranking() []place { return ranking(s.expected, s.at, s.Quirks) }

// plan plans the run as it was expected.
func (s *step) plan(q model.Quirks) *model.Plan { return planRun(s.expected, s.at, q) }

// seen reports whether a task that did not start in this run is known to wait, to have started in a later one, or to be gone.
func (s *step) seen(t Task) bool {
	if s.later[t] {
		return true
	}
	for i := range s.after.Jobs {
		j := &s.after.Jobs[i]
		switch {
		case j.Number != t.Job:
		case j.PBS != nil:
			if j.PBS.Array == "" && !j.Array || j.PBS.Index == t.Number || holds(j.PBS.ArrayRemaining, t.Number) {
				return true
			}
		default:
			for k := range j.Tasks {
				if len(j.Tasks[k].IDs) == 0 || holds(j.Tasks[k].IDs, t.Number) {
					return true
				}
			}
		}
	}
	for _, e := range s.after.Ended {
		if e.Job == t.Job && max(e.Task, 1) == t.Number {
			return true
		}
	}
	return false
}
