package schedule

import "qprism/engine/model"

// What a parallel job lacks is said once for each parallel environment, after all numbers of slots were tried, as the master
// does: how many slots the last of them found. The resources that keep them few are named beside it.

// noteLack says that a parallel environment has too few slots for the job, and what limits them in all places.
func (a *attempt) noteLack(got result) {
	if !a.listens() {
		return
	}
	a.noteLimits()
	a.note(model.Reason{Kind: model.ReasonPESlots, Level: levelPE, Object: a.pe.Name, Resource: slotsName,
		Asked:   model.SlotsText(a.job.PERange),
		Offered: itoa(a.found), Later: got == notThen || a.least > 0 && a.slotsWhenIdle() >= a.least})
}

// noteLimits names what the parallel environment, or the cluster as a whole, has too little of for the least number of slots.
// Where it has nothing at all of a resource, the search has said so.
func (a *attempt) noteLimits() {
	if a.advance != nil || a.least == 0 || a.pe.Slots == 0 {
		return
	}
	if free := a.slotsOfPE(); free.now < a.least {
		a.noteLimit(levelPE, a.pe.Name, &a.run.oneSlot, float64(max(free.now, 0)), float64(a.pe.Slots))
	}
	g := &a.run.world.global.layer
	for _, req := range a.needs(g) {
		c := g.configured(req.attr)
		if c == nil || !req.attr.consumable || req.attr.once || req.attr.exclusive || req.amount == 0 {
			continue
		}
		free := c.amount - a.inUse(g.used(req.attr))
		if n := toSlots(free / req.amount); n > 0 && n < a.least {
			a.noteLimit(levelGlobal, model.GlobalHost, req, free, c.amount)
		}
	}
}

// noteLimit says that there is too little of a resource for the least number of slots together.
func (a *attempt) noteLimit(level, object string, req *request, free, total float64) {
	need := req.amount * float64(a.least)
	a.note(model.Reason{Kind: model.ReasonResource, Level: level, Object: object, Resource: req.name, Asked: print(need), Offered: print(free),
		Later: need <= total})
}

// needs is what the job takes of a layer for each slot: slots, what it asks for, and what counts without being asked for.
func (a *attempt) needs(l *layer) []*request {
	list := []*request{&a.run.oneSlot}
	for _, u := range l.uses {
		if req, ok := a.unasked(u.attr); ok {
			list = append(list, req)
		}
	}
	for i := range a.cat.hard {
		if req := &a.cat.hard[i]; req.attr != nil && req.attr.Name != slotsName {
			list = append(list, req)
		}
	}
	return list
}

// slotsWhenIdle is how many slots the job would find together if nothing ran and no quota limited it.
func (a *attempt) slotsWhenIdle() int {
	a.quiet++
	defer func() { a.quiet-- }()
	least := min(a.pe.Slots, a.idle(&a.run.world.global.layer))
	rule, sum := a.pe.perHost(a.least), 0
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
func (a *attempt) hostsWhenIdle() []int {
	r := a.run
	slots := make([]int, len(r.world.hosts))
	k := r.cacheOf(a.cat, a.pe)
	for _, q := range r.world.instances {
		master := q.master
		if q.isOpen() && !q.disabled && a.allowsHost(q.host) && a.allowsInstance(k, q) && !a.lacksAny(q) {
			slots[q.host.id] = min(slots[q.host.id]+a.idle(&q.layer), unlimited)
		}
		q.master = master
	}
	for _, h := range r.world.hosts {
		slots[h.id] = min(slots[h.id], a.idle(&h.layer))
	}
	return slots
}

// idle is how many slots a layer is enough for if nothing ran, 0 where it does not suit the job.
func (a *attempt) idle(l *layer) int {
	n := unlimited
	for _, req := range a.needs(l) {
		o, known := l.offer(req.attr, true, rightNow, 0)
		if !known {
			continue
		}
		if !matches(req, o, 1, true) {
			return 0
		}
		if c := l.configured(req.attr); c != nil && req.attr.consumable && !req.attr.once && !req.attr.exclusive && req.amount > 0 {
			n = min(n, toSlots(c.amount/req.amount))
		}
	}
	return n
}

// lacksAny reports whether the job asks for something that is not known in a queue instance, on its host, or globally.
func (a *attempt) lacksAny(q *instance) bool {
	for i := range a.cat.hard {
		at := a.cat.hard[i].attr
		if at == nil {
			return true
		}
		known := false
		for _, l := range []*layer{&q.layer, &q.host.layer, &a.run.world.global.layer} {
			_, has := l.offer(at, true, rightNow, 0)
			known = known || has
		}
		if !known {
			return true
		}
	}
	return false
}
