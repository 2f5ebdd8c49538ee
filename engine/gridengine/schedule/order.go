package schedule

import (
	"cmp"
	"slices"
)

// The last search decides whether the queue instances have to be sorted again.
type searchKind uint8

const (
	searchNone searchKind = iota
	searchSequential
	searchParallel
	searchParallelSoft
)

// rankHosts gives each queue instance its rank by the load of its host: hosts of equal load have the same place.
func (r *run) rankHosts() {
	if !r.hostsMoved {
		return
	}
	r.hostsMoved = false
	seq, previous := 0, r.world.hosts[0].sort
	for _, h := range r.world.hosts {
		if h.sort > previous {
			seq, previous = seq+1, h.sort
		}
		for _, q := range h.instances {
			q.rank = r.rankOf(q, seq)
		}
		if h.seq != seq {
			h.seq = seq
			r.hostsMoved = true
		}
	}
}

// leaveHosts puts the hosts of a parallel search first, in its order, and gives each its place there as its rank (D68).
func (r *run) leaveHosts(first []*host) {
	w := &r.world
	rest := r.otherHosts[:0]
	for _, h := range w.hosts {
		if h.order == 0 {
			h.seq = -1
			rest = append(rest, h)
		}
	}
	for i, h := range first {
		h.seq = i
	}
	w.hosts = append(append(w.hosts[:0], first...), rest...)
	r.otherHosts = rest
}

// rankOf is the rank of a queue instance, smaller is sooner: by the place of its host and by its own sequence number,
// whichever queue_sort_method puts first.
func (r *run) rankOf(q *instance, hostSeq int) int64 {
	if r.snapshot.Policy.QueueSort == "seqno" {
		return q.seqNo<<32 + int64(hostSeq)
	}
	return int64(hostSeq)<<32 + q.seqNo
}

// sortQueues brings the queue instances into the order in which a sequential search tries them.
func (r *run) sortQueues(a *attempt, parallel bool) {
	r.rankHosts()
	if r.lastSearch == searchNone || r.lastSearch == searchParallelSoft || r.hostsMoved || !r.quirks.UnsortedTail && !parallel {
		r.sortByRank()
	}
	r.lastSearch = searchSequential
}

// sortByRank sorts queue instances of which few are out of place, and keeps the order of equals: it takes those few out,
// sorts them, and merges them in again.
func (r *run) sortByRank() {
	kept, moved := r.kept[:0], r.moved[:0]
	for i, q := range r.world.queues {
		q.place = i
		n := len(kept)
		switch {
		case n == 0 || kept[n-1].rank <= q.rank:
			kept = append(kept, q)
		case n == 1 || kept[n-2].rank <= q.rank: // the one before is too far ahead
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
	ordered := func(a, b *instance) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.place, b.place)) }
	slices.SortFunc(moved, ordered)
	list := r.world.queues[:0]
	for len(kept) > 0 && len(moved) > 0 {
		if ordered(kept[0], moved[0]) < 0 {
			list, kept = append(list, kept[0]), kept[1:]
		} else {
			list, moved = append(list, moved[0]), moved[1:]
		}
	}
	r.world.queues = append(append(list, kept...), moved...)
}

// openClosed adds the closed instances behind the open ones, so that jobs can be reserved for there (D20).
func (r *run) openClosed() {
	w := &r.world
	r.opened = true
	for _, q := range w.closed {
		q.host.instances = append(q.host.instances, q)
	}
	w.queues = append(w.queues, w.closed...)
	w.closed = w.closed[:0]
}

// close moves queue instances from the open to the closed ones; keep says which stay open.
func (r *run) close(keep func(*instance) bool) {
	w := &r.world
	open := w.queues[:0]
	for _, q := range w.queues {
		if keep(q) {
			open = append(open, q)
		} else {
			w.closed = append(w.closed, q)
			r.leaveHost(q)
		}
	}
	clear(w.queues[len(open):])
	w.queues = open
}

func (r *run) leaveHost(q *instance) {
	if i := slices.Index(q.host.instances, q); i >= 0 {
		q.host.instances = slices.Delete(q.host.instances, i, i+1)
	}
}

// discard takes queue instances out of the run.
func (r *run) discard(drop func(*instance) bool) {
	w := &r.world
	w.queues = slices.DeleteFunc(w.queues, func(q *instance) bool {
		out := drop(q)
		if out {
			r.leaveHost(q)
		}
		return out
	})
}
