package diff

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A step is one scheduler run between two snapshots: what it found, and what it started.
type step struct {
	Options
	before, after  *model.Snapshot
	expected       *model.Snapshot // the state that the run was expected to find
	state          *model.Snapshot // the one that it found, as far as is known
	at             time.Time
	cycle          int  // of the later snapshot's log of PBS, from 1; 0 where none tells of the run
	isLast         bool // of those before the later snapshot
	starts         []start
	later          map[Task]bool // started by later runs
	unordered      map[Task]bool // started by this one, and nothing tells at which place among them
	differences    int           // tasks that either its plan starts or it did, but not both
	memory         *memory       // of the scheduler before it
	expectedMemory *memory

	plans   map[model.Quirks]*decided
	orders  map[orderKey]*standing
	indexed map[*model.Snapshot]jobs
	ended   map[Task]bool
	remembered
}

// steps are the runs between two snapshots, in their order.
func steps(before, after *model.Snapshot, m *memory, o Options) (list []*step) {
	runs := runsOf(observe(before, after, o.Events), before, after)
	if !o.At.IsZero() {
		runs[0].at = o.At
	}
	var done []start
	for i, r := range runs[:min(len(runs), o.MostRuns)] {
		s := &step{Options: o, before: before, after: after, starts: r.starts, at: r.at, cycle: r.cycle,
			isLast: i == len(runs)-1, memory: m,
			later: map[Task]bool{}, plans: map[model.Quirks]*decided{},
			orders: map[orderKey]*standing{}, indexed: map[*model.Snapshot]jobs{}, unordered: map[Task]bool{}}
		for _, one := range r.starts {
			if one.seq == 0 {
				s.unordered[one.task] = true
			}
		}
		for _, other := range runs[i+1:] {
			for _, l := range other.starts {
				s.later[l.task] = true
			}
		}
		s.state = s.stateBefore(done, &r)
		s.settle()
		m = s.remembers()
		done = append(done, r.starts...)
		list = append(list, s)
	}
	return list
}

// remembers is what a PBS scheduler knows after the run.
func (s *step) remembers() *memory {
	if s.before.PBS == nil {
		return nil
	}
	return s.decide(s.Release).memory
}

// A runOf is what is known of one run: when it was and what it started.
type runOf struct {
	at     time.Time
	cycle  int // of a log, 0 for none
	starts []start
}

// started reports whether the run started a task of a job.
func (r *runOf) started(job uint32) bool {
	return slices.ContainsFunc(r.starts, func(s start) bool { return s.task.Job == job })
}

// runsOf splits starts into runs: the cycles of a scheduler's log, those too that started nothing; else
// those no more than a second apart. Where nothing started and no log tells, there is one run at the time
// of the earlier snapshot.
func runsOf(all []start, before, after *model.Snapshot) (runs []runOf) {
	if after.PBS != nil {
		runs = cyclesOf(before, after)
	}
	for i := range all {
		s := &all[i]
		switch last := len(runs) - 1; {
		case after.PBS != nil && len(after.PBS.Cycles) > 0 && last >= 0 && !s.at.Before(runs[0].at):
			k := cycleOf(runs, s)
			runs[k].starts = append(runs[k].starts, *s)
		case last >= 0 && len(runs[last].starts) > 0 && s.at.Unix()-runs[last].at.Unix() <= 1:
			runs[last].starts = append(runs[last].starts, *s)
		default:
			runs = append(runs, runOf{at: s.at, starts: []start{*s}})
		}
	}
	slices.SortStableFunc(runs, func(a, b runOf) int { return a.at.Compare(b.at) })
	for _, r := range runs {
		rank(r.starts)
	}
	if len(runs) == 0 {
		return []runOf{{at: before.TakenAt}}
	}
	return runs
}

// cyclesOf are the cycles that a log tells of between two snapshots.
func cyclesOf(before, after *model.Snapshot) (runs []runOf) {
	for i := range after.PBS.Cycles {
		if c := &after.PBS.Cycles[i]; !c.Start.Before(before.TakenAt.Truncate(time.Second)) {
			runs = append(runs, runOf{at: c.Start, cycle: i + 1})
		}
	}
	return runs
}

// cycleOf is the cycle that started a task, as the log says, else the last that began by then.
func cycleOf(runs []runOf, s *start) int {
	last := 0
	for i := range runs {
		if s.cycle > 0 && runs[i].cycle == s.cycle {
			return i
		}
		if !runs[i].at.After(s.at) {
			last = i
		}
	}
	return last
}

// rank numbers the starts of a run in their order. Those of the same second are tied, unless a log tells of
// all of them.
func rank(list []start) {
	for lo := 0; lo < len(list); {
		hi, ordered := lo, true
		for ; hi < len(list) && list[hi].at.Unix() == list[lo].at.Unix(); hi++ {
			ordered = ordered && list[hi].seq > 0
		}
		for k := lo; k < hi; k++ {
			list[k].rank = int32(lo)
			if ordered {
				list[k].rank = int32(k)
			}
		}
		lo = hi
	}
}

func (s *step) ranking() []place { return ranking(s.expected, s.at, s.Quirks, s.expectedMemory) }

// plan plans the run as it was expected.
func (s *step) plan(q model.Quirks) *model.Plan {
	p, _ := planRun(s.expected, s.at, q, s.expectedMemory, false)
	return p
}

// seen reports whether the later fate of a task that did not start in this run is known: it waits, it
// started in a later run, or it is gone.
func (s *step) seen(t Task) bool {
	if s.later[t] || s.endedBy()[t] {
		return true
	}
	return slices.ContainsFunc(s.jobsOf(s.after)[t.Job], func(j *model.Job) bool {
		if j.PBS != nil {
			return j.PBS.Array == "" && !j.Array || j.PBS.Index == t.Number || holds(j.PBS.ArrayRemaining, t.Number)
		}
		return slices.ContainsFunc(j.Tasks, func(w model.Task) bool { return len(w.IDs) == 0 || holds(w.IDs, t.Number) })
	})
}

// endedBy are the tasks of a Grid Engine that are known to have ended before the later snapshot.
func (s *step) endedBy() map[Task]bool {
	if s.ended == nil {
		s.ended = map[Task]bool{}
		for _, e := range s.after.Ended {
			s.ended[Task{e.Job, max(e.Task, 1)}] = true
		}
		for t := range s.reportedEnds() {
			s.ended[t] = true
		}
	}
	return s.ended
}
