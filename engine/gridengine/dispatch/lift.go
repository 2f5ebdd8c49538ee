package dispatch

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// Lift is a snapshot without the holds of some tasks.
func Lift(s *model.Snapshot, free map[uint32]model.TaskSet) *model.Snapshot {
	return changed(s, func(j *model.Job) {
		if tasks := free[j.Number]; len(tasks) > 0 {
			setHeld(j, tasks, false)
		}
	})
}

// narrowed is a snapshot in which owned tasks are held, but for those that start: these are free, and ask for where.
func narrowed(s *model.Snapshot, owned map[uint32]model.TaskSet, starts []Start) *model.Snapshot {
	byJob := make(map[uint32]*Start, len(starts))
	for i := range starts {
		byJob[starts[i].Job] = &starts[i]
	}
	return changed(s, func(j *model.Job) {
		free := model.TaskSet{}
		if start := byJob[j.Number]; start != nil {
			free = start.Tasks
			j.Hard = append(without(j.Hard, hostname, qname), ask(hostname, start.Hosts), ask(qname, start.Queues))
			if start.First != nil {
				j.Soft = []model.Request{ask(hostname, start.First)}
			}
			setHeld(j, free, false)
		}
		setHeld(j, owned[j.Number].Without(free), true)
	})
}

// within is a snapshot in which some jobs ask for a queue.
func within(s *model.Snapshot, queues map[uint32]string) *model.Snapshot {
	return changed(s, func(j *model.Job) {
		if queue := queues[j.Number]; queue != "" {
			j.Hard = append(without(j.Hard, qname), ask(qname, []string{queue}))
		}
	})
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

func ask(name string, values []string) model.Request {
	return model.Request{Resource: name, Value: strings.Join(values, "|")}
}

func without(list []model.Request, names ...string) []model.Request {
	return slices.DeleteFunc(slices.Clone(list), func(r model.Request) bool { return slices.Contains(names, r.Resource) })
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
