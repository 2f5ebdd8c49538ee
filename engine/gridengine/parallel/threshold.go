package parallel

import (
	"strings"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// slotsByThresholds is how many more slots the load thresholds of a host's queue instances allow: the most that one of
// them does (D40).
func (a *search) slotsByThresholds(h *cluster.Host) int {
	most := 0
	for _, q := range h.Instances {
		least := resource.Unlimited
		for i := range q.LoadLimits {
			if n, limits := a.slotsByThreshold(q, &q.LoadLimits[i]); limits {
				least = min(least, n)
			}
		}
		most = max(most, least)
	}
	return most
}

func (a *search) slotsByThreshold(q *cluster.Instance, t *cluster.Threshold) (n int, limits bool) {
	at := t.Attr
	switch {
	case at == nil, at.Relop == model.Equal, at.Relop == model.NotEqual:
		return 0, false
	case at.IsConsumable:
		return a.slotsByConsumable(q, t)
	}
	l, v := a.Run.LoadOf(at, q.ExecHost)
	if v == nil || v.Adjust == 0 || a.Unadjusted {
		return 0, false
	}
	step := v.Adjust
	if at.Relop == model.AtMost || at.Relop == model.Less {
		step = -step
	}
	if strings.HasPrefix(at.Name, "np_") && l.NumProc > 1 {
		step /= l.NumProc
	}
	return resource.ToSlots((t.Amount-v.Amount)/step) + 1, true
}

// slotsByConsumable is slotsByThreshold for what each slot takes an amount of.
func (a *search) slotsByConsumable(q *cluster.Instance, t *cluster.Threshold) (n int, limits bool) {
	v, ok := a.Run.Combined(t.Attr, &a.Run.Global.Layer, &q.ExecHost.Layer, &q.Layer)
	amount, _, _ := a.Category.Amount(t.Attr)
	if !ok || amount == 0 {
		return 0, !ok
	}
	if t.Attr.SmallerCounts() {
		amount = -amount
	}
	return resource.ToSlots((t.Amount - v.Amount) / amount), true
}
