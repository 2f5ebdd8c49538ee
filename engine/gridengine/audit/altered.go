package audit

import (
	"slices"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

const alteredWhy = "-p was changed after the run: npprior is that of another -p"

// alteredSince are the jobs whose -p was changed after the run, with the one that they had in it: their printed npprior is exactly that
// of another integer, by sge_priority(5) alone and not by what the engine computes.
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
