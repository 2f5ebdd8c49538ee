package search

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// UsesBuckets reports whether a claim is placed by buckets of equal vnodes.
func (w Finder) UsesBuckets(c *cluster.Claim) bool {
	p := c.Place
	if w.Policy.ByUse || w.Config.AvoidProvision || w.Qrun == c.ID || c.Inside != nil || !p.Excl ||
		p.Shared || p.Pack || w.MultiVnode || c.Exact != nil {
		return false
	}
	return !slices.Contains(c.Selection.Uses, w.Res.Host) && !slices.Contains(c.Selection.Uses, w.Res.Vnode)
}

// Prepare computes what all searches of the cycle share: classes of jobs and buckets of vnodes.
func (w Finder) Prepare() {
	w.makeClasses()
	w.Buckets = w.makeBuckets(w.Order)
}

// makeBuckets sorts vnodes into buckets.
func (w Finder) makeBuckets(vnodes []int) []*cluster.Bucket {
	var list []*cluster.Bucket
	for _, v := range vnodes {
		n := &w.Vnodes[v]
		if n.States&(cluster.Down|cluster.Offline) != 0 {
			continue
		}
		i := slices.IndexFunc(list, func(b *cluster.Bucket) bool { return w.alike(b.Like, n) })
		if i < 0 {
			i = len(list)
			list = append(list, &cluster.Bucket{Like: n, Queue: w.queueOf(n)})
		}
		list[i].Vnodes = append(list[i].Vnodes, v)
	}
	fairshare.MergeSort(list, func(a, b *cluster.Bucket) int {
		for _, k := range w.Policy.NodeKeys {
			if c := k.Compare(k.OfLike(a.Like), k.OfLike(b.Like)); c != 0 {
				return c
			}
		}
		return 0
	})
	return list
}

func (w Finder) queueOf(v *cluster.Vnode) *cluster.Queue {
	if i := slices.IndexFunc(w.Queues, func(q *cluster.Queue) bool { return v.Queue != "" && q.Name == v.Queue }); i >= 0 {
		return w.Queues[i]
	}
	return nil
}

// alike reports whether a vnode belongs into the bucket of another one.
func (w Finder) alike(a, b *cluster.Vnode) bool {
	return a.Priority == b.Priority && a.Queue == b.Queue && a.Signature == b.Signature
}

// A bucketFit says how many pieces of a chunk fit on an empty vnode of a bucket.
type bucketFit struct {
	*cluster.Bucket
	pieces int64
}

// findInBuckets finds vnodes by buckets, in placement sets where there are some.
func (w Finder) findInBuckets(c *cluster.Claim) ([]resource.Portion, reason.Failure) {
	vnodes, sets := w.Common, c.Queue.Groups
	if c.Queue.OwnVnodes {
		vnodes = c.Queue.Vnodes
	}
	if len(sets) == 0 {
		sets = w.Groups
	}
	if c.Place.Group != "" {
		sets = w.Grouped(vnodes, c.Place.Group, true)
	}
	if len(sets) == 0 {
		return w.matchBuckets(w.Buckets, nil, c)
	}
	return w.bucketsOfSets(sets, c)
}

func (w Finder) bucketsOfSets(sets []*cluster.Set, c *cluster.Claim) ([]resource.Portion, reason.Failure) {
	can := false
	for _, s := range sets {
		found, why := w.matchBuckets(w.makeBuckets(s.Vnodes), s, c)
		if found != nil {
			return found, reason.Failure{}
		}
		can = can || why.Status == reason.NotRun
	}
	if !can && w.Sched.DoNotSpanSets {
		return nil, reason.Failure{Status: reason.NeverRun, Code: model.FailCantSpanSets}
	}
	return w.matchBuckets(w.Buckets, nil, c)
}

