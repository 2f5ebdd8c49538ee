package schedule

import (
	"qprism/engine/model"
)

// A debit is what one task takes from the resources of the places where it runs.
type debit struct {
	run      *run
	job      *model.Job
	cat      *category
	grants   []grant
	pe       *pe
	slots    int
	advance  *advance
	start    seconds
	duration seconds
	state    string // of the schedule file
	task     uint32
	openOnly bool // instances out of the run are not booked
}

func (r *run) newDebit(j *model.Job, grants []grant, p *pe) *debit {
	d := &debit{run: r, job: j, cat: r.categoryOf(j), grants: grants, pe: p, task: 1, advance: r.advanceOf(j)}
	r.prepare(d.cat)
	for _, g := range grants {
		d.slots += g.slots
	}
	return d
}

// portion is what a task takes of an attribute with one of its grants, or some of its tasks do; other says that the task does not ask
// for an exclusive resource and is only in its way.
func (d *debit) portion(a *attr, n int, part model.TaskScope) (amount float64, other, ok bool) {
	slots, req := d.partOf(a, n, part)
	if slots == 0 {
		return 0, false, false
	}
	count := float64(slots)
	switch {
	case !a.consumable:
		return 0, false, false
	case a.Consumable == model.ConsumeHost && !d.firstOnHost(n), a.Consumable == model.ConsumeJob && n > 0:
		return 0, false, false
	case a.once:
		count = 1
	}
	each := a.standard
	if req != nil {
		each = req.amount
	}
	if a.Name == slotsName {
		each = 1
	}
	if each != 0 && !(a.exclusive && req == nil) {
		return count * each, false, true
	}
	return count, true, a.exclusive
}

// firstOnHost reports whether a grant is the task's first one on its host.
func (d *debit) firstOnHost(n int) bool {
	for i := range n {
		if d.grants[i].queue.host == d.grants[n].queue.host {
			return false
		}
	}
	return true
}

// each goes through the resources that the task takes, in the order of the schedule file. The places of an advance
// reservation have resources of their own.
func (d *debit) each(take func(u *use, amount float64, other bool)) {
	if d.advance != nil {
		for n := range d.grants {
			if l := d.advance.layerOf(d.grants[n].queue); l != nil {
				d.eachOf(l, n, take)
			}
		}
		return
	}
	if d.pe != nil {
		take(d.pe.use, float64(d.slots), false)
	}
	global := &d.run.world.global.layer
	if !d.run.quirks.GlobalByGrant {
		d.eachOnce(global, take)
	}
	for n, g := range d.grants {
		if d.run.quirks.GlobalByGrant {
			d.eachOf(global, n, take)
		}
		d.eachOf(&g.queue.host.layer, n, take)
		if !d.openOnly || g.queue.isOpen() || g.queue.isReservable() {
			d.eachOf(&g.queue.layer, n, take)
		}
		for _, c := range d.counters(n) {
			d.eachOf(&c.layer, n, take)
		}
	}
}

func (d *debit) counters(n int) []*counter {
	r := d.run
	if len(r.world.quotas) == 0 {
		return nil
	}
	q := d.grants[n].queue
	if q.id < 0 {
		return r.countersOf(owner{d.job.Owner, d.job.Group, d.job.Project}, d.pe, q)
	}
	a := attempt{run: r, cat: d.cat, pe: d.pe}
	return a.quotasOf(q)
}

// counts reports whether a counter counts anything of what a grant takes.
func (d *debit) counts(c *counter, n int) bool {
	counted := false
	d.eachOf(&c.layer, n, func(*use, float64, bool) { counted = true })
	return counted
}

func (d *debit) eachOf(l *layer, n int, take func(*use, float64, bool)) {
	for i := range l.conf {
		for _, part := range d.parts(l.conf[i].attr) {
			if amount, other, ok := d.portion(l.conf[i].attr, n, part); ok && amount != 0 {
				take(l.used(l.conf[i].attr), amount, other)
			}
		}
	}
}

// eachOnce adds up what all grants take of a layer that they share.
func (d *debit) eachOnce(l *layer, take func(*use, float64, bool)) {
	for i := range l.conf {
		for _, part := range d.parts(l.conf[i].attr) {
			sum, isOther := 0.0, false
			for n := range d.grants {
				if amount, other, ok := d.portion(l.conf[i].attr, n, part); ok {
					sum += amount
					isOther = other
				}
			}
			if sum != 0 {
				take(l.used(l.conf[i].attr), sum, isOther)
			}
		}
	}
}

// now debits what is in use at the moment.
func (d *debit) now() {
	take := func(u *use, amount float64, other bool) {
		if other {
			u.nowOther += amount
		} else {
			u.now += amount
		}
	}
	if d.advance != nil { // the places themselves show the task as well
		all := *d
		all.advance = nil
		all.each(take)
	}
	d.each(take)
}

// book books what is in use over time, and notes what MONITOR records of it.
func (d *debit) book() {
	d.each(func(u *use, amount float64, other bool) {
		to := &u.over
		if other {
			to = &u.other
		}
		if (!d.run.overTime || d.duration == 0) && len(*to) == 0 {
			return
		}
		d.record(u, amount)
		to.add(d.start, d.duration, amount)
		d.run.draw(u)
	})
	for _, g := range d.grants {
		g.queue.host.version++
	}
}

// record notes a line of the schedule file: what it calls an end is a duration, cut at the end of time.
func (d *debit) record(u *use, amount float64) {
	if !d.run.lines {
		return
	}
	d.run.plan.Lines = append(d.run.plan.Lines, model.ScheduleLine{Job: d.job.Number, Task: d.task, State: d.state, Start: moment(d.start),
		Duration: d.lastingLine(), Level: u.level, Object: u.object, Resource: u.resource, Amount: amount})
}

// draw puts a resource into the picture.
func (r *run) draw(u *use) {
	if !u.drawn {
		u.drawn = true
		r.booked = append(r.booked, u)
	}
}

// picture shows every booked resource over time.
func (r *run) picture() {
	for _, u := range r.booked {
		r.plan.Utilization = append(r.plan.Utilization, model.Utilization{Level: u.level, Object: u.object, Resource: u.resource,
			Total: u.total, Steps: u.over.steps()})
	}
}
