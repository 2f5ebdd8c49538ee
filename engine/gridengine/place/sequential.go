package place

import (
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
)

// AssignSequential finds a queue instance for one task that needs one slot.
func (a *Attempt) AssignSequential() resource.Result {
	r := a.Run
	r.sortQueues(a, false)
	if got := a.tagSequential(); got != resource.Fits {
		return got
	}
	best := a.chosen()
	if best == nil {
		return resource.NeverAny
	}
	a.Slots, a.Grants = 1, []cluster.Grant{{Queue: best, Slots: 1}}
	if a.Start == utilization.AtEnd {
		a.Start = best.Avail
	}
	return resource.Fits
}

// chosen is the tagged queue instance that the task gets. For a reservation, it is the one that is free
// first. It also considers instances that the search did not reach (D1). It takes one that is never free
// only for a job with soft requests.
func (a *Attempt) chosen() *cluster.Instance {
	var best *cluster.Instance
	soonest, broken := utilization.Forever, ^uint32(0)
	for _, q := range a.Run.Queues {
		if q.Tag == 0 {
			continue
		}
		if !a.Reserve {
			return q
		}
		if q.Avail < soonest || a.Soft && q.Avail == soonest && q.Violations < broken {
			best, soonest, broken = q, q.Avail, q.Violations
		}
	}
	return best
}

// A sequential is the search of a sequential job through the queue instances.
type sequential struct {
	*Attempt
	cache *cluster.Cache
	learn bool // what is ruled out is so for all jobs of the category

	global     seconds // from when on the cluster as a whole has enough
	violated   uint32  // soft requests that the cluster as a whole does not meet
	best       resource.Result
	got        *cluster.Instance
	bestTime   seconds
	bestBroken uint32
}

// tagSequential tags the queue instance that a sequential job should get.
func (a *Attempt) tagSequential() resource.Result {
	h := sequential{Attempt: a, cache: a.Run.CacheOf(a.Category, nil), learn: a.Cached(), best: resource.NeverAny,
		bestTime: utilization.Forever, bestBroken: ^uint32(0)}
	a.readSoftQueues()
	if !a.Run.Quirks.StaleTags {
		for _, q := range a.Run.Instances {
			q.Tag = 0
		}
	}
	if got := h.checkGlobal(); got != resource.Fits {
		return got
	}
	for _, q := range a.Run.Queues {
		q.Tag = 0
		if h.skips(q) {
			continue
		}
		if stop := h.try(q); stop {
			break
		}
	}
	return h.best
}

// checkGlobal looks at the cluster as a whole.
func (h *sequential) checkGlobal() resource.Result {
	h.global = h.Start
	if h.Advance != nil {
		return h.CheckAdvance()
	}
	g := h.Run.Global
	if !h.AllowsHost(g) {
		return resource.NeverAny
	}
	got, t := h.timeOfAll(&g.Layer, resource.MetGlobally, h.Start)
	if got != resource.Fits && got != resource.NotThere {
		return got
	}
	if h.Reserve {
		h.global = t
	}
	h.violated = h.Attempt.Violations(&g.Layer, resource.MetGlobally)
	return resource.Fits
}

func (h *sequential) skips(q *cluster.Instance) bool {
	if h.SkipsCluster(q.Cluster) || h.SkipsHost(q.ExecHost) || h.OverloadedNow(q) {
		return true
	}
	return h.learn && (h.cache.NoHost[q.ExecHost.Id] || h.cache.NoQueue[q.Id])
}

// OverloadedNow reports whether a queue instance is excluded by its load, and can only be reserved.
func (a *Attempt) OverloadedNow(q *cluster.Instance) bool {
	return q.Alarmed && !a.Reserve && !a.Run.Quirks.LoadAlarmForgotten
}

// worse reports whether a place cannot become better than the best one so far.
func (h *sequential) worse(broken uint32, t seconds) bool {
	if h.got == nil {
		return false
	}
	if h.Reserve {
		return t >= h.bestTime
	}
	return broken >= h.bestBroken
}

func (h *sequential) fail(got resource.Result) { h.best = min(h.best, got) }

func (h *sequential) dropHost(q *cluster.Instance, got resource.Result) {
	if h.learn {
		h.cache.NoHost[q.ExecHost.Id] = true
	} else {
		h.SkipHost(q.ExecHost)
	}
	h.fail(got)
}

func (h *sequential) dropQueue(q *cluster.Instance, got resource.Result) {
	if h.learn {
		h.cache.NoQueue[q.Id] = true
	}
	h.fail(got)
}

