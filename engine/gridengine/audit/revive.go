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
	"qprism/engine/model/glob"
)

// Between a run and the bundle tasks end, and the master forgets them. The accounting file still tells of them: those
// that ended after the run were running in it, or started in it; those that ended since the run before were in it as
// finished tasks, which count against the limit of their array until a run has booked their usage.

const (
	reportDelay = 5 * time.Second // an execution host's report of an end may come so late
	mostLate    = 6               // records of that time that are taken for late ones, at the most
	mostWork    = 200_000         // jobs that are recomputed for them, at the most
)

// revivals are the snapshot as it may have been for the run: first with each ended task by the time of its
// end, then with those near the run and near the run before taken for later ones.
func revivals(s, before *model.Snapshot, at time.Time) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		s := undone(s, before, at)
		g := newGone(s, before, at)
		heard, missed := g.firstEndedAt(split.PreviousRun(s, at)), g.firstEndedAt(at)
		if !yield(g.revive(heard, missed)) || len(g.tasks) == 0 {
			return
		}
		left := mostWork / max(len(s.Jobs), 1)
		for _, m := range g.near(missed, at) {
			for _, h := range g.near(min(heard, m), split.PreviousRun(s, at)) {
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

// gone lists the tasks that the snapshot lacks and that a run at that moment may have seen. Their order is
// the order in which the master learned that they ended.
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
	there, kept, scheduled := present(s), finishedIn(s), scheduledIn(s)
	for _, t := range s.Ended {
		if t.Started.IsZero() { // a record without times, as of a simulated host
			t.Started = scheduled[taskOfJob{t.Job, t.Task}]
		}
		if f, ok := kept[taskOfJob{t.Job, t.Task}]; ok && t.Ended.IsZero() {
			t.Started, t.Ended = f.Started, f.Ended
		}
		if (t.Ended.IsZero() || !t.Ended.Before(from.Add(-reportDelay))) && !there.has(t.Job, t.Task) {
			g.tasks = append(g.tasks, t)
			there.add(t.Job, model.Range{Min: t.Task, Max: t.Task, Step: 1})
		}
	}
	g.addFinished(there, kept)
	g.addEarlier(there)
	return g
}

// scheduledIn is when tasks started last by the schedule file.
func scheduledIn(s *model.Snapshot) map[taskOfJob]time.Time {
	starts := map[taskOfJob]time.Time{}
	for _, r := range s.Runs {
		for _, l := range r.Lines {
			if l.State == "STARTING" {
				starts[taskOfJob{l.Job, l.Task}] = l.Start
			}
		}
	}
	return starts
}

// A taskOfJob names a task.
type taskOfJob struct{ job, task uint32 }

// finishedIn are the ended tasks that the master still keeps (JAT_status 65536 in qstat-j.xml): no run has
// taken note of them, so that they were there in the last one.
func finishedIn(s *model.Snapshot) map[taskOfJob]model.EndedTask {
	kept := map[taskOfJob]model.EndedTask{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, f := range j.Finished {
			kept[taskOfJob{j.Number, f.Number}] = model.EndedTask{Job: j.Number, Task: f.Number,
				Started: f.Started, Ended: s.TakenAt}
		}
	}
	return kept
}

// addFinished adds those of which the accounting file does not tell.
func (g *gone) addFinished(there taskSet, kept map[taskOfJob]model.EndedTask) {
	for i := range g.snapshot.Jobs {
		for _, f := range g.snapshot.Jobs[i].Finished {
			if t := kept[taskOfJob{g.snapshot.Jobs[i].Number, f.Number}]; !there.has(t.Job, t.Task) {
				g.tasks = append(g.tasks, t)
				there.add(t.Job, model.Range{Min: t.Task, Max: t.Task, Step: 1})
			}
		}
	}
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

// firstEndedAt is the index of the first task that ended at a moment or later; 0 for the zero time. A
// record without times, as of a simulated host, is taken for an earlier one, unless its task started at
// that moment or later.
func (g *gone) firstEndedAt(at time.Time) int {
	if at.IsZero() {
		at = time.Unix(0, 1)
	}
	later := func(t model.EndedTask) bool {
		last := cmp.Or(t.Ended, t.Started)
		return !last.IsZero() && !last.Before(at)
	}
	if i := slices.IndexFunc(g.tasks, later); i >= 0 {
		return i
	}
	return len(g.tasks)
}

// near are an index and those around it whose records are of that time, nearest first.
func (g *gone) near(index int, at time.Time) []int {
	list := []int{index}
	for i := 1; i <= mostLate; i++ {
		if index >= i && g.late(index-i, at) {
			list = append(list, index-i)
		}
		if index+i <= len(g.tasks) && g.late(index+i-1, at) {
			list = append(list, index+i)
		}
	}
	return list
}

// late reports whether the master may have heard of an end on the other side of a moment than its record says.
func (g *gone) late(index int, at time.Time) bool {
	ended := g.tasks[index].Ended
	return ended.IsZero() || ended.Sub(at).Abs() <= reportDelay
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
				return asked == strconv.FormatUint(uint64(p.Number), 10) || p.Owner == j.Owner &&
					p.Name != "" && glob.Match(asked, p.Name)
			}
			if j.Number != p.Number && slices.ContainsFunc(j.PredecessorNames, waits) &&
				!slices.Contains(j.Predecessors, p.Number) {
				j.Predecessors = append(slices.Clip(j.Predecessors), p.Number)
			}
		}
	}
}

