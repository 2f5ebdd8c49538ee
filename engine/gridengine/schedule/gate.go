package schedule

import (
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A Gate knows which queue instances never accept a job, free or not. A run checks that only for open queue
// instances, and does not mention those that were already full.
type Gate struct{ run *run }

// NewGate is the gate of a snapshot.
func NewGate(s *model.Snapshot) *Gate {
	return &Gate{newRun(s, split.Lists{}, Options{At: s.TakenAt})}
}

// Bars says why a queue instance never accepts a job. An unknown queue instance bars no job.
func (g *Gate) Bars(j *model.Job, name string) (why model.Reason, bars bool) {
	q := g.run.InstanceNames[name]
	if q == nil || j == nil {
		return why, false
	}
	return g.run.Barrier(j)(q)
}
