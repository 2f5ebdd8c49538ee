package cycle

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/fairshare"
)

// SortBoth sorts the jobs that wait as the cycle at a moment does, and by the criteria; what the cycle says
// of queues is left out.
func SortBoth(s *model.Snapshot, at time.Time) (fast, slow []string) {
	r := newRun(s, Options{At: at})
	w := r.world
	r.accrue()
	r.rate()
	w.Policy.ByQueue, w.Policy.RoundRobin = false, false
	waiting := slices.DeleteFunc(slices.Clone(w.Jobs), func(c *cluster.Claim) bool { return !c.Runnable() })
	slices.SortFunc(waiting, func(a, b *cluster.Claim) int { return cmp.Compare(a.Rank, b.Rank) })
	var stands []criteria.JobValues
	for _, c := range waiting {
		stands = append(stands, r.stand(c))
	}
	list := criteria.List(&w.Policy.CyclePolicy, w.PBS.Formula)[1:] // a sort knows nothing of reservations
	fairshare.MergeSort(stands, func(a, b criteria.JobValues) int { return compare(list, &a, &b) })
	r.line.Sort(waiting)
	for i := range stands {
		fast, slow = append(fast, waiting[i].ID), append(slow, stands[i].ID)
	}
	return fast, slow
}

// compare compares two jobs by a list.
func compare(list []criteria.Criterion, a, b *criteria.JobValues) int {
	if c := criteria.Decides(list, a, b); c != nil {
		return c.Compare(a, b)
	}
	return 0
}
