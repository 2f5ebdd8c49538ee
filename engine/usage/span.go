package usage

import (
	"slices"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
)

// A span is what a task had, and from when to when.
type span struct {
	batch.Party
	slots    float64
	from, to time.Time
	runs     bool
}

// within is how much of it lies between two moments, in seconds of a slot.
func (s *span) within(from, to time.Time) float64 {
	if s.from.After(from) {
		from = s.from
	}
	if s.to.Before(to) {
		to = s.to
	}
	return max(to.Sub(from).Seconds(), 0) * s.slots
}

// spansOf are those of tasks that ended, and of those that run at the moment of the snapshot.
func spansOf(s *model.Snapshot, ended []model.EndedTask) (list []span) {
	for i := range ended {
		e := &ended[i]
		if !e.Started.IsZero() {
			list = append(list, span{batch.Party{User: e.Owner, Project: e.Project, Department: e.Department},
				float64(max(e.Slots, 1)),
				e.Started, e.Ended, false})
		}
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Pending() && !t.Started.IsZero() && t.Ended.IsZero() {
				list = append(list, span{partyOf(j), float64(max(t.Slots, 1)), t.Started, s.TakenAt, true})
			}
		}
	}
	return list
}

func partyOf(j *model.Job) batch.Party {
	return batch.Party{User: j.Owner, Project: j.Project, Department: j.Department}
}

// Joined are the tasks of two accounting files of a cluster, without duplicates.
func Joined(a, b []model.EndedTask) []model.EndedTask {
	type task struct {
		job, task  uint32
		began, end int64
	}
	id := func(e *model.EndedTask) task { return task{e.Job, e.Task, e.Started.Unix(), e.Ended.Unix()} }
	known := make(map[task]bool, len(a))
	for i := range a {
		known[id(&a[i])] = true
	}
	list := slices.Clone(a)
	for i := range b {
		if !known[id(&b[i])] {
			list = append(list, b[i])
		}
	}
	return list
}
