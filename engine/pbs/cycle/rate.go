package cycle

import (
	"qprism/engine/model"
)

// passOver tells why jobs are not considered at all: their queue does not run jobs now, or they have no shares.
func (r *run) passOver() {
	w := r.world
	for _, q := range w.queues {
		for _, c := range q.jobs {
			if w.policy.FairShare && w.tree.Policy.EnforceNoShares && c.entity != nil && c.entity.Perc == 0 {
				r.passOverJob(c, failure{status: neverRun, code: model.FailNoFairshares})
			}
		}
		if !q.open.failed() {
			continue
		}
		for _, c := range q.jobs {
			r.passOverJob(c, q.open)
		}
	}
}

func (r *run) passOverJob(c *claim, why failure) {
	if !c.cannotRun {
		c.cannotRun = true
		r.recordPassedOver(c, why)
	}
}

// rate finds the preempt priority and the formula's value of each job.
func (r *run) rate() {
	w := r.world
	if w.policy.Preemptive {
		for _, c := range w.running {
			if c.reservationID == "" {
				w.markSoft(c)
			}
		}
		for _, c := range w.jobs {
			w.setLevel(c)
		}
		r.preemptor.countLevels()
	}
	r.evaluate()
	r.recordRatings()
}

func (r *run) note(text string) { r.plan.Notes = append(r.plan.Notes, text) }
