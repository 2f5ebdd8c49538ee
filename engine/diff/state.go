package diff

import (
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/forecast"
	"qprism/engine/model"
)

// stateBefore is the state that a run finds: the earlier snapshot, with what was submitted since, what earlier runs started,
// and without what has ended.
func stateBefore(before, after *model.Snapshot, done []start, at time.Time) *model.Snapshot {
	if before.PBS != nil {
		return pbsState(before, after, done, at)
	}
	own := *before
	own.Jobs = append(slices.Clone(before.Jobs), submitted(before, after, at)...)
	c := forecast.NewCluster(&own)
	c.Apply(&model.Plan{RunAt: at, Decisions: carriedOut(done)})
	ends := endings(before, after, done, at)
	for _, t := range slices.SortedFunc(maps.Keys(ends), compareTasks) {
		c.Finish(t.Job, t.Number, ends[t])
	}
	return c.Snapshot
}

// carriedOut are starts as decisions.
func carriedOut(done []start) (list []model.Decision) {
	for _, s := range done {
		list = append(list, model.Decision{Job: s.task.Job, Tasks: []model.Range{{Min: s.task.Number, Max: s.task.Number, Step: 1}}, Verdict: model.Now,
			Start: s.at, Slots: s.slots, PE: s.pe, Placed: s.placed})
	}
	return list
}

// submitted are the jobs of the later snapshot that the earlier one lacks and that were there at a moment.
func submitted(before, after *model.Snapshot, at time.Time) (list []model.Job) {
	known := map[uint32]bool{}
	for i := range before.Jobs {
		known[before.Jobs[i].Number] = true
	}
	for _, j := range after.Jobs {
		if !known[j.Number] && j.PBS == nil && j.Submitted.Before(at) && !j.Submitted.IsZero() {
			list = append(list, j)
		}
	}
	return list
}

// endings are the tasks that had ended by a moment, with the time: by accounting; or those that the later snapshot lacks, and
// that the run did not note as running.
func endings(before, after *model.Snapshot, done []start, at time.Time) map[Task]time.Time {
	ends, there := map[Task]time.Time{}, map[Task]bool{}
	for _, e := range after.Ended {
		if t := (Task{e.Job, max(e.Task, 1)}); !e.Ended.Before(before.TakenAt) {
			there[t] = true
			if e.Ended.Before(at) {
				ends[t] = e.Ended
			}
		}
	}
	for _, s := range done {
		there[s.task] = true
		if !s.ended.IsZero() && s.ended.Before(at) {
			ends[s.task] = s.ended
		}
	}
	for s := range startsOf(after) {
		there[s.task] = true
	}
	for _, t := range noted(after, at) {
		there[t] = true
	}
	for s := range startsOf(before) {
		if !there[s.task] {
			ends[s.task] = at.Add(-time.Second)
		}
	}
	return ends
}

// noted are the tasks that the schedule file has as running in the run at a moment.
func noted(after *model.Snapshot, at time.Time) (list []Task) {
	for _, run := range after.Runs {
		if !slices.ContainsFunc(run.Lines, func(l model.ScheduleLine) bool { return l.State == "STARTING" && l.Start.Equal(at) }) {
			continue
		}
		for _, l := range run.Lines {
			if l.State == "RUNNING" || l.State == "SUSPENDED" || l.State == "MIGRATING" {
				list = append(list, Task{l.Job, l.Task})
			}
		}
	}
	return list
}

// pbsState is the same of PBS.
func pbsState(before, after *model.Snapshot, done []start, at time.Time) *model.Snapshot {
	own := *before
	own.Jobs = append(slices.Clone(before.Jobs), queued(before, after, at)...)
	c := cycle.NewCluster(&own)
	c.Apply(&model.Plan{RunAt: at, Decisions: carriedOut(done)})
	for _, id := range overByThen(before, after, done, at) {
		c.End(id)
	}
	c.Compact()
	return c.Snapshot
}

// queued are the jobs that were submitted since the earlier snapshot, as they were queued.
func queued(before, after *model.Snapshot, at time.Time) (list []model.Job) {
	known := map[string]bool{}
	for i := range before.Jobs {
		known[before.Jobs[i].PBS.ID] = true
	}
	for _, j := range after.Jobs {
		if known[j.PBS.ID] || j.PBS.Array != "" || !j.Submitted.Before(at) {
			continue
		}
		list = append(list, waitingAgain(j, after.TakenAt.Sub(before.TakenAt)))
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
