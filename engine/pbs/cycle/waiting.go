package cycle

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/order"
)

// Order is the order in which the cycle at a moment would consider the waiting jobs if nothing that it does
// changed what they are sorted by: each job, and the subjobs of an array that wait. Jobs of queues that are
// closed are among them. A memory is brought up to date by it as by the beginning of a cycle.
func Order(s *model.Snapshot, opts Options) []model.Decision {
	r := newRun(s, opts)
	if s.PBS == nil {
		return nil
	}
	w := r.world
	r.accrue()
	r.rate()
	r.line.SortJobs()
	for _, c := range w.Jobs {
		c.CannotRun = !c.Runnable()
	}
	var list []model.Decision
	for c := r.line.Next(order.Keep); c != nil; c = r.line.Next(order.Keep) {
		c.CannotRun = true
		d := r.decision(c)
		d.Tasks, d.Verdict = slices.Clone(d.Tasks), model.Never
		list = append(list, d)
	}
	return list
}
