package cycle

import (
	"errors"
	"fmt"
	"time"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/fairshare"
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
		w.CountLevels()
	}
	r.evaluate()
	r.recordRatings()
}

func (r *run) note(text string) { r.plan.Notes = append(r.plan.Notes, text) }

// parse readies a formula; nil for none, and for one that cannot be evaluated, which a note names.
func (r *run) parse(what, text string) *formula.Job {
	if text == "" {
		return nil
	}
	f, err := formula.ParseJob(text, formula.KnownNames(r.world.Snapshot.Resources))
	var failed *python.Error
	switch {
	case !errors.As(err, &failed):
	case failed.Class == python.Unsupported:
		r.note(fmt.Sprintf("qprism cannot compute %s (%v): the plan uses the value 0 for every job", what, err))
	default:
		r.note(what + " cannot be evaluated: every job has the value 0")
	}
	return f
}

// evaluate computes the formula of each job, and passes over those that are not above the threshold.
func (r *run) evaluate() {
	w := r.world
	if r.opts.Values != nil {
		for _, c := range w.Jobs {
			c.Formula = r.opts.Values[c.ID]
		}
		return
	}
	if w.PBS.Formula == "" {
		return
	}
	f, threshold := r.parse("job_sort_formula", w.PBS.Formula), float64(formula.DefaultThreshold)
	if t, ok := w.Sched.FormulaThreshold(); ok {
		threshold = t
	}
	for _, c := range w.Jobs {
		if f != nil {
			c.Formula = r.valueOf(f, c)
		}
		if !c.CannotRun && formula.Under(c.Formula, threshold) {
			r.passOverJob(c, reason.Of(model.FailUnderThreshold))
		}
	}
}

// valueOf is the formula's value for a job, 0 after an exception.
func (r *run) valueOf(f *formula.Job, c *cluster.Claim) float32 {
	v := f.Evaluate(r.input(c))
	if v.Err != nil {
		if r.errors == nil {
			r.errors = map[string]string{}
		}
		r.errors[c.ID] = v.Err.Message
	}
	return v.Value()
}

// input is what the formula is computed from.
func (r *run) input(c *cluster.Claim) formula.Input {
	// the server counts whole seconds
	since := r.opts.At.Truncate(time.Second).Sub(r.world.Snapshot.TakenAt.Truncate(time.Second))
	in := formula.InputOf(c.Source, c.Queue.Priority, since)
	if n := c.Entity; n != nil {
		in.Perc, in.TreeUsage = n.Perc, n.TreeUsage
	}
	return in
}

// accrue does what the beginning of a cycle does to the fairshare tree: it charges running jobs, and usage decays.
func (r *run) accrue() {
	w := r.world
	value := func(string, []model.Amount) float64 { return 0 }
	if f := r.parse("fairshare_usage_res", w.Tree.Policy.UsageResource); f != nil {
		value = func(_ string, used []model.Amount) float64 { return f.Usage(used) }
		w.Charge = func(c *cluster.Claim) float64 { return f.Usage(w.Res.Amounts(c.Asked)) }
		r.estimateCharges(f)
		r.recall(f)
	}
	w.Tree.Begin(fairshare.Cycle{At: r.opts.At, FairShare: w.Policy.FairShare, Formula: w.PBS.Formula != "",
		Running: r.inUse(), Value: value, Owed: r.chargesByEntity()})
}

// inUse are the running jobs, by what they used.
func (r *run) inUse() (list []fairshare.Running) {
	for _, c := range r.world.Running {
		if c.Entity != nil {
			list = append(list, fairshare.Running{Job: c.ID, Entity: c.Entity.Name, Starting: c.Starting,
				Used: r.world.Res.Amounts(c.Used)})
		}
	}
	return list
}

// remember keeps what the scheduler knows in its next cycle.
func (r *run) remember() {
	r.world.Tree.End(r.world.Policy.FairShare, r.inUse())
	r.memory.Fairshare = r.world.Tree
}
