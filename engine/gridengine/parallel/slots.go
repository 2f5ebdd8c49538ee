package parallel

import (
	"math"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// Slots are how many slots there are: at the start of the search, and at last, when all that is booked has ended.
type slots struct{ now, last int }

func (s slots) least(o slots) slots { return slots{min(s.now, o.now), min(s.last, o.last)} }

// slotsOf finds how many slots of a parallel job one resource of a layer is enough for.
func (a *search) slotsOf(req *resource.Request, l *resource.Layer) (resource.Result, slots) {
	at := req.Attr
	o, ok := l.Offer(at, a.Run.OverTime, utilization.RightNow, 0)
	if !ok {
		return resource.NotThere, slots{}
	}
	unasked := req.Scope == "" && a.Category.Asks(at) == nil
	if !resource.Matches(req, o, 1, unasked || l.Level == resource.LevelQueue) {
		a.Refuse(resource.ReasonOf(req, unasked), l, req, o.Text(), l.Suffices(req, 1), false)
		return resource.NeverAny, slots{}
	}
	c := l.Configured(at)
	if !at.IsConsumable || c == nil {
		return resource.Fits, slots{resource.Unlimited, resource.Unlimited}
	}
	if at.Exclusive {
		return a.slotsOfExclusive(req, l, l.UseOf(at))
	}
	return a.slotsOfUse(req, l, l.UseOf(at), c.Amount)
}

// slotsOfExclusive is slotsOf for an exclusive resource.
func (a *search) slotsOfExclusive(req *resource.Request, l *resource.Layer, u *resource.Use) (
	got resource.Result, n slots) {
	start, exclusive := a.Start, req.Amount != 0 && (req.Scope != "" || a.Category.Asks(req.Attr) != nil)
	if a.Run.OverTime && !a.Reserve {
		start = a.Run.Now
	}
	n = slots{resource.Unlimited, resource.Unlimited}
	if u.Most(start, a.Duration, exclusive) != 0 {
		got, n.now = resource.NotThen, 0
	}
	if u.AtLast(exclusive) != 0 {
		got, n.last = resource.NotThen, 0
	}
	if got != resource.Fits {
		a.Refuse(model.ReasonExclusive, l, req, "in use", true, false)
	}
	return got, n
}

// slotsOfUse is slotsOf for a consumable of which the layer has a total.
func (a *search) slotsOfUse(req *resource.Request, l *resource.Layer, u *resource.Use, total float64) (
	got resource.Result, n slots) {
	used, master := a.inUse(u), a.masterTakes(req.Attr)
	used += master
	n = slots{resource.Unlimited, resource.Unlimited}
	if req.Amount == 0 || total >= math.MaxFloat64 {
		return resource.Fits, n
	}
	n = slots{resource.ToSlots((total - used) / req.Amount),
		resource.ToSlots((total - u.AtLast(false) - master) / req.Amount)}
	if n.now == 0 || n.last == 0 {
		a.Refuse(model.ReasonResource, l, req, resource.FormatAmount(total-used), req.Amount <= total,
			n.now == 0 && l.Level != resource.LevelPE &&
				resource.ToSlots((total-u.Now)/req.Amount) > 0)
	}
	if !req.Attr.Once {
		return resource.Fits, n
	}
	if n.now == 0 || n.last == 0 {
		got = resource.NotThen
	}
	if l.Level != resource.LevelGlobal || n.now > 0 {
		n.now = resource.Unlimited
	}
	if l.Level != resource.LevelGlobal || n.last > 0 {
		n.last = resource.Unlimited
	}
	return got, n
}

// inUse is how much of a resource a parallel job finds in use while it would run.
func (a *search) inUse(u *resource.Use) float64 {
	switch {
	case a.Run.Empty:
		return 0
	case !a.Run.OverTime && len(u.Over) == 0:
		return u.Now
	case a.Reserve:
		return u.Most(a.Start, a.Duration, false)
	}
	return u.Most(a.Run.Now, a.Duration, false)
}

// slotsOfAll finds how many slots of a parallel job a layer is enough for. What is consumed once for the job does not
// limit slots: it says whether an instance can take the master task.
func (a *search) slotsOfAll(l *resource.Layer, tag resource.LayerTag, q *cluster.Instance) (
	got resource.Result, n slots) {
	a.Forget(min(tag, resource.MetAtQueue))
	n = slots{resource.Unlimited, resource.Unlimited}
	if l.Configured(a.Run.Slots) != nil {
		r, m := a.slotsOf(&a.Run.OneSlot, l)
		if r != resource.Fits {
			return r, slots{}
		}
		n = n.least(m)
	}
	for _, u := range l.Uses {
		if req, ok := a.Unasked(u.Attr); ok {
			r, m := a.slotsOf(req, l)
			if r != resource.Fits {
				return resource.NeverAny, slots{}
			}
			n = n.least(m)
		}
	}
	for i := range a.Category.Hard {
		r, m := a.slotsOfRequest(&a.Category.Hard[i], l, tag, q)
		switch r {
		case resource.Fits, resource.NotThen:
			got, n = r, n.least(m)
		case resource.NeverAny:
			return resource.NeverAny, slots{}
		}
	}
	if a.Category.Scoped() {
		return a.slotsOfScopes(l, tag, q, got, n)
	}
	return got, n
}

// slotsOfRequest is slotsOf for what the job asks for itself.
func (a *search) slotsOfRequest(req *resource.Request, l *resource.Layer, tag resource.LayerTag,
	q *cluster.Instance) (resource.Result, slots) {
	got, n := resource.NotThere, slots{}
	if req.Attr != nil {
		got, n = a.slotsOf(req, l)
	}
	once := req.Attr != nil && req.Attr.Once
	switch {
	case got == resource.NeverAny && once:
		mayMaster(q, 0)
		got = resource.NotThere
	case got == resource.NotThen && once && q != nil:
		mayMaster(q, 1)
		a.Run.MastersLowered = true
	}
	switch {
	case got == resource.Fits || got == resource.NotThen:
		req.Met = max(req.Met, tag)
	case got == resource.NotThere && tag == resource.MetAtQueue && req.Met == resource.MetNowhere && once:
		mayMaster(q, 0)
	case got == resource.NotThere && tag == resource.MetAtQueue && req.Met == resource.MetNowhere:
		a.Refuse(model.ReasonUnknown, l, req, "", false, false)
		return resource.NeverAny, slots{}
	}
	return got, n
}

// mayMaster says whether an instance can take the master task: 0 never, 1 later.
func mayMaster(q *cluster.Instance, level uint8) {
	if q != nil {
		q.Master = level
	}
}

// slotsOfQuotas finds how many slots the quotas leave a parallel job in a queue instance.
func (a *search) slotsOfQuotas(q *cluster.Instance) (resource.Result, slots) {
	n := slots{resource.Unlimited, resource.Unlimited}
	for _, c := range a.QuotasOf(q) {
		if c.Round != a.Round {
			c.Round = a.Round
			a.countQuota(c, q)
		} else {
			q.Master = min(q.Master, c.Master)
		}
		n = n.least(slots{c.Slots, c.SlotsAtEnd})
		if c.Result != resource.Fits || n.now == 0 && (a.Reserve || !a.Careful || n.last == 0) {
			a.sortOut(c, q)
		}
		if c.Result != resource.Fits || n.now == 0 {
			a.Note(a.Exceeds(c))
			return c.Result, n
		}
	}
	return resource.Fits, n
}

// countQuota finds how many slots one rule leaves.
func (a *search) countQuota(c *cluster.Counter, q *cluster.Instance) {
	c.Compute(a.Run.Cluster, q.ExecHost)
	before := q.Master
	q.Master = 2
	n := slots{resource.Unlimited, resource.Unlimited}
	c.Result = resource.Fits
	a.Quiet++
	for i := range c.Limits {
		at := c.Limits[i].Attr
		if at.IsConsumable {
			got, m := a.slotsOfLimit(c, at, q)
			if got != resource.NeverAny && a.Run.Quirks.QueueLimitBlocksQuota && !a.Meets(q) {
				got, m = resource.NeverAny, slots{}
			}
			n = n.least(m)
			if got != resource.Fits && got != resource.NotThen {
				c.Result = got
				break
			}
		} else if req := a.Category.Asks(at); req != nil && !a.WithinLimit(req, c.Capacities[i]) {
			c.Result = resource.NeverAny
			break
		}
	}
	a.Quiet--
	c.Slots, c.SlotsAtEnd, c.Master = n.now, n.last, q.Master
	q.Master = min(before, q.Master)
}

// slotsOfLimit is slotsOfAll for one limit of a rule.
func (a *search) slotsOfLimit(c *cluster.Counter, at *resource.Attribute, q *cluster.Instance) (
	resource.Result, slots) {
	req, _ := a.Limited(at)
	if req == nil || a.Category.Scoped() && req.Scope == "" && a.Category.Asks(at) == nil &&
		a.Category.AsksAnywhere(at) != nil {
		return a.slotsOfScopes(&c.Layer, resource.MetNowhere, q, resource.Fits,
			slots{resource.Unlimited, resource.Unlimited}, at)
	}
	got, n := a.slotsOf(req, &c.Layer)
	switch {
	case at.Once && got == resource.NeverAny:
		mayMaster(q, 0)
		return resource.Fits, slots{resource.Unlimited, resource.Unlimited}
	case at.Once && got == resource.NotThen:
		mayMaster(q, 1)
	case got == resource.NeverAny && a.Run.Quirks.ZeroQuotaLeavesSlot && a.Category.Asks(at) == nil:
		return resource.NeverAny, slots{resource.Unlimited, resource.Unlimited} // D73
	case got == resource.NeverAny:
		return resource.NeverAny, slots{}
	}
	return got, n
}