// matchBuckets places all chunks on vnodes of the first buckets that suffice. It prefers vnodes that are
// free now and needed later, if the job ends before that. Then it takes vnodes that stay free. set is nil
// for the buckets of all vnodes.
func (w Finder) matchBuckets(list []*cluster.Bucket, set *cluster.Set, c *cluster.Claim) (
	[]resource.Portion, reason.Failure) {
	fits := make([][]bucketFit, len(c.Selection.Chunks))
	for i := range fits {
		var why reason.Failure
		if fits[i], why = w.bucketsFor(&c.Selection.Chunks[i], list, c); fits[i] == nil {
			why.Status = reason.NeverRun
			return nil, why
		}
	}
	taken := map[int]bool{}
	var found []resource.Portion
	for i := range fits {
		ch := &c.Selection.Chunks[i]
		picked := w.pick(ch.Count, fits[i], set, taken, c)
		if picked == nil {
			return nil, reason.Failure{Status: reason.NotRun, Code: model.FailNoNodeResources}
		}
		found = append(found, w.assignPieces(ch, picked)...)
	}
	return found, reason.Failure{}
}

// bucketsFor are the buckets whose vnodes can hold pieces of a chunk when they are empty; nil where there are too few.
func (w Finder) bucketsFor(ch *resource.Chunk, list []*cluster.Bucket, c *cluster.Claim) (
	fits []bucketFit, first reason.Failure) {
	var mine *cluster.Queue
	if c.Queue.OwnVnodes {
		mine = c.Queue
	}
	total := int64(0)
	for _, b := range list {
		if (b.Queue == nil) != (mine == nil) || mine != nil && b.Queue.Name != mine.Name {
			continue
		}
		times, why := w.Count(&b.Like.Stock, ch.Needs, Check{Totals: true, UnsetZero: true,
			Booleans: true, Only: w.CheckedOnVnode, Code: model.FailInsufficient})
		if times <= 0 {
			if !first.Failed() {
				first = why
			}
			continue
		}
		if c.Place.Scatter || c.Place.Vscatter {
			times = 1
		}
		fits = append(fits, bucketFit{b, times})
		total += int64(len(b.Vnodes)) * times
	}
	if total < int64(ch.Count) {
		return nil, first
	}
	return fits, reason.Failure{}
}

// A pick is a vnode, and how many pieces of a chunk it can hold.
type pick struct {
	vnode  int
	pieces int64
}

// pick chooses vnodes of a set, nil for all, for a number of pieces; nil where there are too few.
func (w Finder) pick(count int, fits []bucketFit, set *cluster.Set, taken map[int]bool, c *cluster.Claim) []pick {
	missing := int64(count)
	picked := make([]pick, 0, 1)
	for _, f := range fits {
		for _, pool := range []cluster.Pool{cluster.IdleUntil, cluster.Idle} {
			for _, v := range f.Vnodes {
				if missing <= 0 {
					break
				}
				if taken[v] || w.PoolOf(set, v) != pool ||
					pool == cluster.IdleUntil && w.StartsOn(v, w.Now+w.Left(c, false)) {
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

// assignPieces gives the pieces of a chunk to the vnodes picked, in order of the vnodes.
func (w Finder) assignPieces(ch *resource.Chunk, picked []pick) (found []resource.Portion) {
	place := make(map[int]int, len(w.Order))
	for i, v := range w.Order {
		place[v] = i
	}
	slices.SortFunc(picked, func(a, b pick) int { return place[a.vnode] - place[b.vnode] })
	rest := ch.Count
	for _, p := range picked {
		for range p.pieces {
			if rest--; rest < 0 {
				return found
			}
			found = append(found, resource.Portion{Vnode: p.vnode, Gives: w.consumables(ch.Needs),
				Last: true, Seq: w.Res.NextRank()})
		}
	}
	return found
}

func (w Finder) consumables(needs []resource.Request) (list []resource.Request) {
	for _, n := range needs {
		if w.Res.List[n.Res].Kind.Consumable() && w.Checked[n.Res] {
			list = append(list, n)
		}
	}
	return list
}
