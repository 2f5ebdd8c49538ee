// Package gridengine makes commands of decisions for Grid Engine: which -p values (qalter(1)) make the scheduler's own
// order equal a wanted one, the calls that set them, and what qalter and qstat answer.
//
// The scheduler ranks a pending job by prio, the sum of its weighted urgency, tickets and posix priority
// (sge_priority(5)), then by submission time and job number. Only the posix priority can be set from outside without side
// effects: it has 2048 levels. A level that several jobs share keeps the order that the scheduler gives them anyway.
package gridengine

import (
	"cmp"
	"math"
)

// A Waiting is a pending job as the scheduler ranks it; an array is one job.
type Waiting struct {
	Job       uint32
	P         int     // -p as it is
	Base      float64 // weighted urgency plus weighted tickets, added as the master does
	Submitted int64   // Unix seconds; decides between jobs of equal prio, before the job number
}

// A Scale says what -p is worth.
type Scale struct {
	Weight   float64 // weight_priority
	Min, Max int     // the levels that may be used
}

// Levels of -p that the master accepts, sge_priority(5).
const (
	MinP = -1023
	MaxP = 1024
)

// prio is the priority of a job at a level: the sum in the master's own order of operations.
func (s Scale) prio(w *Waiting, p int) float64 {
	if s.Weight == 0 {
		return w.Base
	}
	return w.Base + float64(s.Weight*(float64(p+1024)/2048))
}

// after reports whether job b at level pb comes after job a at level pa.
func (s Scale) after(a *Waiting, pa int, b *Waiting, pb int) bool {
	return s.compare(a, pa, b, pb) < 0
}

// compare is the order in which the scheduler tries two jobs: negative where a comes first.
func (s Scale) compare(a *Waiting, pa int, b *Waiting, pb int) int {
	return cmp.Or(cmp.Compare(s.prio(b, pb), s.prio(a, pa)), cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.Job, b.Job))
}

// highest is the highest level at which job b comes after job a at level pa; ok is false where even the lowest is too high.
// It never falls as pa rises.
func (s Scale) highest(a *Waiting, pa int, b *Waiting) (p int, ok bool) {
	p = s.near(s.prio(a, pa), b)
	for p < s.Max && s.after(a, pa, b, p+1) {
		p++
	}
	for p >= s.Min && !s.after(a, pa, b, p) {
		p--
	}
	return p, p >= s.Min
}

// lowest is the lowest level at which job a comes before job b at level pb.
func (s Scale) lowest(a, b *Waiting, pb int) (p int, ok bool) {
	p = s.near(s.prio(b, pb), a)
	for p > s.Min && s.after(a, p-1, b, pb) {
		p--
	}
	for p <= s.Max && !s.after(a, p, b, pb) {
		p++
	}
	return p, p <= s.Max
}

// rise is by how many levels a job may be above the one before it; negative where it must be below. Rounding can make that
// differ by one from level to level: it is the most.
func (s Scale) rise(a, b *Waiting) int {
	wide := Scale{Weight: s.Weight, Min: math.MinInt32, Max: math.MaxInt32}
	most := math.MinInt32
	for _, p := range []int{s.Min, (s.Min + s.Max) / 2, s.Max} {
		to, _ := wide.highest(a, p, b)
		most = max(most, to-p)
	}
	return most
}

// near is about the level at which a job has a priority.
func (s Scale) near(prio float64, w *Waiting) int {
	level := (prio-w.Base)/s.Weight*2048 - 1024
	switch {
	case math.IsNaN(level) || level < float64(s.Min):
		return s.Min
	case level > float64(s.Max):
		return s.Max
	}
	return int(level)
}
