package cycle

import (
	"qprism/engine/model"
	"time"
)

// setPolicy sets what holds in primetime, or in the other time. prime_spill acts crosswise.
func (w *world) setPolicy(prime bool) {
	c, spill := w.conf.NonPrime, w.conf.PrimeSpill
	if prime {
		c, spill = w.conf.Prime, w.conf.NonPrimeSpill
	}
	w.policy = policy{
		CyclePolicy: c, prime: prime, depth: w.policy.depth, spill: seconds(spill / time.Second), end: w.policy.end,
		byUse: w.conf.SortNodesByUse, nodeKeys: w.nodeKeysOf(c.NodeSortKeys), jobKeys: w.jobKeysOf(c.JobSortKeys),
	}
}

// changePolicy is what happens when primetime begins or ends.
func (w *world) changePolicy() {
	boundary := w.policy.end
	w.setPolicy(!w.policy.prime)
	if w.policy.end = w.clock.ends(boundary); w.policy.end <= boundary {
		w.policy.end = forever // a file that contradicts itself
	}
}

// dedicatedQueue says why no job of a queue runs now, by dedicated time.
func (w *world) dedicatedQueue(q *queue) failure {
	if w.clock.isDedicated(w.now) != q.dedicated {
		return fails(model.FailDedicatedTime)
	}
	return failure{}
}

// primeQueue says why no job of a queue runs now, by primetime.
func (w *world) primeQueue(q *queue) failure {
	switch {
	case !w.policy.prime && q.prime:
		return fails(model.FailPrimeOnly)
	case w.policy.prime && q.nonPrime:
		return fails(model.FailNonPrimeOnly)
	}
	return failure{}
}

// opens says why no job of a queue runs now.
func (w *world) opens(q *queue) failure {
	switch {
	case !q.execution:
		return fails(model.FailQueueNotExec)
	case !q.started:
		return fails(model.FailQueueNotStarted)
	}
	if f := w.dedicatedQueue(q); f.failed() {
		return f
	}
	return w.primeQueue(q)
}
