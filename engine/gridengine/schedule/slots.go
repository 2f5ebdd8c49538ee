package schedule

import (
	"math"

	"qprism/engine/model"
)

// unlimited is the number of slots where nothing limits them.
const unlimited = math.MaxInt32

// Slots are how many slots there are: at the start of the search, and at last, when all that is booked has ended.
type slots struct{ now, last int }

func (s slots) least(o slots) slots { return slots{min(s.now, o.now), min(s.last, o.last)} }

// slotsOf finds how many slots of a parallel job one resource of a layer is enough for.
func (a *attempt) slotsOf(req *request, l *layer) (result, slots) {
	at := req.attr
	o, ok := l.offer(at, a.run.overTime, rightNow, 0)
	if !ok {
		return notThere, slots{}
	}
	unasked := req.scope == "" && a.cat.asks(at) == nil
	if !matches(req, o, 1, unasked || l.level == levelQueue) {
		a.refuse(reasonOf(req, unasked), l, req, o.text(), l.suffices(req, 1), false)
		return neverAny, slots{}
	}
	c := l.configured(at)
	if !at.consumable || c == nil {
		return fits, slots{unlimited, unlimited}
	}
	if at.exclusive {
		return a.slotsOfExclusive(req, l, l.used(at))
	}
	return a.slotsOfUse(req, l, l.used(at), c.amount)
}

// slotsOfExclusive is slotsOf for an exclusive resource.
func (a *attempt) slotsOfExclusive(req *request, l *layer, u *use) (got result, n slots) {
	start, exclusive := a.start, req.amount != 0 && (req.scope != "" || a.cat.asks(req.attr) != nil)
	if a.run.overTime && !a.reserve {
		start = a.run.now
	}
	n = slots{unlimited, unlimited}
	if u.most(start, a.duration, exclusive) != 0 {
		got, n.now = notThen, 0
	}
	if u.atLast(exclusive) != 0 {
		got, n.last = notThen, 0
	}
	if got != fits {
		a.refuse(model.ReasonExclusive, l, req, "in use", true, false)
	}
	return got, n
}

// slotsOfUse is slotsOf for a consumable of which the layer has a total.
func (a *attempt) slotsOfUse(req *request, l *layer, u *use, total float64) (got result, n slots) {
	used, master := a.inUse(u), a.masterTakes(req.attr)
	used += master
	n = slots{unlimited, unlimited}
	if req.amount == 0 || total >= math.MaxFloat64 {
		return fits, n
	}
	n = slots{toSlots((total - used) / req.amount), toSlots((total - u.atLast(false) - master) / req.amount)}
	if n.now == 0 || n.last == 0 {
		a.refuse(model.ReasonResource, l, req, print(total-used), req.amount <= total, n.now == 0 && l.level != levelPE &&
			toSlots((total-u.now)/req.amount) > 0)
	}
	if !req.attr.once {
		return fits, n
	}
	if n.now == 0 || n.last == 0 {
		got = notThen
	}
	if l.level != levelGlobal || n.now > 0 {
		n.now = unlimited
	}
	if l.level != levelGlobal || n.last > 0 {
		n.last = unlimited
	}
	return got, n
}

// inUse is how much of a resource a parallel job finds in use while it would run.
func (a *attempt) inUse(u *use) float64 {
	switch {
	case a.run.empty:
		return 0
	case !a.run.overTime && len(u.over) == 0:
		return u.now
	case a.reserve:
		return u.most(a.start, a.duration, false)
	}
	return u.most(a.run.now, a.duration, false)
}

// toSlots cuts a number of slots off, towards zero; what is no number is none.
func toSlots(n float64) int {
	switch {
	case n >= unlimited:
		return unlimited
	case n <= -unlimited:
		return -unlimited
	case n != n:
		return 0
	}
	return int(n)
}

// slotsOfAll finds how many slots of a parallel job a layer is enough for. What is consumed once for the job does not
// limit slots: it says whether an instance can take the master task.
func (a *attempt) slotsOfAll(l *layer, tag layerTag, q *instance) (got result, n slots) {
	a.forget(min(tag, metAtQueue))
	n = slots{unlimited, unlimited}
	if l.configured(a.run.world.slots) != nil {
		r, m := a.slotsOf(&a.run.oneSlot, l)
		if r != fits {
			return r, slots{}
		}
		n = n.least(m)
	}
	for _, u := range l.uses {
		if req, ok := a.unasked(u.attr); ok {
			r, m := a.slotsOf(req, l)
			if r != fits {
				return neverAny, slots{}
			}
			n = n.least(m)
		}
	}
	for i := range a.cat.hard {
		r, m := a.slotsOfRequest(&a.cat.hard[i], l, tag, q)
		switch r {
		case fits, notThen:
			got, n = r, n.least(m)
		case neverAny:
			return neverAny, slots{}
		}
	}
	if a.cat.scoped() {
		return a.slotsOfScopes(l, tag, q, got, n)
	}
	return got, n
}

