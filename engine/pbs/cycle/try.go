package cycle

import "qprism/engine/model"

// A trial says how a job is tried.
type trial struct {
	estimate bool // of a start in the future: no quick look at all vnodes together, and not what its class knows
	victim   bool // among the jobs of a simulated preemption: without the quick look, but with what its class knows
	buckets  bool
	every    *[]failure // collects all reasons
}

// try says where a claim can start now, or why it cannot: the first condition that it fails, in the scheduler's order.
func (w *world) try(c *claim, t trial) ([]portion, failure) {
	if f := w.knownOfClass(c, t); f.failed() {
		return nil, f
	}
	if w.stale && !t.estimate && !t.victim {
		w.refresh(false)
	}
	var first failure
	for _, look := range []func(*claim, trial) failure{w.notWaiting, w.misfits, w.overLimits, w.crosses, w.lacksInQueue, w.lacksInServer} {
		if f := look(c, t); f.failed() {
			if t.every == nil {
				return nil, f
			}
			first = first.or(f)
		}
	}
	w.refresh(t.estimate || t.victim)
	found, why := w.findVnodes(c, t.buckets)
	if why.failed() && t.every != nil {
		*t.every = append(*t.every, why)
	}
	return found, first.or(why)
}

// note adds a reason to those collected.
func (t *trial) note(f failure) failure {
	if f.failed() && t.every != nil {
		*t.every = append(*t.every, f)
	}
	return f
}

// knownOfClass is why another job that asks for the same could not run.
func (w *world) knownOfClass(c *claim, t trial) failure {
	if c.isReservation || t.estimate || t.every != nil || c.class < 0 {
		return failure{}
	}
	return w.classes[c.class]
}

func (w *world) notWaiting(c *claim, t trial) failure {
	if c.runnable() || c.isReservation {
		return failure{}
	}
	return t.note(failure{status: notRun, code: model.FailNotQueued})
}

// misfits compares a claim with all vnodes together: what they have free, and, if that is too little, with what they have
// at all.
func (w *world) misfits(c *claim, t trial) failure {
	all := w.all
	switch {
	case t.estimate || t.victim || c.inside != nil:
		return failure{}
	case !c.isReservation && c.queue.ownVnodes:
		all = c.queue.all
	}
	var now []failure
	collect := &now
	if t.every == nil {
		collect = nil
	}
	why := w.tooBig(all, c, false, collect)
	if !why.failed() {
		return failure{}
	}
	if ever := w.tooBig(all, c, true, nil); ever.failed() {
		ever.status = neverRun
		return t.note(ever)
	}
	if t.every != nil {
		*t.every = append(*t.every, now...)
	}
	return why
}

// overLimits checks the limits on jobs and subjobs, and the time of the day. qrun does without.
func (w *world) overLimits(c *claim, t trial) failure {
	if w.qrun != "" || c.isReservation {
		return failure{}
	}
	first := w.overLimit(c, t.every)
	if first.failed() && t.every == nil {
		return first
	}
	if c.isArray && c.maxSubjobs >= 0 && c.runSubjobs >= c.maxSubjobs {
		first = first.or(t.note(fails(model.FailMaxRunSubjobs)))
	}
	if f, crosses := w.crossesPrime(c); crosses {
		first = first.or(t.note(f))
	}
	if f := w.dedicatedQueue(c.queue); f.failed() {
		first = first.or(t.note(f))
	}
	if f := w.primeQueue(c.queue); f.failed() {
		if f.code == model.FailNonPrimeOnly && w.policy.end == forever {
			f.status = neverRun
		}
		first = first.or(t.note(f))
	}
	return first
}

func (w *world) crosses(c *claim, t trial) failure {
	if c.isReservation && w.conf.ResvIgnoresDedicated || !w.crossesDedicated(c) {
		return failure{}
	}
	return t.note(fails(model.FailCrossDedicated))
}

// lacksInQueue compares with resources_available of the queue.
func (w *world) lacksInQueue(c *claim, t trial) failure {
	if c.isReservation || !c.queue.anyStock {
		return failure{}
	}
	s := &c.queue.stock
	if c.inside == nil {
		s = w.leastStock(s, c, c.queue)
	}
	return w.lacks(s, c, model.FailQueueInsufficient, t)
}

// lacksInServer compares with resources_available of the server.
func (w *world) lacksInServer(c *claim, t trial) failure {
	if !w.server.anyStock || c.inside != nil {
		return failure{}
	}
	return w.lacks(w.leastStock(&w.server.stock, c, nil), c, model.FailServerInsufficient, t)
}

func (w *world) lacks(s *stock, c *claim, code model.Failure, t trial) failure {
	asked := c.asked
	if c.askedBack != nil {
		asked = c.askedBack
	}
	times, why := w.count(s, asked, check{only: w.checks, code: code})
	if times != 0 || !why.failed() {
		return failure{}
	}
	if never, f := w.count(s, asked, check{only: w.checks, totals: true, code: code}); never == 0 {
		why, why.status = f, neverRun
	}
	return t.note(why)
}

// leastStock is what is left of a stock when most of it is used, from now until a claim ends that starts now.
func (w *world) leastStock(s *stock, c *claim, of *queue) *stock {
	end := w.willEnd(c)
	if !w.calendar.startsBefore(end) {
		return s
	}
	now, most := s.own(), s.own()
	w.calendar.ahead(end, func(e *event) bool {
		if e.claim == c || of != nil && e.claim.queue != of {
			return true
		}
		for i := range e.claim.asked {
			n := &e.claim.asked[i]
			if !w.res.list[n.res].kind.consumable() || n.res >= len(now.held) {
				continue
			}
			if e.kind == startEvent {
				now.assigned[n.res] += n.amount
			} else {
				now.assigned[n.res] -= n.amount
			}
			most.assigned[n.res] = max(most.assigned[n.res], now.assigned[n.res])
		}
		return true
	})
	return &most
}
