package place

import (
	"cmp"
	"slices"

	"qprism/engine/gridengine/cluster"
)

// searchKind is the kind of the last search, which decides whether the queue instances have to be sorted again.
type searchKind uint8

const (
	SearchNone searchKind = iota
	searchSequential
	SearchParallel
	SearchParallelSoft
)

// RankHosts ranks each queue instance by the load of its host. Hosts of equal load have the same rank.
func (r *Run) RankHosts() {
	if !r.HostsMoved {
		return
	}
	r.HostsMoved = false
	seq, previous := 0, r.Hosts[0].SortLoad
	for _, h := range r.Hosts {
		if h.SortLoad > previous {
			seq, previous = seq+1, h.SortLoad
		}
		for _, q := range h.Instances {
			q.Rank = r.RankOf(q, seq)
		}
		if h.Seq != seq {
			h.Seq = seq
			r.HostsMoved = true
		}
	}
}

// LeaveHosts puts the hosts of a parallel search first, in the order of that search. The place of a host in
// this order becomes its rank (D68).
func (r *Run) LeaveHosts(first []*cluster.Host) {
	rest := r.otherHosts[:0]
	for _, h := range r.Hosts {
		if h.Order == 0 {
			h.Seq = -1
			rest = append(rest, h)
		}
	}
	for i, h := range first {
		h.Seq = i
	}
	r.Hosts = append(append(r.Hosts[:0], first...), rest...)
	r.otherHosts = rest
}

// sortQueues brings the queue instances into the order in which a sequential search tries them.
func (r *Run) sortQueues(a *Attempt, parallel bool) {
	r.RankHosts()
	if r.LastSearch == SearchNone || r.LastSearch == SearchParallelSoft || r.HostsMoved ||
		!r.Quirks.UnsortedTail && !parallel {
		r.SortByRank()
	}
	r.LastSearch = searchSequential
}

// SortByRank sorts queue instances that are almost in order. It takes out the queue instances in the wrong
// place, sorts them, and merges them back. Equal queue instances keep their order.
func (r *Run) SortByRank() {
	kept, moved := r.kept[:0], r.moved[:0]
	for i, q := range r.Queues {
		q.Place = i
		n := len(kept)
		switch {
		case n == 0 || kept[n-1].Rank <= q.Rank:
			kept = append(kept, q)
		case n == 1 || kept[n-2].Rank <= q.Rank: // the one before is too far ahead
			moved = append(moved, kept[n-1])
			kept[n-1] = q
		default:
			moved = append(moved, q)
		}
	}
	r.kept, r.moved = kept, moved
	if len(moved) == 0 {
		return
	}
	ordered := func(a, b *cluster.Instance) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Place, b.Place))
	}
	slices.SortFunc(moved, ordered)
	list := r.Queues[:0]
	for len(kept) > 0 && len(moved) > 0 {
		if ordered(kept[0], moved[0]) < 0 {
			list, kept = append(list, kept[0]), kept[1:]
		} else {
			list, moved = append(list, moved[0]), moved[1:]
		}
	}
	r.Queues = append(append(list, kept...), moved...)
}
