package retrace

import (
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// A trial recomputes one cycle from one state after the other, and keeps the outcome with the fewest differences.
type trial struct {
	cycle  *model.SchedCycle
	master *side
	best   *outcome
	budget int // cycles that may still be planned beyond the first of each state
}

// An outcome is what comes of a cycle that begins in a state.
type outcome struct {
	state  *state
	plan   *model.Plan
	side   *side
	differ int
	alone  bool
}

// budgetFor bounds the time that a search may take: large queues are planned less often.
func budgetFor(s *model.Snapshot) int { return min(300, 10+100_000/(len(s.Jobs)+1)) }

// try recomputes the cycle from a state, and reports whether everything agrees.
func (t *trial) try(x *state, alone bool) bool {
	o := t.run(x)
	o.alone = alone
	t.keep(o)
	return o.differ == 0
}

func (t *trial) run(x *state) *outcome {
	t.budget--
	p := cycle.Run(x.Snapshot, x.options(t.cycle))
	o := &outcome{state: x, plan: p, side: plannedBy(p, t.master)}
	o.differ = o.side.differences(t.master)
	return o
}

// keep keeps an outcome that is better than all before it.
func (t *trial) keep(o *outcome) {
	if t.best == nil || o.differ < t.best.differ {
		t.best = o
	}
}

// variants tries what a state may have been as well, as far as something of it is not known, and reports
// whether everything agrees then. later is the snapshot that is audited.
func (t *trial) variants(x *state, later *model.Snapshot) bool {
	for _, vary := range []func(*trial, *state, *model.Snapshot) []*state{(*trial).withPriorities, (*trial).withValues,
		(*trial).withReservation, (*trial).withEnded, (*trial).withAnswers, (*trial).withCharges} {
		for _, v := range vary(t, x, later) {
			if t.budget > 0 && t.try(v, false) {
				return true
			}
		}
	}
	return false
}

// variant is a state that differs from another one in what its snapshot says; text tells how.
func (x *state) variant(text string, change func(*state)) *state {
	v := newState(x.Snapshot)
	v.TakenAt = x.TakenAt
	v.forward, v.charged, v.charges, v.values = x.forward, x.charged, x.charges, x.values
	v.doubts, v.from = x.doubts, x.from+"; "+text
	change(v)
	return v
}
