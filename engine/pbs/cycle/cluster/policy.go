package cluster

import (
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/reason"
)

// SetPolicy sets the policy for primetime, or for the other time. The two values of prime_spill are swapped.
func (w *World) SetPolicy(prime bool) {
	c, spill := w.Config.NonPrime, w.Config.PrimeSpill
	if prime {
		c, spill = w.Config.Prime, w.Config.NonPrimeSpill
	}
	w.Policy = Policy{
		CyclePolicy: c, Prime: prime, BackfillDepth: w.Policy.BackfillDepth,
		Spill: clock.Seconds(spill / time.Second), End: w.Policy.End,
		ByUse: w.Config.SortNodesByUse, NodeKeys: w.sortKeys(c.NodeSortKeys), JobKeys: w.sortKeys(c.JobSortKeys),
	}
}

// ChangePolicy makes the changes at the boundary of primetime.
func (w *World) ChangePolicy() {
	boundary := w.Policy.End
	w.SetPolicy(!w.Policy.Prime)
	if w.Policy.End = w.Hours.Ends(boundary); w.Policy.End <= boundary {
		w.Policy.End = clock.Forever // a file that contradicts itself
	}
}

// DedicatedQueue is the reason if no job of a queue can run now because of dedicated time.
func (w *World) DedicatedQueue(q *Queue) reason.Failure {
	if w.Hours.IsDedicated(w.Now) != q.Dedicated {
		return reason.Of(model.FailDedicatedTime)
	}
	return reason.Failure{}
}

// PrimeQueue is the reason if no job of a queue can run now because of primetime.
func (w *World) PrimeQueue(q *Queue) reason.Failure {
	switch {
	case !w.Policy.Prime && q.Prime:
		return reason.Of(model.FailPrimeOnly)
	case w.Policy.Prime && q.NonPrime:
		return reason.Of(model.FailNonPrimeOnly)
	}
	return reason.Failure{}
}

// Opens is the reason if no job of a queue can run now.
func (w *World) Opens(q *Queue) reason.Failure {
	switch {
	case !q.Execution:
		return reason.Of(model.FailQueueNotExec)
	case !q.Started:
		return reason.Of(model.FailQueueNotStarted)
	}
	if f := w.DedicatedQueue(q); f.Failed() {
		return f
	}
	return w.PrimeQueue(q)
}
