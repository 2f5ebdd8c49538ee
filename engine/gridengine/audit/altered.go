package audit

import (
	"maps"
	"slices"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

const alteredWhy = "somebody changed -p after the run: npprior belongs to another -p"

// alteredSince are the jobs whose -p was changed after the run, with the one that they had in it: their
// printed npprior is exactly that of another integer, by sge_priority(5) alone and not by what the engine
// computes.
func alteredSince(s *model.Snapshot) map[uint32]int {
	altered := map[uint32]int{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if p, ok := split.PrintedPriority(j); ok && p != j.PosixPriority {
			altered[j.Number] = p
		}
	}
	return altered
}

// asOfRun is the snapshot with the -p that jobs had in the run.
func asOfRun(s *model.Snapshot, altered map[uint32]int) *model.Snapshot {
	if len(altered) == 0 {
		return s
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	for i := range own.Jobs {
		if p, ok := altered[own.Jobs[i].Number]; ok {
			own.Jobs[i].PosixPriority = p
		}
	}
	return &own
}

// alteredAfterTheirStart are the altered jobs without those that started in the run with a prio of another
// -p: the order that starts a task brings its prio, but no npprior (R38), which may be of a run before the
// change.
func (r *Report) alteredAfterTheirStart() map[uint32]int {
	since := maps.Clone(r.altered)
	if r.View == nil {
		return since
	}
	for _, d := range r.Disagreements {
		if d.Field == lastrun.Prio && slices.ContainsFunc(r.View.Started, func(id ticket.TaskID) bool {
			return id.Job == d.Job.Number
		}) {
			delete(since, d.Job.Number)
		}
	}
	return since
}
