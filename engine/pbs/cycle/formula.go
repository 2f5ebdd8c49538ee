package cycle

import (
	"errors"
	"fmt"
	"time"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// parse readies a formula; nil for none, and for one that cannot be evaluated, which a note names.
func (r *run) parse(what, text string) *formula.Job {
	if text == "" {
		return nil
	}
	names := formula.NamesOf(r.world.snapshot.Resources)
	if len(names.Numeric) == 0 {
		names = formula.StandardNames()
	}
	f, err := formula.ParseJob(text, names)
	var failed *python.Error
	switch {
	case !errors.As(err, &failed):
	case failed.Class == python.Unsupported:
		r.note(fmt.Sprintf("%s is not computed here (%v): every job is taken to have the value 0", what, err))
	default:
		r.note(what + " cannot be evaluated: every job has the value 0")
	}
	return f
}

// evaluate computes the formula of each job, and passes over those that are not above the threshold.
func (r *run) evaluate() {
	w := r.world
	if r.opts.Values != nil {
		for _, c := range w.jobs {
			c.formula = r.opts.Values[c.id]
		}
		return
	}
	if w.pbs.Formula == "" {
		return
	}
	f, threshold := r.parse("job_sort_formula", w.pbs.Formula), float64(formula.DefaultThreshold)
	if t, ok := w.sched.FormulaThreshold(); ok {
		threshold = t
	}
	for _, c := range w.jobs {
		if f != nil {
			c.formula = r.valueOf(f, c)
		}
		if !c.cannotRun && formula.Under(c.formula, threshold) {
			r.passOverJob(c, fails(model.FailUnderThreshold))
		}
	}
}

// valueOf is the formula's value for a job, 0 after an exception.
func (r *run) valueOf(f *formula.Job, c *claim) float32 {
	v := f.Evaluate(r.input(c))
	if v.Err != nil {
		if r.errors == nil {
			r.errors = map[string]string{}
		}
		r.errors[c.id] = v.Err.Message
	}
	return v.Value()
}

// input is what the formula is computed from.
func (r *run) input(c *claim) formula.Input {
	since := r.opts.At.Truncate(time.Second).Sub(r.world.snapshot.TakenAt.Truncate(time.Second)) // the server counts whole seconds
	in := formula.InputOf(c.source, c.queue.priority, since)
	if n := c.entity; n != nil {
		in.Perc, in.TreeUsage = n.Perc, n.TreeUsage
	}
	return in
}

// accrue does what the beginning of a cycle does to the fairshare tree: it charges running jobs, and usage decays.
func (r *run) accrue() {
	w := r.world
	value := func(string, []model.Amount) float64 { return 0 }
	if f := r.parse("fairshare_usage_res", w.tree.Policy.UsageResource); f != nil {
		value = func(_ string, used []model.Amount) float64 { return f.Usage(used) }
		w.charge = func(c *claim) float64 { return f.Usage(w.amounts(c.asked)) }
		r.owe(f)
	}
	w.tree.Begin(fairshare.Cycle{At: r.opts.At, FairShare: w.policy.FairShare, Formula: w.pbs.Formula != "", Running: r.inUse(), Value: value,
		Owed: r.owed()})
}

// inUse are the running jobs, by what they used.
func (r *run) inUse() (list []fairshare.Running) {
	for _, c := range r.world.running {
		if c.entity != nil {
			list = append(list, fairshare.Running{Job: c.id, Entity: c.entity.Name, Starting: c.starting, Used: r.world.amounts(c.used)})
		}
	}
	return list
}

// remember keeps what the scheduler knows in its next cycle.
func (r *run) remember() {
	r.world.tree.End(r.world.policy.FairShare, r.inUse())
	r.memory.Fairshare = r.world.tree
}
