package cycle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// loadReservations reads the reservations, each occurrence of a standing one as one of its own.
func (w *world) loadReservations() {
	for i := range w.pbs.Reservations {
		p := &w.pbs.Reservations[i]
		if v, ok := model.Text(p.Other, "partition"); ok && !w.mine(v) {
			continue
		}
		c := w.loadReservation(p)
		if c == nil || c.stateName == beingDeleted && c.start > w.now {
			continue
		}
		w.reserved = append(w.reserved, c)
		w.enter(c)
		w.repeat(c, p)
	}
	altered := slices.DeleteFunc(slices.Clone(w.reserved), func(c *claim) bool { return c.stateName != beingAltered })
	w.reserved = append(altered, slices.DeleteFunc(w.reserved, func(c *claim) bool { return c.stateName == beingAltered })...)
}

func (w *world) loadReservation(p *model.PBSReservation) *claim {
	user, _, _ := strings.Cut(p.Owner, "@")
	c := &claim{
		id: p.ID, user: cmp.Or(p.User, user), group: p.Group, rank: w.res.nextRank(), start: never, end: never, class: -1, shortest: never,
		length: int64(p.Duration / time.Second), isReservation: true, job: job{preemptedAt: never},
		reservation: reservation{source2: p, stateName: p.State, occurs: max(p.Index, 1)},
	}
	c.hard = c.length
	for _, r := range p.Requests {
		if n, ok := w.res.request(r.Resource, r.Value); ok {
			c.asked = append(c.asked, n)
		}
	}
	var ok bool
	if c.selection, ok = w.res.parseSelect(cmp.Or(p.Sched, p.Select)); !ok {
		return nil
	}
	if c.place, ok = parsePlace(cmp.Or(p.Place, "free")); !ok {
		return nil
	}
	if i := slices.IndexFunc(w.queues, func(q *queue) bool { return q.name == p.Queue }); i >= 0 {
		c.onQueue = w.queues[i]
	}
	if c.stateName == degraded {
		c.stateName = confirmed
	}
	start, end := unix(p.Start), unix(p.End)
	c.inForce = start <= w.now && w.now <= end
	if c.stateName != unconfirmed {
		if c.start, c.end = start, end; c.stateName == beingDeleted || start+c.length <= w.now {
			c.end = w.now + 1
		}
	}
	if parts, ok := w.res.parsePortions(p.Nodes, w.vnodeIndex); ok {
		w.hold(c, parts)
	}
	return c
}

// hold gives a reservation its part of vnodes.
func (w *world) hold(c *claim, parts []portion) {
	c.given = combine(parts)
	c.vnodes = w.vnodesOf(c.given)
	c.exact = w.selectionOf(parts)
	if c.inForce && c.stateName != unconfirmed {
		for _, v := range c.vnodes {
			w.vnodes[v].resvs++
		}
	}
	for _, p := range c.given {
		c.ownVnodes = append(c.ownVnodes, w.partOf(p))
	}
	if len(w.policy.nodeKeys) > 0 {
		w.sortVnodes(c.ownVnodes)
	}
}

// partOf makes a vnode of the part of one that a reservation has.
func (w *world) partOf(p portion) int {
	v := w.vnodes[p.vnode]
	v.stock, v.whole, v.follows = v.stock.own(), p.vnode+1, nil
	v.states &^= resvExclusive
	v.jobs, v.resvs = 0, 0
	for _, g := range p.gives {
		v.stock.grow(g.res + 1)
		v.held[g.res] = holding{known: true, set: true, total: g.amount, values: splitValues(g.text)}
		v.assigned[g.res] = 0
	}
	w.vnodes = append(w.vnodes, v)
	w.scratch = append(w.scratch, 0)
	return len(w.vnodes) - 1
}

// enter puts the jobs of a reservation's queue into it.
func (w *world) enter(c *claim) {
	q := c.onQueue
	if q == nil {
		return
	}
	q.reservation = c
	for _, j := range q.jobs {
		j.inside, j.noPreemption = c, true
		if w.now+j.length > c.end && c.end != never {
			j.length = max(0, c.end-w.now)
			if j.hard = j.length; j.end != never {
				j.end = c.end
			}
		}
		if j.running() {
			w.moveInside(j, c)
		}
	}
}

// moveInside books a running job on the reservation's part of its vnodes.
func (w *world) moveInside(j, c *claim) {
	given := slices.Clone(j.given)
	for i := range given {
		for _, own := range c.ownVnodes {
			if w.vnodes[own].whole-1 == given[i].vnode {
				given[i].vnode = own
				w.vnodes[own].jobs++
				w.vnodes[own].stock.add(given[i].gives, 1, w.res)
				break
			}
		}
	}
	j.given, j.vnodes = given, w.vnodesOf(given)
}

// repeat adds the later occurrences of a standing reservation. They have the vnodes of the next one, as far as a bundle
// tells.
func (w *world) repeat(c *claim, p *model.PBSReservation) {
	every := interval(p.Rule)
	if p.Count <= 1 || every == 0 || c.stateName == unconfirmed {
		return
	}
	for n := c.occurs + 1; n <= min(p.Count, c.occurs+1000); n++ {
		o := *c
		o.rank, o.occurs = w.res.nextRank(), n
		by := seconds(n-c.occurs) * every
		o.start, o.end = c.start+by, c.end+by
		if o.inForce = false; o.stateName == inForceNow {
			o.stateName = confirmed
		}
		o.onQueue = nil
		w.reserved = append(w.reserved, &o)
	}
}

// interval is how far the occurrences of a recurrence rule (RFC 5545) are apart, 0 for a rule that is no plain interval.
func interval(rule string) seconds {
	unit, times := seconds(0), int64(1)
	for _, part := range strings.FieldsFunc(rule, func(r rune) bool { return r == ';' || r == ' ' }) {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "FREQ":
			unit = map[string]seconds{"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3600, "DAILY": 86400, "WEEKLY": 7 * 86400}[value]
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

// unsettled are reservations that the scheduler has to find vnodes for.
func (w *world) unsettled(c *claim) bool {
	switch {
	case c.stateName == unconfirmed || c.stateName == beingAltered:
		return true
	case c.source2.Substate != substateDegraded && c.source2.Substate != substateInConflict:
		return false
	}
	retry, ok := model.Text(c.source2.Other, "reserve_retry")
	at, err := strconv.ParseInt(retry, 10, 64)
	return ok && err == nil && at <= w.now
}
