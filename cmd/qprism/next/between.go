package next

import (
	"maps"
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
)

// A Replay is a recorded run that qprism has planned again.
type Replay struct {
	Recorded
	Planned *model.Plan
	Ended   []TaskID // tasks that ran in the snapshot and ended before the run
}

// A TaskID names a task.
type TaskID struct{ Job, Task uint32 }

// PlanBetween plans a run between two snapshots; the later snapshot has its record. PlanBetween uses the
// earlier snapshot, and the tasks that ended in between.
func PlanBetween(before, after *model.Snapshot, look lastrun.Options) (c Replay, err error) {
	if c.Recorded, err = LastRun(before, after, look); err != nil {
		return c, err
	}
	before, c.Ended = settled(before, after, c.Recorded)
	c.Planned = schedule.Runs(func(s *model.Snapshot, at time.Time, memory *schedule.Memory, _ bool) *model.Plan {
		return schedule.Run(s, schedule.Options{At: at, Quirks: look.Quirks, Memory: memory})
	})(before, c.At.At, true)
	if c.Starts {
		c.Planned.Decisions = slices.DeleteFunc(c.Planned.Decisions, func(d model.Decision) bool {
			return d.Verdict == model.Later
		})
	}
	return c, nil
}

// settled is a snapshot with the tasks ended that had ended when the run took place. The run still knows of them.
func settled(before, after *model.Snapshot, run Recorded) (*model.Snapshot, []TaskID) {
	c := forecast.NewCluster(before)
	e := evidence{still: map[TaskID]time.Time{}, ended: map[TaskID]time.Time{}, at: run.At.At}
	e.collect(after, run)
	if run.Starts {
		started := maps.Collect(startedTasks(before))
		e.counted = endedByCount(before, after, run.Plan, func(id TaskID) bool { return e.hadEnded(id, started[id]) })
	}
	var list []TaskID
	for id, started := range startedTasks(before) {
		if e.hadEnded(id, started) {
			list = append(list, id)
		}
	}
	for _, id := range list {
		c.Finish(id.Job, id.Task, run.At.At.Add(-time.Second))
	}
	c.Ended = slices.Clip(c.Ended)
	for i := range after.Ended { // their order shows which queue instance changed last
		if t := &after.Ended[i]; slices.Contains(list, TaskID{t.Job, max(t.Task, 1)}) {
			c.Ended = append(c.Ended, *t)
		}
	}
	return c.Snapshot, list
}

// evidence shows whether a task ended before a run.
type evidence struct {
	still  map[TaskID]time.Time // tasks that run after it, and since when
	ended  map[TaskID]time.Time // the end of others, by the accounting file
	listed map[TaskID]bool      // tasks that the run recorded as running; nil if it recorded nothing
	at     time.Time
	// Tasks that had ended by the counts in the messages file, if no other file shows it.
	counted map[TaskID]bool
}

func (e *evidence) collect(after *model.Snapshot, run Recorded) {
	for id, started := range startedTasks(after) {
		e.still[id] = started
	}
	for i := range after.Ended {
		t := &after.Ended[i]
		if !t.Ended.IsZero() { // zero for simulated hosts
			e.ended[TaskID{t.Job, max(t.Task, 1)}] = t.Ended
		}
	}
	if run.Starts {
		return
	}
	e.listed = map[TaskID]bool{}
	for _, l := range run.Plan.Lines {
		if l.State != "STARTING" && l.State != "RESERVING" {
			e.listed[TaskID{l.Job, l.Task}] = true
		}
	}
}

func (e *evidence) hadEnded(id TaskID, started time.Time) bool {
	if since, runs := e.still[id]; runs && since.Equal(started) {
		return false
	}
	end, told := e.ended[id]
	switch {
	case told && end.Unix() < e.at.Unix():
		return !end.Before(started)
	case told && end.Unix() > e.at.Unix():
		return false
	}
	return e.counted[id] || e.listed != nil && !e.listed[id]
}

// startedTasks are the tasks of a snapshot that run, and when each started.
func startedTasks(s *model.Snapshot) func(yield func(TaskID, time.Time) bool) {
	return func(yield func(TaskID, time.Time) bool) {
		for i := range s.Jobs {
			for k := range s.Jobs[i].Tasks {
				t := &s.Jobs[i].Tasks[k]
				if t.Started.IsZero() || !t.Ended.IsZero() {
					continue
				}
				number := uint32(1)
				if len(t.IDs) > 0 {
					number = t.IDs[0].Min
				}
				if !yield(TaskID{s.Jobs[i].Number, number}, t.Started) {
					return
				}
			}
		}
	}
}
