package schedule

import (
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A Gate knows which queue instances never take a job, whatever is free there: a run asks that only of those that are open, and says
// nothing of those that were full before it looked.
type Gate struct{ run *run }

// NewGate is the gate of a snapshot.
func NewGate(s *model.Snapshot) *Gate {
	return &Gate{newRun(s, split.Lists{}, &priority.Result{}, Options{At: s.TakenAt})}
}

// Bars says why a queue instance never takes a job. One that is not known bars nobody.
func (g *Gate) Bars(j *model.Job, name string) (why model.Reason, bars bool) {
	q := g.run.world.instanceNames[name]
	if q == nil || j == nil {
		return why, false
	}
	return g.run.barrier(j)(q)
}

// barrier makes the checks of a host and a queue instance that do not depend on time: no parallel environment that the job may have
// takes it there. What is reserved in advance has checks of its own.
func (r *run) barrier(j *model.Job) func(*instance) (why model.Reason, bars bool) {
	if j.Reservation != 0 {
		return func(*instance) (why model.Reason, bars bool) { return why, false }
	}
	a := &attempt{run: r, cat: r.categoryOf(j), job: j}
	r.prepare(a.cat)
	var pes []*pe
	if j.PE != "" {
		pes = r.matchingPEs(a)
	}
	return func(q *instance) (why model.Reason, bars bool) {
		if why, ok := a.checkHost(q.host); !ok {
			return why, true
		}
		if j.PE == "" {
			return a.barsInstance(q)
		}
		why, bars = model.Reason{Kind: model.ReasonPE, Level: levelQueue, Object: q.Name, Asked: j.PE}, true
		for _, a.pe = range pes {
			if why, bars = a.barsInstance(q); !bars {
				break
			}
		}
		return why, bars
	}
}

func (a *attempt) barsInstance(q *instance) (model.Reason, bool) {
	k := a.run.cacheOf(a.cat, a.pe)
	if a.allowsInstance(k, q) {
		return model.Reason{}, false
	}
	return *a.verdictOn(k, q).not, true
}
