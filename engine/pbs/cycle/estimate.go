package cycle

// simulate goes on to the next event, and performs all that come within the fuzz behind it. It says what kinds of events
// those were, 0 if none was left.
func (w *world) simulate() (kinds eventKind) {
	e := w.upcoming(false)
	if e != nil && e.off {
		e = w.upcoming(true)
	}
	if e == nil {
		return 0
	}
	step := max(w.fuzz, 1)
	until := (e.at + step) / step * step
	for e != nil && e.at <= until {
		w.now = e.at
		w.perform(e)
		kinds |= e.kind
		e = w.upcoming(true)
	}
	if f := w.calendar.first; f != nil && w.now > f.at {
		w.calendar.first = w.calendar.findStart(w.calendar.next)
	}
	return kinds
}

// upcoming is the next event, after the present one where advance is set. The end of primetime comes in between.
func (w *world) upcoming(advance bool) *event {
	c := &w.calendar
	if advance {
		c.next++
		for c.next < len(c.events) && c.events[c.next].off {
			c.next++
		}
		c.next = min(c.next, len(c.events))
	}
	e := c.nextEvent()
	if c.ended || w.policy.end == forever {
		return e
	}
	if e == nil || w.now <= w.policy.end && w.policy.end < e.at {
		boundary := &event{at: w.policy.end, kind: policyEvent}
		i := c.insert(boundary)
		c.next, c.ended = i, e == nil
		return boundary
	}
	return e
}

// perform lets an event happen.
func (w *world) perform(e *event) {
	e.done = true
	switch e.kind {
	case endEvent:
		w.finish(e.claim, 'X')
	case startEvent:
		w.start(e.claim)
	case policyEvent:
		w.changePolicy()
	}
}

// start is a planned start that has come.
func (w *world) start(c *claim) {
	if c.isReservation || !c.isArray {
		w.begin(c, nil, false)
		return
	}
	if s := w.subjob(c); s != nil {
		w.begin(s, c.given, false)
	}
}

// estimate says when and where a claim can start, in a copy of the world whose time goes on event by event. ok is false
// if it never can.
func (w *world) estimate(c *claim, byBucket bool) (at seconds, found []portion, ok bool) {
	kinds := endEvent
	for range mostSteps {
		if kinds&(endEvent|dedicatedEnd|vnodeUp) != 0 || kinds&(startEvent|dedicatedStart) == 0 && w.policyMatters(c) {
			if found, _ = w.try(c, trial{estimate: true, buckets: byBucket}); found != nil {
				return w.now, found, true
			}
		}
		if kinds = w.simulate(); kinds == 0 {
			break
		}
	}
	return 0, nil, false
}

// mostSteps bounds an estimate: primetime may begin and end until a reservation in a far future.
const mostSteps = 100_000

// policyMatters reports whether primetime can make a difference to a job.
func (w *world) policyMatters(c *claim) bool {
	switch {
	case w.conf.Prime.Backfill != w.conf.NonPrime.Backfill:
		return true
	case !w.conf.PrimeExemptAnytimeQueues && (w.conf.Prime.BackfillPrime || w.conf.NonPrime.BackfillPrime):
		return true
	case c.isReservation:
		return false
	}
	return w.policy.prime && c.queue.prime || !w.policy.prime && c.queue.nonPrime
}

// A planned start is when and where a top job starts.
type planned struct {
	claim *claim // the job, or the subjob of an array
	at    seconds
	found []portion // chunk by chunk
}

// planTop puts a job into the calendar that could not start now: others may start only if they leave it its vnodes. ok
// is false if no start was found.
func (w *world) planTop(c *claim, byBucket bool) (f planned, isNew, ok bool) {
	if w.calendar.holds(c) {
		return f, false, true
	}
	future, copies := w.clone(c)
	at, found, ok := future.estimate(copies[0], byBucket)
	if !ok {
		return f, false, false
	}
	found = inOrder(found)
	f = planned{claim: c, at: at, found: found}
	if c.isArray {
		if f.claim = w.subjob(c); f.claim == nil {
			return f, false, false
		}
		f.claim.cannotRun = true
	}
	w.plan(f)
	return f, true, true
}

// plan books a forecast.
func (w *world) plan(f planned) {
	c := f.claim
	c.given = combine(f.found)
	c.vnodes = w.vnodesOf(c.given)
	if s := w.selectionOf(c.given); s != nil {
		c.exact = s
	}
	c.start, c.end = f.at, f.at+c.length
	w.calendar.add(&event{at: c.start, kind: startEvent, claim: c}, w.now)
	w.calendar.add(&event{at: c.end, kind: endEvent, claim: c}, w.now)
	if w.policy.FairShare {
		w.raise(c)
	}
}
