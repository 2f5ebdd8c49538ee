package audit

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// undone is the snapshot without recent changes to its jobs, by an earlier snapshot that was also taken after
// the run. It restores what was altered, held or released since, and puts back waiting jobs that were
// deleted. For -p, npprior is better (alteredSince). A bundle of the same second as the run may be from
// before the run.
func undone(s, before *model.Snapshot, at time.Time) *model.Snapshot {
	if before == nil || before.TakenAt.Unix() <= at.Unix() || before.TakenAt.After(s.TakenAt) {
		return s
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	there, ended := present(s), endedIn(s)
	places := make(map[uint32]int, len(s.Jobs))
	for i := range s.Jobs {
		places[s.Jobs[i].Number] = i
	}
	for i := range before.Jobs {
		old := &before.Jobs[i]
		k, found := places[old.Number]
		deleted := deletedOf(old, there, ended)
		if !found && len(deleted) > 0 {
			own.Jobs, k, found = append(own.Jobs, unprinted(old)), len(own.Jobs), true
		}
		if found {
			j := asBefore(&own.Jobs[k], old)
			j.Tasks = append(j.Tasks, deleted...)
			own.Jobs[k] = j
		}
	}
	return &own
}

// unprinted is a job without tasks and without printed values.
func unprinted(j *model.Job) model.Job {
	own := *j
	own.Tasks, own.Finished, own.Reported, own.Messages = nil, nil, nil, nil
	return own
}

// asBefore is a job with its earlier requests; its waiting tasks are held or free as before.
func asBefore(j, old *model.Job) model.Job {
	asked := *old
	asked.Tasks, asked.Finished, asked.Reported, asked.Messages = slices.Clone(j.Tasks), j.Finished, j.Reported, j.Messages
	asked.PosixPriority = j.PosixPriority
	for i := range asked.Tasks {
		t := &asked.Tasks[i]
		same := func(o model.Task) bool { return o.Started.IsZero() && overlap(o.IDs, t.IDs) }
		if k := slices.IndexFunc(old.Tasks, same); k >= 0 && t.Started.IsZero() {
			t.State = old.Tasks[k].State
		}
	}
	return asked
}

// deletedOf are waiting tasks of a job that are gone, without any record that they ran.
func deletedOf(old *model.Job, there, ended taskSet) (list []model.Task) {
	for _, t := range old.Tasks {
		if t.Started.IsZero() && !overlap(t.IDs, there[old.Number]) && !overlap(t.IDs, ended[old.Number]) {
			t.Reported = nil
			list = append(list, t)
		}
	}
	return list
}

// endedIn are the tasks that ended, by the accounting file or the master itself.
func endedIn(s *model.Snapshot) taskSet {
	set := taskSet{}
	for _, t := range s.Ended {
		set.add(t.Job, model.Range{Min: t.Task, Max: t.Task, Step: 1})
	}
	for t := range finishedIn(s) {
		set.add(t.job, model.Range{Min: t.task, Max: t.task, Step: 1})
	}
	return set
}

// overlap reports whether two lists of ranges share a number.
func overlap(a, b []model.Range) bool {
	return slices.ContainsFunc(a, func(r model.Range) bool {
		return slices.ContainsFunc(b, func(o model.Range) bool {
			for n := max(r.Min, o.Min); n <= min(r.Max, o.Max); n++ {
				if r.Holds(n) && o.Holds(n) {
					return true
				}
			}
			return false
		})
	})
}
