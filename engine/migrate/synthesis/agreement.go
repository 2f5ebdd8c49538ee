package synthesis

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/order"
)

// A Placed job is a job in an order.
type Placed struct {
	Job   uint32
	Value float64 // the value that orders it
}

// Detail says what an agreement lists.
type Detail struct {
	Tops []int // numbers of first jobs to compare
	// of equally distant inversions, list those with the largest difference in priority, else the first jobs
	ByGap bool
}

// Agree compares two orders, for the jobs in both. Its inversions have the jobs, their distance and their
// values. The caller adds why.
func Agree(run string, at time.Time, from, to []Placed, d Detail) Agreement {
	place := map[uint32]int32{}
	for i, p := range to {
		if _, twice := place[p.Job]; !twice {
			place[p.Job] = int32(i)
		}
	}
	x := pair{byGap: d.ByGap}
	var first []int32
	for _, p := range from {
		if i, there := place[p.Job]; there {
			delete(place, p.Job) // once
			first = append(first, int32(len(first)))
			x.from, x.to, x.places = append(x.from, p), append(x.to, to[i]), append(x.places, i)
		}
	}
	out := Agreement{Run: run, At: at, Jobs: len(first), Pairs: order.Count(first, x.places), Worst: x.worst()}
	out.TauB = out.Pairs.TauB()
	for _, k := range d.Tops {
		if k <= len(first) {
			out.Top = append(out.Top, Top{k, order.Overlap(first, x.places, k)})
		}
	}
	return out
}

// A pair is two orders of the same jobs.
type pair struct {
	from, to []Placed // the same job at each index, in the first order
	places   []int32  // in the second
	byGap    bool
}

// mostWorst is how many inversions are kept.
const mostWorst = 10

// worst are the worst inversions. Large queues have a billion of them: only those are looked at that are as
// far apart as the tenth worst, found from the last job that comes before each one.
func (x *pair) worst() (list []Inversion) {
	least := slices.Clone(x.places) // of the places from an index on: it only grows
	for i := len(least) - 2; i >= 0; i-- {
		least[i] = min(least[i], least[i+1])
	}
	far := make([][]int, len(x.places)) // by distance: jobs that have their farthest inversion there
	note := func(i, last int) {
		for ; last > i; last-- {
			if x.places[last] < x.places[i] {
				far[last-i] = append(far[last-i], i)
				return
			}
		}
	}
	for i, own := range x.places {
		after, _ := slices.BinarySearchFunc(least, own, func(l, own int32) int { return cmp.Or(cmp.Compare(l, own), -1) })
		note(i, after-1)
	}
	for d := len(far) - 1; d > 0; d-- {
		if len(list) == mostWorst {
			break
		}
		for _, i := range far[d] {
			list = x.keepWorst(list, x.inversion(i, i+d))
			note(i, i+d-1)
		}
	}
	return list
}

// keepWorst keeps the worst of a list and one more.
func (x *pair) keepWorst(list []Inversion, v Inversion) []Inversion {
	i, _ := slices.BinarySearchFunc(list, v, x.byWorst)
	if i >= mostWorst {
		return list
	}
	list = slices.Insert(list, i, v)
	return list[:min(len(list), mostWorst)]
}

// byWorst puts those first that are most places apart in the first order.
func (x *pair) byWorst(a, b Inversion) int {
	c := cmp.Compare(b.Places, a.Places)
	if x.byGap {
		c = cmp.Or(c, cmp.Compare(b.Prio[0]-b.Prio[1], a.Prio[0]-a.Prio[1]))
	}
	return cmp.Or(c, cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
}

// inversion is the pair of two jobs, by their indices.
func (x *pair) inversion(i, k int) Inversion {
	return Inversion{First: x.from[i].Job, Second: x.from[k].Job, Places: k - i,
		Prio: [2]float64{x.from[i].Value, x.from[k].Value}, Value: [2]float64{x.to[i].Value, x.to[k].Value}}
}
