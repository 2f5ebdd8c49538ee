package diff

import (
	"slices"
	"time"

	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/fairshare"
)

// A memory is what a PBS scheduler knew after the last cycle before a step: usage that it has not yet
// written down. It is nil for a scheduler that just began, and for Grid Engine.
type memory struct {
	cycle.Memory
	config []model.SchedLine     // that it was started with
	usage  *model.FairshareUsage // that it had charged since, nil where that is not known
}

// charged is the same memory with usage charged up to what a later usage file says.
func (m *memory) charged(u *model.FairshareUsage) *memory {
	own := memory{usage: u}
	if m != nil {
		own.Memory, own.config = m.Memory, m.config
	}
	return &own
}

// charge charges entities up to what a usage file says, and all that is above them.
func charge(m *fairshare.Memory, u *model.FairshareUsage) {
	for _, r := range u.Records {
		n := m.Entity(r.Name)
		for by := r.Usage - n.Usage; n != nil; n = n.Parent {
			n.Usage += by
		}
	}
	m.End(true, nil)
}

// at is a copy to plan one cycle with. A scheduler whose configuration was changed has read its files again.
func (m *memory) at(s *model.Snapshot, at time.Time) *cycle.Memory {
	if m == nil {
		return &cycle.Memory{}
	}
	own := m.Memory
	if own.Fairshare != nil {
		own.Fairshare = own.Fairshare.Clone()
		if !slices.Equal(m.config, s.PBS.SchedConfig.Lines) {
			own.Fairshare.Reload(s.PBS.Fairshare, at)
		}
	}
	if m.usage != nil {
		if own.Fairshare == nil {
			own.Fairshare = fairshare.Start(s.PBS.Fairshare, at)
		}
		charge(own.Fairshare, m.usage)
	}
	return &own
}

// planRun plans a run, and says what the scheduler knows after it. A brief plan has no reasons, and not
// the jobs that wait.
func planRun(s *model.Snapshot, at time.Time, quirks model.Quirks, m *memory, brief bool) (*model.Plan, *memory) {
	if s.PBS != nil {
		own := m.at(s, at)
		p := cycle.Run(s, cycle.Options{At: at, Memory: own})
		return p, &memory{Memory: *own, config: s.PBS.SchedConfig.Lines}
	}
	return schedule.Run(split.WithEndedTasks(s, at), schedule.Options{At: at, Quirks: quirks, Brief: brief}), nil
}
