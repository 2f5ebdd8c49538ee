package explain

import (
	"slices"
	"time"

	"qprism/engine/batch"
	"qprism/engine/explain"
	"qprism/engine/model"
)

// apply is the snapshot after a change by which one job is to pass another one; starts are the jobs that
// start for ByStarts, in that order. What the change does not touch is shared with the snapshot given.
func apply(c explain.Change, s *model.Snapshot, passer *model.Job, starts []explain.Start,
	at time.Time) *model.Snapshot {
	n, shares := *s, uint32(c.Amount)
	switch c.Kind {
	case explain.ByPriority, explain.ByTickets, explain.ByWaiting:
		n.Jobs = slices.Clone(s.Jobs)
		for i := range n.Jobs {
			if n.Jobs[i].Same(passer) {
				n.Jobs[i] = altered(c, passer)
			}
		}
	case explain.ByStarts:
		n.Jobs = slices.Clone(s.Jobs)
		for _, t := range starts[:min(int(c.Amount), len(starts))] {
			begin(n.Jobs, t, at)
		}
	case explain.ByFShare:
		n.GiveShares(batch.ByUser, passer.Owner, shares)
	case explain.ByPShare:
		n.GiveShares(batch.ByProject, passer.Project, shares)
	case explain.ByDShare:
		n.GiveShares(batch.ByDepartment, passer.Department, shares)
	}
	return &n
}

// altered is a job after a change to itself.
func altered(c explain.Change, job *model.Job) model.Job {
	j := *job
	switch c.Kind {
	case explain.ByPriority:
		j.PosixPriority = int(c.Amount)
	case explain.ByTickets:
		j.OverrideTickets = uint32(c.Amount)
	case explain.ByWaiting:
		j.Submitted = j.Submitted.Add(-c.Seconds())
	}
	return j
}

// begin makes a waiting task of the jobs one that started just before a moment.
func begin(jobs []model.Job, t explain.Start, at time.Time) {
	for i := range jobs {
		if j := &jobs[i]; j.Number == t.Job.Number {
			j.Tasks = started(j.Tasks, t.Task, at.Add(-time.Second))
		}
	}
}

// started takes a task out of the group that it waits in.
func started(tasks []model.Task, number uint32, at time.Time) []model.Task {
	var list []model.Task
	for _, t := range tasks {
		if !t.Started.IsZero() || !waitsIn(&t, number) {
			list = append(list, t)
			continue
		}
		rest := t
		rest.IDs = model.Without(t.IDs, number)
		if len(rest.IDs) > 0 {
			list = append(list, rest)
		}
		list = append(list, model.Task{IDs: []model.Range{{Min: number, Max: number, Step: 1}},
			State: "r", Enrolled: true, Started: at,
			Slots: t.Slots, Reported: t.Reported})
	}
	return list
}

func waitsIn(t *model.Task, number uint32) bool {
	return model.Holds(t.IDs, number) || len(t.IDs) == 0 && number == 1
}
