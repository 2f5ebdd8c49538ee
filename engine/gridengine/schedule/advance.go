package schedule

import (
	"strings"

	"qprism/engine/model"
)

// An advance is an advance reservation: jobs that name it have its resources for themselves.
type advance struct {
	*model.AdvanceReservation
	layers map[*instance]*layer
	start  seconds
	length seconds
}

func (r *run) buildAdvance() {
	list := r.advanceReservations()
	for i := range list {
		m := &list[i]
		v := &advance{AdvanceReservation: m, layers: map[*instance]*layer{}, start: unix(m.Start), length: lengthOfAdvance(m)}
		for _, g := range m.Granted {
			if q := r.world.instanceNames[g.Instance]; q != nil {
				v.layers[q] = r.advanceLayer(m, q, g.Slots)
			}
		}
		r.world.advance = append(r.world.advance, v)
	}
}

// advanceLayer is what an advance reservation has in one queue instance: slots, and what was asked for with them.
func (r *run) advanceLayer(m *model.AdvanceReservation, q *instance, slots int) *layer {
	l := &layer{level: levelQueue, name: q.Name}
	for _, req := range r.world.complex.requests(m.Requests) {
		if req.attr != nil && req.attr.consumable && l.configured(req.attr) == nil {
			amount := req.amount
			if !req.attr.once {
				amount *= float64(slots)
			}
			l.add(req.attr, "")
			l.configured(req.attr).amount, l.used(req.attr).total = amount, amount
		}
	}
	if l.configured(r.world.slots) == nil {
		l.add(r.world.slots, "")
	}
	l.configured(r.world.slots).amount, l.used(r.world.slots).total = float64(slots), float64(slots)
	l.fixed = q.builtIn
	return l
}

func (v *advance) layerOf(q *instance) *layer { return v.layers[q] }

// advanceOf is the advance reservation that a job names; one that does not exist is an empty one.
func (r *run) advanceOf(j *model.Job) *advance {
	if j.Reservation == 0 {
		return nil
	}
	for _, v := range r.world.advance {
		if v.Number == j.Reservation {
			return v
		}
	}
	return &advance{AdvanceReservation: &model.AdvanceReservation{Number: j.Reservation}}
}

// runs reports whether jobs can start in an advance reservation at a moment: its state is r, or it was about to begin and has. Where not
// all its queue instances are well (W, E) jobs start in the others, unless it was made with -he yes.
func (v *advance) runs(at seconds) bool {
	if strings.ContainsAny(v.State, "WE") && v.hardErrors() {
		return false
	}
	return strings.ContainsAny(v.State, "rE") || strings.ContainsAny(v.State, "wW") && v.start <= at
}

// hardErrors reports whether qrstat -ar tells of -he yes; of -he no it prints nothing.
func (v *advance) hardErrors() bool {
	hard, set := model.Text(v.Settings, "error_handling")
	return set && hard != "false" && hard != "0"
}

// bookAdvance books what advance reservations keep from all other jobs.
func (r *run) bookAdvance() {
	for _, v := range r.world.advance {
		d := &debit{run: r, job: &model.Job{Hard: v.Requests, PE: v.PE}, start: v.start, duration: v.length}
		d.cat = &category{first: d.job}
		r.prepare(d.cat)
		for _, g := range v.Granted {
			if q := r.world.instanceNames[g.Instance]; q != nil {
				d.grants = append(d.grants, grant{q, g.Slots})
				d.slots += g.Slots
			}
		}
		if v.PE != "" {
			d.pe = r.findPE(v.PE, v.PE)
		}
		d.eachPlace(func(u *use, amount float64, other bool) {
			if other {
				u.other.add(d.start, d.duration, amount)
			} else {
				u.over.add(d.start, d.duration, amount)
			}
			r.draw(u)
		})
	}
}

// eachPlace is each without quotas, which advance reservations do not count for.
func (d *debit) eachPlace(take func(u *use, amount float64, other bool)) {
	if d.pe != nil {
		take(d.pe.use, float64(d.slots), false)
	}
	d.eachOnce(&d.run.world.global.layer, take)
	for n, g := range d.grants {
		d.eachOf(&g.queue.host.layer, n, take)
		d.eachOf(&g.queue.layer, n, take)
	}
}

// checkAdvance looks at the advance reservation as a whole.
func (a *attempt) checkAdvance() result {
	if !a.advance.runs(a.run.now) {
		a.note(model.Reason{Kind: model.ReasonAdvance, Object: itoa(int(a.advance.Number)), Offered: a.advance.State, Later: true})
		return neverAny
	}
	return fits
}

// timeInAdvance finds whether an advance reservation has enough left in a queue instance.
func (a *attempt) timeInAdvance(q *instance) (result, seconds) {
	l := a.advance.layerOf(q)
	if l == nil {
		a.note(model.Reason{Kind: model.ReasonAdvance, Level: levelQueue, Object: q.Name, Asked: itoa(int(a.advance.Number))})
		return neverAny, 0
	}
	r, t := a.timeOf(&a.run.oneSlot, l, 1, a.start, true)
	for i := range a.cat.hard {
		req := &a.cat.hard[i]
		if r != fits {
			return r, 0
		}
		if req.attr == nil {
			a.refuse(model.ReasonUnknown, l, req, "", false, false)
			return neverAny, 0
		}
		if !req.attr.consumable {
			r = a.matchesSomewhere(req, q)
			continue
		}
		got, at := a.timeOf(req, l, 1, a.start, false)
		r, t = got, max(t, at)
		if got == notThere {
			a.refuse(model.ReasonUnknown, l, req, "", false, false)
			r = neverAny
		}
	}
	return r, t
}

// matchesSomewhere compares a request that is for no consumable with what the cluster, the host and the queue offer.
func (a *attempt) matchesSomewhere(req *request, q *instance) result {
	found := false
	for _, l := range []*layer{&a.run.world.global.layer, &q.host.layer, &q.layer} {
		o, ok := l.offer(req.attr, true, rightNow, 0)
		if ok && !matches(req, o, 1, false) {
			a.refuse(reasonOf(req, false), l, req, o.text(), false, false)
			return neverAny
		}
		found = found || ok
	}
	if !found {
		a.refuse(model.ReasonUnknown, &q.layer, req, "", false, false)
		return neverAny
	}
	return fits
}
