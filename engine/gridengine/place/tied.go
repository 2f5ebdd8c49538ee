package place

import (
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
)

// mostTied bounds how many equals of a granted queue instance are named.
const mostTied = 16

// Tied names the queue instances that were as good as the granted one. Only the order of the scheduler's own
// list decided between them, and that order is not known.
func (a *Attempt) Tied() []string {
	if a.PE != nil || len(a.Grants) != 1 {
		return nil
	}
	got := a.Grants[0].Queue
	queues := a.Run.Queues
	first := slices.Index(queues, got)
	if first < 0 {
		return nil
	}
	k := a.Run.CacheOf(a.Category, nil)
	var names []string
	for _, q := range queues[first+1:] {
		if q.Rank != got.Rank || len(names) == mostTied {
			break
		}
		if unordered(got, q) && a.takes(k, q) {
			names = append(names, q.Name)
		}
	}
	return names
}

// unordered reports whether it is not known which of two queue instances comes first in the scheduler's list: none of
// them was changed, as far as the bundle shows, or both in one second.
func unordered(q, o *cluster.Instance) bool {
	return q.Cluster == o.Cluster && (q.Modified == 0 && o.Modified == 0 || q.ChangedAt != 0 && q.ChangedAt == o.ChangedAt)
}

// takes reports whether a queue instance would have done as well for a task that starts now.
func (a *Attempt) takes(k *cluster.Cache, q *cluster.Instance) bool {
	a.Quiet++
	defer func() { a.Quiet-- }()
	if a.Reserve || a.Advance != nil || !a.AllowsHost(q.ExecHost) || !a.AllowsInstance(k, q) {
		return false
	}
	got, _ := a.timeOfAll(&q.ExecHost.Layer, resource.MetAtHost, utilization.RightNow)
	if got != resource.Fits && got != resource.NotThere {
		return false
	}
	got, _ = a.timeOfAll(&q.Layer, resource.MetAtQueue, utilization.RightNow)
	return got == resource.Fits
}
