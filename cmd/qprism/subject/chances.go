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

// Chances say of jobs whether they can ever run on the cluster as it is configured.
type Chances interface {
	Of(*model.Job) *batch.Chance
	Never(*model.Job) bool // the verdict alone, which is found sooner
}

// ChanceOf says whether a job can ever run, and what is to blame if not.
func (s *Subject) ChanceOf(j *model.Job) *batch.Chance { return s.judge().Of(j) }

// NeverRuns reports whether a job waits that can never run.
func (s *Subject) NeverRuns(j *model.Job) bool { return j != nil && j.Waits() && s.judge().Never(j) }

func (s *Subject) judge() Chances {
	if s.chances == nil {
		s.chances = s.Batch.Chances()
	}
	return s.chances
}

// Chances looks at the idle cluster of Grid Engine.
func (s GridEngine) Chances() Chances { return gridengine.NewChances(s.Snapshot, s.Look.Quirks) }

// Chances looks at the idle cluster of PBS.
func (s OpenPBS) Chances() Chances { return pbs.NewChances(s.Snapshot) }

// Delay is why a job of Grid Engine, or one task of it, does not start.
func (s GridEngine) Delay(p *model.Plan, j *model.Job, task uint32) *delay.Delay {
	return gedelay.Of(s.Snapshot, p, j, task)
}

// Delay is why a job of PBS, or an array, does not start. A subjob that runs is a job of its own.
func (s OpenPBS) Delay(p *model.Plan, j *model.Job, _ uint32) *delay.Delay {
	return pbsdelay.Of(s.Snapshot, p, j)
}
