package load

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/resource"
)

// loadReservations reads the reservations, each occurrence of a standing one as one of its own.
func (w *loader) loadReservations() {
	for i := range w.PBS.Reservations {
		p := &w.PBS.Reservations[i]
		if v, ok := model.Text(p.Other, "partition"); ok && !w.mine(v) {
			continue
		}
		c := w.loadReservation(p)
		if c == nil || c.ResvState == cluster.BeingDeleted && c.Start > w.Now {
			continue
		}
		w.Reserved = append(w.Reserved, c)
		w.joinReservation(c)
		w.addOccurrences(c, p)
	}
	altered := slices.DeleteFunc(slices.Clone(w.Reserved), func(c *cluster.Claim) bool {
		return c.ResvState != cluster.BeingAltered
	})
	w.Reserved = append(altered, slices.DeleteFunc(w.Reserved, func(c *cluster.Claim) bool {
		return c.ResvState == cluster.BeingAltered
	})...)
}

func (w *loader) loadReservation(p *model.PBSReservation) *cluster.Claim {
	user, _, _ := strings.Cut(p.Owner, "@")
	c := &cluster.Claim{
		ID: p.ID, User: cmp.Or(p.User, user), Group: p.Group, Rank: w.Res.NextRank(), Start: clock.Never,
		End: clock.Never, Class: -1, Shortest: clock.Never,
		Length: int64(p.Duration / time.Second), IsReservation: true, Job: cluster.Job{PreemptedAt: clock.Never},
		Reservation: cluster.Reservation{Listed: p, ResvState: p.State, Occurrence: max(p.Index, 1)},
	}
	c.Hard = c.Length
	for _, r := range p.Requests {
		if n, ok := w.Res.Request(r.Resource, r.Value); ok {
			c.Asked = append(c.Asked, n)
		}
	}
	var ok bool
	if c.Selection, ok = w.Res.ParseSelect(cmp.Or(p.Sched, p.Select)); !ok {
		return nil
	}
	if c.Place, ok = resource.ParsePlace(cmp.Or(p.Place, "free")); !ok {
		return nil
	}
	if i := slices.IndexFunc(w.Queues, func(q *cluster.Queue) bool { return q.Name == p.Queue }); i >= 0 {
		c.ResvQueue = w.Queues[i]
	}
	if c.ResvState == cluster.Degraded {
		c.ResvState = cluster.Confirmed
	}
	start, end := unix(p.Start), unix(p.End)
	c.InForce = start <= w.Now && w.Now <= end
	if c.ResvState != cluster.Unconfirmed {
		if c.Start, c.End = start, end; c.ResvState == cluster.BeingDeleted || start+c.Length <= w.Now {
			c.End = w.Now + 1
		}
	}
	if parts, ok := w.Res.ParsePortions(p.Nodes, w.VnodeIndex); ok {
		w.holdVnodes(c, parts)
	}
	return c
}

// holdVnodes gives a reservation its part of vnodes.
func (w *loader) holdVnodes(c *cluster.Claim, parts []resource.Portion) {
	c.Given = resource.Combine(parts)
	c.Vnodes = w.VnodesOf(c.Given)
	c.Exact = w.SelectionOf(parts)
	if c.InForce && c.ResvState != cluster.Unconfirmed {
		for _, v := range c.Vnodes {
			w.Vnodes[v].Reservations++
		}
	}
	for _, p := range c.Given {
		c.OwnVnodes = append(c.OwnVnodes, w.partOf(p))
	}
	if len(w.Policy.NodeKeys) > 0 {
		w.SortVnodes(c.OwnVnodes)
	}
}

