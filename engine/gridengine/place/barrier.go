package place

import (
	"cmp"
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// Barrier makes the checks of a host and a queue instance that do not depend on time. It bars the job if no
// parallel environment of the job allows it there. Advance reservations have other checks.
func (r *Run) Barrier(j *model.Job) func(*cluster.Instance) (why model.Reason, bars bool) {
	if j.Reservation != 0 {
		return func(*cluster.Instance) (why model.Reason, bars bool) { return why, false }
	}
	a := &Attempt{Run: r, Category: r.CategoryOf(j), Job: j}
	r.Prepare(a.Category)
	var pes []*cluster.PE
	if j.PE != "" {
		pes = r.MatchingPEs(a)
	}
	return func(q *cluster.Instance) (why model.Reason, bars bool) {
		if why, ok := a.checkHost(q.ExecHost); !ok {
			return why, true
		}
		if j.PE == "" {
			return a.barsInstance(q)
		}
		why, bars = model.Reason{Kind: model.ReasonPE, Level: resource.LevelQueue, Object: q.Name, Asked: j.PE}, true
		for _, a.PE = range pes {
			if why, bars = a.barsInstance(q); !bars {
				break
			}
		}
		return why, bars
	}
}

func (a *Attempt) barsInstance(q *cluster.Instance) (model.Reason, bool) {
	k := a.Run.CacheOf(a.Category, a.PE)
	if a.AllowsInstance(k, q) {
		return model.Reason{}, false
	}
	return *a.verdictOn(k, q).Not, true
}

// MatchingPEs are the parallel environments that a job can use, the least recently changed one first (D10).
func (r *Run) MatchingPEs(a *Attempt) []*cluster.PE {
	var list []*cluster.PE
	for _, p := range r.PEs {
		if a.Advance != nil && p.Name != a.Advance.PE {
			continue
		}
		if glob.Match(a.Job.PE, p.Name) || a.Advance != nil && !a.Reserve && r.Quirks.AdvancePE { // D70
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(x, y *cluster.PE) int { return cmp.Compare(x.Modified, y.Modified) })
	return list
}
