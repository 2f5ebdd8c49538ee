package steer

import (
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// AfterExchanges is the order of the waiting jobs, by id, in the cycle at a moment, with these ranks in their
// queues. The least rank comes first. An array stands for its subjobs.
func AfterExchanges(s *model.Snapshot, at time.Time, ranks map[string]int64) (list []string) {
	own := *s
	own.Jobs = slices.Clone(own.Jobs)
	for i := range own.Jobs {
		j := &own.Jobs[i]
		if j.PBS == nil {
			continue
		}
		if rank, changed := ranks[j.PBS.ID]; changed {
			p := *j.PBS
			p.QueueRank, j.PBS = rank, &p
		}
	}
	seen := map[string]bool{}
	for _, d := range cycle.Order(&own, cycle.Options{At: at}) {
		if id := model.PBSArrayOf(d.ID); !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}
