// Package agreement holds the order of jobs under one system against that under another.
package agreement

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/migrate/synthesis"
	"qprism/engine/order"
)

// A Placed job is one in an order.
type Placed struct {
	Job   uint32
	Value float64 // that it is ordered by
}

// Of compares two orders of jobs; those that are in both count. The inversions say which jobs, how far apart, and with which
// values; why is for the caller.
func Of(name string, at time.Time, from, to []Placed) synthesis.Agreement {
	place := map[uint32]int32{}
	for i, p := range to {
		if _, twice := place[p.Job]; !twice {
			place[p.Job] = int32(i)
		}
	}
	var jobs, others []Placed
	var a, b []int32
	for _, p := range from {
		i, there := place[p.Job]
		if !there {
			continue
		}
		delete(place, p.Job) // once
		jobs, others = append(jobs, p), append(others, to[i])
		a, b = append(a, int32(len(a))), append(b, i)
	}
	out := synthesis.Agreement{Run: name, At: at, Jobs: len(jobs), Pairs: order.Count(a, b)}
	out.TauB = out.Pairs.TauB()
	for _, k := range []int{1, 3, 10, 30, 100} {
		if k <= len(jobs) {
			out.Top = append(out.Top, synthesis.Top{K: k, Overlap: order.Overlap(a, b, k)})
		}
	}
	for v := range order.Inversions(a, b) {
		first, second := min(v.Late, v.Early), max(v.Late, v.Early)
		out.Worst = worse(out.Worst, synthesis.Inversion{First: jobs[first].Job, Second: jobs[second].Job, Places: second - first,
			Prio: [2]float64{jobs[first].Value, jobs[second].Value}, Value: [2]float64{others[first].Value, others[second].Value}})
	}
	return out
}

// mostWorst is how many inversions are kept.
const mostWorst = 10

// worse keeps the worst inversions of a list and one more.
func worse(list []synthesis.Inversion, v synthesis.Inversion) []synthesis.Inversion {
	i, _ := slices.BinarySearchFunc(list, v, func(a, b synthesis.Inversion) int {
		return cmp.Or(cmp.Compare(b.Places, a.Places), cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	if i >= mostWorst {
		return list
	}
	list = slices.Insert(list, i, v)
	return list[:min(len(list), mostWorst)]
}
