package cluster

import (
	"time"

	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// A debit is what one task takes from the resources of the places where it runs.
type debit struct {
	cluster  *Cluster
	job      *model.Job
	cat      *Category
	grants   []Grant
	pe       *PE
	slots    int
	advance  *Advance
	Start    seconds
	Duration seconds
	State    string // of the schedule file
	Task     uint32
	openOnly bool // instances out of the run are not booked
}

// NewDebit computes what a task takes from its places. c is the category of its job.
func (r *Cluster) NewDebit(j *model.Job, c *Category, grants []Grant, p *PE) *debit {
	d := &debit{cluster: r, job: j, cat: c, grants: grants, pe: p, Task: 1, advance: r.AdvanceOf(j)}
	r.Prepare(d.cat)
	for _, g := range grants {
		d.slots += g.Slots
	}
	return d
}

// portion is what a task takes of an attribute with one of its grants, or some of its tasks do; other says
// that the task does not ask for an exclusive resource and is only in its way.
func (d *debit) portion(a *resource.Attribute, n int, part model.TaskScope) (amount float64, other, ok bool) {
	slots, req := d.partOf(a, n, part)
	if slots == 0 {
		return 0, false, false
	}
	count := float64(slots)
	switch {
	case !a.IsConsumable:
		return 0, false, false
	case a.Consumable == model.ConsumeHost && !d.firstOnHost(n), a.Consumable == model.ConsumeJob && n > 0:
		return 0, false, false
	case a.Once:
		count = 1
	}
	each := a.Standard
	if req != nil {
		each = req.Amount
	}
	if a.Name == resource.SlotsName {
		each = 1
	}
	if each != 0 && !(a.Exclusive && req == nil) {
		return count * each, false, true
	}
	return count, true, a.Exclusive
}

// firstOnHost reports whether a grant is the task's first one on its host.
func (d *debit) firstOnHost(n int) bool {
	for i := range n {
		if d.grants[i].Queue.ExecHost == d.grants[n].Queue.ExecHost {
			return false
		}
	}
	return true
}

// each goes through the resources that the task takes, in the order of the schedule file. The places of an advance
// reservation have resources of their own.
func (d *debit) each(take func(u *resource.Use, amount float64, other bool)) {
	if d.advance != nil {
		for n := range d.grants {
			if l := d.advance.LayerOf(d.grants[n].Queue); l != nil {
				d.eachOf(l, n, take)
			}
		}
		return
	}
	if d.pe != nil {
		take(d.pe.Use, float64(d.slots), false)
	}
	global := &d.cluster.Global.Layer
	if !d.cluster.Quirks.GlobalByGrant {
		d.eachOnce(global, take)
	}
	for n, g := range d.grants {
		if d.cluster.Quirks.GlobalByGrant {
			d.eachOf(global, n, take)
		}
		d.eachOf(&g.Queue.ExecHost.Layer, n, take)
		if !d.openOnly || g.Queue.IsOpen() || g.Queue.isReservable() {
			d.eachOf(&g.Queue.Layer, n, take)
		}
		for _, c := range d.counters(n) {
			d.eachOf(&c.Layer, n, take)
		}
	}
}

func (d *debit) counters(n int) []*Counter {
	r := d.cluster
	if len(r.Quotas) == 0 {
		return nil
	}
	q := d.grants[n].Queue
	if q.Id < 0 {
		return r.CountersOf(Owner{d.job.Owner, d.job.Group, d.job.Project}, d.pe, q)
	}
	return r.QuotasOf(d.cat, d.pe, q)
}

// counts reports whether a counter counts anything of what a grant takes.
func (d *debit) counts(c *Counter, n int) bool {
	counted := false
	d.eachOf(&c.Layer, n, func(*resource.Use, float64, bool) { counted = true })
	return counted
}

func (d *debit) eachOf(l *resource.Layer, n int, take func(*resource.Use, float64, bool)) {
	for i := range l.Capacities {
		for _, part := range d.parts(l.Capacities[i].Attr) {
			if amount, other, ok := d.portion(l.Capacities[i].Attr, n, part); ok && amount != 0 {
				take(l.UseOf(l.Capacities[i].Attr), amount, other)
			}
		}
	}
}

// eachOnce adds up what all grants take of a layer that they share.
func (d *debit) eachOnce(l *resource.Layer, take func(*resource.Use, float64, bool)) {
	for i := range l.Capacities {
		for _, part := range d.parts(l.Capacities[i].Attr) {
			sum, isOther := 0.0, false
			for n := range d.grants {
				if amount, other, ok := d.portion(l.Capacities[i].Attr, n, part); ok {
					sum += amount
					isOther = other
				}
			}
			if sum != 0 {
				take(l.UseOf(l.Capacities[i].Attr), sum, isOther)
			}
		}
	}
}

// Now subtracts the amounts from what is free at the moment.
func (d *debit) Now() {
	take := func(u *resource.Use, amount float64, other bool) {
		if other {
			u.NowOthers += amount
		} else {
			u.Now += amount
		}
	}
	if d.advance != nil { // the places themselves show the task as well
		all := *d
		all.advance = nil
		all.each(take)
	}
	d.each(take)
}

// Book adds the amounts to the bookings over time, and records the lines that MONITOR writes.
func (d *debit) Book() {
	d.each(func(u *resource.Use, amount float64, other bool) {
		to := &u.Over
		if other {
			to = &u.Others
		}
		if (!d.cluster.OverTime || d.Duration == 0) && len(*to) == 0 {
			return
		}
		d.record(u, amount)
		to.Add(d.Start, d.Duration, amount)
		d.cluster.draw(u)
	})
	for _, g := range d.grants {
		g.Queue.ExecHost.Version++
	}
}

// record notes a line of the schedule file: what it calls an end is a duration, cut at the end of time.
func (d *debit) record(u *resource.Use, amount float64) {
	if !d.cluster.lines {
		return
	}
	d.cluster.Plan.Lines = append(d.cluster.Plan.Lines, model.ScheduleLine{Job: d.job.Number,
		Task: d.Task, State: d.State, Start: utilization.Moment(d.Start),
		Duration: d.lastingLine(), Level: u.Level, Object: u.Object, Resource: u.Resource, Amount: amount})
}

// draw puts a resource into the picture.
func (r *Cluster) draw(u *resource.Use) {
	if !u.Drawn {
		u.Drawn = true
		r.booked = append(r.booked, u)
	}
}

// Picture records every booked resource over time, for the plan.
func (r *Cluster) Picture() {
	for _, u := range r.booked {
		r.Plan.Utilization = append(r.Plan.Utilization, model.Utilization{Level: u.Level, Object: u.Object,
			Resource: u.Resource,
			Total:    u.Total, Steps: u.Over.Steps()})
	}
}

// lastingLine is how long it lasts in a line of the schedule file: what has no end, until the end of time.
func (d *debit) lastingLine() time.Duration {
	length := d.Duration
	if utilization.Later(d.Start, length) == utilization.Forever {
		length = utilization.EndOf32 - d.Start
	}
	return time.Duration(length) * time.Second
}
