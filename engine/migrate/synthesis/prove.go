package synthesis

import (
	"math"
	"slices"

	"qprism/engine/formula"
	"qprism/engine/formula/check"
	"qprism/engine/gridengine/priority"
	"qprism/engine/model"
	"qprism/engine/order"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// Prove computes the order of each run of a history, under Grid Engine and under a candidate. The candidate
// was made from the first seen runs.
func (c *Candidate) Prove(h History, seen int, base Base) *Proof {
	p := &Proof{Candidate: c}
	for i := range h {
		s := c.translate(h[:i+1], base)
		p.check(c, h[i], s)
		a := compare(c, h[i], s)
		a.HeldOut = i >= seen
		p.Runs = append(p.Runs, a)
	}
	p.Seen, p.HeldOut = Summarize(p.Runs, false), Summarize(p.Runs, true)
	return p
}

// check adds what is wrong with the formula over the jobs of a run, each kind of problem once.
func (p *Proof) check(c *Candidate, run Run, s *model.Snapshot) {
	for _, found := range check.Formula(c.formulaOf(run), s).Problems {
		if !slices.ContainsFunc(p.Problems, func(q check.Problem) bool {
			return q.Kind == found.Kind && q.Severity == found.Severity
		}) {
			p.Problems = append(p.Problems, found)
		}
	}
}

// Summarize sums up the runs that were held out, or the others.
func Summarize(runs []Agreement, heldOut bool) Summary {
	s := Summary{Median: math.NaN(), Least: math.NaN()}
	var all []float64
	for i := range runs {
		r := &runs[i]
		if r.HeldOut != heldOut || math.IsNaN(r.TauB) {
			continue
		}
		all = append(all, r.TauB)
		if r.Pairs.Discordant == 0 {
			s.Exact++
		}
		if math.IsNaN(s.Least) || r.TauB < s.Least {
			s.Least, s.Worst = r.TauB, r.Run
		}
	}
	s.Runs, s.Median = len(all), order.Quantile(all, 0.5)
	return s
}

// A comparison is one run under both systems.
type comparison struct {
	run    Run
	jobs   []*priority.Job // in Grid Engine's order
	order  []uint32        // in that of PBS
	values map[uint32]*criteria.JobValues
	terms  []evaluated
	unread bool // a term cannot be read, which a problem of the formula says
}

// evaluated is a term of the formula.
type evaluated struct {
	Policy
	*formula.Job
}

// compare compares the orders of one run.
func compare(c *Candidate, run Run, s *model.Snapshot) Agreement {
	return newComparison(c, run, s).agreement(c)
}

func newComparison(c *Candidate, run Run, s *model.Snapshot) *comparison {
	x := &comparison{run: run, values: map[uint32]*criteria.JobValues{}}
	tried := map[uint32]bool{}
	for _, d := range cycle.Order(s, cycle.Options{At: run.At}) {
		x.order, tried[d.Job] = append(x.order, d.Job), true
	}
	l := cycle.LineUp(s, run.At)
	for i := range l.Jobs {
		if l.Jobs[i].Waits {
			x.values[l.Jobs[i].Job.Number] = &l.Jobs[i]
		}
	}
	for _, j := range run.Result.Pending {
		if tried[j.Job.Number] {
			x.jobs = append(x.jobs, j)
		}
	}
	x.parse(c, s)
	return x
}

// parse reads the terms of the formula.
func (x *comparison) parse(c *Candidate, s *model.Snapshot) {
	names := formula.NamesOf(s.Resources)
	for _, t := range c.termsOf(x.run) {
		f, err := formula.ParseJob(t.Text, names)
		if err != nil {
			x.unread = true
			return
		}
		x.terms = append(x.terms, evaluated{t.Policy, f})
	}
}

func (x *comparison) agreement(c *Candidate) Agreement {
	from, to := make([]Placed, len(x.jobs)), make([]Placed, 0, len(x.order))
	for i, j := range x.jobs {
		from[i] = Placed{j.Job.Number, j.Prio}
	}
	for _, number := range x.order {
		to = append(to, Placed{Job: number})
	}
	a := Agree(x.run.Name, x.run.At, from, to, Detail{Tops: []int{1, 3, 5, 10, 20, 50, 100}, ByGap: true})
	a.Off = x.off(c)
	for i := range a.Worst {
		x.explain(&a.Worst[i])
	}
	return a
}

// explain says why a pair is the wrong way round.
func (x *comparison) explain(v *Inversion) {
	a, b := x.run.Result.Job(v.First), x.run.Result.Job(v.Second)
	s, t := x.values[v.First], x.values[v.Second]
	if s == nil || t == nil {
		v.Cause, v.Why = BySystem, "PBS skips one of the two jobs"
		return
	}
	v.Value = [2]float64{float64(s.Formula), float64(t.Formula)}
	v.Gap = x.gaps(a, b, s, t)
	switch {
	case a.Prio == b.Prio:
		v.Cause, v.Why = ByTie, "equal in Grid Engine, where the one that was submitted first comes first"
	case s.Formula > t.Formula:
		v.Cause, v.Why = BySystem, "PBS sorts by something else before the formula"
	case s.Formula == t.Formula:
		v.Cause, v.Why = ByResolution, "equal in the formula, in the 24 bits that PBS keeps of it"
		v.Policy = x.blame(v)
	default:
		v.Cause, v.Policy = ByTerm, x.blame(v)
		v.Why = reasons[v.Policy]
	}
}

// reasons say what a term lacks.
var reasons = map[Policy]string{
	Posix:   "-p above 1023 has no counterpart",
	Urgency: "urgency is divided by a range that is frozen, or contains what PBS does not count",
	Tickets: "tickets depend on the tasks that others have now",
}

// blame is the policy whose term favours the second job most, against what it does in Grid Engine.
func (x *comparison) blame(v *Inversion) (worst Policy) {
	most := math.Inf(-1)
	for _, p := range []Policy{Posix, Urgency, Tickets} {
		if g := v.Gap[p]; g[0]-g[1] > most {
			worst, most = p, g[0]-g[1]
		}
	}
	return worst
}

// gaps are by how much the first job is ahead in each term.
func (x *comparison) gaps(a, b *priority.Job, s, t *criteria.JobValues) map[Policy][2]float64 {
	gaps := map[Policy][2]float64{}
	for _, p := range []Policy{Posix, Urgency, Tickets} {
		gaps[p] = [2]float64{x.run.Part(p, a) - x.run.Part(p, b), x.valueOf(p, s) - x.valueOf(p, t)}
	}
	return gaps
}

// Part is what a policy adds to the priority of a job.
func (r *Run) Part(p Policy, j *priority.Job) float64 {
	switch w := r.Result.Weights; p {
	case Posix:
		return w.Priority * j.NPPrior
	case Urgency:
		return w.Urgency * j.Urgency.Norm
	default:
		return w.Ticket * j.First().NTckts
	}
}

// valueOf is what its terms add to the value of the formula.
func (x *comparison) valueOf(p Policy, s *criteria.JobValues) (sum float64) {
	for _, e := range x.terms {
		if e.Policy == p {
			sum += e.Evaluate(s.Input).Exact
		}
	}
	return sum
}

// termsOf are the terms of the formula that is in force in a run.
func (c *Candidate) termsOf(run Run) []Term {
	if c.Needs == NeedsJob {
		return c.renewed(run).Terms
	}
	return c.Terms
}

// Off is the bound of the error of a policy's term over all runs. ok is false if terms have another scale
// than Grid Engine's.
func (p *Proof) Off(policy Policy) (most float64, ok bool) {
	for i := range p.Runs {
		if off, known := p.Runs[i].Off[policy]; known {
			most, ok = max(most, off), true
		}
	}
	return most, ok
}

// off finds it for one run. What all jobs have in common orders nothing, and is no error.
func (x *comparison) off(c *Candidate) map[Policy]float64 {
	if x.unread || !c.toScale() || len(x.jobs) == 0 {
		return nil
	}
	off := map[Policy]float64{}
	for _, p := range c.on.counting() {
		low, high := math.Inf(1), math.Inf(-1)
		for _, j := range x.jobs {
			if s := x.values[j.Job.Number]; s != nil {
				e := x.run.Part(p, j) - x.valueOf(p, s)
				low, high = min(low, e), max(high, e)
			}
		}
		off[p] = max(0, high-low)
	}
	return off
}

// toScale says whether the terms of a formula add up to a priority, but for what all jobs have in common.
func (c *Candidate) toScale() bool {
	return len(c.Terms) > 0 && c.Name != fittedName && len(c.on.counting()) > 1
}
