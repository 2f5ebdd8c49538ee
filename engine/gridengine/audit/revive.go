package audit

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Between a run and the bundle tasks end, and the master forgets them. The accounting file still tells of them: those
// that ended after the run were running in it, or started in it; those that ended since the run before were in it as
// finished tasks, which count against the limit of their array until a run has booked their usage.

const (
	reportDelay = 5 * time.Second // an execution host's report of an end may come so late
	mostLate    = 6               // records that the search takes for late ones
)

// revivals are the snapshot as it may have been for the run: first with each ended task by the time of its end, then with
// those near the run and near the run before taken for later ones.
func revivals(s, before *model.Snapshot, at time.Time) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		g := newGone(s, before, at)
		heard, missed := g.firstEndedAt(split.PreviousRun(s, at)), g.firstEndedAt(at)
		if !yield(g.revive(heard, missed)) || len(g.tasks) == 0 {
			return
		}
		left := mostWork / max(len(s.Jobs), 1)
		for _, m := range g.near(missed) {
			for _, h := range g.near(min(heard, m)) {
				if h > m || h == heard && m == missed {
					continue
				}
				if left--; left < 0 || !yield(g.revive(h, m)) {
					return
				}
			}
		}
	}
}

// gone are the tasks that the snapshot lacks and that a run at that moment may have seen, in the order in which the
// master heard of their ends.
type gone struct {
	snapshot, before *model.Snapshot
	at               time.Time
	tasks            []model.EndedTask
}

func newGone(s, before *model.Snapshot, at time.Time) *gone {
	g := &gone{snapshot: s, before: before, at: at}
	from := split.PreviousRun(s, at)
	if from.IsZero() {
		from = at
	}
	there := present(s)
	for _, t := range s.Ended {
		if (t.Ended.IsZero() || !t.Ended.Before(from.Add(-reportDelay))) && !there.has(t.Job, t.Task) {
			g.tasks = append(g.tasks, t)
			there.add(t.Job, model.Range{Min: t.Task, Max: t.Task, Step: 1})
		}
	}
	g.addEarlier(there)
	return g
}

// addEarlier adds the tasks that ran at the time of the snapshot before, and of whose end no record tells.
func (g *gone) addEarlier(there taskSet) {
	if g.before == nil {
		return
	}
	for i := range g.before.Jobs {
		j := &g.before.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if number := lastrun.FirstNumber(t); !t.Started.IsZero() && t.Started.Before(g.at) && !there.has(j.Number, number) {
				e := model.EndedTask{Job: j.Number, Task: number, Started: t.Started, Ended: g.at, PE: t.PE, Slots: t.Slots}
				if len(t.Granted) > 0 {
					e.Queue, e.Host, _ = strings.Cut(t.Granted[0].Instance, "@")
				}
				g.tasks = append(g.tasks, e)
			}
		}
	}
}

// firstEndedAt is the index of the first task that ended at a moment or later; 0 for the zero time. A record without times,
// as of a simulated host, is taken for an earlier one.
func (g *gone) firstEndedAt(at time.Time) int {
	if at.IsZero() {
		at = time.Unix(0, 1)
	}
	if i := slices.IndexFunc(g.tasks, func(t model.EndedTask) bool { return !t.Ended.IsZero() && !t.Ended.Before(at) }); i >= 0 {
		return i
	}
	return len(g.tasks)
}

// near are an index and those around it, nearest first.
func (g *gone) near(index int) []int {
	list := []int{index}
	for i := 1; i <= mostLate; i++ {
		if index >= i {
			list = append(list, index-i)
		}
		if index+i <= len(g.tasks) {
			list = append(list, index+i)
		}
	}
	return list
}

