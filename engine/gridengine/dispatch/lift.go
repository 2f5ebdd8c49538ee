package dispatch

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// Soon is the time before its start time (-a) from which a job gets a place.
const Soon = time.Minute

// Lift is a snapshot without the holds of the tasks in free. Jobs in after no longer wait for other jobs. A
// job whose start time comes within Soon may start.
func Lift(s *model.Snapshot, free map[uint32]model.TaskSet, after map[uint32][]uint32) *model.Snapshot {
	return changed(s, func(j *model.Job) {
		setHeld(j, free[j.Number], false)
		if len(after[j.Number]) > 0 {
			j.Predecessors, j.PredecessorNames = nil, nil
		}
		if j.ExecutionTime.Before(s.TakenAt.Add(Soon)) {
			j.ExecutionTime = time.Time{}
		}
	})
}

// WithHolds is a snapshot with holds on some tasks.
func WithHolds(s *model.Snapshot, held map[uint32]model.TaskSet) *model.Snapshot {
	return changed(s, func(j *model.Job) { setHeld(j, held[j.Number], true) })
}

// changed is a snapshot whose jobs are changed copies.
func changed(s *model.Snapshot, change func(*model.Job)) *model.Snapshot {
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	for i := range own.Jobs {
		change(&own.Jobs[i])
	}
	return &own
}

// setHeld lays or lifts the hold of those of some tasks that wait.
func setHeld(j *model.Job, tasks model.TaskSet, held bool) {
	if len(tasks) == 0 {
		return
	}
	var list []model.Task
	for _, t := range j.Tasks {
		if !t.Started.IsZero() || strings.Contains(t.State, "h") == held {
			list = append(list, t)
			continue
		}
		all := model.TasksOf(t.IDs)
		if those := all.And(tasks); len(those) > 0 {
			list = append(list, part(t, those, held))
		}
		if rest := all.Without(tasks); len(rest) > 0 {
			list = append(list, part(t, rest, !held))
		}
	}
	j.Tasks = list
}

// part is a row of some of its tasks.
func part(t model.Task, tasks model.TaskSet, held bool) model.Task {
	if len(t.IDs) > 0 {
		t.IDs = tasks.Ranges()
	}
	t.State = strings.ReplaceAll(t.State, "h", "")
	if held {
		t.State = "h" + t.State
	}
	return t
}

// Waiting are the tasks of a job that have not started and are not in error.
func Waiting(j *model.Job) model.TaskSet {
	list := model.TaskSet{}
	for _, t := range j.Tasks {
		if t.Started.IsZero() && t.Ended.IsZero() && strings.Contains(t.State, "q") && !strings.ContainsAny(t.State, "Ed") {
			list = list.With(model.TasksOf(t.IDs))
		}
	}
	return list
}
