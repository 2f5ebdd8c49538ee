package explain

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/explain"
	"qprism/engine/model"
)

// apply is the snapshot after a change by which one job is to pass another one; starts are the jobs that start for ByStarts, in that order.
// What the change does not touch is shared with the snapshot given.
func apply(c explain.Change, s *model.Snapshot, passer *model.Job, starts []explain.Start, at time.Time) *model.Snapshot {
	n, shares := *s, uint32(c.Amount)
	switch c.Kind {
	case explain.ByTickets, explain.ByWaiting:
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
		n.Users = slices.Clone(s.Users)
		for i := range n.Users {
			if n.Users[i].Name == passer.Owner {
				n.Users[i].FunctionalShares = shares
			}
		}
	case explain.ByPShare:
		n.Projects = slices.Clone(s.Projects)
		for i := range n.Projects {
			if n.Projects[i].Name == passer.Project {
				n.Projects[i].FunctionalShares = shares
			}
		}
	case explain.ByDShare:
		n.Usersets = slices.Clone(s.Usersets)
		for i := range n.Usersets {
			if n.Usersets[i].Name == passer.Department {
				n.Usersets[i].FunctionalShares = shares
			}
		}
	}
	return &n
}

// altered is a job after a change to itself.
func altered(c explain.Change, job *model.Job) model.Job {
	j := *job
	switch c.Kind {
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
		rest.IDs = without(t.IDs, number)
		if len(rest.IDs) > 0 {
			list = append(list, rest)
		}
		list = append(list, model.Task{IDs: []model.Range{{Min: number, Max: number, Step: 1}}, State: "r", Enrolled: true, Started: at,
			Slots: t.Slots, Reported: t.Reported})
	}
	return list
}

func waitsIn(t *model.Task, number uint32) bool {
	if len(t.IDs) == 0 {
		return number == 1
	}
	return slices.ContainsFunc(t.IDs, func(r model.Range) bool { return inRange(r, number) })
}

func inRange(r model.Range, number uint32) bool {
	return number >= r.Min && number <= r.Max && (number-r.Min)%max(r.Step, 1) == 0
}

// without takes a number out of ranges.
func without(ranges []model.Range, number uint32) []model.Range {
	var list []model.Range
	for _, r := range ranges {
		if !inRange(r, number) {
			list = append(list, r)
			continue
		}
		step := max(r.Step, 1)
		if number > r.Min {
			list = append(list, model.Range{Min: r.Min, Max: number - step, Step: r.Step})
		}
		if number+step <= r.Max && number+step > number {
			list = append(list, model.Range{Min: number + step, Max: r.Max, Step: r.Step})
		}
	}
	slices.SortFunc(list, func(a, b model.Range) int { return cmp.Compare(a.Min, b.Min) })
	return list
}
