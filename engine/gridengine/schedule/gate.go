package schedule

import (
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A Gate knows which queue instances never take a job, whatever is free there: a run asks that only of
// those that are open, and says nothing of those that were full before it looked.
type Gate struct{ run *run }

// NewGate is the gate of a snapshot.
func NewGate(s *model.Snapshot) *Gate {
	return &Gate{newRun(s, split.Lists{}, &priority.Result{}, Options{At: s.TakenAt})}
}

// Bars says why a queue instance never takes a job. One that is not known bars nobody.
func (g *Gate) Bars(j *model.Job, name string) (why model.Reason, bars bool) {
	q := g.run.InstanceNames[name]
	if q == nil || j == nil {
		return why, false
	}
	return g.run.Barrier(j)(q)
}
