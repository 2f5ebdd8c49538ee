package parallel

import (
	"strconv"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// What a parallel job lacks is said once for each parallel environment, after all numbers of slots were
// tried, as the master does: how many slots the last of them found. The resources that keep them few are
// named beside it.

// noteLack says that a parallel environment has too few slots for the job, and what limits them in all places.
func (a *search) noteLack(got resource.Result) {
	if !a.Listens() {
		return
	}
	a.noteLimits()
	a.Note(model.Reason{Kind: model.ReasonPESlots, Level: resource.LevelPE, Object: a.PE.Name,
		Resource: resource.SlotsName,
		Rule:     a.PE.AllocationRule,
		Asked:    model.SlotsText(a.Job.PERange),
		Offered:  strconv.Itoa(a.found), Later: got == resource.NotThen || a.least > 0 && a.slotsWhenIdle() >= a.least})
}

// noteLimits names what the parallel environment, or the cluster as a whole, has too little of for the
// least number of slots. Where it has nothing at all of a resource, the search has said so.
func (a *search) noteLimits() {
	if a.Advance != nil || a.least == 0 || a.PE.Slots == 0 {
		return
	}
	if free := a.slotsOfPE(); free.now < a.least {
		a.noteLimit(resource.LevelPE, a.PE.Name, &a.Run.OneSlot, float64(max(free.now, 0)), float64(a.PE.Slots))
	}
	g := &a.Run.Global.Layer
	for _, req := range a.needs(g) {
		c := g.Configured(req.Attr)
		if c == nil || !req.Attr.IsConsumable || req.Attr.Once || req.Attr.Exclusive || req.Amount == 0 {
			continue
		}
		free := c.Amount - a.inUse(g.UseOf(req.Attr))
		if n := resource.ToSlots(free / req.Amount); n > 0 && n < a.least {
			a.noteLimit(resource.LevelGlobal, model.GlobalHost, req, free, c.Amount)
		}
	}
}

// noteLimit says that there is too little of a resource for the least number of slots together.
func (a *search) noteLimit(level, object string, req *resource.Request, free, total float64) {
	need := req.Amount * float64(a.least)
	a.Note(model.Reason{Kind: model.ReasonResource, Level: level, Object: object, Resource: req.Name,
		Asked: resource.FormatAmount(need), Offered: resource.FormatAmount(free),
		Later: need <= total})
}

// needs is what the job takes of a layer for each slot: slots, what it asks for, and what counts without
// being asked for.
func (a *search) needs(l *resource.Layer) []*resource.Request {
	list := []*resource.Request{&a.Run.OneSlot}
	for _, u := range l.Uses {
		if req, ok := a.Unasked(u.Attr); ok {
			list = append(list, req)
		}
	}
	for i := range a.Category.Hard {
		if req := &a.Category.Hard[i]; req.Attr != nil && req.Attr.Name != resource.SlotsName {
			list = append(list, req)
		}
	}
	return list
}

// slotsWhenIdle is how many slots the job would find together if nothing ran and no quota limited it.
func (a *search) slotsWhenIdle() int {
	a.Quiet++
	defer func() { a.Quiet-- }()
	least := min(a.PE.Slots, a.idle(&a.Run.Global.Layer))
	rule, sum := a.PE.PerHost(a.least), 0
	for _, n := range a.hostsWhenIdle() {
		switch {
		case rule > 0 && n >= rule:
			sum += rule // that many on each host, no more
		case rule <= 0:
			sum += n
		}
	}
	return min(least, sum)
}

// hostsWhenIdle is how many slots the job would find on each host if nothing ran.
func (a *search) hostsWhenIdle() []int {
	r := a.Run
	slots := make([]int, len(r.Hosts))
	k := r.CacheOf(a.Category, a.PE)
	for _, q := range r.Instances {
		master := q.Master
		if q.IsOpen() && !q.Disabled && a.AllowsHost(q.ExecHost) && a.AllowsInstance(k, q) && !a.lacksAny(q) {
			slots[q.ExecHost.Id] = min(slots[q.ExecHost.Id]+a.idle(&q.Layer), resource.Unlimited)
		}
		q.Master = master
	}
	for _, h := range r.Hosts {
		slots[h.Id] = min(slots[h.Id], a.idle(&h.Layer))
	}
	return slots
}

// idle is how many slots a layer is enough for if nothing ran, 0 where it does not suit the job.
func (a *search) idle(l *resource.Layer) int {
	n := resource.Unlimited
	for _, req := range a.needs(l) {
		o, known := l.Offer(req.Attr, true, utilization.RightNow, 0)
		if !known {
			continue
		}
		if !resource.Matches(req, o, 1, true) {
			return 0
		}
		if c := l.Configured(req.Attr); c != nil && req.Attr.IsConsumable && !req.Attr.Once &&
			!req.Attr.Exclusive && req.Amount > 0 {
			n = min(n, resource.ToSlots(c.Amount/req.Amount))
		}
	}
	return n
}

// lacksAny reports whether the job asks for something that is not known in a queue instance, on its host, or globally.
func (a *search) lacksAny(q *cluster.Instance) bool {
	for i := range a.Category.Hard {
		at := a.Category.Hard[i].Attr
		if at == nil {
			return true
		}
		known := false
		for _, l := range []*resource.Layer{&q.Layer, &q.ExecHost.Layer, &a.Run.Global.Layer} {
			_, has := l.Offer(at, true, utilization.RightNow, 0)
			known = known || has
		}
		if !known {
			return true
		}
	}
	return false
}
