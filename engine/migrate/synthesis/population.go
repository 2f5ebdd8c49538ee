package synthesis

import "slices"

// A population is the jobs that wait or run at one moment.
type population struct {
	tasks      [3]map[string]float64     // running and waiting ones of each user, project and department
	active     [3]map[string]float64     // running ones
	running    [4]float64                // shares of running tasks, added up task by task
	shares     [3]map[string]uint32      // functional shares of those that were met
	categories map[category]*[]*resident // waiting jobs with functional shares, by submission
	nodes      map[string]*[]member      // of the share tree
	waiting    []*resident               // by submission
	version    int                       // grows with every change
}

// A member is a job that counts for a node of the share tree.
type member struct {
	*resident
	tasks float64
	runs  bool
	key   float64 // among waiting ones: those with more come first
}

// A category is jobs whose functional tickets are alike: one user, project and department, as far as these have shares.
type category struct {
	parties  [3]string
	jobShare uint32
}

func (r *resident) category() (c category, any bool) {
	if r.kind.jobShare != r.jobShare || !r.kindKnown {
		r.kind, r.kindKnown = category{jobShare: r.jobShare}, true
		for p, name := range r.names {
			if r.functional[p] > 0 {
				r.kind.parties[p] = name
			}
		}
	}
	return r.kind, r.kind != category{}
}

func newPopulation() *population {
	c := &population{categories: map[category]*[]*resident{}, nodes: map[string]*[]member{}}
	for p := range parties {
		c.tasks[p], c.active[p], c.shares[p] = map[string]float64{}, map[string]float64{}, map[string]uint32{}
	}
	return c
}

// add counts a job that waits, or tasks that run.
func (c *population) add(r *resident, tasks float64, runs bool) {
	c.count(r, tasks, runs)
	if !runs {
		c.waiting = append(c.waiting, r)
		if k, any := r.category(); any {
			push(c.categories, k, r)
		}
	}
	if r.node != "" {
		push(c.nodes, r.node, member{r, tasks, runs, r.key})
	}
}

func push[K comparable, V any](m map[K]*[]V, k K, v V) {
	if m[k] == nil {
		m[k] = new([]V)
	}
	*m[k] = append(*m[k], v)
}

// remove takes a job out again.
func (c *population) remove(r *resident, runs bool) {
	c.count(r, -1, runs)
	if k, any := r.category(); any && !runs && c.categories[k] != nil {
		l := c.categories[k]
		*l = slices.DeleteFunc(*l, func(s *resident) bool { return s == r })
	}
	if !runs {
		c.waiting = slices.DeleteFunc(c.waiting, func(s *resident) bool { return s == r })
	}
	if l := c.nodes[r.node]; l != nil {
		*l = slices.DeleteFunc(*l, func(m member) bool { return m.resident == r })
	}
}

func (c *population) count(r *resident, tasks float64, runs bool) {
	c.version++
	for p, name := range r.names {
		if name == "" {
			continue
		}
		c.tasks[p][name] += tasks
		c.shares[p][name] = r.functional[p]
		if runs {
			c.active[p][name] += tasks
		}
	}
	for p := range categories {
		if runs {
			c.running[p] += tasks * float64(r.sharesOf(p))
		}
	}
}

func (r *resident) sharesOf(p int) uint32 {
	if p == ofJob {
		return r.jobShare
	}
	return r.functional[p]
}

// ahead are the slots that jobs of the same node ask for which run, or wait and come first.
func (c *population) ahead(r *resident) (slots float64) {
	if c.nodes[r.node] == nil {
		return 0
	}
	for _, m := range *c.nodes[r.node] {
		if m.runs || m.resident != r && (m.key > r.key || m.key == r.key &&
			bySubmission(m.resident, r) < 0) {
			slots += m.slots * m.tasks
		}
	}
	return slots
}
