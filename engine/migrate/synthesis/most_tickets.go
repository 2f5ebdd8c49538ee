package synthesis

import (
	"math"

	"qprism/engine/gridengine/urgency"
)

// mostTickets is the most tickets of a task, as the periodic job computes it from what PBS knows. Waiting
// jobs have the tickets of the formula. Running jobs have those of sge_priority(5): first with running and
// waiting jobs in the tree, then with running jobs only. It is NaN if no job has tickets.
func (c *census) mostTickets(run Run, now scale) float64 {
	rules, most := newTicketRules(run.Snapshot), 0.0
	all := float64(rules.policy.ShareTreeTickets)
	var active *actives
	jobs := map[string]float64{} // tasks by node, running or not
	c.atRun(run, rules, func(r *resident, met *population) {
		if active == nil {
			active = newActives(rules, met)
		}
		jobs[r.node]++
		got := r.shared + float64(r.override) + r.functioned
		if r.node != "" {
			got += all * now.part(c.nodeOf(r)) / (met.ahead(r) + 1)
		}
		most = max(most, got)
	})
	if active == nil {
		active = newActives(rules, c.running(run))
	}
	for node, n := range active.tasks {
		jobs[node] += n
	}
	alone := scale{}
	alone.tree(run, c, run.Result.Running)
	for _, j := range run.Result.Running {
		r := c.resident(j.Job)
		tree := 0.0
		if r.node != "" {
			n := c.nodeOf(r)
			tree = max(now.part(n)*active.divided(r, jobs), alone.part(n)*active.divided(r, active.tasks))
		}
		most = max(most, active.given(r)+all*tree)
	}
	if most < urgency.Epsilon {
		return math.NaN()
	}
	return most
}

// running are the jobs that run, and no other.
func (c *census) running(run Run) *population {
	met := newPopulation()
	for i := range run.Lists.Running {
		e := &run.Lists.Running[i]
		met.add(c.resident(e.Job), float64(len(e.Tasks)), true)
	}
	return met
}

// actives are the running tasks of a population, added up.
type actives struct {
	*ticketRules
	met       *population
	sums      [4]float64         // of functional shares
	weights   float64            // of the parties that have any
	tasks     map[string]float64 // by node
	jobShares map[string]float64
}

func newActives(t *ticketRules, met *population) *actives {
	a := &actives{ticketRules: t, met: met, sums: met.running, tasks: map[string]float64{},
		jobShares: map[string]float64{}}
	for p := range categories {
		if p != ofJob && t.policy.ShareFunctionalShares {
			a.sums[p] = met.sharesOnce(p)
		}
		if a.sums[p] > 0 {
			a.weights += t.parts[p]
		}
	}
	for node, list := range met.nodes {
		for _, m := range *list {
			if m.runs {
				a.tasks[node] += m.tasks
				a.jobShares[node] += m.tasks * float64(m.jobShare)
			}
		}
	}
	return a
}

// given are the functional and override tickets of a running task.
func (a *actives) given(r *resident) float64 {
	got := float64(r.override)
	for p, name := range r.names {
		if n := a.met.active[p][name]; n > 0 && a.policy.ShareOverrideTickets {
			got += float64(r.given[p]) / n
		} else {
			got += float64(r.given[p])
		}
	}
	for p := range categories {
		if a.sums[p] == 0 || a.weights == 0 {
			continue
		}
		shares := float64(r.sharesOf(p))
		if p != ofJob && a.policy.ShareFunctionalShares {
			shares /= max(1, a.met.active[p][r.names[p]])
		}
		got += float64(a.policy.FunctionalTickets) * a.parts[p] / a.weights * shares / a.sums[p]
	}
	return got
}

// divided is the part of a node's tickets that one of its running tasks has, by job shares where there are any.
func (a *actives) divided(r *resident, tasks map[string]float64) float64 {
	if a.jobShares[r.node] > 0 {
		return float64(r.jobShare) / a.jobShares[r.node]
	}
	return 1 / max(1, tasks[r.node])
}
