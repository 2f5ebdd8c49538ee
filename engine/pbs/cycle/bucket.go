package cycle

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A bucket is a number of vnodes that are alike: equal resources, queue and priority. Jobs that want vnodes for
// themselves count buckets instead of looking at vnodes.
type bucket struct {
	like   *vnode // the first of them
	queue  *queue
	vnodes []int // in order
}

// wantsBuckets reports whether vnodes for a claim are found by buckets.
func (w *world) wantsBuckets(c *claim) bool {
	p := c.place
	if w.policy.byUse || w.conf.AvoidProvision || w.qrun == c.id || c.inside != nil || !p.excl || p.shared || p.pack || w.multiVnode ||
		c.exact != nil {
		return false
	}
	return !slices.Contains(c.selection.uses, w.res.host) && !slices.Contains(c.selection.uses, w.res.vnode)
}

// prepare finds what searches of the cycle share: classes of jobs and buckets of vnodes.
func (w *world) prepare() {
	w.makeClasses()
	w.buckets = w.makeBuckets(w.order)
}

// makeBuckets sorts vnodes into buckets.
func (w *world) makeBuckets(vnodes []int) []*bucket {
	var list []*bucket
	for _, v := range vnodes {
		n := &w.vnodes[v]
		if n.states&(down|offline) != 0 {
			continue
		}
		i := slices.IndexFunc(list, func(b *bucket) bool { return w.alike(b.like, n) })
		if i < 0 {
			i = len(list)
			list = append(list, &bucket{like: n, queue: w.queueOf(n)})
		}
		list[i].vnodes = append(list[i].vnodes, v)
	}
	fairshare.MergeSort(list, func(a, b *bucket) int {
		for _, k := range w.policy.nodeKeys {
			if c := k.compare(k.ofLike(a.like), k.ofLike(b.like)); c != 0 {
				return c
			}
		}
		return 0
	})
	return list
}

func (w *world) queueOf(v *vnode) *queue {
	if i := slices.IndexFunc(w.queues, func(q *queue) bool { return v.queue != "" && q.name == v.queue }); i >= 0 {
		return w.queues[i]
	}
	return nil
}

// alike reports whether a vnode belongs into the bucket of another one.
func (w *world) alike(a, b *vnode) bool {
	return a.priority == b.priority && a.queue == b.queue && a.signature == b.signature
}

// A bucketFit says how many pieces of a chunk fit on an empty vnode of a bucket.
type bucketFit struct {
	*bucket
	pieces int64
}

// findInBuckets finds vnodes by buckets, in placement sets where there are some.
func (w *world) findInBuckets(c *claim) ([]portion, failure) {
	vnodes, sets := w.anyone, c.queue.groups
	if c.queue.ownVnodes {
		vnodes = c.queue.vnodes
	}
	if len(sets) == 0 {
		sets = w.groups
	}
	if c.place.group != "" {
		sets = w.partition(vnodes, []string{c.place.group}, false)
		w.sortSets(sets)
	}
	if len(sets) == 0 {
		return w.matchBuckets(w.buckets, c)
	}
	return w.bucketsOfSets(sets, c)
}

func (w *world) bucketsOfSets(sets []*set, c *claim) ([]portion, failure) {
	can := false
	for _, s := range sets {
		found, why := w.matchBuckets(w.makeBuckets(s.vnodes), c)
		if found != nil {
			return found, failure{}
		}
		can = can || why.status == notRun
	}
	if !can && w.sched.DoNotSpanSets {
		return nil, failure{status: neverRun, code: model.FailCantSpanSets}
	}
	return w.matchBuckets(w.buckets, c)
}

// matchBuckets places all chunks: on vnodes of the first buckets that will do, on those first that are free now and
// needed later if the job ends before, then on those that stay free.
func (w *world) matchBuckets(list []*bucket, c *claim) ([]portion, failure) {
	fits := make([][]bucketFit, len(c.selection.chunks))
	for i := range fits {
		var why failure
		if fits[i], why = w.bucketsFor(&c.selection.chunks[i], list, c); fits[i] == nil {
			why.status = neverRun
			return nil, why
		}
	}
	taken := map[int]bool{}
	var found []portion
	for i := range fits {
		ch := &c.selection.chunks[i]
		picked := w.pick(ch.count, fits[i], taken, c)
		if picked == nil {
			return nil, failure{status: notRun, code: model.FailNoNodeResources}
		}
		found = append(found, w.dealOut(ch, picked)...)
	}
	return found, failure{}
}

// bucketsFor are the buckets whose vnodes can hold pieces of a chunk when they are empty; nil where there are too few.
func (w *world) bucketsFor(ch *chunk, list []*bucket, c *claim) (fits []bucketFit, first failure) {
	var mine *queue
	if c.queue.ownVnodes {
		mine = c.queue
	}
	total := int64(0)
	for _, b := range list {
		if (b.queue == nil) != (mine == nil) || mine != nil && b.queue.name != mine.name {
			continue
		}
		times, why := w.count(&b.like.stock, ch.needs, check{totals: true, unsetZero: true, booleans: true, only: w.checksNode,
			code: model.FailInsufficient})
		if times <= 0 {
			if !first.failed() {
				first = why
			}
			continue
		}
		if c.place.scatter || c.place.vscatter {
			times = 1
		}
		fits = append(fits, bucketFit{b, times})
		total += int64(len(b.vnodes)) * times
	}
	if total < int64(ch.count) {
		return nil, first
	}
	return fits, failure{}
}

// A pick is a vnode, and how many pieces of a chunk it can hold.
type pick struct {
	vnode  int
	pieces int64
}

// pick chooses vnodes for a number of pieces, nil where there are too few.
func (w *world) pick(count int, fits []bucketFit, taken map[int]bool, c *claim) []pick {
	missing := int64(count)
	picked := make([]pick, 0, 1)
	for _, f := range fits {
		for _, later := range []bool{true, false} {
			for _, v := range f.vnodes {
				if missing <= 0 {
					break
				}
				if taken[v] || !w.isIdle(v) || w.neededLater(v, never) != later || later && w.neededLater(v, w.now+w.left(c, false)) {
					continue
				}
				taken[v] = true
				picked = append(picked, pick{v, f.pieces})
				missing -= f.pieces
			}
		}
	}
	if missing > 0 {
		return nil
	}
	return picked
}

func (w *world) isIdle(v int) bool {
	n := &w.vnodes[v]
	return n.free() && n.jobs == 0 && n.resvs == 0
}

// neededLater reports whether something is to start on a vnode, before a time or at all.
func (w *world) neededLater(v int, before seconds) bool {
	for _, e := range w.eventsOn(v) {
		if e.kind == startEvent && !e.done && !e.off {
			return before == never || e.at < before
		}
	}
	return false
}

// dealOut gives the pieces of a chunk to the vnodes picked, in order of the vnodes.
func (w *world) dealOut(ch *chunk, picked []pick) (found []portion) {
	place := make(map[int]int, len(w.order))
	for i, v := range w.order {
		place[v] = i
	}
	slices.SortFunc(picked, func(a, b pick) int { return place[a.vnode] - place[b.vnode] })
	rest := ch.count
	for _, p := range picked {
		for range p.pieces {
			if rest--; rest < 0 {
				return found
			}
			found = append(found, portion{vnode: p.vnode, gives: w.consumables(ch.needs), last: true, seq: w.res.nextRank()})
		}
	}
	return found
}

func (w *world) consumables(needs []request) (list []request) {
	for _, n := range needs {
		if w.res.list[n.res].kind.consumable() && w.checks[n.res] {
			list = append(list, n)
		}
	}
	return list
}
