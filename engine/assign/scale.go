package assign

import (
	"cmp"
	"math"
)

// A Waiting is a pending job as the scheduler ranks it. An array is one job.
type Waiting struct {
	Job       uint32
	P         int     // its present priority
	Base      float64 // the other terms, in the scheduler's order of addition
	Submitted int64   // decides between equal sums before the job number; less is sooner

	behind float64 // by how much at least its sum is to be less than that of the job before it
}

// A Scale is the worth of a priority: the sum is Base + Weight*(priority+1024)/2048, as sge_priority(5)
// normalizes -p.
type Scale struct {
	Weight   float64
	Min, Max int // the usable priorities
	// Margin is the least difference between the sums of neighbors. The order then holds until other terms
	// move by that much; 0 for none. If there are too few priorities for all jobs, the front jobs get it.
	Margin float64
	// Front is the number of front jobs that need the margin; 0 for as many as possible.
	Front int
	// Lead limits the margin to the wanted jobs: each before the next, and the last before all other jobs.
	// The margin is then between their priorities alone, without the other terms.
	// The margin shrinks, even to none, rather than that more jobs change than the order needs.
	Lead bool
	// Strict means that every priority must be between Min and Max, even an unchanged one.
	Strict bool
	// Even spreads changed jobs with a priority of their own evenly, so that later jobs fit between two.
	Even  bool
	Rest  int // changed jobs get priorities as near to this as possible
	bound int // so many jobs from the front have the margin; 0 for all
}

// keeps reports whether a job may keep its priority.
func (s Scale) keeps(p int) bool { return !s.Strict || p >= s.Min && p <= s.Max }

// Whole is a scale on which the priority is a whole number and decides alone. It has the 24 bits of single
// precision.
var Whole = Scale{Weight: 2048, Min: 1 - 1<<24, Max: 1<<24 - 1}

// prio is the priority of a job at a priority: the sum in the master's own order of operations.
func (s Scale) prio(w *Waiting, p int) float64 {
	if s.Weight == 0 {
		return w.Base
	}
	return w.Base + float64(s.Weight*(float64(p+1024)/2048))
}

// after reports whether job b at priority pb comes after job a at priority pa, as far behind it as it shall be.
func (s Scale) after(a *Waiting, pa int, b *Waiting, pb int) bool {
	return s.compare(a, pa, b, pb) < 0 && s.prio(a, pa)-b.behind >= s.prio(b, pb)
}

// compare is the order in which the scheduler tries two jobs: negative where a comes first.
func (s Scale) compare(a *Waiting, pa int, b *Waiting, pb int) int {
	return cmp.Or(cmp.Compare(s.prio(b, pb), s.prio(a, pa)), cmp.Compare(a.Submitted, b.Submitted),
		cmp.Compare(a.Job, b.Job))
}

// highest is the highest priority at which job b comes after job a at priority pa; ok is false where even
// the lowest is too high. It never falls as pa rises.
func (s Scale) highest(a *Waiting, pa int, b *Waiting) (p int, ok bool) {
	p = last(s.near(s.prio(a, pa)-b.behind, b), s.Min, s.Max, func(p int) bool { return s.after(a, pa, b, p) })
	return p, p >= s.Min
}

// lowest is the lowest priority at which job a comes before job b at priority pb.
func (s Scale) lowest(a, b *Waiting, pb int) (p int, ok bool) {
	p = 1 + last(s.near(s.prio(b, pb)+b.behind, a), s.Min, s.Max, func(p int) bool { return !s.after(a, p, b, pb) })
	return p, p <= s.Max
}

// last is the highest priority within low and high for which holds is true, low-1 where there is none. It
// is true up to some priority and false above. The search begins near a priority and doubles its steps:
// sums that priorities hardly change cost no more than others.
func last(near, low, high int, holds func(int) bool) int {
	low, high = low-1, high+1
	for step := 1; high-low > 1; step *= 2 {
		if near <= low || near >= high {
			near = low + (high-low)/2
		}
		if holds(near) {
			low, near = near, near+step
		} else {
			high, near = near, near-step
		}
	}
	return low
}

// rise is by how many priorities a job may be above the one before it; negative where it must be below.
// Rounding can make that differ by one from priority to priority: it is the most.
func (s Scale) rise(a, b *Waiting) int {
	wide := Scale{Weight: s.Weight, Min: math.MinInt32, Max: math.MaxInt32}
	most := math.MinInt32
	for _, p := range []int{s.Min, (s.Min + s.Max) / 2, s.Max} {
		to, _ := wide.highest(a, p, b)
		most = max(most, to-p)
	}
	return most
}

// near is about the priority at which a job has a priority.
func (s Scale) near(prio float64, w *Waiting) int {
	priority := (prio-w.Base)/s.Weight*2048 - 1024
	switch {
	case math.IsNaN(priority) || priority < float64(s.Min):
		return s.Min
	case priority > float64(s.Max):
		return s.Max
	}
	return int(priority)
}
