package split

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// PreviousRun is the moment of the scheduler run before, as the messages file shows it.
func PreviousRun(s *model.Snapshot, at time.Time) time.Time {
	var last time.Time
	for _, l := range s.Trace {
		if IsRun(l.Text) && l.At.Unix() < at.Unix() && l.At.After(last) {
			last = l.At
		}
	}
	return last
}

// IsRun reports whether a scheduler message is one that each run writes.
func IsRun(text string) bool {
	return strings.HasPrefix(text, "PROF: schedd run took") || strings.HasPrefix(text, "PROF: scheduled in") ||
		strings.HasPrefix(text, "PROF: job-order calculation took")
}

// Unburied is the snapshot with the tasks of its arrays that have ended since the last run before a moment, by the accounting
// file: the run at that moment still counts them against the limits on running tasks (-tc, max_aj_instances).
func Unburied(s *model.Snapshot, at time.Time) *model.Snapshot {
	last := PreviousRun(s, at)
	if last.IsZero() {
		return s
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	for _, e := range s.Ended {
		if !e.Array || e.Ended.Before(last) || !e.Ended.Before(at) {
			continue
		}
		if i := slices.IndexFunc(own.Jobs, func(j model.Job) bool { return j.Number == e.Job }); i >= 0 && !hasTask(&own.Jobs[i], e.Task) {
			j := &own.Jobs[i]
			j.Tasks = append(slices.Clip(j.Tasks), model.Task{IDs: []model.Range{{Min: e.Task, Max: e.Task, Step: 1}}, State: "r", Enrolled: true,
				Started: e.Started, Ended: e.Ended, Slots: max(e.Slots, 1), PE: e.PE})
		}
	}
	return &own
}

func hasTask(j *model.Job, number uint32) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
		return slices.ContainsFunc(t.IDs, func(r model.Range) bool {
			return r.Min <= number && number <= r.Max && (number-r.Min)%max(r.Step, 1) == 0
		})
	})
}
