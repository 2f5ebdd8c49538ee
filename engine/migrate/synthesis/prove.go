package synthesis

import (
	"cmp"
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

// Prove computes the order of each run of a history under Grid Engine and under a candidate. Runs beyond the first seen ones
// were not looked at when the candidate was made.
func Prove(c *Candidate, h History, seen int, base Base) *Proof {
	p := &Proof{Candidate: c}
	for i := range h {
		s := c.translate(h[:i+1], base)
		p.check(c, h[i], s)
		a := compare(c, h[i], s)
		a.HeldOut = i >= seen
		p.Runs = append(p.Runs, a)
	}
	p.Seen, p.HeldOut = summary(p.Runs, false), summary(p.Runs, true)
	return p
}

// check adds what is wrong with the formula over the jobs of a run, each kind of problem once.
func (p *Proof) check(c *Candidate, run Run, s *model.Snapshot) {
	for _, found := range check.Formula(c.formulaOf(run), s).Problems {
		if !slices.ContainsFunc(p.Problems, func(q check.Problem) bool { return q.Kind == found.Kind && q.Severity == found.Severity }) {
			p.Problems = append(p.Problems, found)
		}
	}
}

// summary adds up runs.
func summary(runs []Agreement, heldOut bool) Summary {
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
	places map[uint32]int32
	stands map[uint32]*criteria.Stand
	terms  []evaluated
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
	x := &comparison{run: run, places: map[uint32]int32{}, stands: map[uint32]*criteria.Stand{}}
	for i, d := range cycle.Order(s, cycle.Options{At: run.At}) {
		if _, twice := x.places[d.Job]; !twice {
			x.places[d.Job] = int32(i)
		}
	}
	l := cycle.LineUp(s, run.At)
	for i := range l.Jobs {
		if l.Jobs[i].Waits {
			x.stands[l.Jobs[i].Job.Number] = &l.Jobs[i]
		}
	}
	for _, j := range run.Result.Pending {
		if _, there := x.places[j.Job.Number]; there {
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
		if f, err := formula.ParseJob(t.Text, names); err == nil {
			x.terms = append(x.terms, evaluated{t.Policy, f})
		}
	}
}

func (x *comparison) agreement(c *Candidate) Agreement {
	a := Agreement{Run: x.run.Name, At: x.run.At, Jobs: len(x.jobs)}
	ge, pbs := make([]int32, len(x.jobs)), make([]int32, len(x.jobs))
	for i, j := range x.jobs {
		ge[i], pbs[i] = int32(i), x.places[j.Job.Number]
	}
	a.Pairs = order.Count(ge, pbs)
	a.TauB = a.Pairs.TauB()
	for _, k := range tops {
		if k <= len(x.jobs) {
			a.Top = append(a.Top, Top{k, order.Overlap(ge, pbs, k)})
		}
	}
	a.Worst = x.worst(pbs)
	a.Off = x.off(c)
	for i := range a.Worst {
		x.explain(&a.Worst[i])
	}
	return a
}

// tops are the numbers of jobs of which the overlap is told, and mostWorst how many inversions.
var tops = []int{1, 3, 5, 10, 20, 50, 100}

const mostWorst = 10

// worst are the worst inversions of an order. Large queues have a billion of them: only those are looked at that are as far apart as
// the tenth worst, found from the last job that comes before each one.
func (x *comparison) worst(pbs []int32) (list []Inversion) {
	least := slices.Clone(pbs) // of the places from an index on: it only grows
	for i := len(least) - 2; i >= 0; i-- {
		least[i] = min(least[i], least[i+1])
	}
	far := make([][]int, len(pbs)) // by distance: jobs that have their farthest inversion there
	note := func(i, last int) {
		for ; last > i; last-- {
			if pbs[last] < pbs[i] {
				far[last-i] = append(far[last-i], i)
				return
			}
		}
	}
	for i := range pbs {
		after, _ := slices.BinarySearchFunc(least, pbs[i], func(l, own int32) int { return cmp.Or(cmp.Compare(l, own), -1) })
		note(i, after-1)
	}
	for d := len(pbs) - 1; d > 0; d-- {
		if len(list) == mostWorst {
			break
		}
		for _, i := range far[d] {
			list = keepWorst(list, x.inversion(i, i+d))
			note(i, i+d-1)
		}
	}
	return list
}

// keepWorst keeps the worst of a list and one more.
func keepWorst(list []Inversion, v Inversion) []Inversion {
	i, _ := slices.BinarySearchFunc(list, v, byWorst)
	if i >= mostWorst {
		return list
	}
	list = slices.Insert(list, i, v)
	return list[:min(len(list), mostWorst)]
}

// byWorst puts those first that are most places apart in Grid Engine's order, then those with most priority between them.
func byWorst(a, b Inversion) int {
	return cmp.Or(cmp.Compare(b.Places, a.Places), cmp.Compare(b.Prio[0]-b.Prio[1], a.Prio[0]-a.Prio[1]), cmp.Compare(a.First, b.First),
		cmp.Compare(a.Second, b.Second))
}

// inversion is the pair of two jobs, by their indices: Grid Engine tries the first one before.
func (x *comparison) inversion(first, second int) Inversion {
	if first > second {
		first, second = second, first
	}
	a, b := x.jobs[first], x.jobs[second]
	return Inversion{First: a.Job.Number, Second: b.Job.Number, Places: second - first, Prio: [2]float64{a.Prio, b.Prio}}
}

// explain says why a pair is the wrong way round.
func (x *comparison) explain(v *Inversion) {
	a, b := x.run.Result.Job(v.First), x.run.Result.Job(v.Second)
	s, t := x.stands[v.First], x.stands[v.Second]
	if s == nil || t == nil {
		v.Cause, v.Why = BySystem, "PBS passes one of them over"
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
func (x *comparison) gaps(a, b *priority.Job, s, t *criteria.Stand) map[Policy][2]float64 {
	gaps := map[Policy][2]float64{}
	for _, p := range []Policy{Posix, Urgency, Tickets} {
		gaps[p] = [2]float64{x.run.prioOf(p, a) - x.run.prioOf(p, b), x.valueOf(p, s) - x.valueOf(p, t)}
	}
	return gaps
}

// prioOf is what a policy adds to the priority of a job.
func (r *Run) prioOf(p Policy, j *priority.Job) float64 {
	switch w := r.Result.Weights; p {
	case Posix:
		return w.Priority * j.NPPrior
	case Urgency:
		return w.Urgency * j.Urgency.Norm
	default:
		return w.Ticket * first(j).NTckts
	}
}

// valueOf is what its terms add to the value of the formula.
func (x *comparison) valueOf(p Policy, s *criteria.Stand) (sum float64) {
	for _, e := range x.terms {
		if e.Policy == p {
			sum += e.Evaluate(s.Input).Exact
		}
	}
	return sum
}

// first is what ranks a job: its first task.
func first(j *priority.Job) priority.Task {
	if len(j.Pending) > 0 {
		return j.Pending[0]
	}
	return j.Template
}

// termsOf are the terms of the formula that is in force in a run.
func (c *Candidate) termsOf(run Run) []Term {
	if c.Needs == NeedsJob {
		return c.renewed(run).Terms
	}
	return c.Terms
}
