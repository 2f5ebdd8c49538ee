package cycle

import (
	"slices"
	"strconv"
)

// begin books that a claim starts now, on the vnodes that were found for it. marked says whether its end is put into the
// calendar, which the event of a planned start has done before.
func (w *world) begin(c *claim, found []portion, markEnd bool) {
	if found != nil {
		c.given = combine(found)
	}
	c.cannotRun = true
	wasSuspended := !c.isReservation && c.suspended()
	released := c.released
	w.nowRuns(c)
	if markEnd {
		w.calendar.add(&event{at: c.end, kind: endEvent, claim: c}, w.now)
	}
	if c.array != nil {
		w.leavesArray(c)
	}
	w.occupy(c, wasSuspended, released)
	w.bookAmounts(c, wasSuspended, 1)
	w.countStart(c)
	w.calendar.fresh = false
}

// nowRuns changes a claim itself.
func (w *world) nowRuns(c *claim) {
	if c.vnodes == nil {
		c.vnodes = w.vnodesOf(c.given)
	}
	if c.isReservation {
		c.stateName, c.inForce = "RESV_RUNNING", true
		if c.onQueue != nil {
			q := w.same(c.onQueue)
			q.started = true
			q.open = w.opens(q)
		}
		return
	}
	if c.array != nil && !c.suspended() {
		c.array.runSubjobs++
	}
	c.released = nil
	c.state, c.suspendedHere = 'R', false
	c.started, c.start, c.end = w.now, w.now, w.now+w.left(c, false)
	if c.exact == nil {
		c.exact = w.selectionOf(c.given)
	}
	w.stopAlternatives(c)
}

// same is the queue of this world that a claim of another one means.
func (w *world) same(q *queue) *queue { return w.queues[q.index] }

// stopAlternatives keeps the jobs of depend=runone that were not chosen from running.
func (w *world) stopAlternatives(c *claim) {
	for _, id := range c.alternatives {
		for _, o := range w.jobs {
			if o.id == id {
				o.cannotRun = true
			}
		}
	}
}

func (w *world) leavesArray(c *claim) {
	a := c.array
	a.dropSubjob(c.task)
	if a.state == 'Q' {
		a.state = 'B'
	}
}

// occupy takes a claim's vnodes, and changes the sums of the sets that they belong to. A suspended job takes again what
// it gave back.
func (w *world) occupy(c *claim, wasSuspended bool, released []portion) {
	inSets := false
	for i := range c.given {
		p := &c.given[i]
		gives := p.gives
		if wasSuspended {
			if r := on(released, p.vnode); r != nil {
				gives = r.gives
			}
		}
		w.take(c, p, gives)
		inSets = w.noteStart(p.vnode, p.gives) || inSets
	}
	if inSets {
		w.sortAllSets()
	}
}

// bookAmounts books what a claim asks for on its queue and on the server, or off them with -1.
func (w *world) bookAmounts(c *claim, suspends bool, sign float64) {
	asked := c.asked
	if !c.isReservation && suspends && c.askedBack != nil {
		asked = c.askedBack
	}
	if sign > 0 {
		c.askedBack = nil
	}
	if !c.isReservation {
		c.queue.stock.add(asked, sign, w.res)
		if c.queue.reservation != nil {
			return
		}
	}
	w.server.stock.add(asked, sign, w.res)
}

// countStart counts a job as running, and its usage.
func (w *world) countStart(c *claim) {
	if c.isReservation {
		return
	}
	w.resort(c.inside)
	w.running = append(w.running, c)
	w.countRunning(c, 1)
	if c.reservationID == "" {
		w.markSoft(c)
		w.setLevel(c)
	}
	w.changeLevels(c)
	if w.policy.FairShare {
		w.raise(c)
	}
	c.preempted, c.preemptedAt = false, never
}