// revive returns the snapshot with the tasks from heard on: finished ones up to missed, and then running ones.
func (g *gone) revive(heard, missed int) *model.Snapshot {
	if heard >= len(g.tasks) {
		return g.snapshot
	}
	s := *g.snapshot
	s.Jobs = slices.Clone(s.Jobs)
	var running []model.Job
	for i, t := range g.tasks[heard:] {
		ended := t.Ended
		if heard+i < missed && (ended.IsZero() || !ended.Before(g.at)) {
			ended = g.at.Add(-time.Second)
		}
		if heard+i >= missed && ended.Before(g.at) {
			ended = g.at
		}
		if t.Started.IsZero() {
			t.Started = g.at.Add(-time.Second)
		}
		j := g.jobOf(&s, &t)
		j.Tasks = append(slices.Clip(j.Tasks), taskOf(t, ended))
		if !ended.Before(g.at) {
			running = append(running, *j)
		}
	}
	awaitEnds(s.Jobs, running)
	return &s
}

// awaitEnds makes jobs wait for those that had not ended yet (-hold_jid).
func awaitEnds(jobs, running []model.Job) {
	for i := range jobs {
		j := &jobs[i]
		for _, p := range running {
			waits := func(asked string) bool {
				return asked == strconv.FormatUint(uint64(p.Number), 10) || p.Owner == j.Owner && p.Name != "" && model.MatchName(asked, p.Name)
			}
			if j.Number != p.Number && slices.ContainsFunc(j.PredecessorNames, waits) && !slices.Contains(j.Predecessors, p.Number) {
				j.Predecessors = append(slices.Clip(j.Predecessors), p.Number)
			}
		}
	}
}

// jobOf finds the job of an ended task among the jobs that are there, or adds it.
func (g *gone) jobOf(s *model.Snapshot, t *model.EndedTask) *model.Job {
	if i := slices.IndexFunc(s.Jobs, func(j model.Job) bool { return j.Number == t.Job }); i >= 0 {
		j := &s.Jobs[i]
		j.Department = cmp.Or(j.Department, t.Department) // which qstat -j does not print
		return j
	}
	s.Jobs = append(s.Jobs, g.describe(t))
	return &s.Jobs[len(s.Jobs)-1]
}

// describe is what is known of a job that is gone.
func (g *gone) describe(t *model.EndedTask) model.Job {
	if g.before != nil {
		if i := slices.IndexFunc(g.before.Jobs, func(j model.Job) bool { return j.Number == t.Job }); i >= 0 {
			j := g.before.Jobs[i]
			j.Tasks, j.Reported = nil, nil
			return j
		}
	}
	j := model.Job{Number: t.Job, Name: t.Name, Owner: t.Owner, Group: t.Group, Project: t.Project, Department: t.Department, Account: t.Account,
		Submitted: t.Submitted, Array: t.Array, Reservation: t.Reservation}
	if t.PE != "" {
		j.PE, j.PERange = t.PE, []model.Range{{Min: uint32(max(t.Slots, 1)), Max: uint32(max(t.Slots, 1)), Step: 1}}
	}
	return j
}

// taskOf is an ended task as it was.
func taskOf(t model.EndedTask, ended time.Time) model.Task {
	return model.Task{IDs: []model.Range{{Min: t.Task, Max: t.Task, Step: 1}}, State: "r", Enrolled: true, Started: t.Started, Ended: ended,
		Slots: max(t.Slots, 1), PE: t.PE, Granted: []model.Grant{{Instance: t.Queue + "@" + t.Host, Slots: max(t.Slots, 1)}}}
}

// A taskSet holds the ranges of tasks that the master has, by job.
type taskSet map[uint32][]model.Range

func present(s *model.Snapshot) taskSet {
	set := taskSet{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			set[j.Number] = append(set[j.Number], j.Tasks[k].IDs...)
		}
	}
	return set
}

func (s taskSet) add(job uint32, r model.Range) { s[job] = append(s[job], r) }

func (s taskSet) has(job, task uint32) bool {
	return slices.ContainsFunc(s[job], func(r model.Range) bool {
		return r.Min <= task && task <= r.Max && (task-r.Min)%max(r.Step, 1) == 0
	})
}
