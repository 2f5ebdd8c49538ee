package place

import (
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// timeOf finds whether a layer has enough for one request of n slots: from a start for the time that the job takes, or,
// where the start is atEnd, the moment from which on it has.
func (a *Attempt) timeOf(req *resource.Request, l *resource.Layer, n int, start seconds, unasked bool) (
	resource.Result, seconds) {
	at := req.Attr
	o, ok := l.Offer(at, a.Run.OverTime, utilization.RightNow, 0)
	if !ok {
		return resource.NotThere, start
	}
	u := l.UseOf(at)
	if !resource.Matches(req, o, n, unasked) {
		a.Refuse(resource.ReasonOf(req, unasked), l, req, o.Text(), l.Suffices(req, n), false)
		return resource.NeverAny, start
	}
	switch {
	case !a.Run.OverTime && (u == nil || len(u.Over) == 0) && !at.Exclusive:
		return resource.Fits, start // what is left at the moment was compared above
	case !at.IsConsumable && start == utilization.AtEnd:
		return resource.Fits, a.Run.Now
	case !at.IsConsumable:
		return resource.Fits, start
	}
	c := l.Configured(at)
	if c == nil || u == nil {
		return resource.NotThere, start
	}
	return a.timeOfUse(req, l, u, c.Amount, n, start, unasked)
}

// timeOfUse is timeOf for a consumable of which the layer has a total.
func (a *Attempt) timeOfUse(req *resource.Request, l *resource.Layer, u *resource.Use, total float64,
	n int, start seconds, unasked bool) (resource.Result, seconds) {
	amount := req.Amount
	if unasked && req.Attr.Exclusive {
		amount = 0
	}
	need, exclusive := amount*float64(n), amount != 0
	switch {
	case start == utilization.AtEnd && total-need < 0:
		a.Refuse(resource.ReasonOf(req, unasked), l, req, resource.FormatAmount(total), false, false)
		return resource.NeverAny, start
	case start == utilization.AtEnd:
		return resource.Fits, a.Run.free(u, a.mostInUse(req.Attr, total, need), a.Duration, exclusive)
	case req.Attr.Exclusive:
		return a.timeOfExclusive(req, l, u, start, exclusive), start
	}
	at := start
	if start == utilization.RightNow {
		at = a.Run.Now
	}
	most := u.Over.Max(at, a.Duration)
	if need <= total-most {
		return resource.Fits, start
	}
	a.Refuse(model.ReasonResource, l, req, resource.FormatAmount(total-most), need <= total, need <= total-u.Over.At(at))
	if need > total || need > total-u.Over.AtLast() { // there is not as much, or it is booked for ever
		return resource.NeverAny, start
	}
	return resource.NotThen, start
}

// mostInUse is how much of a resource may be in use where a job takes an amount. Of an exclusive one that is
// nothing, even where the job does not ask for it (D22).
func (a *Attempt) mostInUse(at *resource.Attribute, total, need float64) float64 {
	if at.Exclusive && !a.Run.Quirks.ExclusiveUseIgnored {
		return 0
	}
	return total - need
}

// timeOfExclusive is timeOf for an exclusive resource: nobody else may be there, at the moment and later.
func (a *Attempt) timeOfExclusive(req *resource.Request, l *resource.Layer, u *resource.Use, start seconds,
	exclusive bool) resource.Result {
	overTime := a.Run.OverTime || len(u.Over) > 0
	if u.Most(start, a.Duration, exclusive) == 0 && (!overTime || u.Most(a.Run.Now, a.Duration, exclusive) == 0) {
		return resource.Fits
	}
	a.Refuse(model.ReasonExclusive, l, req, "in use", true, false)
	return resource.NotThen
}

// timeOfAll finds whether a layer has enough for all that the job asks for: slots, what is booked for those who do not
// ask, and each request. What another layer has may be missing here.
func (a *Attempt) timeOfAll(l *resource.Layer, tag resource.LayerTag, start seconds) (resource.Result, seconds) {
	a.Forget(tag)
	got, latest := a.timeOf(&a.Run.OneSlot, l, 1, start, true)
	switch {
	case got == resource.NotThere && tag != resource.MetAtQueue:
		latest = 0
	case got != resource.Fits:
		return got, 0
	}
	got, t := a.timeOfUnasked(l, start)
	if got != resource.Fits {
		return got, 0
	}
	latest = max(latest, t)
	got, t = a.timeOfAsked(l, tag, start)
	if got != resource.Fits && got != resource.NotThere {
		return got, 0
	}
	return got, max(latest, t)
}

// timeOfUnasked looks at what the job takes of a layer without asking for it.
func (a *Attempt) timeOfUnasked(l *resource.Layer, start seconds) (got resource.Result, latest seconds) {
	for _, u := range l.Uses {
		if req, ok := a.Unasked(u.Attr); ok {
			got, t := a.timeOf(req, l, 1, start, true)
			if got != resource.Fits {
				return got, 0
			}
			latest = max(latest, t)
		}
	}
	return resource.Fits, latest
}

// timeOfAsked looks at each request of the job. It says notThere where another layer may have what this one has not.
func (a *Attempt) timeOfAsked(l *resource.Layer, tag resource.LayerTag, start seconds) (
	got resource.Result, latest seconds) {
	for i := range a.Category.Hard {
		r, t := a.timeOfRequest(&a.Category.Hard[i], l, tag, start)
		switch {
		case r == resource.Fits:
			latest = max(latest, t)
		case r != resource.NotThere:
			return r, 0
		case tag != resource.MetAtQueue:
			got = resource.NotThere
		}
	}
	return got, latest
}

// timeOfRequest is timeOf for what the job asks for itself; it remembers where that was met.
func (a *Attempt) timeOfRequest(req *resource.Request, l *resource.Layer, tag resource.LayerTag, start seconds) (
	resource.Result, seconds) {
	if req.Attr == nil {
		if tag != resource.MetAtQueue {
			return resource.NotThere, start
		}
		a.Refuse(model.ReasonUnknown, l, req, "", false, false)
		return resource.NeverAny, start
	}
	r, t := a.timeOf(req, l, 1, start, false)
	switch {
	case r == resource.Fits:
		req.Met = max(req.Met, tag)
	case r == resource.NotThere && tag == resource.MetAtQueue && req.Met == resource.MetNowhere:
		a.Refuse(model.ReasonUnknown, l, req, "", false, false)
		return resource.NeverAny, start
	}
	return r, t
}

// Forget starts a search on a layer: results for this layer, and for layers closer to the queue instance, are
// checked again.
func (a *Attempt) Forget(tag resource.LayerTag) {
	for _, list := range a.Category.Scopes() {
		for i := range list {
			if list[i].Met <= tag {
				list[i].Met = resource.MetNowhere
			}
		}
	}
}

// Unasked is the request of a job that does not request a consumable. It is the default amount. For an
// exclusive resource, it is the condition that no other job has the resource exclusively.
func (a *Attempt) Unasked(at *resource.Attribute) (*resource.Request, bool) {
	if at.Name == resource.SlotsName || at.Standard == 0 && !at.Exclusive || a.Category.AsksForAll(at) {
		return nil, false
	}
	return a.Run.Standard(at), true
}

// nextGap is the latest of the first gaps of each resource of a layer, not before a moment.
func (a *Attempt) nextGap(l *resource.Layer, from seconds) seconds {
	from = max(from, a.Run.Now)
	for i := range l.Capacities {
		c := &l.Capacities[i]
		u := l.UseOf(c.Attr)
		amount, exclusive, ok := a.Category.Amount(c.Attr)
		if u == nil || !ok {
			continue
		}
		from = u.Gap(from, a.Duration, a.mostInUse(c.Attr, c.Amount, amount), exclusive)
	}
	return from
}

// Violations counts the soft requests that a layer does not meet.
func (a *Attempt) Violations(l *resource.Layer, tag resource.LayerTag) uint32 {
	if len(a.Category.Soft) == 0 {
		return 0
	}
	a.Quiet++
	defer func() { a.Quiet-- }()
	n := uint32(0)
	for i := range a.Category.Soft {
		req := &a.Category.Soft[i]
		if req.Met <= tag {
			req.Met = resource.MetNowhere
		}
		r := resource.NotThere
		if req.Attr != nil {
			r, _ = a.timeOf(req, l, 1, utilization.RightNow, false)
		}
		switch {
		case r == resource.Fits:
			req.Met = max(req.Met, tag)
		case r == resource.NeverAny:
			n++
		case tag == resource.MetAtQueue && req.Met == resource.MetNowhere:
			n++
		}
	}
	return n
}

// free is the moment from which on no more than a limit of a resource is in use: after the last time that more is, or
// in the first gap that is long enough (D11).
func (r *Run) free(u *resource.Use, limit float64, duration seconds, exclusive bool) seconds {
	if r.Quirks.EarlierGapsIgnored {
		if at := u.Below(limit, exclusive); at != 0 {
			return at
		}
		return r.Now
	}
	return u.Gap(r.Now, duration, limit, exclusive)
}
