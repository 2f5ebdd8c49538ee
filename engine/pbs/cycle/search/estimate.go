package search

import (
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/resource"
)

// simulate goes on to the next event, and performs all that come within the fuzz behind it. It says what
// kinds of events those were, 0 if none was left.
func (w Finder) simulate() (kinds cluster.EventKind) {
	e := w.upcoming(false)
	if e != nil && e.Off {
		e = w.upcoming(true)
	}
	if e == nil {
		return 0
	}
	step := max(w.Fuzz, 1)
	until := (e.At + step) / step * step
	for e != nil && e.At <= until {
		w.Now = e.At
		w.perform(e)
		kinds |= e.Kind
		e = w.upcoming(true)
	}
	if f := w.Calendar.First; f != nil && w.Now > f.At {
		w.Calendar.First = w.Calendar.FindStart(w.Calendar.Next)
	}
	return kinds
}

// upcoming is the next event, after the present one where advance is set. The end of primetime comes in between.
func (w Finder) upcoming(advance bool) *cluster.Event {
	c := &w.Calendar
	if advance {
		c.Next++
		for c.Next < len(c.Events) && c.Events[c.Next].Off {
			c.Next++
		}
		c.Next = min(c.Next, len(c.Events))
	}
	e := c.NextEvent()
	if c.Ended || w.Policy.End == clock.Forever {
		return e
	}
	if e == nil || w.Now <= w.Policy.End && w.Policy.End < e.At {
		boundary := &cluster.Event{At: w.Policy.End, Kind: cluster.PolicyEvent}
		i := c.Insert(boundary)
		c.Next, c.Ended = i, e == nil
		return boundary
	}
	return e
}

// perform lets an event happen.
func (w Finder) perform(e *cluster.Event) {
	e.Done = true
	switch e.Kind {
	case cluster.EndEvent:
		w.Finish(e.Claim, 'X')
	case cluster.StartEvent:
		w.start(e.Claim)
	case cluster.PolicyEvent:
		w.ChangePolicy()
	}
}

// start is a planned start that has come.
func (w Finder) start(c *cluster.Claim) {
	if c.IsReservation || !c.IsArray {
		w.Begin(c, nil, false)
		return
	}
	if s := w.Subjob(c); s != nil {
		w.Begin(s, c.Given, false)
	}
}

// estimate says when and where a claim can start, in a copy of the world whose time goes on event by event. ok is false
// if it never can.
func (w Finder) estimate(c *cluster.Claim, byBucket bool) (at clock.Seconds, found []resource.Portion, ok bool) {
	kinds := cluster.EndEvent
	for range mostSteps {
		if kinds&(cluster.EndEvent|cluster.DedicatedEnd) != 0 ||
			kinds&(cluster.StartEvent|cluster.DedicatedStart) == 0 && w.policyMatters(c) {
			if found, _ = w.Try(c, Trial{estimate: true, Buckets: byBucket}); found != nil {
				return w.Now, found, true
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
func (w Finder) policyMatters(c *cluster.Claim) bool {
	switch {
	case w.Config.Prime.Backfill != w.Config.NonPrime.Backfill:
		return true
	case !w.Config.PrimeExemptAnytimeQueues && (w.Config.Prime.BackfillPrime || w.Config.NonPrime.BackfillPrime):
		return true
	case c.IsReservation:
		return false
	}
	return w.Policy.Prime && c.Queue.Prime || !w.Policy.Prime && c.Queue.NonPrime
}

// A TopJob is when and where a top job starts.
type TopJob struct {
	Claim *cluster.Claim // the job, or the subjob of an array
	At    clock.Seconds
	Found []resource.Portion // chunk by chunk
}

// PlanTop books a job that could not start now into the calendar. Other jobs may start only if they leave its
// vnodes free. ok is false if no start was found.
func (w Finder) PlanTop(c *cluster.Claim, byBucket bool) (f TopJob, isNew, ok bool) {
	if w.Calendar.Holds(c) {
		return f, false, true
	}
	future, copies := w.Clone(c)
	at, found, ok := In(future).estimate(copies[0], byBucket)
	if !ok {
		return f, false, false
	}
	found = resource.InOrder(found)
	f = TopJob{Claim: c, At: at, Found: found}
	if c.IsArray {
		if f.Claim = w.Subjob(c); f.Claim == nil {
			return f, false, false
		}
		f.Claim.CannotRun = true
	}
	w.plan(f)
	return f, true, true
}

// plan books a forecast.
func (w Finder) plan(f TopJob) {
	c := f.Claim
	c.Given = resource.Combine(f.Found)
	c.Vnodes = w.VnodesOf(c.Given)
	if s := w.SelectionOf(c.Given); s != nil {
		c.Exact = s
	}
	c.Start, c.End = f.At, f.At+c.Length
	w.Calendar.Add(&cluster.Event{At: c.Start, Kind: cluster.StartEvent, Claim: c}, w.Now)
	w.Calendar.Add(&cluster.Event{At: c.End, Kind: cluster.EndEvent, Claim: c}, w.Now)
	if w.Policy.FairShare {
		w.Raise(c)
	}
}
