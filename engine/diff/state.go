package diff

import (
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
	"qprism/engine/pbs/simulate"
)

// stateBefore is the state that a run finds: the earlier snapshot, with what was submitted since, what
// earlier runs started, and without what has ended. Where PBS tells of both cycle and jobs, these are
// played forward record by record.
func (s *step) stateBefore(done []start, r *runOf) *model.Snapshot {
	before, after := s.before, s.after
	switch {
	case before.PBS != nil && r.cycle > 0 && len(after.PBS.Accounting) > 0:
		return retrace.Played(before, after.PBS.Accounting, &after.PBS.Cycles[r.cycle-1])
	case before.PBS != nil:
		return pbsState(before, after, done, r)
	}
	own := *before
	own.Jobs = s.withoutDeleted(append(slices.Clone(before.Jobs), submitted(before, after, r)...))
	c := forecast.NewCluster(&own)
	c.Apply(&model.Plan{RunAt: r.at, Decisions: carriedOut(done)})
	ends := s.endings(done)
	for _, t := range slices.SortedFunc(maps.Keys(ends), compareTasks) {
		c.Finish(t.Job, t.Number, ends[t])
	}
	return c.Snapshot
}

// carriedOut are starts as decisions.
func carriedOut(done []start) (list []model.Decision) {
	for _, s := range done {
		list = append(list, model.Decision{Job: s.task.Job,
			Tasks:   []model.Range{{Min: s.task.Number, Max: s.task.Number, Step: 1}},
			Verdict: model.Now,
			Start:   s.at, Slots: s.slots, PE: s.pe, Placed: s.placed})
	}
	return list
}

// submitted are the jobs of the later snapshot that the earlier one lacks and that were there when a run
// began: submitted before it, or started by it.
func submitted(before, after *model.Snapshot, r *runOf) (list []model.Job) {
	known := map[uint32]bool{}
	for i := range before.Jobs {
		known[before.Jobs[i].Number] = true
	}
	for _, j := range after.Jobs {
		if !known[j.Number] && j.PBS == nil && (r.started(j.Number) || j.Submitted.Before(r.at) && !j.Submitted.IsZero()) {
			list = append(list, waitingTasks(j, r.at))
		}
	}
	return list
}

// waitingTasks is a job as it was when all its tasks that started since a moment still waited.
func waitingTasks(j model.Job, at time.Time) model.Job {
	j.Tasks = slices.Clone(j.Tasks)
	for i := range j.Tasks {
		if t := &j.Tasks[i]; !t.Started.IsZero() && !t.Started.Before(at) {
			*t = model.Task{IDs: t.IDs, State: "qw", Slots: t.Slots}
		}
	}
	return j
}

// endings are the tasks that had ended when the run began, with the time: by accounting or reporting; or
// those that the later snapshot lacks, and that the run did not note as running.
func (s *step) endings(done []start) map[Task]time.Time {
	before, after, at := s.before, s.after, s.at
	ends, there := map[Task]time.Time{}, map[Task]bool{}
	for t, end := range s.reportedEnds() {
		there[t] = true
		if end.Before(at) {
			ends[t] = end
		}
	}
	for _, e := range after.Ended {
		if t := (Task{e.Job, max(e.Task, 1)}); !e.Ended.Before(before.TakenAt) {
			there[t] = true
			if e.Ended.Before(at) {
				ends[t] = e.Ended
			}
		}
	}
	for t := range startsOf(after) {
		there[t.task] = true
	}
	running, known := noted(after, at)
	for _, t := range running {
		there[t] = true
	}
	for _, d := range done {
		if !d.ended.IsZero() && d.ended.Before(at) {
			ends[d.task] = d.ended
		} else if d.ended.IsZero() && known && !there[d.task] {
			ends[d.task] = at.Add(-time.Second)
		}
		there[d.task] = true
	}
	for t := range startsOf(before) {
		if !there[t.task] {
			ends[t.task] = at.Add(-time.Second)
		}
	}
	return ends
}

// reportedEnds are the tasks that ended between the two snapshots as the reporting file tells. The master
// logs "finished" also of a task that was deleted while it waited; "deleted" alone can be a request.
func (s *step) reportedEnds() map[Task]time.Time {
	ends := map[Task]time.Time{}
	for t, e := range reported(s.Events, "finished", s.before.TakenAt, s.after.TakenAt) {
		if ends[t].Before(e.At) {
			ends[t] = e.At
		}
	}
	return ends
}

