package audit

import (
	"fmt"
	"math"
	"slices"

	"qprism/engine/model"
)

const alteredWhy = "-p was changed after the run: npprior is that of another -p"

// alteredSince are the jobs whose -p was changed after the run, with the one that they had in it: their printed npprior is exactly that
// of another integer, by sge_priority(5) alone and not by what the engine computes.
func alteredSince(s *model.Snapshot) map[uint32]int {
	altered := map[uint32]int{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if p, ok := printedPriority(j); ok && p != j.PosixPriority {
			altered[j.Number] = p
		}
	}
	return altered
}

// printedPriority is the -p that the printed npprior is made of: (p+1024)/2048, printed with five digits. ok is false where it is of none.
func printedPriority(j *model.Job) (p int, ok bool) {
	if j.Reported == nil || math.IsNaN(j.Reported.NPPrior) || j.Reported.NPPrior == 0 {
		return 0, false
	}
	p = int(math.Round(j.Reported.NPPrior*2048)) - 1024
	ok = -1023 <= p && p <= 1024 && fmt.Sprintf("%.5f", float64(p+1024)/2048) == fmt.Sprintf("%.5f", j.Reported.NPPrior)
	return p, ok
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
