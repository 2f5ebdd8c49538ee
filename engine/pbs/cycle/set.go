package cycle

import (
	"cmp"
	"math"
	"slices"

	"qprism/engine/pbs/fairshare"
)

// A set is a number of vnodes and the sums of their resources: all of them, those of a host, or a placement set.
type set struct {
	stock
	name     string // "host=n1"
	value    string // "n1"
	vnodes   []int
	free     int
	total    int
	sameHost bool // chunks may be spread over its vnodes
	rank     int
}

// newSet makes a set of vnodes. With follow, what starts on them changes its sums from now on, and those of no set made before: the
// scheduler remembers of each vnode only the set that it made last (quirk P30).
func (w *world) newSet(name, value string, vnodes []int, follow bool) *set {
	s := &set{name: name, value: value, rank: w.res.nextRank()}
	for _, v := range vnodes {
		if w.vnodes[v].states&staleState == 0 {
			s.vnodes = append(s.vnodes, v)
		}
	}
	s.total = len(s.vnodes)
	w.addUp(s)
	if follow {
		for _, v := range s.vnodes {
			w.vnodes[v].follows = s
		}
	}
	return s
}

// addUp sums the resources of a set's vnodes. Of a vnode that is not free everything counts as assigned.
func (w *world) addUp(s *set) {
	again := s.held != nil
	if !again {
		s.stock = newStock(len(w.res.list))
	}
	if again {
		s.held = slices.Clone(s.held)
		for r := range s.held {
			if w.res.list[r].kind.consumable() {
				s.assigned[r] = 0
				if s.held[r].known {
					s.held[r].total = 0
				}
			}
		}
	}
	s.free = 0
	for i, v := range s.vnodes {
		if w.vnodes[v].free() {
			s.free++
		}
		w.addVnode(s, &w.vnodes[v], i == 0 && !again, again)
	}
	if w.policy.byUse && len(w.policy.nodeKeys) > 0 {
		w.sortVnodes(s.vnodes)
	}
}

// addVnode adds one vnode to the sums.
func (w *world) addVnode(s *set, v *vnode, first, again bool) {
	for r := range w.checks {
		kind := w.res.list[r].kind
		if !w.checks[r] && kind != boolean || again && !kind.consumable() || r >= len(v.held) {
			continue
		}
		have, sum := &v.held[r], &s.held[r]
		switch {
		case !have.known && kind == boolean && !sum.known:
			*sum = holding{known: true, set: true}
		case !have.known && kind == boolean:
			sum.mixed = sum.mixed || sum.total != 0
		case !have.known:
		case !sum.known:
			*sum, s.assigned[r] = *have, v.assigned[r]
			if first && !v.free() {
				s.assigned[r] = assignedWhole(have)
			}
		case kind.consumable():
			sum.addAmount(have)
			s.assigned[r] += assignedOf(v, have, v.assigned[r])
		case kind == text:
			sum.addValues(have.values)
		default:
			sum.mixed = sum.mixed || sum.total != have.total
		}
	}
}

// assignedWhole is what counts as assigned of a vnode that takes no jobs: all that it has.
func assignedWhole(h *holding) float64 {
	if math.IsInf(h.total, 1) {
		return 0
	}
	return h.total
}

func assignedOf(v *vnode, h *holding, assigned float64) float64 {
	if v.free() {
		return assigned
	}
	return assignedWhole(h)
}

// partition divides vnodes by the values of resources: one set for each value that occurs, in order of appearance.
func (w *world) partition(vnodes []int, keys []string, follow bool) []*set {
	var sets []*set
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
			s := w.newSet(key+"="+value, value, members[value], follow)
			s.sameHost = w.oneHost(s.vnodes)
			sets = append(sets, s)
		}
	}
	return sets
}

// valuesOf are the values of a resource by which a vnode belongs to sets. Without only_explicit_psets the vnodes that
// have none form a set of their own.
func (w *world) valuesOf(v int, key string) []string {
	if w.vnodes[v].states&staleState != 0 {
		return nil
	}
	if r, ok := w.res.index[key]; ok {
		if h, _ := w.lookUp(&w.vnodes[v].stock, r); h.known && len(h.values) > 0 {
			return h.values
		}
	}
	if w.sched.OnlyExplicitSets {
		return nil
	}
	return []string{`""`}
}

func (w *world) oneHost(vnodes []int) bool {
	for _, v := range vnodes {
		if w.vnodes[v].host != w.vnodes[vnodes[0]].host {
			return false
		}
	}
	return true
}

// sortSets sorts placement sets: the smallest first, by cpus and memory, then by how much of them is free.
func (w *world) sortSets(sets []*set) {
	fairshare.MergeSort(sets, func(a, b *set) int {
		return cmp.Or(w.bySize(a, b, w.res.ncpus), w.bySize(a, b, w.res.mem), w.byFree(a, b, w.res.ncpus), w.byFree(a, b, w.res.mem))
	})
}

func (w *world) bySize(a, b *set, res int) int {
	if !a.held[res].known || !b.held[res].known {
		return 0
	}
	return compareAmounts(a.held[res].total, b.held[res].total)
}

func (w *world) byFree(a, b *set, res int) int {
	if !a.held[res].known || !b.held[res].known {
		return 0
	}
	return compareAmounts(a.stock.free(res), b.stock.free(res))
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

// refresh adds up the sets again after something ended. An estimate leaves out the sets of all vnodes, which it does not
// look at.
func (w *world) refresh(estimate bool) {
	if !w.stale {
		return
	}
	for _, s := range w.groups {
		w.addUp(s)
	}
	for _, q := range w.queues {
		for _, s := range q.groups {
			w.addUp(s)
		}
	}
	for _, s := range w.hosts {
		w.addUp(s)
	}
	if !estimate {
		w.addUp(w.all)
	}
	w.sortAllSets()
	w.stale = false
}

func (w *world) sortAllSets() {
	if w.pbs.Server.NodeGroupEnable {
		w.sortSets(w.groups)
		for _, q := range w.queues {
			w.sortSets(q.groups)
		}
	}
	if w.policy.byUse && len(w.policy.nodeKeys) > 0 && w.hosts != nil {
		w.sortHosts()
	}
}

// sortHosts sorts hosts by node_sort_key, as vnodes are sorted.
func (w *world) sortHosts() {
	slices.SortFunc(w.hosts, func(a, b *set) int {
		for _, k := range w.policy.nodeKeys {
			if c := k.compare(k.ofSet(a), k.ofSet(b)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.rank, b.rank)
	})
}

// noteStart changes the sums of the sets that a vnode belongs to, after something started on it.
func (w *world) noteStart(v int, gives []request) (inSets bool) {
	s := w.vnodes[v].follows
	if s == nil {
		return false
	}
	s.stock.add(gives, 1, w.res)
	if !w.vnodes[v].free() {
		s.free--
	}
	return true
}
