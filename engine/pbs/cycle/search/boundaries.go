package search

import (
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
)

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
