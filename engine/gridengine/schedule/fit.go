package schedule

import "qprism/engine/model"

// A result says whether something can run at a moment. A smaller one counts where several places differ.
type result uint8

const (
	fits     result = iota
	notThen         // another time would do
	neverJob        // never this job, in this run
	neverAny        // never any job that asks for the same
	notThere        // nothing is known of the resource here
)

// timeOf finds whether a layer has enough for one request of n slots: from a start for the time that the job takes, or,
// where the start is atEnd, the moment from which on it has.
func (a *attempt) timeOf(req *request, l *layer, n int, start seconds, unasked bool) (result, seconds) {
	at := req.attr
	o, ok := l.offer(at, a.run.overTime, rightNow, 0)
	if !ok {
		return notThere, start
	}
	u := l.used(at)
	if !matches(req, o, n, unasked) {
		a.refuse(reasonOf(req, unasked), l, req, o.text(), l.suffices(req, n), false)
		return neverAny, start
	}
	switch {
	case !a.run.overTime && (u == nil || len(u.over) == 0) && !at.exclusive:
		return fits, start // what is left at the moment was compared above
	case !at.consumable && start == atEnd:
		return fits, a.run.now
	case !at.consumable:
		return fits, start
	}
	c := l.configured(at)
	if c == nil || u == nil {
		return notThere, start
	}
	return a.timeOfUse(req, l, u, c.amount, n, start, unasked)
}

// timeOfUse is timeOf for a consumable of which the layer has a total.
func (a *attempt) timeOfUse(req *request, l *layer, u *use, total float64, n int, start seconds, unasked bool) (result, seconds) {
	amount := req.amount
	if unasked && req.attr.exclusive {
		amount = 0
	}
	need, exclusive := amount*float64(n), amount != 0
	switch {
	case start == atEnd && total-need < 0:
		a.refuse(reasonOf(req, unasked), l, req, print(total), false, false)
		return neverAny, start
	case start == atEnd:
		return fits, a.run.free(u, a.bearable(req.attr, total, need), a.duration, exclusive)
	case req.attr.exclusive:
		return a.timeOfExclusive(req, l, u, start, exclusive), start
	}
	at := start
	if start == rightNow {
		at = a.run.now
	}
	most := u.over.max(at, a.duration)
	if need <= total-most {
		return fits, start
	}
	a.refuse(model.ReasonResource, l, req, print(total-most), need <= total, need <= total-u.over.at(at))
	if need > total || need > total-u.over.atLast() { // there is not as much, or it is booked for ever
		return neverAny, start
	}
	return notThen, start
}

// suffices reports whether a layer would have enough of a consumable for n slots if nothing were in use. Then another time
// would do: the scheduler takes what has no end in sight for booked for ever, but jobs do end.
func (l *layer) suffices(req *request, n int) bool {
	c := l.configured(req.attr)
	return c != nil && req.attr.consumable && req.attr.Requestable != model.RequestNo && holds(req.attr.Relop, req.amount*float64(n), c.amount)
}

// bearable is how much of a resource may be in use where a job takes an amount. Of an exclusive one that is nothing, even
// where the job does not ask for it (D22).
func (a *attempt) bearable(at *attr, total, need float64) float64 {
	if at.exclusive && !a.run.quirks.ExclusiveUnseen {
		return 0
	}
	return total - need
}

// timeOfExclusive is timeOf for an exclusive resource: nobody else may be there, at the moment and later.
func (a *attempt) timeOfExclusive(req *request, l *layer, u *use, start seconds, exclusive bool) result {
	overTime := a.run.overTime || len(u.over) > 0
	if u.most(start, a.duration, exclusive) == 0 && (!overTime || u.most(a.run.now, a.duration, exclusive) == 0) {
		return fits
	}
	a.refuse(model.ReasonExclusive, l, req, "in use", true, false)
	return notThen
}

// free is the moment from which on no more than a limit of a resource is in use: after the last time that more is, or
// in the first gap that is long enough (D11).
func (r *run) free(u *use, limit float64, duration seconds, exclusive bool) seconds {
	if r.quirks.LastCrossing {
		if at := u.below(limit, exclusive); at != 0 {
			return at
		}
		return r.now
	}
	return u.gap(r.now, duration, limit, exclusive)
}

// gap is the first moment, not before from, from which on no more than a limit is in use for a duration.
func (u *use) gap(from, duration seconds, limit float64, exclusive bool) seconds {
	for {
		at := u.over.gap(from, duration, limit)
		if exclusive {
			at = max(at, u.other.gap(at, duration, limit))
		}
		if at == from || at == forever {
			return at
		}
		from = at
	}
}

// matches compares a request with what a layer offers: for each slot, and for n slots together.
func matches(req *request, o offer, n int, unasked bool) bool {
	at := req.attr
	if !unasked && at.Requestable == model.RequestNo {
		return false
	}
	if o.perSlot.loose {
		return true
	}
	if !at.numeric {
		return holdsText(at.Relop, req.pattern.Match(o.perSlot.text))
	}
	if o.perJob.set() && !holds(at.Relop, req.amount*float64(n), o.perJob.amount) {
		return false
	}
	if o.perSlot.set() || !o.perJob.set() && at.Requestable == model.RequestForced {
		return holds(at.Relop, req.amount, o.perSlot.amount)
	}
	return true
}

