package cluster

import (
	"cmp"
	"math"
	"slices"

	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// A Set has vnodes and the sums of their resources: all vnodes, those of a host, or a placement set.
type Set struct {
	resource.Stock
	Name     string // "host=n1"
	Value    string // "n1"
	Vnodes   []int
	Free     int
	Total    int
	SameHost bool // chunks may be spread over its vnodes
	rank     int
	pools    map[int]Pool // of a placement set: the vnodes as it last noted them
}

// A Pool says whether a vnode can take a job that wants it exclusively. Idle: yes. IdleUntil: yes, until
// another job starts there. Busy: no.
type Pool uint8

const (
	Idle Pool = iota
	IdleUntil
	Busy
)

// PoolOf is the pool of a vnode. A placement set keeps its own pools. It updates them when it is made, at
// starts that it follows, and at ends. So a vnode of two sets can be taken twice (quirk P47). s is nil for
// all vnodes.
func (w *World) PoolOf(s *Set, v int) Pool {
	if s != nil && s.pools != nil {
		return s.pools[v]
	}
	if n := &w.Vnodes[v]; !n.Free() || n.Jobs > 0 || n.Reservations > 0 {
		return Busy
	}
	return w.emptyPool(v)
}

// emptyPool is the pool of a vnode on which nothing runs.
func (w *World) emptyPool(v int) Pool {
	if w.StartsOn(v, clock.Never) {
		return IdleUntil
	}
	return Idle
}

// StartsOn reports whether a job or reservation has a planned start on a vnode, before a given time or at any
// time.
func (w *World) StartsOn(v int, before clock.Seconds) bool {
	for _, e := range w.EventsOn(v) {
		if e.Kind == StartEvent && !e.Done && !e.Off {
			return before == clock.Never || e.At < before
		}
	}
	return false
}

// notePools notes the pool of each vnode of a new placement set.
func (w *World) notePools(s *Set) {
	pools := make(map[int]Pool, len(s.Vnodes))
	for _, v := range s.Vnodes {
		pools[v] = w.PoolOf(nil, v)
	}
	s.pools = pools
}

// notePool notes the pool of a vnode after something started or ended. It forgets states such as offline.
func (w *World) notePool(s *Set, v int) {
	if s.pools == nil {
		return
	}
	s.pools[v] = Busy
	if n := &w.Vnodes[v]; n.Jobs == 0 && n.Reservations == 0 {
		s.pools[v] = w.emptyPool(v)
	}
}

// A Bucket has equal vnodes: the same resources, queue and priority. Jobs that want vnodes exclusively are
// placed by buckets, not vnode by vnode.
type Bucket struct {
	Like   *Vnode // the first one
	Queue  *Queue
	Vnodes []int // in order
}

// NewSet makes a set of vnodes. With follow, later starts on these vnodes change the sums of this set, and no
// longer the sums of earlier sets. For each vnode the scheduler remembers only the last set that it made
// (quirk P30).
func (w *World) NewSet(name, value string, vnodes []int, follow bool) *Set {
	s := &Set{Name: name, Value: value, rank: w.Res.NextRank()}
	for _, v := range vnodes {
		if w.Vnodes[v].States&StaleState == 0 {
			s.Vnodes = append(s.Vnodes, v)
		}
	}
	s.Total = len(s.Vnodes)
	w.addUp(s)
	if follow {
		for _, v := range s.Vnodes {
			w.Vnodes[v].LastSet = s
		}
	}
	return s
}

// addUp sums the resources of a set's vnodes. Of a vnode that is not free everything counts as assigned.
func (w *World) addUp(s *Set) {
	again := s.Held != nil
	if !again {
		s.Stock = resource.NewStock(len(w.Res.List))
	}
	if again {
		s.Held = slices.Clone(s.Held)
		for r := range s.Held {
			if w.Res.List[r].Kind.Consumable() {
				s.Assigned[r] = 0
				if s.Held[r].Known {
					s.Held[r].Total = 0
				}
			}
		}
	}
	s.Free = 0
	for i, v := range s.Vnodes {
		if w.Vnodes[v].Free() {
			s.Free++
		}
		w.addVnode(s, &w.Vnodes[v], i == 0 && !again, again)
	}
	if w.Policy.ByUse && len(w.Policy.NodeKeys) > 0 {
		w.SortVnodes(s.Vnodes)
	}
}

// addVnode adds one vnode to the sums.
func (w *World) addVnode(s *Set, v *Vnode, first, again bool) {
	for r := range w.Checked {
		kind := w.Res.List[r].Kind
		if !w.Checked[r] && kind != resource.Boolean || again && !kind.Consumable() || r >= len(v.Held) {
			continue
		}
		have, sum := &v.Held[r], &s.Held[r]
		switch {
		case !have.Known && kind == resource.Boolean && !sum.Known:
			*sum = resource.Holding{Known: true, Set: true}
		case !have.Known && kind == resource.Boolean:
			sum.Mixed = sum.Mixed || sum.Total != 0
		case !have.Known:
		case !sum.Known:
			*sum, s.Assigned[r] = *have, v.Assigned[r]
			if first && !v.Free() {
				s.Assigned[r] = assignedWhole(have)
			}
		case kind.Consumable():
			sum.AddAmount(have)
			s.Assigned[r] += assignedOf(v, have, v.Assigned[r])
		case kind == resource.Text:
			sum.AddValues(have.Values)
		default:
			sum.Mixed = sum.Mixed || sum.Total != have.Total
		}
	}
}

// assignedWhole is what counts as assigned of a vnode that takes no jobs: all that it has.
func assignedWhole(h *resource.Holding) float64 {
	if math.IsInf(h.Total, 1) {
		return 0
	}
	return h.Total
}

func assignedOf(v *Vnode, h *resource.Holding, assigned float64) float64 {
	if v.Free() {
		return assigned
	}
	return assignedWhole(h)
}

// Partition divides vnodes by the values of resources: one set for each value, in order of appearance.
func (w *World) Partition(vnodes []int, keys []string, follow bool) []*Set {
	var sets []*Set
	for _, key := range keys {
		members := map[string][]int{}
		var values []string
		for _, v := range vnodes {
			for _, value := range w.valuesOf(v, key) {
				if members[value] == nil {
					values = append(values, value)
				}
				members[value] = append(members[value], v)
			}
		}
		for _, value := range values {
			s := w.NewSet(key+"="+value, value, members[value], follow)
			s.SameHost = w.OneHost(s.Vnodes)
			if follow && !w.MultiVnode { // with hosts of several vnodes no job is placed by buckets
				w.notePools(s)
			}
			sets = append(sets, s)
		}
	}
	return sets
}

// A grouping is a list of vnodes, by its place in memory, and the resource that divides it.
type grouping struct {
	first *int
	count int
	key   string
}

// Grouped divides vnodes by the values of a resource, for one job. It keeps the sets until a job starts or
// ends. They keep the order of the first search: by size, or unsorted if the search was for hosts (quirk
// P48).
func (w *World) Grouped(vnodes []int, key string, bySize bool) []*Set {
	if len(vnodes) == 0 {
		return nil
	}
	g := grouping{&vnodes[0], len(vnodes), key}
	sets, known := w.groupings[g]
	if known {
		return sets
	}
	sets = w.Partition(vnodes, []string{key}, false)
	if bySize {
		w.SortSets(sets)
	}
	if w.groupings == nil {
		w.groupings = map[grouping][]*Set{}
	}
	w.groupings[g] = sets
	return sets
}

// valuesOf are the values of a resource by which a vnode belongs to sets. Without only_explicit_psets the vnodes that
// have none form a set of their own.
func (w *World) valuesOf(v int, key string) []string {
	if w.Vnodes[v].States&StaleState != 0 {
		return nil
	}
	if r, ok := w.Res.Index[key]; ok {
		if h, _ := w.LookUp(&w.Vnodes[v].Stock, r); h.Known && len(h.Values) > 0 {
			return h.Values
		}
	}
	if w.Sched.OnlyExplicitSets {
		return nil
	}
	return []string{`""`}
}

func (w *World) OneHost(vnodes []int) bool {
	for _, v := range vnodes {
		if w.Vnodes[v].Host != w.Vnodes[vnodes[0]].Host {
			return false
		}
	}
	return true
}

// SortSets sorts placement sets, the smallest first: by cpus and memory, then by how much of them is free.
func (w *World) SortSets(sets []*Set) {
	fairshare.MergeSort(sets, func(a, b *Set) int {
		return cmp.Or(w.bySize(a, b, w.Res.Ncpus), w.bySize(a, b, w.Res.Mem), w.byFree(a, b, w.Res.Ncpus),
			w.byFree(a, b, w.Res.Mem))
	})
}

func (w *World) bySize(a, b *Set, res int) int {
	if !a.Held[res].Known || !b.Held[res].Known {
		return 0
	}
	return compareAmounts(a.Held[res].Total, b.Held[res].Total)
}

func (w *World) byFree(a, b *Set, res int) int {
	if !a.Held[res].Known || !b.Held[res].Known {
		return 0
	}
	return compareAmounts(a.Stock.Free(res), b.Stock.Free(res))
}

// compareAmounts compares amounts, of which the infinite one is the smallest.
func compareAmounts(a, b float64) int {
	switch {
	case a == b:
		return 0
	case math.IsInf(a, 1):
		return -1
	case math.IsInf(b, 1):
		return 1
	}
	return cmp.Compare(a, b)
}

// Refresh adds up the sets again after a claim ended. An estimate skips the set of all vnodes, because it
// does not use it.
func (w *World) Refresh(estimate bool) {
	if !w.Stale {
		return
	}
	w.addUpAgain(w.Groups)
	for _, q := range w.Queues {
		w.addUpAgain(q.Groups)
	}
	for _, s := range w.Hosts {
		w.addUp(s)
	}
	if !estimate {
		w.addUp(w.All)
	}
	w.sortAllSets()
	w.Stale = false
}

// addUpAgain adds up placement sets again, and notes the pools of their vnodes.
func (w *World) addUpAgain(sets []*Set) {
	for _, s := range sets {
		w.addUp(s)
		for _, v := range s.Vnodes {
			w.notePool(s, v)
		}
	}
}

func (w *World) sortAllSets() {
	if w.PBS.Server.NodeGroupEnable {
		w.SortSets(w.Groups)
		for _, q := range w.Queues {
			w.SortSets(q.Groups)
		}
	}
	if w.Policy.ByUse && len(w.Policy.NodeKeys) > 0 && w.Hosts != nil {
		w.sortHosts()
	}
}

// sortHosts sorts hosts by node_sort_key, as vnodes are sorted.
func (w *World) sortHosts() {
	slices.SortFunc(w.Hosts, func(a, b *Set) int {
		for _, k := range w.Policy.NodeKeys {
			if c := k.Compare(k.ofSet(a), k.ofSet(b)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.rank, b.rank)
	})
}

// noteStart changes the sums of the sets that a vnode belongs to, after something started on it.
func (w *World) noteStart(v int, gives []resource.Request) (inSets bool) {
	s := w.Vnodes[v].LastSet
	if s == nil {
		return false
	}
	s.Stock.Add(gives, 1, w.Res)
	if !w.Vnodes[v].Free() {
		s.Free--
	}
	w.notePool(s, v)
	return true
}
