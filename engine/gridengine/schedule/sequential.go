package schedule

// assignSequential finds a queue instance for one task that needs one slot.
func (a *attempt) assignSequential() result {
	r := a.run
	r.sortQueues(a, false)
	if got := a.tagSequential(); got != fits {
		return got
	}
	best := a.chosen()
	if best == nil {
		return neverAny
	}
	a.slots, a.grants = 1, []grant{{best, 1}}
	if a.start == atEnd {
		a.start = best.avail
	}
	return fits
}

// chosen is the tagged queue instance that the task gets: of a reservation, the one that is free first. It looks at all
// of them, also at those that the search did not reach (D1), and takes one that is never free for a job with soft requests
// only.
func (a *attempt) chosen() *instance {
	var best *instance
	soonest, broken := forever, ^uint32(0)
	for _, q := range a.run.world.queues {
		if q.tag == 0 {
			continue
		}
		if !a.reserve {
			return q
		}
		if q.avail < soonest || a.soft && q.avail == soonest && q.violations < broken {
			best, soonest, broken = q, q.avail, q.violations
		}
	}
	return best
}

// A hunt is the search of a sequential job through the queue instances.
type hunt struct {
	*attempt
	cache *cache
	learn bool // what is ruled out is so for all jobs of the category

	global     seconds // from when on the cluster as a whole has enough
	violated   uint32  // soft requests that the cluster as a whole does not meet
	best       result
	got        *instance
	bestTime   seconds
	bestBroken uint32
}