// slotsOfRequest is slotsOf for what the job asks for itself.
func (a *attempt) slotsOfRequest(req *request, l *layer, tag layerTag, q *instance) (result, slots) {
	got, n := notThere, slots{}
	if req.attr != nil {
		got, n = a.slotsOf(req, l)
	}
	once := req.attr != nil && req.attr.once
	switch {
	case got == neverAny && once:
		q.mayMaster(0)
		got = notThere
	case got == notThen && once && q != nil:
		q.mayMaster(1)
		a.run.mastersLowered = true
	}
	switch {
	case got == fits || got == notThen:
		req.met = max(req.met, tag)
	case got == notThere && tag == metAtQueue && req.met == metNowhere && once:
		q.mayMaster(0)
	case got == notThere && tag == metAtQueue && req.met == metNowhere:
		a.refuse(model.ReasonUnknown, l, req, "", false, false)
		return neverAny, slots{}
	}
	return got, n
}

// mayMaster says whether an instance can take the master task: 0 never, 1 later.
func (q *instance) mayMaster(level uint8) {
	if q != nil {
		q.master = level
	}
}

// slotsOfQuotas finds how many slots the quotas leave a parallel job in a queue instance.
func (a *attempt) slotsOfQuotas(q *instance) (result, slots) {
	n := slots{unlimited, unlimited}
	for _, c := range a.quotasOf(q) {
		if c.round != a.round {
			c.round = a.round
			a.countQuota(c, q)
		} else {
			q.master = min(q.master, c.master)
		}
		n = n.least(slots{c.slots, c.slotsAtEnd})
		if c.result != fits || n.now == 0 && (a.reserve || !a.careful || n.last == 0) {
			a.sortOut(c, q)
		}
		if c.result != fits || n.now == 0 {
			a.note(a.exceeds(c))
			return c.result, n
		}
	}
	return fits, n
}

// countQuota finds how many slots one rule leaves.
func (a *attempt) countQuota(c *counter, q *instance) {
	c.fix(a.run, q.host)
	before := q.master
	q.master = 2
	n := slots{unlimited, unlimited}
	c.result = fits
	a.quiet++
	for i := range c.limits {
		at := c.limits[i].attr
		if at.consumable {
			got, m := a.slotsOfLimit(c, at, q)
			if a.run.quirks.QuotaSeesQueue && !a.meets(q) {
				got, m = neverAny, slots{}
			}
			n = n.least(m)
			if got != fits && got != notThen {
				c.result = got
				break
			}
		} else if req := a.cat.asks(at); req != nil && !a.withinLimit(req, c.conf[i]) {
			c.result = neverAny
			break
		}
	}
	a.quiet--
	c.slots, c.slotsAtEnd, c.master = n.now, n.last, q.master
	q.master = min(before, q.master)
}

// slotsOfLimit is slotsOfAll for one limit of a rule.
func (a *attempt) slotsOfLimit(c *counter, at *attr, q *instance) (result, slots) {
	req, _ := a.limited(at)
	if req == nil || a.cat.scoped() && req.scope == "" && a.cat.asks(at) == nil && a.cat.asksAnywhere(at) != nil {
		return a.slotsOfScopes(&c.layer, metNowhere, q, fits, slots{unlimited, unlimited}, at)
	}
	got, n := a.slotsOf(req, &c.layer)
	switch {
	case at.once && got == neverAny:
		q.mayMaster(0)
		return fits, slots{unlimited, unlimited}
	case at.once && got == notThen:
		q.mayMaster(1)
	case got == neverAny:
		return neverAny, slots{}
	}
	return got, n
}

// withinLimit compares a request with the limit of a rule; the master turns them round and so refuses all (D24).
func (a *attempt) withinLimit(req *request, c capacity) bool {
	if a.run.quirks.ReversedLimit {
		return false
	}
	return matches(req, offer{attr: req.attr, perSlot: value{kind: fromFixed, amount: c.amount, text: c.text}}, 1, true)
}
