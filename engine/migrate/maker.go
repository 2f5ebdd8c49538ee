package migrate

import (
	"slices"

	"qprism/engine/model"
)

// A maker holds what the steps of a translation tell each other.
type maker struct {
	pbsNames map[[2]string]string // by kind and Grid Engine name
	taken    map[[2]string]bool   // by kind and PBS spelling
	// entries of the complex that a job of the history asks for, or that something is set to
	asked      map[string]bool
	shortcuts  map[string]string   // of the complex
	resources  map[string]resource // by entry of the complex
	given      map[string]bool     // resources of PBS that an entry has become
	nodes      map[string]int      // of To.Hosts
	everywhere []model.Setting     // what every node has
	peSlots    map[string]string   // the resource that counts a parallel environment's slots
	deadlines  bool                // a job of the history has one
	arrays     bool                // a job of the history is one
	anyNodes   bool                // some nodes alone are for jobs that name no queue
	chooses    map[string]bool     // entries that queues alone have, see choosesQueue
	urgent     map[place]bool      // entries of the complex with urgency
	urgency    saying              // what becomes of it
	members    map[place]string    // entries of departments that order jobs: Members or GroupMembers
	belong     map[string]saying   // what becomes of these
}

func newMaker(history []*model.Snapshot) maker {
	m := maker{
		pbsNames: map[[2]string]string{}, taken: map[[2]string]bool{}, asked: map[string]bool{},
		shortcuts: map[string]string{},
		resources: map[string]resource{}, given: map[string]bool{}, nodes: map[string]int{}, peSlots: map[string]string{},
		urgent: map[place]bool{}, chooses: map[string]bool{},
		members: map[place]string{}, belong: map[string]saying{},
		urgency: saying{verdict: Lost, notes: []string{"its urgency: PBS orders jobs by a formula, and no " +
			"formula was chosen"}},
	}
	for _, s := range history {
		for _, r := range s.Resources {
			m.shortcuts[r.Shortcut] = r.Name
		}
		m.ask(s)
	}
	return m
}

// ask notes which entries mean something in a snapshot.
func (m *maker) ask(s *model.Snapshot) {
	note := func(name string) {
		if full, ok := m.shortcuts[name]; ok {
			name = full
		}
		m.asked[name] = true
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		m.deadlines = m.deadlines || !j.Deadline.IsZero()
		m.arrays = m.arrays || j.Array
		for _, r := range slices.Concat(j.Hard, j.Soft) {
			note(r.Resource)
		}
	}
	for _, h := range s.Hosts {
		for _, v := range h.Capacity {
			note(v.Name)
		}
	}
	for _, i := range s.Instances {
		for _, v := range i.Capacity {
			note(v.Name)
		}
	}
	for _, q := range s.Quotas {
		for _, r := range q.Rules {
			for _, l := range r.Limits {
				note(l.Name)
			}
		}
	}
}
