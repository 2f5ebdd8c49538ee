package search

import (
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// A Finder finds places for jobs and reservations in a world.
type Finder struct{ *cluster.World }

func In(w *cluster.World) Finder { return Finder{w} }

// A Trial has the options of Try.
type Trial struct {
	estimate bool // of a start in the future: no quick look at all vnodes together, and not what its class knows
	Victim   bool // a victim in a simulated preemption: skips the quick check, but uses the reason of its class
	Buckets  bool
	Every    *[]reason.Failure // collects all reasons
}

// Try says where a claim can start now. If it cannot, the failure is the first condition that fails, in the
// scheduler's order.
func (w Finder) Try(c *cluster.Claim, t Trial) ([]resource.Portion, reason.Failure) {
	if f := w.knownOfClass(c, t); f.Failed() {
		return nil, f
	}
	if w.Stale && !t.estimate && !t.Victim {
		w.Refresh(false)
	}
	var first reason.Failure
	for _, look := range []func(*cluster.Claim, Trial) reason.Failure{w.notWaiting, w.tooBigForAll,
		w.overLimits, w.crossesDedicatedTime, w.lacksInQueue, w.lacksInServer} {
		if f := look(c, t); f.Failed() {
			if t.Every == nil {
				return nil, f
			}
			first = first.Or(f)
		}
	}
	w.Refresh(t.estimate || t.Victim)
	found, why := w.FindVnodes(c, t.Buckets)
	if why.Failed() && t.Every != nil {
		*t.Every = append(*t.Every, why)
	}
	return found, first.Or(why)
}

// note adds a reason to those collected.
func (t *Trial) note(f reason.Failure) reason.Failure {
	if f.Failed() && t.Every != nil {
		*t.Every = append(*t.Every, f)
	}
	return f
}

// knownOfClass is why another job that asks for the same could not run.
func (w Finder) knownOfClass(c *cluster.Claim, t Trial) reason.Failure {
	if c.IsReservation || t.estimate || t.Every != nil || c.Class < 0 {
		return reason.Failure{}
	}
	return w.Classes[c.Class]
}

func (w Finder) notWaiting(c *cluster.Claim, t Trial) reason.Failure {
	if c.Runnable() || c.IsReservation {
		return reason.Failure{}
	}
	return t.note(reason.Failure{Status: reason.NotRun, Code: model.FailNotQueued})
}

// tooBigForAll compares a claim with all vnodes together: what they have free, and, if that is too little, with
// what they have at all.
func (w Finder) tooBigForAll(c *cluster.Claim, t Trial) reason.Failure {
	all := w.All
	switch {
	case t.estimate || t.Victim || c.Inside != nil:
		return reason.Failure{}
	case !c.IsReservation && c.Queue.OwnVnodes:
		all = c.Queue.All
	}
	var now []reason.Failure
	collect := &now
	if t.Every == nil {
		collect = nil
	}
	why := w.tooBig(all, c, false, collect)
	if !why.Failed() {
		return reason.Failure{}
	}
	if ever := w.tooBig(all, c, true, nil); ever.Failed() {
		ever.Status = reason.NeverRun
		return t.note(ever)
	}
	if t.Every != nil {
		*t.Every = append(*t.Every, now...)
	}
	return why
}

// overLimits checks the limits on jobs and subjobs, and the time of the day. qrun does without.
func (w Finder) overLimits(c *cluster.Claim, t Trial) reason.Failure {
	if w.Qrun != "" || c.IsReservation {
		return reason.Failure{}
	}
	first := w.overLimit(c, t.Every)
	if first.Failed() && t.Every == nil {
		return first
	}
	if c.IsArray && c.MaxSubjobs >= 0 && c.RunSubjobs >= c.MaxSubjobs {
		first = first.Or(t.note(reason.Of(model.FailMaxRunSubjobs)))
	}
	if f, crosses := w.crossesPrime(c); crosses {
		first = first.Or(t.note(f))
	}
	if f := w.DedicatedQueue(c.Queue); f.Failed() {
		first = first.Or(t.note(f))
	}
	if f := w.PrimeQueue(c.Queue); f.Failed() {
		if f.Code == model.FailNonPrimeOnly && w.Policy.End == clock.Forever {
			f.Status = reason.NeverRun
		}
		first = first.Or(t.note(f))
	}
	return first
}

func (w Finder) crossesDedicatedTime(c *cluster.Claim, t Trial) reason.Failure {
	if c.IsReservation && w.Config.ResvIgnoresDedicated || !w.crossesDedicated(c) {
		return reason.Failure{}
	}
	return t.note(reason.Of(model.FailCrossDedicated))
}

// lacksInQueue compares with resources_available of the queue.
func (w Finder) lacksInQueue(c *cluster.Claim, t Trial) reason.Failure {
	if c.IsReservation || !c.Queue.HasStock {
		return reason.Failure{}
	}
	s := &c.Queue.Stock
	if c.Inside == nil {
		s = w.leastStock(s, c, c.Queue)
	}
	return w.lacks(s, c, model.FailQueueInsufficient, t)
}

// lacksInServer compares with resources_available of the server.
func (w Finder) lacksInServer(c *cluster.Claim, t Trial) reason.Failure {
	if !w.Server.HasStock || c.Inside != nil {
		return reason.Failure{}
	}
	return w.lacks(w.leastStock(&w.Server.Stock, c, nil), c, model.FailServerInsufficient, t)
}

func (w Finder) lacks(s *resource.Stock, c *cluster.Claim, code model.Failure, t Trial) reason.Failure {
	asked := c.Asked
	if c.AskedToResume != nil {
		asked = c.AskedToResume
	}
	times, why := w.Count(s, asked, Check{Only: w.Checked, Code: code})
	if times != 0 || !why.Failed() {
		return reason.Failure{}
	}
	if never, f := w.Count(s, asked, Check{Only: w.Checked, Totals: true, Code: code}); never == 0 {
		why, why.Status = f, reason.NeverRun
	}
	return t.note(why)
}

// leastStock is what is left of a stock when most of it is used, from now until a claim ends that starts now.
func (w Finder) leastStock(s *resource.Stock, c *cluster.Claim, of *cluster.Queue) *resource.Stock {
	end := w.WillEnd(c)
	if !w.Calendar.StartsBefore(end) {
		return s
	}
	now, most := s.Clone(), s.Clone()
	w.Calendar.Ahead(end, func(e *cluster.Event) bool {
		if e.Claim == c || of != nil && e.Claim.Queue != of {
			return true
		}
		for i := range e.Claim.Asked {
			n := &e.Claim.Asked[i]
			if !w.Res.List[n.Res].Kind.Consumable() || n.Res >= len(now.Held) {
				continue
			}
			if e.Kind == cluster.StartEvent {
				now.Assigned[n.Res] += n.Amount
			} else {
				now.Assigned[n.Res] -= n.Amount
			}
			most.Assigned[n.Res] = max(most.Assigned[n.Res], now.Assigned[n.Res])
		}
		return true
	})
	return &most
}

// overLimit says which limit keeps a job from running, with the jobs that run now or start before it ends.
func (w Finder) overLimit(c *cluster.Claim, every *[]reason.Failure) reason.Failure {
	if len(w.Server.Limits.Hard) == 0 && len(c.Queue.Limits.Hard) == 0 {
		return reason.Failure{}
	}
	server, queue := w.countsUntilEnd(c)
	subject := c.Subject()
	var why reason.Failure
	for i := range limit.Tests {
		t := &limit.Tests[i]
		counts, limits := server, &w.Server.Limits
		if t.Queue {
			counts, limits = queue, &c.Queue.Limits
		}
		f := t.Reached(&subject, limits, counts, w.Limited, c.Queue.Name)
		if !f.Failed() {
			continue
		}
		if every == nil {
			return f
		}
		*every = append(*every, f)
		why = why.Or(f)
	}
	return why
}

// countsUntilEnd are the highest counts from now until a job that starts now would end.
func (w Finder) countsUntilEnd(c *cluster.Claim) (server, queue *limit.Counts) {
	end := w.WillEnd(c)
	if !w.Calendar.StartsBefore(end) {
		return &w.Server.Counts, &c.Queue.Counts
	}
	now, most := w.Server.Counts.Copy(), w.Server.Counts.Copy()
	queueNow, queueMost := c.Queue.Counts.Copy(), c.Queue.Counts.Copy()
	w.Calendar.Ahead(end, func(e *cluster.Event) bool {
		if e.Claim == c || e.Claim.IsReservation {
			return true
		}
		s := e.Claim.Subject()
		follow := func(now, most *limit.Counts) {
			if e.Kind == cluster.EndEvent {
				now.Book(&s, w.Limited, -1)
				return
			}
			now.Book(&s, w.Limited, 1)
			most.Raise(&s, now)
		}
		if follow(&now, &most); e.Claim.Queue == c.Queue {
			follow(&queueNow, &queueMost)
		}
		return true
	})
	return &most, &queueMost
}

// crossesDedicated reports whether a claim that starts now would run into dedicated time, or out of it.
func (w Finder) crossesDedicated(c *cluster.Claim) bool {
	_, until, ok := w.Hours.NextDedicated(w.Now)
	start, end := c.Start, c.End
	switch {
	case !ok:
		return false
	case w.Hours.IsDedicated(w.Now):
		return w.Now+w.Left(c, false) > until
	case start == clock.Never && end == clock.Never:
		start, end = w.Now, w.Now+w.Left(c, false)
	case start == clock.Never || end == clock.Never:
		return true
	}
	from, to, ok := w.Hours.NextDedicated(start)
	return ok && (start > from && start < to || end > from && end < to || start <= from && end >= to)
}

// crossesPrime reports whether a job would run over the end of primetime, or of the other time.
func (w Finder) crossesPrime(c *cluster.Claim) (reason.Failure, bool) {
	if w.Config.PrimeExemptAnytimeQueues && !c.Queue.Prime && !c.Queue.NonPrime ||
		w.Policy.End == clock.Forever || !w.Policy.BackfillPrime {
		return reason.Failure{}, false
	}
	if w.Now+w.Left(c, false) <= w.Policy.End+w.Policy.Spill {
		return reason.Failure{}, false
	}
	if w.Policy.Prime {
		return reason.Of(model.FailCrossPrime, "non-primetime"), true
	}
	return reason.Of(model.FailCrossPrime, "primetime"), true
}
