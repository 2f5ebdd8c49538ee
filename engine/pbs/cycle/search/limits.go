package search

import (
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/reason"
)

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
