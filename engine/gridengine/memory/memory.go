package memory

import (
	"maps"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// seconds count from 1970.
type seconds = utilization.Seconds

// A Memory is what a scheduler keeps from run to run. With the zero Memory, a Recall infers it from the snapshot.
type Memory struct {
	Rejected map[string]bool // categories that once found no reservation possible (D6)
	Weights  [3]int          // of the ways to search a range of slots (D15)

	Known         bool
	sections      int            // of the schedule file that were learnt from
	changes       int            // of queue instances and parallel environments
	modified      map[string]int // the number of the last change of each
	startOrder    map[ticket.TaskID]int
	TaskPlaces    []cluster.Place // places of tasks that ran in the last run
	StartedPlaces []cluster.Place // places of tasks that the last run started
	Register      cluster.Register
}

// Reject notes that no reservation is possible for a category.
func (m *Memory) Reject(key string) {
	if m.Rejected == nil {
		m.Rejected = map[string]bool{}
	}
	m.Rejected[key] = true
}

// forget drops the categories of which no job is left: they begin anew (D6).
func (m *Memory) forget(alive map[string]*cluster.Category) {
	for key := range m.Rejected {
		if alive[key] == nil {
			delete(m.Rejected, key)
		}
	}
}

// recall takes over in which order things were changed.
func (r *Recall) recall() {
	m := r.memory
	r.changes = m.changes
	r.startOrder = make(map[ticket.TaskID]int, len(m.startOrder)+len(m.StartedPlaces))
	maps.Copy(r.startOrder, m.startOrder)
	for _, q := range r.Instances {
		q.Modified = m.modified[q.Name]
	}
	for _, p := range r.PEs {
		p.Modified = m.modified[peKey(p)]
	}
	for _, s := range r.Quotas {
		s.Modified = m.modified[setKey(s)]
	}
}

func peKey(p *cluster.PE) string { return "pe " + p.Name }

func setKey(s *cluster.QuotaSet) string { return "quota set " + s.Name }

// Remember keeps what the next run needs.
func (r *Recall) Remember() {
	m := r.memory
	m.forget(r.Categories)
	m.Register.Forget(r.Categories)
	m.Known, m.sections, m.changes = true, record.Known(r.Snapshot), r.changes
	m.startOrder, m.modified = make(map[ticket.TaskID]int, len(r.Running)), make(map[string]int, len(r.Instances))
	m.TaskPlaces, m.StartedPlaces = nil, nil
	for _, t := range r.Running {
		m.TaskPlaces = append(m.TaskPlaces, r.PlacesOf(t)...)
		id := ticket.TaskID{Job: t.Job.Number, Task: t.Number}
		m.startOrder[id] = r.startOrder[id]
	}
	for _, q := range r.Instances {
		m.modified[q.Name] = q.Modified
	}
	for _, p := range r.PEs {
		m.modified[peKey(p)] = p.Modified
	}
	for _, s := range r.Quotas {
		m.modified[setKey(s)] = s.Modified
	}
	for i := range r.Plan.Decisions {
		if d := &r.Plan.Decisions[i]; d.Verdict == model.Now {
			m.StartedPlaces = append(m.StartedPlaces, placesOf(d)...)
		}
	}
}

func placesOf(d *model.Decision) []cluster.Place {
	var list []cluster.Place
	if d.PE != "" {
		list = append(list, cluster.Place{Job: d.Job, Task: d.Tasks[0].Min, Level: resource.LevelPE, Where: d.PE})
	}
	for _, g := range d.Slots {
		list = append(list, cluster.Place{Job: d.Job, Task: d.Tasks[0].Min, Level: resource.LevelQueue, Where: g.Instance})
	}
	return list
}
