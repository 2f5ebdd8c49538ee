package diff

import (
	"time"

	"qprism/engine/model"
)

// A standing is an order in which a task's place is found at once.
type standing struct {
	single map[Task]int
	groups map[uint32][]int // places of several tasks of a job together
	list   []place
}

func stand(list []place) *standing {
	s := &standing{single: make(map[Task]int, len(list)), groups: map[uint32][]int{}, list: list}
	for i, p := range list {
		if _, known := s.single[p.task]; !known {
			s.single[p.task] = i
		}
		if p.rest != nil {
			s.groups[p.task.Job] = append(s.groups[p.task.Job], i)
		}
	}
	return s
}

// place is where a task stands, -1 for nowhere.
func (s *standing) place(t Task) int {
	at, known := s.single[t]
	if !known {
		at = -1
	}
	for _, i := range s.groups[t.Job] {
		if (at < 0 || i < at) && holds(s.list[i].rest, t.Number) {
			at = i
		}
	}
	return at
}

// ahead reports whether one task is tried before another.
func (s *standing) ahead(first, second Task) bool {
	a, b := s.place(first), s.place(second)
	return a >= 0 && (b < 0 || a < b)
}

// An orderKey says which order of a step is meant: of what, and compared with which snapshot.
type orderKey struct {
	of   string
	then *model.Snapshot
}

// order makes an order of the step, once.
func (s *step) order(of string, then *model.Snapshot, list func() []place) *standing {
	key := orderKey{of, then}
	if s.orders[key] == nil {
		s.orders[key] = stand(list())
	}
	return s.orders[key]
}

// expectedOrder is the order in which the run was expected to try the tasks.
func (s *step) expectedOrder() *standing { return s.order("expected", nil, s.ranking) }

// foundOrder is the order that follows from the state which the run found, by the release's own rules or by
// those expected.
func (s *step) foundOrder(of string, quirks model.Quirks) *standing {
	return s.order(of, s.state, func() []place { return ranking(s.state, s.at, quirks, s.memory) })
}

// jobs finds the jobs of a snapshot by their numbers.
type jobs map[uint32][]*model.Job

func jobsOf(s *model.Snapshot) jobs {
	m := make(jobs, len(s.Jobs))
	for i := range s.Jobs {
		m[s.Jobs[i].Number] = append(m[s.Jobs[i].Number], &s.Jobs[i])
	}
	return m
}

// of is the job of a task, of PBS the subjob where it is a job of its own; nil for none.
func (m jobs) of(t Task) *model.Job {
	var found *model.Job
	for _, j := range m[t.Job] {
		if found == nil || j.PBS != nil && j.PBS.Index == t.Number {
			found = j
		}
	}
	return found
}

// jobIn is the job of a task in a snapshot, which is indexed once.
func (s *step) jobIn(snapshot *model.Snapshot, t Task) *model.Job { return s.jobsOf(snapshot).of(t) }

func (s *step) jobsOf(snapshot *model.Snapshot) jobs {
	if s.indexed[snapshot] == nil {
		s.indexed[snapshot] = jobsOf(snapshot)
	}
	return s.indexed[snapshot]
}

// remembered keeps what was found out about single tasks.
type remembered struct {
	causes    map[Task]Cause // that the record of the run gives
	fileTells bool           // the schedule file has the run
	recorded  map[Task]found
	altered   *supposed
}

// changedOrder is the order of the state with one kind of change since a prediction undone; nil where there was none.
func (s *step) changedOrder(r restoration, then *model.Snapshot, late, early Task) *standing {
	if r.ofJobs && !s.wereAltered(then, late, early) {
		return nil
	}
	if old, known := s.orders[orderKey{r.name, then}]; known && !r.ofJobs {
		return old
	}
	old, changed := r.undo(s.state, then, late, early)
	if r.ofJobs {
		return stand(ranking(old, s.at, s.Quirks, s.memory))
	}
	if !changed {
		s.orders[orderKey{r.name, then}] = nil
		return nil
	}
	return s.order(r.name, then, func() []place { return ranking(old, s.at, s.Quirks, s.memory) })
}

// wereAltered reports whether one of two jobs asks for something else than it did.
func (s *step) wereAltered(then *model.Snapshot, tasks ...Task) bool {
	for _, t := range tasks {
		now, old := s.jobIn(s.state, t), s.jobIn(then, t)
		if now != nil && old != nil && !now.AsksAs(old) {
			return true
		}
	}
	return false
}

// timeOrder is the order of the state at another moment.
func (s *step) timeOrder(then *model.Snapshot, at time.Time) *standing {
	return s.order("waiting time", then, func() []place { return ranking(s.state, at, s.Quirks, s.memory) })
}