func reasonOf(req *request, unasked bool) model.ReasonKind {
	if !unasked && req.attr.Requestable == model.RequestNo {
		return model.ReasonNoRequest
	}
	return model.ReasonResource
}

// text is what counts of an offer.
func (o offer) text() string {
	if o.perJob.set() {
		return o.perJob.String()
	}
	return o.perSlot.String()
}

// timeOfAll finds whether a layer has enough for all that the job asks for: slots, what is booked for those who do not
// ask, and each request. What another layer has may be missing here.
func (a *attempt) timeOfAll(l *layer, tag layerTag, start seconds) (result, seconds) {
	a.forget(tag)
	got, latest := a.timeOf(&a.run.oneSlot, l, 1, start, true)
	switch {
	case got == notThere && tag != metAtQueue:
		latest = 0
	case got != fits:
		return got, 0
	}
	got, t := a.timeOfUnasked(l, start)
	if got != fits {
		return got, 0
	}
	latest = max(latest, t)
	got, t = a.timeOfAsked(l, tag, start)
	if got != fits && got != notThere {
		return got, 0
	}
	return got, max(latest, t)
}

// timeOfUnasked looks at what the job takes of a layer without asking for it.
func (a *attempt) timeOfUnasked(l *layer, start seconds) (got result, latest seconds) {
	for _, u := range l.uses {
		if req, ok := a.unasked(u.attr); ok {
			got, t := a.timeOf(req, l, 1, start, true)
			if got != fits {
				return got, 0
			}
			latest = max(latest, t)
		}
	}
	return fits, latest
}

// timeOfAsked looks at each request of the job. It says notThere where another layer may have what this one has not.
func (a *attempt) timeOfAsked(l *layer, tag layerTag, start seconds) (got result, latest seconds) {
	for i := range a.cat.hard {
		r, t := a.timeOfRequest(&a.cat.hard[i], l, tag, start)
		switch {
		case r == fits:
			latest = max(latest, t)
		case r != notThere:
			return r, 0
		case tag != metAtQueue:
			got = notThere
		}
	}
	return got, latest
}

// timeOfRequest is timeOf for what the job asks for itself; it remembers where that was met.
func (a *attempt) timeOfRequest(req *request, l *layer, tag layerTag, start seconds) (result, seconds) {
	if req.attr == nil {
		if tag != metAtQueue {
			return notThere, start
		}
		a.refuse(model.ReasonUnknown, l, req, "", false, false)
		return neverAny, start
	}
	r, t := a.timeOf(req, l, 1, start, false)
	switch {
	case r == fits:
		req.met = max(req.met, tag)
	case r == notThere && tag == metAtQueue && req.met == metNowhere:
		a.refuse(model.ReasonUnknown, l, req, "", false, false)
		return neverAny, start
	}
	return r, t
}

// forget starts a search on a layer: what was met there or closer to the queue instance is to be met again.
func (a *attempt) forget(tag layerTag) {
	for _, list := range a.cat.scopes() {
		for i := range list {
			if list[i].met <= tag {
				list[i].met = metNowhere
			}
		}
	}
}

// unasked is the request that stands in for a job that does not ask for a consumable: its default amount, or for an
// exclusive resource that nobody has it for himself.
func (a *attempt) unasked(at *attr) (*request, bool) {
	if at.Name == slotsName || at.standard == 0 && !at.exclusive || a.cat.asksForAll(at) {
		return nil, false
	}
	return a.run.standard(at), true
}

// nextGap is the latest of the first gaps of each resource of a layer, not before a moment.
func (a *attempt) nextGap(l *layer, from seconds) seconds {
	from = max(from, a.run.now)
	for i := range l.conf {
		c := &l.conf[i]
		u := l.used(c.attr)
		amount, exclusive, ok := a.cat.amount(c.attr)
		if u == nil || !ok {
			continue
		}
		from = u.gap(from, a.duration, a.bearable(c.attr, c.amount, amount), exclusive)
	}
	return from
}

// violations counts the soft requests that a layer does not meet.
func (a *attempt) violations(l *layer, tag layerTag) uint32 {
	if len(a.cat.soft) == 0 {
		return 0
	}
	a.quiet++
	defer func() { a.quiet-- }()
	n := uint32(0)
	for i := range a.cat.soft {
		req := &a.cat.soft[i]
		if req.met <= tag {
			req.met = metNowhere
		}
		r := notThere
		if req.attr != nil {
			r, _ = a.timeOf(req, l, 1, rightNow, false)
		}
		switch {
		case r == fits:
			req.met = max(req.met, tag)
		case r == neverAny:
			n++
		case tag == metAtQueue && req.met == metNowhere:
			n++
		}
	}
	return n
}
