package cluster

import (
	"slices"
	"strings"

	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// An Advance is an advance reservation. Only jobs that name it (-ar) can use its resources.
type Advance struct {
	*model.AdvanceReservation
	layers map[*Instance]*resource.Layer
	From   seconds
	Length seconds
}

func (r *Cluster) buildAdvance() {
	list := r.advanceReservations()
	for i := range list {
		m := &list[i]
		v := &Advance{AdvanceReservation: m, layers: map[*Instance]*resource.Layer{}, From: utilization.Unix(m.Start),
			Length: lengthOfAdvance(m)}
		for _, g := range m.Granted {
			if q := r.InstanceNames[g.Instance]; q != nil {
				v.layers[q] = r.advanceLayer(m, q, g.Slots)
			}
		}
		r.Advance = append(r.Advance, v)
	}
}

// advanceLayer is what an advance reservation has in one queue instance: slots, and what was asked for with them.
func (r *Cluster) advanceLayer(m *model.AdvanceReservation, q *Instance, slots int) *resource.Layer {
	l := &resource.Layer{Level: resource.LevelQueue, Object: q.Name}
	for _, req := range r.Complex.Requests(m.Requests) {
		if req.Attr != nil && req.Attr.IsConsumable && l.Configured(req.Attr) == nil {
			amount := req.Amount
			if !req.Attr.Once {
				amount *= float64(slots)
			}
			l.Add(req.Attr, "")
			l.Configured(req.Attr).Amount, l.UseOf(req.Attr).Total = amount, amount
		}
	}
	if l.Configured(r.Slots) == nil {
		l.Add(r.Slots, "")
	}
	l.Configured(r.Slots).Amount, l.UseOf(r.Slots).Total = float64(slots), float64(slots)
	l.Fixed = q.BuiltIn
	return l
}

// LayerOf is the part of the reservation on a queue instance, nil for none.
func (v *Advance) LayerOf(q *Instance) *resource.Layer { return v.layers[q] }

// AdvanceOf is the advance reservation that a job names. If it does not exist, the result is empty.
func (r *Cluster) AdvanceOf(j *model.Job) *Advance {
	if j.Reservation == 0 {
		return nil
	}
	for _, v := range r.Advance {
		if v.Number == j.Reservation {
			return v
		}
	}
	return &Advance{AdvanceReservation: &model.AdvanceReservation{Number: j.Reservation}}
}

// Runs reports whether jobs can start in an advance reservation at a moment: its state is r, or its start
// time has come. If some of its queue instances have a problem (states W, E), jobs start in the other queue
// instances, unless the user made the reservation with -he yes.
func (v *Advance) Runs(at seconds) bool {
	if strings.ContainsAny(v.State, "WE") && v.hardErrors() {
		return false
	}
	return strings.ContainsAny(v.State, "rE") || strings.ContainsAny(v.State, "wW") && v.From <= at
}

// hardErrors reports whether qrstat -ar tells of -he yes; of -he no it prints nothing.
func (v *Advance) hardErrors() bool {
	hard, set := model.Text(v.Settings, "error_handling")
	return set && hard != "false" && hard != "0"
}

// BookAdvance books the resources of advance reservations, against all other jobs.
func (r *Cluster) BookAdvance() {
	for _, v := range r.Advance {
		d := &debit{cluster: r, job: &model.Job{Hard: v.Requests, PE: v.PE}, Start: v.From, Duration: v.Length}
		d.cat = &Category{First: d.job}
		r.Prepare(d.cat)
		for _, g := range v.Granted {
			if q := r.InstanceNames[g.Instance]; q != nil {
				d.grants = append(d.grants, Grant{q, g.Slots})
				d.slots += g.Slots
			}
		}
		if v.PE != "" {
			d.pe = r.findPE(v.PE, v.PE)
		}
		d.eachPlace(func(u *resource.Use, amount float64, other bool) {
			if other {
				u.Others.Add(d.Start, d.Duration, amount)
			} else {
				u.Over.Add(d.Start, d.Duration, amount)
			}
			r.draw(u)
		})
	}
}

// eachPlace is each without quotas, which advance reservations do not count for.
func (d *debit) eachPlace(take func(u *resource.Use, amount float64, other bool)) {
	if d.pe != nil {
		take(d.pe.Use, float64(d.slots), false)
	}
	d.eachOnce(&d.cluster.Global.Layer, take)
	for n, g := range d.grants {
		d.eachOf(&g.Queue.ExecHost.Layer, n, take)
		d.eachOf(&g.Queue.Layer, n, take)
	}
}

// HasCluster reports whether the reservation has slots in a cluster queue.
func (v *Advance) HasCluster(queue string) bool {
	return slices.ContainsFunc(v.Granted, func(g model.Grant) bool { return strings.HasPrefix(g.Instance, queue+"@") })
}

func lengthOfAdvance(m *model.AdvanceReservation) seconds {
	if m.Duration == 0 && !m.End.IsZero() {
		return max(utilization.Unix(m.End)-utilization.Unix(m.Start), 0)
	}
	return utilization.Whole(m.Duration)
}