// partOf makes a vnode of the part of one that a reservation has.
func (w *loader) partOf(p resource.Portion) int {
	v := w.Vnodes[p.Vnode]
	v.Stock, v.PartOf, v.LastSet = v.Stock.Clone(), p.Vnode+1, nil
	v.States &^= cluster.ResvExclusive
	v.Jobs, v.Reservations = 0, 0
	for _, g := range p.Gives {
		v.Stock.Grow(g.Res + 1)
		v.Held[g.Res] = resource.Holding{Known: true, Set: true, Total: g.Amount, Values: resource.SplitValues(g.Text)}
		v.Assigned[g.Res] = 0
	}
	w.Vnodes = append(w.Vnodes, v)
	w.Marks = append(w.Marks, 0)
	return len(w.Vnodes) - 1
}

// joinReservation puts the jobs of a reservation's queue into it.
func (w *loader) joinReservation(c *cluster.Claim) {
	q := c.ResvQueue
	if q == nil {
		return
	}
	q.Reservation = c
	for _, j := range q.Jobs {
		j.Inside, j.NoPreemption = c, true
		if w.Now+j.Length > c.End && c.End != clock.Never {
			j.Length = max(0, c.End-w.Now)
			if j.Hard = j.Length; j.End != clock.Never {
				j.End = c.End
			}
		}
		if j.Running() {
			w.moveInside(j, c)
		}
	}
}

// moveInside books a running job on the reservation's part of its vnodes.
func (w *loader) moveInside(j, c *cluster.Claim) {
	given := slices.Clone(j.Given)
	for i := range given {
		for _, own := range c.OwnVnodes {
			if w.Vnodes[own].PartOf-1 == given[i].Vnode {
				given[i].Vnode = own
				w.Vnodes[own].Jobs++
				w.Vnodes[own].Stock.Add(given[i].Gives, 1, w.Res)
				break
			}
		}
	}
	j.Given, j.Vnodes = given, w.VnodesOf(given)
}

// addOccurrences adds the later occurrences of a standing reservation. They have the vnodes of the next
// one, as far as a bundle tells.
func (w *loader) addOccurrences(c *cluster.Claim, p *model.PBSReservation) {
	every := interval(p.Rule)
	if p.Count <= 1 || every == 0 || c.ResvState == cluster.Unconfirmed {
		return
	}
	for n := c.Occurrence + 1; n <= min(p.Count, c.Occurrence+1000); n++ {
		o := *c
		o.Rank, o.Occurrence = w.Res.NextRank(), n
		by := clock.Seconds(n-c.Occurrence) * every
		o.Start, o.End = c.Start+by, c.End+by
		if o.InForce = false; o.ResvState == cluster.InForceNow {
			o.ResvState = cluster.Confirmed
		}
		o.ResvQueue = nil
		w.Reserved = append(w.Reserved, &o)
	}
}

// interval is how far the occurrences of a recurrence rule (RFC 5545) are apart, 0 for a rule that is no
// plain interval.
func interval(rule string) clock.Seconds {
	unit, times := clock.Seconds(0), int64(1)
	for _, part := range strings.FieldsFunc(rule, func(r rune) bool { return r == ';' || r == ' ' }) {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "FREQ":
			unit = map[string]clock.Seconds{"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3600,
				"DAILY": 86400, "WEEKLY": 7 * 86400}[value]
		case "INTERVAL":
			times, _ = strconv.ParseInt(value, 10, 32)
		case "COUNT", "UNTIL":
		default:
			return 0
		}
	}
	return unit * max(times, 0)
}

// Substates, by number.
const (
	substateDegraded   = 12
	substateInConflict = 15
)

// NeedsConfirmation reports whether the scheduler must find vnodes for a reservation.
func NeedsConfirmation(c *cluster.Claim, now clock.Seconds) bool {
	switch {
	case c.ResvState == cluster.Unconfirmed || c.ResvState == cluster.BeingAltered:
		return true
	case c.Listed.Substate != substateDegraded && c.Listed.Substate != substateInConflict:
		return false
	}
	retry, ok := model.Text(c.Listed.Other, "reserve_retry")
	at, err := strconv.ParseInt(retry, 10, 64)
	return ok && err == nil && at <= now
}
