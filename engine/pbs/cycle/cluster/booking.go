package cluster

import (
	"slices"
	"strconv"

	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/resource"
)

// Begin books the start of a claim now, on the found vnodes. markEnd adds its end to the calendar; the event
// of a planned start has already done so.
func (w *World) Begin(c *Claim, found []resource.Portion, markEnd bool) {
	if found != nil {
		c.Given = resource.Combine(found)
	}
	c.CannotRun = true
	wasSuspended := !c.IsReservation && c.Suspended()
	released := c.Released
	w.markRunning(c)
	if markEnd {
		w.Calendar.Add(&Event{At: c.End, Kind: EndEvent, Claim: c}, w.Now)
	}
	if c.Array != nil {
		w.removeFromArray(c)
	}
	w.occupy(c, wasSuspended, released)
	w.bookAmounts(c, wasSuspended, 1)
	w.CountStart(c)
	w.Calendar.fresh = false
}

// markRunning changes the state of a claim that starts.
func (w *World) markRunning(c *Claim) {
	if c.Vnodes == nil {
		c.Vnodes = w.VnodesOf(c.Given)
	}
	if c.IsReservation {
		c.ResvState, c.InForce = InForceNow, true
		if c.ResvQueue != nil {
			q := w.same(c.ResvQueue)
			q.Started = true
			q.Open = w.Opens(q)
		}
		return
	}
	if c.Array != nil && !c.Suspended() {
		c.Array.RunSubjobs++
	}
	c.Released = nil
	c.State, c.SchedSuspended = 'R', false
	c.Started, c.Start, c.End = w.Now, w.Now, w.Now+w.Left(c, false)
	if c.Exact == nil {
		c.Exact = w.SelectionOf(c.Given)
	}
	w.stopAlternatives(c)
}

// same is the queue of this world that a claim of another one means.
func (w *World) same(q *Queue) *Queue { return w.Queues[q.Index] }

// stopAlternatives keeps the jobs of depend=runone that were not chosen from running.
func (w *World) stopAlternatives(c *Claim) {
	for _, id := range c.Alternatives {
		for _, o := range w.Jobs {
			if o.ID == id {
				o.CannotRun = true
			}
		}
	}
}

func (w *World) removeFromArray(c *Claim) {
	a := c.Array
	a.dropSubjob(c.Task)
	if a.State == 'Q' {
		a.State = 'B'
	}
}

// occupy takes a claim's vnodes, and changes the sums of the sets that they belong to. A suspended job takes again what
// it gave back.
func (w *World) occupy(c *Claim, wasSuspended bool, released []resource.Portion) {
	inSets := false
	for i := range c.Given {
		p := &c.Given[i]
		gives := p.Gives
		if wasSuspended {
			if r := resource.OnVnode(released, p.Vnode); r != nil {
				gives = r.Gives
			}
		}
		w.take(c, p, gives)
		inSets = w.noteStart(p.Vnode, p.Gives) || inSets
	}
	if inSets {
		w.sortAllSets()
	}
}

// bookAmounts books what a claim asks for on its queue and on the server, or off them with -1.
func (w *World) bookAmounts(c *Claim, suspends bool, sign float64) {
	asked := c.Asked
	if !c.IsReservation && suspends && c.AskedToResume != nil {
		asked = c.AskedToResume
	}
	if sign > 0 {
		c.AskedToResume = nil
	}
	if !c.IsReservation {
		c.Queue.Stock.Add(asked, sign, w.Res)
		if c.Queue.Reservation != nil {
			return
		}
	}
	w.Server.Stock.Add(asked, sign, w.Res)
}

// CountStart counts a job as running, with its usage.
func (w *World) CountStart(c *Claim) {
	if c.IsReservation {
		return
	}
	w.resort(c.Inside)
	w.groupings = nil
	w.Running = append(w.Running, c)
	w.CountRunning(c, 1)
	if c.ReservationID == "" {
		w.MarkSoft(c)
		w.SetLevel(c)
	}
	w.changeLevels(c)
	if w.Policy.FairShare {
		w.Raise(c)
	}
	c.Preempted, c.PreemptedAt = false, clock.Never
}