// try looks at one queue instance and says whether the search is over.
func (h *sequential) try(q *cluster.Instance) (stop bool) {
	quota := seconds(0)
	if h.Advance == nil {
		got, t, global := h.timeOfQuotas(q, h.bestTimeSoFar())
		quota = t
		if got != resource.Fits {
			h.fail(got)
			return global
		}
		if h.worse(0, quota) {
			return global
		}
	}
	if !h.AllowsCluster(h.cache, q) {
		h.SkipCluster(q.Cluster)
		h.fail(resource.NeverAny)
		return false
	}
	if !h.AllowsHost(q.ExecHost) {
		h.dropHost(q, resource.NeverAny)
		return false
	}
	if !h.AllowsInstance(h.cache, q) {
		h.dropQueue(q, resource.NeverAny)
		return false
	}
	return h.tryResources(q, quota)
}

func (h *sequential) bestTimeSoFar() seconds {
	if h.got != nil {
		return h.bestTime
	}
	return utilization.Forever
}

// tryResources looks at what a host and its queue instance have left.
func (h *sequential) tryResources(q *cluster.Instance, quota seconds) (stop bool) {
	if h.Advance != nil {
		return h.tryAdvance(q)
	}
	broken := h.violated
	got, atHost := h.timeOfAll(&q.ExecHost.Layer, resource.MetAtHost, h.Start)
	if got != resource.Fits && got != resource.NotThere {
		h.dropHost(q, got)
		return false
	}
	broken += h.Attempt.Violations(&q.ExecHost.Layer, resource.MetAtHost)
	if h.worse(broken, atHost) {
		h.SkipHost(q.ExecHost)
		return false
	}
	got, atQueue := h.timeOfAll(&q.Layer, resource.MetAtQueue, h.Start)
	if got != resource.Fits {
		h.dropQueue(q, got)
		return false
	}
	broken += h.Attempt.Violations(&q.Layer, resource.MetAtQueue) + h.SoftQueueViolations(q)
	q.Violations = broken
	if h.worse(broken, atQueue) {
		return false
	}
	return h.tryTime(q, max(atQueue, atHost, quota, h.global), broken)
}

// tryAdvance looks at what an advance reservation has left in a queue instance.
func (h *sequential) tryAdvance(q *cluster.Instance) (stop bool) {
	got, t := h.timeInAdvance(q)
	if got != resource.Fits {
		h.dropQueue(q, got)
		return false
	}
	return h.accept(q, t, h.violated+h.SoftQueueViolations(q))
}

// tryTime takes a queue instance from the time on at which each resource alone is free; or, where gaps count, at which
// all of them are free together (D11).
func (h *sequential) tryTime(q *cluster.Instance, t seconds, broken uint32) (stop bool) {
	if h.Start == utilization.AtEnd && !h.Run.Quirks.EarlierGapsIgnored {
		t = h.commonGap(q, t)
		if h.worse(broken, t) || t == utilization.Forever {
			return false
		}
	}
	return h.accept(q, t, broken)
}

// accept takes a queue instance, where it is better than the one before, and says whether no other can be better still.
func (h *sequential) accept(q *cluster.Instance, t seconds, broken uint32) (stop bool) {
	h.best = resource.Fits
	q.Tag = 1
	at := seconds(0)
	if h.Start == utilization.AtEnd {
		at, q.Avail = t, t
	}
	if !h.Soft {
		broken = 0
	}
	if h.decided(t, broken) {
		h.drop()
		h.got = q
		return true
	}
	if h.Soft {
		better := broken < h.bestBroken
		if h.Reserve {
			better = at < h.bestTime || at == h.bestTime && better
		}
		if !better {
			q.Tag = 0
			return false
		}
		h.drop()
	}
	h.got, h.bestBroken, h.bestTime = q, broken, at
	return false
}

// drop gives up the best one so far. The master does so for soft requests only: else all that a search took
// keep their tags, which count in a later search that does not reach them (D1).
func (h *sequential) drop() {
	if h.got != nil && (h.Soft || !h.Run.Quirks.StaleTags) {
		h.got.Tag = 0
	}
}

// decided reports whether no place can be better: it breaks nothing, or the cluster as a whole decides the time.
func (h *sequential) decided(t seconds, broken uint32) bool {
	if !h.Reserve {
		return !h.Soft || broken == 0
	}
	return h.Advance == nil && !h.Soft && t <= h.global
}

// commonGap is the first time, not before a moment, at which all that a task needs is free for the whole of
// its duration.
func (h *sequential) commonGap(q *cluster.Instance, from seconds) seconds {
	from = max(from, h.Run.Now)
	for from < utilization.Forever {
		t := from
		for _, l := range []*resource.Layer{&h.Run.Global.Layer, &q.ExecHost.Layer, &q.Layer} {
			t = h.nextGap(l, t)
		}
		for _, c := range h.QuotasOf(q) {
			t = h.nextGap(&c.Layer, t)
		}
		if t == from {
			break
		}
		from = t
	}
	return from
}
