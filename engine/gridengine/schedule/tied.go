package schedule

import "slices"

// mostTied bounds how many equals of a granted queue instance are named.
const mostTied = 16

// tied names the queue instances that were as good as the one granted, and lost by nothing but the order of the
// scheduler's own list, where that is not known.
func (a *attempt) tied() []string {
	if a.pe != nil || len(a.grants) != 1 {
		return nil
	}
	got := a.grants[0].queue
	queues := a.run.world.queues
	first := slices.Index(queues, got)
	if first < 0 {
		return nil
	}
	k := a.run.cacheOf(a.cat, nil)
	var names []string
	for _, q := range queues[first+1:] {
		if q.rank != got.rank || len(names) == mostTied {
			break
		}
		if got.unordered(q) && a.takes(k, q) {
			names = append(names, q.Name)
		}
	}
	return names
}

// unordered reports whether it is not known which of two queue instances comes first in the scheduler's list: none of
// them was changed, as far as the bundle shows, or both in one second.
func (q *instance) unordered(o *instance) bool {
	return q.cluster == o.cluster && (q.modified == 0 && o.modified == 0 || q.second != 0 && q.second == o.second)
}

// takes reports whether a queue instance would have done as well for a task that starts now.
func (a *attempt) takes(k *cache, q *instance) bool {
	a.quiet++
	defer func() { a.quiet-- }()
	if a.reserve || a.advance != nil || !a.allowsHost(q.host) || !a.allowsInstance(k, q) {
		return false
	}
	got, _ := a.timeOfAll(&q.host.layer, metAtHost, rightNow)
	if got != fits && got != notThere {
		return false
	}
	got, _ = a.timeOfAll(&q.layer, metAtQueue, rightNow)
	return got == fits
}
