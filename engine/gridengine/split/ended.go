package split

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// PreviousRun is the moment of the run before, from the messages file.
func PreviousRun(s *model.Snapshot, at time.Time) time.Time {
	var last time.Time
	for _, l := range s.Trace {
		if IsRun(l.Text) && l.At.Unix() < at.Unix() && l.At.After(last) {
			last = l.At
		}
	}
	return last
}

// IsRun reports whether every run writes this scheduler message.
func IsRun(text string) bool {
	return EndsRun(text) || strings.HasPrefix(text, "PROF: scheduled in") ||
		strings.HasPrefix(text, "PROF: job-order calculation took")
}

// EndsRun reports whether a scheduler message is the last one of a run.
func EndsRun(text string) bool { return strings.HasPrefix(text, "PROF: schedd run took") }

// RunsIn counts the runs that ended in the second of a moment, by the scheduler's messages.
func RunsIn(s *model.Snapshot, at time.Time) (n int) {
	for i := range s.Trace {
		if l := &s.Trace[i]; EndsRun(l.Text) && l.At.Unix() == at.Unix() {
			n++
		}
	}
	return n
}

// WithEndedTasks is the snapshot with tasks of array jobs that ended since the last run before a moment, by
// qstat -j and the accounting file. The run at that moment still counts them against the limits on running tasks
// (-tc, max_aj_instances).
func WithEndedTasks(s *model.Snapshot, at time.Time) *model.Snapshot {
	ended := finished(s, at)
	last := PreviousRun(s, at)
	for _, e := range s.Ended {
		if !last.IsZero() && e.Array && !e.Ended.Before(last) && e.Ended.Before(at) {
			ended = append(ended, e)
		}
	}
	if len(ended) == 0 {
		return s
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	byJob := map[uint32][]model.EndedTask{}
	for _, e := range ended {
		byJob[e.Job] = append(byJob[e.Job], e)
	}
	for i := range own.Jobs {
		for _, e := range byJob[own.Jobs[i].Number] {
			addEnded(&own.Jobs[i], e)
		}
	}
	return &own
}

// finished are the tasks that qstat -j lists as finished. They ended just before the moment.
func finished(s *model.Snapshot, at time.Time) (list []model.EndedTask) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, f := range j.Finished {
			list = append(list, model.EndedTask{Job: j.Number, Task: f.Number, Started: f.Started, Ended: at.Add(-time.Second)})
		}
	}
	return list
}

// addEnded adds an ended task to those of a job that is an array, once.
func addEnded(j *model.Job, e model.EndedTask) {
	if j.Array && !hasTask(j, e.Task) {
		j.Tasks = append(slices.Clip(j.Tasks), model.Task{IDs: []model.Range{{Min: e.Task, Max: e.Task, Step: 1}},
			State: "r", Enrolled: true,
			Started: e.Started, Ended: e.Ended, Slots: max(e.Slots, 1), PE: e.PE})
	}
}

func hasTask(j *model.Job, number uint32) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
		return slices.ContainsFunc(t.IDs, func(r model.Range) bool {
			return r.Min <= number && number <= r.Max && (number-r.Min)%max(r.Step, 1) == 0
		})
	})
}
