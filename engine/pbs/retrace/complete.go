package retrace

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// completed is a state with what a snapshot taken after the cycle shows besides: attributes of jobs that
// wait, the configuration, reservations, and the usage with which the cycle sorted.
func completed(played *state, later *model.Snapshot, c *model.SchedCycle) *state {
	x := newState(played.Snapshot)
	x.charged = true
	x.forward, x.from = true,
		"the bundle before the cycle, accounting, and jobs, configuration, reservations and usage from the bundle after it"
	began := takenBack(later, c)
	for i := range x.Jobs {
		j := &x.Jobs[i]
		if k := began.jobs[j.PBS.ID]; k != nil && strings.Contains("QHWB", j.PBS.State) &&
			strings.Contains("QHWB", k.PBS.State) {
			*j = *k
			x.own[j.PBS.ID] = false
		}
	}
	x.configure(later)
	x.reserve(began)
	x.settle(c.Start)
	return x
}

// configure takes over what administrators set.
func (x *state) configure(later *model.Snapshot) {
	p, l := x.PBS, later.PBS
	p.Server, p.Schedulers, p.SchedConfig, p.Formula = l.Server, l.Schedulers, l.SchedConfig, l.Formula
	p.Holidays, p.Dedicated, p.Fairshare = l.Holidays, l.Dedicated, l.Fairshare
	x.Queues, x.Resources = slices.Clone(later.Queues), later.Resources
}

// reserve takes over the reservations that were there when the cycle began.
func (x *state) reserve(began *state) {
	x.PBS.Reservations = slices.DeleteFunc(slices.Clone(began.PBS.Reservations),
		func(r model.PBSReservation) bool { return r.State == "RESV_DELETED" })
	for i := range x.Queues {
		q := &x.Queues[i]
		for _, r := range x.PBS.Reservations {
			if q.PBS != nil && q.Name == r.Queue && r.State != "RESV_RUNNING" {
				own := *q.PBS
				own.Started = false
				q.PBS = &own
			}
		}
	}
}
