package synthesis

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"qprism/engine/formula"
	"qprism/engine/order"
	"qprism/engine/pbs/cycle"
)

const fittedName = "fitted"

// fitted is the candidate with the pieces of the frozen one, each with a weight of its own that makes the orders of the
// history come out best. It is nil where that is better than the frozen one
// for no pair of jobs.
func (b *bench) fitted() *Candidate {
	d := b.draft(fittedName, "the terms of Grid Engine's sum, with the weights that come nearest to the "+
		"recorded orders",
		NeedsHook)
	terms := d.terms()
	f := newFit(d, terms)
	if len(f.pieces) < 2 || len(f.pairs) == 0 {
		return nil
	}
	factors := f.adopt(f.solve())
	if factors == nil {
		return nil // nothing is better than what Grid Engine has
	}
	for i, p := range f.pieces {
		w := rounded(p.weight * factors[i])
		d.Terms = append(d.Terms, Term{Policy: p.policy, Text: term{weight: w, pieces: []string{p.text}}.sum()})
	}
	d.Notes = append(d.Notes, f.note())
	return d.done()
}

// A fit looks for factors of the weights of pieces.
//
// Each pair of jobs that Grid Engine puts in an order by their priorities should come out in that order.
// What is minimized is the sum of log(1 + exp(-d/t)) over all pairs, d being the difference of the two
// values and t a typical one (a logistic model of pairs, after Bradley and Terry 1952), with a penalty on
// factors far from 1. Factors are exponentials, so that no weight changes its sign; the method is BFGS,
// which is deterministic.
type fit struct {
	pieces []piece
	pairs  [][]float64 // differences of all pieces at the weights that Grid Engine has, first job less second
	step   int         // each job was paired with every step-th behind it, in the largest run; 1 for all
}

// note says what weights rest on.
func (f *fit) note() string {
	if f.step > 1 {
		return fmt.Sprintf("qprism chose the weights that come nearest to the recorded order of %d pairs of "+
			"jobs. In the largest run, a job forms pairs with only one in %d of the jobs behind it.", len(f.pairs),
			f.step)
	}
	return fmt.Sprintf("qprism chose the weights that come nearest to the recorded order of all %d pairs of "+
		"jobs.", len(f.pairs))
}

type piece struct {
	policy Policy
	text   string
	weight float64
	minus  bool
}

// by is the divisor as a number.
func (t term) by() float64 {
	if x, err := strconv.ParseFloat(t.divisor, 64); err == nil {
		return x
	}
	return 1
}

// mostPairs bounds the pairs of one run.
const mostPairs = 20000

func newFit(d *draft, terms []term) *fit {
	f := &fit{}
	for _, t := range terms {
		for _, text := range t.pieces {
			p := piece{policy: t.policy, text: text, weight: t.weight / t.by()}
			if text[0] == '-' {
				p.text, p.minus, p.weight = text[1:], true, -p.weight
			}
			f.pieces = append(f.pieces, p)
		}
	}
	for i := range d.history {
		f.learn(d.Candidate, d.history[:i+1])
	}
	return f
}

// learn adds the pairs of a run.
func (f *fit) learn(c *Candidate, h History) {
	run := h[len(h)-1]
	s := c.translate(h, c.on.base)
	names := formula.NamesOf(s.Resources)
	values := map[uint32][]float64{}
	stands := map[uint32]formula.Input{}
	for _, j := range cycle.LineUp(s, run.At).Jobs {
		if j.Waits {
			stands[j.Job.Number] = j.Input
		}
	}
	for _, p := range f.pieces {
		x, err := formula.ParseJob(p.text, names)
		for _, j := range run.Result.Pending {
			v := 0.0
			if in, known := stands[j.Job.Number]; known && err == nil {
				v = p.weight * x.Evaluate(in).Exact
			}
			values[j.Job.Number] = append(values[j.Job.Number], v)
		}
	}
	n := len(run.Result.Pending)
	step := 1
	for n*n/2/step > mostPairs {
		step++
	}
	f.step = max(f.step, step)
	for i := range n {
		for k := i + 1; k < n; k += step {
			a, b := run.Result.Pending[i], run.Result.Pending[k]
			if a.Prio > b.Prio {
				f.pairs = append(f.pairs, floats.SubTo(make([]float64, len(f.pieces)), values[a.Job.Number], values[b.Job.Number]))
			}
		}
	}
}

// penalty keeps factors near 1 where pairs say little.
const penalty = 0.02

// solve finds the factors.
func (f *fit) solve() []float64 {
	typical := f.typical()
	factors := func(x []float64) []float64 {
		w := make([]float64, len(x))
		for i := range x {
			w[i] = math.Exp(max(-5, min(5, x[i])))
		}
		return w
	}
	n := float64(len(f.pairs))
	problem := optimize.Problem{
		Func: func(x []float64) (sum float64) {
			w := factors(x)
			for _, p := range f.pairs {
				sum += softplus(-floats.Dot(w, p)/typical) / n
			}
			return sum + penalty*floats.Dot(x, x)
		},
		Grad: func(grad, x []float64) {
			w := factors(x)
			for i := range grad {
				grad[i] = 2 * penalty * x[i]
			}
			for _, p := range f.pairs {
				g := -1 / (1 + math.Exp(floats.Dot(w, p)/typical)) / typical / n
				for i := range grad {
					grad[i] += float64(g * p[i] * w[i])
				}
			}
		},
	}
	r, err := optimize.Minimize(problem, make([]float64, len(f.pieces)), &optimize.Settings{MajorIterations: 200},
		&optimize.BFGS{})
	if r == nil || err != nil && r.X == nil {
		return factors(make([]float64, len(f.pieces)))
	}
	return factors(r.X)
}

// steps are how far to go towards the factors that a model of pairs likes best.
var steps = []float64{0.125, 0.25, 0.5, 1}

// adopt moves towards factors to the point that puts the most pairs in the right order. It is nil if no
// point is better than the start.
func (f *fit) adopt(factors []float64) (best []float64) {
	mean := 0.0
	for _, w := range factors {
		mean += math.Log(w) / float64(len(factors))
	}
	most := f.right(ones(len(factors)))
	for _, step := range steps {
		w := make([]float64, len(factors))
		for i := range w {
			w[i] = math.Exp(step * (math.Log(factors[i]) - mean)) // a factor of all weights changes no order
		}
		if n := f.right(w); n > most {
			best, most = w, n
		}
	}
	return best
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// right is how many pairs come out in Grid Engine's order.
func (f *fit) right(w []float64) (n int) {
	for _, p := range f.pairs {
		if floats.Dot(w, p) > 0 {
			n++
		}
	}
	return n
}

// typical is the lower quartile of how far the jobs of a pair are apart, at least a little.
func (f *fit) typical() float64 {
	var all []float64
	for _, p := range f.pairs {
		all = append(all, math.Abs(floats.Sum(p)))
	}
	return max(order.Quantile(all, 0.25), 1e-9)
}

// softplus is log(1 + exp(x)) without overflow.
func softplus(x float64) float64 {
	if x > 30 {
		return x
	}
	return math.Log1p(math.Exp(x))
}
