package place

import (
	"strconv"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// CheckAdvance checks the advance reservation as a whole.
func (a *Attempt) CheckAdvance() resource.Result {
	if !a.Advance.Runs(a.Run.Now) {
		a.Note(model.Reason{Kind: model.ReasonAdvance, Object: strconv.Itoa(int(a.Advance.Number)),
			Offered: a.Advance.State, Later: true})
		return resource.NeverAny
	}
	return resource.Fits
}

// timeInAdvance finds whether an advance reservation has enough left in a queue instance.
func (a *Attempt) timeInAdvance(q *cluster.Instance) (resource.Result, seconds) {
	l := a.Advance.LayerOf(q)
	if l == nil {
		a.Note(model.Reason{Kind: model.ReasonAdvance, Level: resource.LevelQueue, Object: q.Name,
			Asked: strconv.Itoa(int(a.Advance.Number))})
		return resource.NeverAny, 0
	}
	r, t := a.timeOf(&a.Run.OneSlot, l, 1, a.Start, true)
	for i := range a.Category.Hard {
		req := &a.Category.Hard[i]
		if r != resource.Fits {
			return r, 0
		}
		if req.Attr == nil {
			a.Refuse(model.ReasonUnknown, l, req, "", false, false)
			return resource.NeverAny, 0
		}
		if !req.Attr.IsConsumable {
			r = a.matchesSomewhere(req, q)
			continue
		}
		got, at := a.timeOf(req, l, 1, a.Start, false)
		r, t = got, max(t, at)
		if got == resource.NotThere {
			a.Refuse(model.ReasonUnknown, l, req, "", false, false)
			r = resource.NeverAny
		}
	}
	return r, t
}

// matchesSomewhere compares a request that is for no consumable with what the cluster, the host and the queue offer.
func (a *Attempt) matchesSomewhere(req *resource.Request, q *cluster.Instance) resource.Result {
	found := false
	for _, l := range []*resource.Layer{&a.Run.Global.Layer, &q.ExecHost.Layer, &q.Layer} {
		o, ok := l.Offer(req.Attr, true, utilization.RightNow, 0)
		if ok && !resource.Matches(req, o, 1, false) {
			a.Refuse(resource.ReasonOf(req, false), l, req, o.Text(), false, false)
			return resource.NeverAny
		}
		found = found || ok
	}
	if !found {
		a.Refuse(model.ReasonUnknown, &q.Layer, req, "", false, false)
		return resource.NeverAny
	}
	return resource.Fits
}
