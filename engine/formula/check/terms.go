package check

import (
	"fmt"
	"math"
	"slices"

	"qprism/engine/formula"
)

// compareTerms reports terms of the sum that cannot tell jobs apart: the same for all, the same as another one, or too
// small against the values to reach their 24 bits, or always outweighed.
func (r *Report) compareTerms(f *formula.Job, names formula.Names) {
	list := r.waiting()
	if len(list) < 2 || r.has(NoNumber, Hangs, Unsupported) || slices.ContainsFunc(list, func(j *Job) bool {
		return j.Result.Err != nil
	}) {
		return
	}
	for _, t := range f.Terms(names) {
		if term, ok := measure(t, list); ok {
			r.Terms = append(r.Terms, term)
		}
	}
	if len(r.Terms) < 2 {
		return
	}
	step := coarsest(list)
	for i, t := range r.Terms {
		switch same := r.sameAs(i); {
		case t.Distinct == 1:
			r.add(Problem{Severity: Note, Kind: SameTerm,
				Text: fmt.Sprintf("%s is %v for every waiting job: it does not affect the order", t.Text, t.Min)})
		case same != "":
			r.add(Problem{Severity: Note, Kind: SameTerm,
				Text: fmt.Sprintf("%s and %s are the same for every waiting job", same, t.Text)})
		case t.decides(list):
		case t.Max-t.Min < step:
			r.add(Problem{Severity: Warning, Kind: SameTerm, Hint: "give it more weight",
				Text: fmt.Sprintf("%s distinguishes no two jobs: its values differ by at most %.3g, but 32-bit "+
					"values of this size have steps of %.3g", t.Text, t.Max-t.Min,
					step)})
		default:
			r.add(Problem{Severity: Note, Kind: SameTerm, Text: t.Text +
				" changes the order of no two waiting jobs: the other terms decide"})
		}
	}
}

// decides says whether the order of any two jobs would change without the term.
func (t *Term) decides(list []*Job) bool {
	place := make([]int, len(list))
	for i := range place {
		place[i] = i
	}
	slices.SortFunc(place, func(a, b int) int { return higher(list[a].Result.Value(), list[b].Result.Value()) })
	for i := 1; i < len(place); i++ {
		a, b := place[i-1], place[i]
		if higher(list[a].Result.Value(), list[b].Result.Value()) != higher(t.without(list[a], a), t.without(list[b], b)) {
			return true
		}
	}
	return false
}

// without is a job's value without the term.
func (t *Term) without(j *Job, i int) float32 {
	if t.Minus {
		return float32(j.Result.Exact + t.values[i])
	}
	return float32(j.Result.Exact - t.values[i])
}

// measure evaluates one term for all jobs; not ok where it has no number for some.
func measure(t formula.Term, list []*Job) (Term, bool) {
	term := Term{Text: t.Text, Minus: t.Minus, Min: math.Inf(1), Max: math.Inf(-1)}
	seen := map[float64]bool{}
	for _, j := range list {
		v := t.Evaluate(j.input)
		if v.Err != nil || v.NoType != "" || math.IsNaN(v.Exact) {
			return term, false
		}
		term.values = append(term.values, v.Exact)
		term.Min, term.Max = min(term.Min, v.Exact), max(term.Max, v.Exact)
		seen[v.Exact] = true
	}
	term.Distinct = len(seen)
	return term, true
}

// sameAs is an earlier term with the same values.
func (r *Report) sameAs(i int) string {
	for _, t := range r.Terms[:i] {
		if slices.Equal(t.values, r.Terms[i].values) {
			return t.Text
		}
	}
	return ""
}

// coarsest is the least distance of 32-bit floats near the smallest of the values: a term that spans less than that can
// order no two jobs.
func coarsest(list []*Job) float64 {
	least := math.Inf(1)
	for _, j := range list {
		least = min(least, math.Abs(j.Result.Exact))
	}
	if math.IsInf(least, 0) || math.IsNaN(least) || least > math.MaxFloat32 {
		return 0
	}
	v := float32(least)
	return float64(math.Nextafter32(v, math.MaxFloat32)) - float64(v)
}