// raise adds a started job to the usage of its entity in this cycle. Copies of the world leave it alone.
func (w *world) raise(c *claim) {
	if w.jobs != nil && c.entity != nil && w.charge != nil {
		c.entity.Raise(w.charge(c))
	}
}

func (w *world) countRunning(c *claim, sign int) {
	s := c.subject()
	if w.server.limits.some() {
		w.server.counts.book(&s, w.limited, sign)
	}
	if c.queue.limits.some() {
		c.queue.counts.book(&s, w.limited, sign)
	}
}

// finish books that a claim ends now: for good, or because it is suspended or requeued.
func (w *world) finish(c *claim, state byte) {
	for _, v := range c.vnodes {
		var released []portion
		if state == 'S' {
			released = c.released
		}
		w.giveBack(c, v, released)
	}
	if !c.isReservation && c.running() {
		w.running = slices.DeleteFunc(w.running, func(o *claim) bool { return o == c })
		w.countRunning(c, -1)
	}
	w.bookAmounts(c, state == 'S', -1)
	if !c.isReservation && c.reservationID == "" {
		w.markSoft(c)
	}
	w.stale = true
	w.checkAlso(c)
	w.noLongerRuns(c, state)
	if !c.isReservation {
		w.changeLevels(c)
	}
}

// checkAlso makes the resources that a job had vnodes by, such as vnode itself, ones that are looked at. The sums of all vnodes are made
// anew then, with values that are not used up (quirk P31).
func (w *world) checkAlso(c *claim) {
	if c.isReservation || c.exact == nil || !slices.ContainsFunc(c.exact.uses, func(r int) bool { return !w.checks[r] }) {
		return
	}
	w.checks = slices.Clone(w.checks)
	w.check(c.exact)
	w.all.held = nil
	for _, q := range w.queues {
		if q.all != nil {
			q.all.held = nil
		}
	}
}

func (w *world) noLongerRuns(c *claim, state byte) {
	c.cannotRun = !c.isReservation && c.queue.open.failed()
	c.start, c.end = never, never
	if c.isReservation {
		c.stateName, c.inForce = "RESV_DELETED", false
		if c.onQueue != nil {
			q := w.same(c.onQueue)
			q.started = false
			q.open = w.opens(q)
		}
		return
	}
	c.state = state
	if state == 'S' {
		c.suspendedHere = true
	} else if c.array != nil && c.array.maxSubjobs >= 0 {
		c.array.runSubjobs--
	}
	c.provisioning = false
	if state == 'Q' && !c.checkpointed {
		c.vnodes, c.given, c.used, c.exact = nil, nil, nil, nil
	}
	for _, e := range w.calendar.events {
		if e.claim == c && e.kind == endEvent {
			e.off = true
		}
	}
	w.calendar.fresh = false
}

// subjob is the next subjob of an array, as a job of its own.
func (w *world) subjob(a *claim) *claim {
	task, ok := a.nextSubjob()
	if !ok {
		return nil
	}
	id := subjobID(a.id, task)
	for _, o := range w.jobs {
		if o.task == task && o.id == id {
			return o
		}
	}
	c := *a
	c.id, c.task, c.arrayID, c.array = id, task, a.id, a
	c.isArray, c.subjobs, c.maxSubjobs = false, nil, -1
	c.state, c.rank = 'Q', w.res.nextRank()
	if w.jobs != nil {
		w.jobs = append(w.jobs, &c)
		a.queue.jobs = append(a.queue.jobs, &c)
	}
	return &c
}

// subjobID puts the index between the brackets of an array's id.
func subjobID(array string, task uint32) string {
	index := strconv.FormatUint(uint64(task), 10)
	for i := range len(array) - 1 {
		if array[i:i+2] == "[]" {
			return array[:i+1] + index + array[i+1:]
		}
	}
	return array + "[" + index + "]"
}

func (w *world) check(s *selection) {
	if s == nil {
		return
	}
	for _, r := range s.uses {
		w.checks[r] = true
	}
}