// jobOf finds the job of an ended task among the jobs that are there, or adds it.
func (g *gone) jobOf(s *model.Snapshot, t *model.EndedTask) *model.Job {
	if i := slices.IndexFunc(s.Jobs, func(j model.Job) bool { return j.Number == t.Job }); i >= 0 {
		j := &s.Jobs[i]
		j.Department = cmp.Or(j.Department, t.Department, g.departmentBefore(t.Job)) // which qstat -j does not print
		return j
	}
	s.Jobs = append(s.Jobs, g.describe(t))
	return &s.Jobs[len(s.Jobs)-1]
}

// describe is what is known of a job that is gone.
func (g *gone) describe(t *model.EndedTask) model.Job {
	if old := g.jobBefore(t.Job); old != nil {
		j := *old
		j.Tasks, j.Reported = nil, nil
		return j
	}
	j := t.AsJob()
	if j.Submitted.IsZero() {
		j.Submitted = g.submittedBetween(j.Number)
	}
	return j
}

// jobBefore is the job in the snapshot before, nil where it is not there.
func (g *gone) jobBefore(number uint32) *model.Job {
	if g.before == nil {
		return nil
	}
	i := slices.IndexFunc(g.before.Jobs, func(j model.Job) bool { return j.Number == number })
	if i < 0 {
		return nil
	}
	return &g.before.Jobs[i]
}

// departmentBefore is the department that the snapshot before prints.
func (g *gone) departmentBefore(number uint32) string {
	if j := g.jobBefore(number); j != nil {
		return j.Department
	}
	return ""
}

// submittedBetween is when a job was submitted whose record has no times: job numbers are given one after
// the other, so not before the one with the next lower number, nor after the one with the next higher. It
// is the zero time where these two differ.
func (g *gone) submittedBetween(number uint32) time.Time {
	var lower, higher *model.Job
	for i := range g.snapshot.Jobs {
		j := &g.snapshot.Jobs[i]
		if j.Number < number && (lower == nil || j.Number > lower.Number) {
			lower = j
		}
		if j.Number > number && (higher == nil || j.Number < higher.Number) {
			higher = j
		}
	}
	if lower == nil || higher == nil || lower.Submitted.Unix() != higher.Submitted.Unix() {
		return time.Time{}
	}
	return lower.Submitted
}

// taskOf is an ended task as it was.
func taskOf(t model.EndedTask, ended time.Time) model.Task {
	return model.Task{IDs: []model.Range{{Min: t.Task, Max: t.Task, Step: 1}}, State: "r",
		Enrolled: true, Started: t.Started, Ended: ended,
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
	return model.Holds(s[job], task)
}