// Raise adds a started job to the usage of its entity in this cycle. In a copy of the world, Raise does
// nothing.
func (w *World) Raise(c *Claim) {
	if w.Jobs != nil && c.Entity != nil && w.Charge != nil {
		c.Entity.Raise(w.Charge(c))
	}
}

func (w *World) CountRunning(c *Claim, sign int) {
	s := c.Subject()
	if w.Server.Limits.Any() {
		w.Server.Counts.Book(&s, w.Limited, sign)
	}
	if c.Queue.Limits.Any() {
		c.Queue.Counts.Book(&s, w.Limited, sign)
	}
}

// Finish books the end of a claim now: for good, or because it is suspended or requeued.
func (w *World) Finish(c *Claim, state byte) {
	for _, v := range c.Vnodes {
		var released []resource.Portion
		if state == 'S' {
			released = c.Released
		}
		w.giveBack(c, v, released)
	}
	if !c.IsReservation && c.Running() {
		w.Running = slices.DeleteFunc(w.Running, func(o *Claim) bool { return o == c })
		w.CountRunning(c, -1)
	}
	w.bookAmounts(c, state == 'S', -1)
	if !c.IsReservation && c.ReservationID == "" {
		w.MarkSoft(c)
	}
	w.Stale, w.groupings = true, nil
	w.checkItsResources(c)
	w.markStopped(c, state)
	if !c.IsReservation {
		w.changeLevels(c)
	}
}

// checkItsResources makes the resources that a job had vnodes by, such as vnode itself, ones that are looked at.
// The sums of all vnodes are made anew then, with values that are not used up (quirk P31).
func (w *World) checkItsResources(c *Claim) {
	if c.IsReservation || c.Exact == nil || !slices.ContainsFunc(c.Exact.Uses, func(r int) bool { return !w.Checked[r] }) {
		return
	}
	w.Checked = slices.Clone(w.Checked)
	w.Check(c.Exact)
	w.All.Held = nil
	for _, q := range w.Queues {
		if q.All != nil {
			q.All.Held = nil
		}
	}
}

func (w *World) markStopped(c *Claim, state byte) {
	c.CannotRun = !c.IsReservation && c.Queue.Open.Failed()
	c.Start, c.End = clock.Never, clock.Never
	if c.IsReservation {
		c.ResvState, c.InForce = "RESV_DELETED", false
		if c.ResvQueue != nil {
			q := w.same(c.ResvQueue)
			q.Started = false
			q.Open = w.Opens(q)
		}
		return
	}
	c.State = state
	if state == 'S' {
		c.SchedSuspended = true
	} else if c.Array != nil && c.Array.MaxSubjobs >= 0 {
		c.Array.RunSubjobs--
	}
	c.Provisioning = false
	if state == 'Q' && !c.Checkpointed {
		c.Vnodes, c.Given, c.Used, c.Exact = nil, nil, nil, nil
	}
	for _, e := range w.Calendar.Events {
		if e.Claim == c && e.Kind == EndEvent {
			e.Off = true
		}
	}
	w.Calendar.fresh = false
}

// Subjob makes the next subjob of an array a job of its own.
func (w *World) Subjob(a *Claim) *Claim {
	task, ok := a.nextSubjob()
	if !ok {
		return nil
	}
	id := SubjobID(a.ID, task)
	for _, o := range w.Jobs {
		if o.Task == task && o.ID == id {
			return o
		}
	}
	c := *a
	c.ID, c.Task, c.ArrayID, c.Array = id, task, a.ID, a
	c.IsArray, c.Subjobs, c.MaxSubjobs = false, nil, -1
	c.State, c.Rank = 'Q', w.Res.NextRank()
	if w.Jobs != nil {
		w.Jobs = append(w.Jobs, &c)
		a.Queue.Jobs = append(a.Queue.Jobs, &c)
	}
	return &c
}

// SubjobID puts the index between the brackets of an array's id.
func SubjobID(array string, task uint32) string {
	index := strconv.FormatUint(uint64(task), 10)
	for i := range len(array) - 1 {
		if array[i:i+2] == "[]" {
			return array[:i+1] + index + array[i+1:]
		}
	}
	return array + "[" + index + "]"
}

func (w *World) Check(s *resource.Selection) {
	if s == nil {
		return
	}
	for _, r := range s.Uses {
		w.Checked[r] = true
	}
}