// tagSequential tags the queue instance that a sequential job should get.
func (a *attempt) tagSequential() result {
	h := hunt{attempt: a, cache: a.run.cacheOf(a.cat, nil), learn: a.cached(), best: neverAny, bestTime: forever, bestBroken: ^uint32(0)}
	a.readSoftQueues()
	if !a.run.quirks.StaleTags {
		for _, q := range a.run.world.instances {
			q.tag = 0
		}
	}
	if got := h.checkGlobal(); got != fits {
		return got
	}
	for _, q := range a.run.world.queues {
		q.tag = 0
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
func (h *hunt) checkGlobal() result {
	h.global = h.start
	if h.advance != nil {
		return h.checkAdvance()
	}
	g := h.run.world.global
	if !h.allowsHost(g) {
		return neverAny
	}
	got, t := h.timeOfAll(&g.layer, metGlobally, h.start)
	if got != fits && got != notThere {
		return got
	}
	if h.reserve {
		h.global = t
	}
	h.violated = h.attempt.violations(&g.layer, metGlobally)
	return fits
}

func (h *hunt) skips(q *instance) bool {
	if h.skipsCluster(q.cluster) || h.skipsHost(q.host) || h.overloadedNow(q) {
		return true
	}
	return h.learn && (h.cache.noHost[q.host.id] || h.cache.noQueue[q.id])
}

// overloadedNow reports whether a queue instance was left out for its load and can only be reserved.
func (a *attempt) overloadedNow(q *instance) bool {
	return q.alarmed && !a.reserve && !a.run.quirks.AlarmForgotten
}

// worse reports whether a place cannot beat the best one so far, whatever else is found of it.
func (h *hunt) worse(broken uint32, t seconds) bool {
	if h.got == nil {
		return false
	}
	if h.reserve {
		return t >= h.bestTime
	}
	return broken >= h.bestBroken
}

func (h *hunt) fail(got result) { h.best = min(h.best, got) }

func (h *hunt) dropHost(q *instance, got result) {
	if h.learn {
		h.cache.noHost[q.host.id] = true
	} else {
		h.skipHost(q.host)
	}
	h.fail(got)
}

func (h *hunt) dropQueue(q *instance, got result) {
	if h.learn {
		h.cache.noQueue[q.id] = true
	}
	h.fail(got)
}

// try looks at one queue instance and says whether the search is over.
func (h *hunt) try(q *instance) (stop bool) {
	quota := seconds(0)
	if h.advance == nil {
		got, t, global := h.timeOfQuotas(q, h.bestTimeSoFar())
		quota = t
		if got != fits {
			h.fail(got)
			return global
		}
		if h.worse(0, quota) {
			return global
		}
	}
	if !h.allowsCluster(h.cache, q) {
		h.skipCluster(q.cluster)
		h.fail(neverAny)
		return false
	}
	if !h.allowsHost(q.host) {
		h.dropHost(q, neverAny)
		return false
	}
	if !h.allowsInstance(h.cache, q) {
		h.dropQueue(q, neverAny)
		return false
	}
	return h.tryResources(q, quota)
}

func (h *hunt) bestTimeSoFar() seconds {
	if h.got != nil {
		return h.bestTime
	}
	return forever
}

// tryResources looks at what a host and its queue instance have left.
func (h *hunt) tryResources(q *instance, quota seconds) (stop bool) {
	if h.advance != nil {
		return h.tryAdvance(q)
	}
	broken := h.violated
	got, atHost := h.timeOfAll(&q.host.layer, metAtHost, h.start)
	if got != fits && got != notThere {
		h.dropHost(q, got)
		return false
	}
	broken += h.attempt.violations(&q.host.layer, metAtHost)
	if h.worse(broken, atHost) {
		h.skipHost(q.host)
		return false
	}
	got, atQueue := h.timeOfAll(&q.layer, metAtQueue, h.start)
	if got != fits {
		h.dropQueue(q, got)
		return false
	}
	broken += h.attempt.violations(&q.layer, metAtQueue) + h.softQueueViolations(q)
	q.violations = broken
	if h.worse(broken, atQueue) {
		return false
	}
	return h.tryTime(q, max(atQueue, atHost, quota, h.global), broken)
}

// tryAdvance looks at what an advance reservation has left in a queue instance.
func (h *hunt) tryAdvance(q *instance) (stop bool) {
	got, t := h.timeInAdvance(q)
	if got != fits {
		h.dropQueue(q, got)
		return false
	}
	return h.accept(q, t, h.violated+h.softQueueViolations(q))
}

// tryTime takes a queue instance from the time on at which each resource alone is free; or, where gaps count, at which
// all of them are free together (D11).
func (h *hunt) tryTime(q *instance, t seconds, broken uint32) (stop bool) {
	if h.start == atEnd && !h.run.quirks.LastCrossing {
		t = h.commonGap(q, t)
		if h.worse(broken, t) || t == forever {
			return false
		}
	}
	return h.accept(q, t, broken)
}

// accept takes a queue instance, where it is better than the one before, and says whether no other can be better still.
func (h *hunt) accept(q *instance, t seconds, broken uint32) (stop bool) {
	h.best = fits
	q.tag = 1
	at := seconds(0)
	if h.start == atEnd {
		at, q.avail = t, t
	}
	if !h.soft {
		broken = 0
	}
	if h.decided(t, broken) {
		h.drop()
		h.got = q
		return true
	}
	if h.soft {
		better := broken < h.bestBroken
		if h.reserve {
			better = at < h.bestTime || at == h.bestTime && better
		}
		if !better {
			q.tag = 0
			return false
		}
		h.drop()
	}
	h.got, h.bestBroken, h.bestTime = q, broken, at
	return false
}

// drop gives up the best one so far. The master does so for soft requests only: else all that a search took keep their tags, which count in
// a later search that does not reach them (D1).
func (h *hunt) drop() {
	if h.got != nil && (h.soft || !h.run.quirks.StaleTags) {
		h.got.tag = 0
	}
}

// decided reports whether no place can be better: it breaks nothing, or the cluster as a whole decides the time.
func (h *hunt) decided(t seconds, broken uint32) bool {
	if !h.reserve {
		return !h.soft || broken == 0
	}
	return h.advance == nil && !h.soft && t <= h.global
}

// commonGap is the first time, not before a moment, at which all that a task needs is free for the whole of its duration.
func (h *hunt) commonGap(q *instance, from seconds) seconds {
	from = max(from, h.run.now)
	for from < forever {
		t := from
		for _, l := range []*layer{&h.run.world.global.layer, &q.host.layer, &q.layer} {
			t = h.nextGap(l, t)
		}
		for _, c := range h.quotasOf(q) {
			t = h.nextGap(&c.layer, t)
		}
		if t == from {
			break
		}
		from = t
	}
	return from
}
