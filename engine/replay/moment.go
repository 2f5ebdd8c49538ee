package replay

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A moment is what a snapshot tells that the one before did not. Of the first there is nothing but its time.
type moment struct {
	at      time.Time
	come    []*model.Job // as they waited
	altered []*model.Job // of which no task had started
	gone    []uint32     // jobs that it no longer has
	states  map[string]string
}

// submitted is a job as it waits to start, with all its tasks.
func submitted(j *model.Job) *model.Job {
	own := *j
	own.Messages, own.Finished, own.Tasks = nil, nil, nil
	for _, t := range j.Tasks {
		if !t.Started.IsZero() {
			t = model.Task{IDs: t.IDs, State: "qw", Slots: t.Slots}
		}
		own.Tasks = append(own.Tasks, t)
	}
	return &own
}

// waiting is a task that waits.
func waiting(number uint32, slots int) model.Task {
	return model.Task{IDs: []model.Range{{Min: number, Max: number, Step: 1}}, State: "qw", Slots: slots}
}

// waitsWhole reports whether no task of a job has started.
func waitsWhole(j *model.Job) bool {
	return !slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return !t.Started.IsZero() })
}

// altered reports whether a job was altered, held or released. What waits for other jobs is released by their ends.
func altered(a, b *model.Job) bool {
	return len(a.Predecessors)+len(a.ArrayPredecessor) == 0 &&
		(!a.AsksAs(b) || !slices.EqualFunc(a.Tasks, b.Tasks, sameWaiting))
}

func sameWaiting(a, b model.Task) bool { return a.State == b.State && slices.Equal(a.IDs, b.IDs) }
