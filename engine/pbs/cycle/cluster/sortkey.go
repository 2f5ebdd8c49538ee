package cluster

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// A SortKey is a node_sort_key or a job_sort_key.
type SortKey struct {
	model.SortKey
	res int // -1 for none
}

// Compare compares amounts in the key's direction.
func (k *SortKey) Compare(a, b float64) int {
	switch {
	case a == b:
		return 0
	case a < b != k.Descending:
		return -1
	}
	return 1
}

func (k *SortKey) ofSet(s *Set) float64 { return s.Stock.AmountOf(k.res, k.By) }

// OfLike is the sort key of a bucket: the key of its vnodes without jobs.
func (k *SortKey) OfLike(v *Vnode) float64 {
	switch {
	case k.res < 0 && k.Resource == "sort_priority":
		return float64(v.Priority)
	case k.By == "assigned":
		return 0
	}
	return v.Stock.AmountOf(k.res, "total")
}

// ofVnode is the key of a vnode.
func (k *SortKey) ofVnode(w *World, v int) float64 {
	n := &w.Vnodes[v]
	switch {
	case k.res < 0 && k.Resource == "sort_priority":
		return float64(n.Priority)
	case k.res < 0 && k.Resource == "last_used_time":
		return float64(n.LastUsed)
	case k.res < 0 || k.res >= len(n.Held):
		return 0
	case n.Held[k.res].From > 0:
		return w.Vnodes[n.Held[k.res].From-1].Stock.AmountOf(k.res, k.By)
	}
	return n.Stock.AmountOf(k.res, k.By)
}

// compareVnodes compares by node_sort_key, then by the server's order.
func (w *World) compareVnodes(a, b int) int {
	for i := range w.Policy.NodeKeys {
		k := &w.Policy.NodeKeys[i]
		if c := k.Compare(k.ofVnode(w, a), k.ofVnode(w, b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(w.Vnodes[a].Rank, w.Vnodes[b].Rank)
}

func (w *World) SortVnodes(vnodes []int) { slices.SortFunc(vnodes, w.compareVnodes) }

// SortByHost sorts by host name, then by node_sort_key.
func (w *World) SortByHost(vnodes []int) {
	fairshare.MergeSort(vnodes, func(a, b int) int {
		if c := strings.Compare(w.Vnodes[a].Host, w.Vnodes[b].Host); c != 0 || len(w.Policy.NodeKeys) == 0 {
			return c
		}
		return w.compareVnodes(a, b)
	})
}

// resort sorts vnodes again after something started, where the keys look at what is used.
func (w *World) resort(inside *Claim) {
	if !w.Policy.ByUse || len(w.Policy.NodeKeys) == 0 {
		return
	}
	if inside != nil {
		w.SortVnodes(inside.OwnVnodes)
		return
	}
	w.SortVnodes(w.Order)
	if w.QueueVnodes {
		w.SortVnodes(w.Common)
	}
}

// sortKeys resolves the resources that keys name.
func (w *World) sortKeys(keys []model.SortKey) (list []SortKey) {
	for _, k := range keys {
		list = append(list, SortKey{k, w.resourceOfKey(k)})
	}
	return list
}

func (w *World) resourceOfKey(k model.SortKey) int {
	if r, ok := w.Res.Index[k.Resource]; ok && w.Res.List[r].Known {
		return r
	}
	return -1
}

// OfJob is the key of a job.
func (k *SortKey) OfJob(c *Claim) float64 {
	if k.res >= 0 {
		if n := resource.Find(c.Asked, k.res); n != nil {
			return n.Amount
		}
		return 0
	}
	switch {
	case k.Resource == "job_priority" || k.Resource == "sort_priority":
		return float64(c.Priority)
	case k.Resource == "fair_share_perc" && c.Entity != nil:
		return float64(c.Entity.Perc)
	case k.Resource == "preempt_priority":
		return float64(c.Level)
	}
	return 0
}
