package cycle

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

// SortBoth sorts the jobs that wait as the cycle at a moment does, and by the criteria; what the cycle says of queues is left out.
func SortBoth(s *model.Snapshot, at time.Time) (fast, slow []string) {
	r := newRun(s, Options{At: at})
	w := r.world
	r.load()
	r.accrue()
	r.rate()
	w.policy.ByQueue, w.policy.RoundRobin = false, false
	waiting := slices.DeleteFunc(slices.Clone(w.jobs), func(c *claim) bool { return !c.runnable() })
	slices.SortFunc(waiting, func(a, b *claim) int { return cmp.Compare(a.rank, b.rank) })
	var stands []criteria.Stand
	for _, c := range waiting {
		stands = append(stands, r.stand(c))
	}
	list := criteria.List(&w.policy.CyclePolicy, w.pbs.Formula)[1:] // a sort knows nothing of reservations
	fairshare.MergeSort(stands, func(a, b criteria.Stand) int { return criteria.Compare(list, &a, &b) })
	r.line.deserving.forget()
	r.line.sortList(waiting)
	for i := range stands {
		fast, slow = append(fast, waiting[i].id), append(slow, stands[i].ID)
	}
	return fast, slow
}