// withoutDeleted are jobs without the tasks that were deleted before a moment, and that had never started.
func (s *step) withoutDeleted(jobs []model.Job) []model.Job {
	gone := s.reportedEnds()
	for t := range reported(s.Events, "sent", s.before.TakenAt, s.after.TakenAt) {
		delete(gone, t)
	}
	return slices.DeleteFunc(jobs, func(j model.Job) bool {
		return len(j.Tasks) > 0 && !slices.ContainsFunc(j.Tasks, func(w model.Task) bool {
			return !w.Started.IsZero() || !s.allGone(gone, j.Number, w.IDs)
		})
	})
}

// allGone reports whether all tasks of a job that wait together had gone before the run; a job without task
// numbers has task 1.
func (s *step) allGone(gone map[Task]time.Time, job uint32, ids []model.Range) bool {
	if len(ids) == 0 {
		ids = []model.Range{{Min: 1, Max: 1, Step: 1}}
	}
	for _, r := range ids {
		for number := range r.All() {
			if end, known := gone[Task{job, number}]; !known || !end.Before(s.at) {
				return false
			}
		}
	}
	return true
}

// noted are the tasks that the schedule file has as running in the run at a moment; known is false where it
// does not tell of the run.
func noted(after *model.Snapshot, at time.Time) (list []Task, known bool) {
	for _, run := range after.Runs {
		if !slices.ContainsFunc(run.Lines, func(l model.ScheduleLine) bool {
			return l.State == "STARTING" && l.Start.Equal(at)
		}) {
			continue
		}
		known = true
		for _, l := range run.Lines {
			if l.State == "RUNNING" || l.State == "SUSPENDED" || l.State == "MIGRATING" {
				list = append(list, Task{l.Job, l.Task})
			}
		}
	}
	return list, known
}

// pbsState is the same of PBS, by what two snapshots and the starts between them show.
func pbsState(before, after *model.Snapshot, done []start, r *runOf) *model.Snapshot {
	own := *before
	own.Jobs = append(slices.Clone(before.Jobs), queued(before, after, r)...)
	c := simulate.NewCluster(&own)
	c.Apply(&model.Plan{RunAt: r.at, Decisions: carriedOut(done)})
	for _, id := range overByThen(before, after, done, r.at) {
		c.End(id)
	}
	c.Compact()
	return c.Snapshot
}

// queued are the jobs that were submitted since the earlier snapshot, as they were queued.
func queued(before, after *model.Snapshot, r *runOf) (list []model.Job) {
	known := map[string]bool{}
	for i := range before.Jobs {
		known[before.Jobs[i].PBS.ID] = true
	}
	for _, j := range after.Jobs {
		if known[j.PBS.ID] || j.PBS.Array != "" || !j.Submitted.Before(r.at) && !r.started(j.Number) {
			continue
		}
		list = append(list, waitingAgain(j, wholeSeconds(before.TakenAt, after.TakenAt)))
	}
	return list
}

// overByThen are the ids of jobs that had ended by a moment: by accounting, or gone from the later snapshot.
func overByThen(before, after *model.Snapshot, done []start, at time.Time) (ids []string) {
	there := map[string]bool{}
	for i := range after.Jobs {
		if p := after.Jobs[i].PBS; !strings.Contains("FX", p.State) || p.Ended.After(at) {
			there[p.ID] = true
		}
	}
	ended := map[string]time.Time{}
	for i := range after.PBS.Accounting {
		if r := &after.PBS.Accounting[i]; strings.Contains("EADR", r.Type) && !r.At.Before(before.TakenAt) {
			ended[r.ID] = r.At
		}
	}
	over := func(id string) bool {
		if end, known := ended[id]; known {
			return !end.After(at)
		}
		return !there[id]
	}
	for i := range before.Jobs {
		if p := before.Jobs[i].PBS; p.State == "R" && over(p.ID) {
			ids = append(ids, p.ID)
		}
	}
	for _, s := range done {
		if s.id != "" && over(s.id) {
			ids = append(ids, s.id)
		}
	}
	return ids
}
