package subject

import (
	"qprism/engine/batch"
	"qprism/engine/gridengine"
	"qprism/engine/model"
	"qprism/engine/pbs"
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
