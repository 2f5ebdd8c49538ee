package schedule

import (
	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// A Memory is what a scheduler keeps from run to run. The zero Memory is that of a scheduler that just began.
type Memory struct {
	rejected map[string]bool // categories for which no reservation was ever found possible (D6)
	weights  [3]int          // of the ways to search a range of slots (D15)

	known      bool
	sections   int            // of the schedule file that were learnt from
	changes    int            // of queue instances and parallel environments
	modified   map[string]int // the last change of each
	startOrder map[ticket.TaskID]int
	there      []place // where tasks ran in the last run
	planned    []place // and where it started some
	register   register
}

// isRejected reports whether no reservation was ever found possible for a category.
func (m *Memory) isRejected(key string) bool { return m.rejected[key] }

// reject notes that no reservation is possible for a category.
func (m *Memory) reject(key string) {
	if m.rejected == nil {
		m.rejected = map[string]bool{}
	}
	m.rejected[key] = true
}

// forget drops the categories of which no job is left: they begin anew (D6).
func (m *Memory) forget(alive map[string]*category) {
	for key := range m.rejected {
		if alive[key] == nil {
			delete(m.rejected, key)
		}
	}
}

// recall takes over in which order things were changed.
func (r *run) recall() {
	m := r.memory
	r.changes = m.changes
	for id, n := range m.startOrder {
		r.startOrder[id] = n
	}
	for _, q := range r.world.instances {
		q.modified = m.modified[q.Name]
	}
	for _, p := range r.world.pes {
		p.modified = m.modified[peKey(p)]
	}
	for _, s := range r.world.quotas {
		s.modified = m.modified[s.key()]
	}
}

func peKey(p *pe) string { return "pe " + p.Name }

func (s *quotaSet) key() string { return "quota set " + s.Name }

// remember keeps what the next run needs.
func (r *run) remember() {
	m := r.memory
	m.forget(r.categories)
	m.register.forget(r.categories)
	m.known, m.sections, m.changes = true, record.Known(r.snapshot), r.changes
	m.startOrder, m.modified = map[ticket.TaskID]int{}, map[string]int{}
	m.there, m.planned = nil, nil
	for _, t := range r.running {
		m.there = append(m.there, r.placesOf(t)...)
		id := ticket.TaskID{Job: t.job.Number, Task: t.number}
		m.startOrder[id] = r.startOrder[id]
	}
	for _, q := range r.world.instances {
		m.modified[q.Name] = q.modified
	}
	for _, p := range r.world.pes {
		m.modified[peKey(p)] = p.modified
	}
	for _, s := range r.world.quotas {
		m.modified[s.key()] = s.modified
	}
	for i := range r.plan.Decisions {
		if d := &r.plan.Decisions[i]; d.Verdict == model.Now {
			m.planned = append(m.planned, placesOf(d)...)
		}
	}
}

func placesOf(d *model.Decision) []place {
	var list []place
	if d.PE != "" {
		list = append(list, place{d.Job, d.Tasks[0].Min, levelPE, d.PE})
	}
	for _, g := range d.Slots {
		list = append(list, place{d.Job, d.Tasks[0].Min, levelQueue, g.Instance})
	}
	return list
}
