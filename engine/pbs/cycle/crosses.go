package cycle

import "qprism/engine/model"

// crossesDedicated reports whether a claim that starts now would run into dedicated time, or out of it.
func (w *world) crossesDedicated(c *claim) bool {
	_, until, ok := w.clock.nextDedicated(w.now)
	start, end := c.start, c.end
	switch {
	case !ok:
		return false
	case w.clock.isDedicated(w.now):
		return w.now+w.left(c, false) > until
	case start == never && end == never:
		start, end = w.now, w.now+w.left(c, false)
	case start == never || end == never:
		return true
	}
	from, to, ok := w.clock.nextDedicated(start)
	return ok && (start > from && start < to || end > from && end < to || start <= from && end >= to)
}

// crossesPrime reports whether a job would run over the end of primetime, or of the other time.
func (w *world) crossesPrime(c *claim) (failure, bool) {
	if w.conf.PrimeExemptAnytimeQueues && !c.queue.prime && !c.queue.nonPrime || w.policy.end == forever || !w.policy.BackfillPrime {
		return failure{}, false
	}
	if w.now+w.left(c, false) <= w.policy.end+w.policy.spill {
		return failure{}, false
	}
	if w.policy.prime {
		return fails(model.FailCrossPrime, "non-primetime"), true
	}
	return fails(model.FailCrossPrime, "primetime"), true
}
