package cycle

import (
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
)

// passOver tells why jobs are not considered at all: their queue does not run jobs now, or they have no shares.
func (r *run) passOver() {
	w := r.world
	for _, q := range w.Queues {
		for _, c := range q.Jobs {
			if w.Policy.FairShare && w.Tree.Policy.EnforceNoShares && c.Entity != nil && c.Entity.Perc == 0 {
				r.passOverJob(c, reason.Failure{Status: reason.NeverRun, Code: model.FailNoFairshares})
			}
		}
		if !q.Open.Failed() {
			continue
		}
		for _, c := range q.Jobs {
			r.passOverJob(c, q.Open)
		}
	}
}

func (r *run) passOverJob(c *cluster.Claim, why reason.Failure) {
	if !c.CannotRun {
		c.CannotRun = true
		r.recordPassedOver(c, why)
	}
}

// rate finds the preempt priority and the formula's value of each job.
func (r *run) rate() {
	w := r.world
	if w.Policy.Preemptive {
		for _, c := range w.Running {
			if c.ReservationID == "" {
				w.MarkSoft(c)
			}
		}
		for _, c := range w.Jobs {
			w.SetLevel(c)
		}
		r.preemptor.CountLevels()
	}
	r.evaluate()
	r.recordRatings()
}

func (r *run) note(text string) { r.plan.Notes = append(r.plan.Notes, text) }
