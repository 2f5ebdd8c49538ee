package cycle

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A nodeKey is a node_sort_key.
type nodeKey struct {
	model.SortKey
	res int // -1 for none
}

// A jobKey is a job_sort_key.
type jobKey struct {
	model.SortKey
	res int
}

// compare compares amounts in the key's direction.
func (k *nodeKey) compare(a, b float64) int { return inDirection(a, b, k.Descending) }

func inDirection(a, b float64, descending bool) int {
	switch {
	case a == b:
		return 0
	case a < b != descending:
		return -1
	}
	return 1
}

func (k *nodeKey) ofSet(s *set) float64 { return s.stock.amountOf(k.res, k.By) }

// ofLike is the key of a bucket: of a vnode like those in it, without jobs.
func (k *nodeKey) ofLike(v *vnode) float64 {
	switch {
	case k.res < 0 && k.Resource == "sort_priority":
		return float64(v.priority)
	case k.By == "assigned":
		return 0
	}
	return v.stock.amountOf(k.res, "total")
}

// of is the key of a vnode.
func (k *nodeKey) of(w *world, v int) float64 {
	n := &w.vnodes[v]
	switch {
	case k.res < 0 && k.Resource == "sort_priority":
		return float64(n.priority)
	case k.res < 0 && k.Resource == "last_used_time":
		return float64(n.lastUsed)
	case k.res < 0 || k.res >= len(n.held):
		return 0
	case n.held[k.res].from > 0:
		return w.vnodes[n.held[k.res].from-1].stock.amountOf(k.res, k.By)
	}
	return n.stock.amountOf(k.res, k.By)
}

// compareVnodes compares by node_sort_key, then by the server's order.
func (w *world) compareVnodes(a, b int) int {
	for i := range w.policy.nodeKeys {
		k := &w.policy.nodeKeys[i]
		if c := k.compare(k.of(w, a), k.of(w, b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(w.vnodes[a].rank, w.vnodes[b].rank)
}

func (w *world) sortVnodes(vnodes []int) { slices.SortFunc(vnodes, w.compareVnodes) }

// sortByHost sorts by name of the host, then by node_sort_key.
func (w *world) sortByHost(vnodes []int) {
	fairshare.MergeSort(vnodes, func(a, b int) int {
		if c := strings.Compare(w.vnodes[a].host, w.vnodes[b].host); c != 0 || len(w.policy.nodeKeys) == 0 {
			return c
		}
		return w.compareVnodes(a, b)
	})
}

// resort sorts vnodes again after something started, where the keys look at what is used.
func (w *world) resort(inside *claim) {
	if !w.policy.byUse || len(w.policy.nodeKeys) == 0 {
		return
	}
	if inside != nil {
		w.sortVnodes(inside.ownVnodes)
		return
	}
	w.sortVnodes(w.order)
	if w.queueVnodes {
		w.sortVnodes(w.anyone)
	}
}

// nodeKeysOf and jobKeysOf resolve the resources that keys name.
func (w *world) nodeKeysOf(keys []model.SortKey) (list []nodeKey) {
	for _, k := range keys {
		list = append(list, nodeKey{k, w.resourceOfKey(k)})
	}
	return list
}

func (w *world) jobKeysOf(keys []model.SortKey) (list []jobKey) {
	for _, k := range keys {
		list = append(list, jobKey{k, w.resourceOfKey(k)})
	}
	return list
}

func (w *world) resourceOfKey(k model.SortKey) int {
	if r, ok := w.res.index[k.Resource]; ok && w.res.list[r].known {
		return r
	}
	return -1
}

// of is the key of a job.
func (k *jobKey) of(c *claim) float64 {
	if k.res >= 0 {
		if n := find(c.asked, k.res); n != nil {
			return n.amount
		}
		return 0
	}
	switch {
	case k.Resource == "job_priority" || k.Resource == "sort_priority":
		return float64(c.priority)
	case k.Resource == "fair_share_perc" && c.entity != nil:
		return float64(c.entity.Perc)
	case k.Resource == "preempt_priority":
		return float64(c.level)
	}
	return 0
}
