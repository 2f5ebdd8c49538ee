package subject

import (
	"qprism/engine/batch"
	"qprism/engine/delay"
	"qprism/engine/gridengine"
	gedelay "qprism/engine/gridengine/delay"
	"qprism/engine/model"
	"qprism/engine/pbs"
	pbsdelay "qprism/engine/pbs/delay"
)

// Chances say which jobs can never run on the configured cluster.
type Chances interface {
	Of(*model.Job) *batch.Chance
	Never(*model.Job) bool // faster than Of, without the cause
}

// ChanceOf says whether a job can ever run, and if not, which request prevents it.
func (s *Subject) ChanceOf(j *model.Job) *batch.Chance { return s.judge().Of(j) }

// NeverRuns reports whether a waiting job can never run.
func (s *Subject) NeverRuns(j *model.Job) bool { return j != nil && j.Waits() && s.judge().Never(j) }

func (s *Subject) judge() Chances {
	if s.chances == nil {
		s.chances = s.Batch.Chances()
	}
	return s.chances
}

// Chances are those of Grid Engine.
func (s GridEngine) Chances() Chances { return gridengine.NewChances(s.Snapshot, s.Look.Quirks) }

// Chances are those of PBS.
func (s OpenPBS) Chances() Chances { return pbs.NewChances(s.Snapshot) }

// Delay explains why a Grid Engine job, or one task of it, does not start.
func (s GridEngine) Delay(p *model.Plan, j *model.Job, task uint32) *delay.Delay {
	return gedelay.Of(s.Snapshot, p, j, task)
}

// Delay explains why a PBS job or array does not start. A running subjob is a job of its own.
func (s OpenPBS) Delay(p *model.Plan, j *model.Job, _ uint32) *delay.Delay {
	return pbsdelay.Of(s.Snapshot, p, j)
}
