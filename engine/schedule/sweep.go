package schedule

import (
	"cmp"
	"slices"
)

// A sweep knows for every moment how many slots all hosts together have for the jobs of a category, as far as those that
// one host can give do not depend on what others give. It is kept from job to job, and only the hosts that were booked
// in between are looked at again. The searches for a reservation ask it instead of trying to place a job at each moment.
type sweep struct {
	hosts  []sweptHost
	events []slotEvent // sorted by time, what changes at each
	sums   []slotEvent // the sum from each time on
}

// noSweeps is for tests: they compare with what is found without.
var noSweeps bool

// A sweptHost is a host as it was when it was looked at.
type sweptHost struct {
	host    *host
	known   bool
	version int // of its bookings
	events  []slotEvent
}

type slotEvent struct {
	at    seconds
	slots int64
}

// sweepable reports whether hosts can be looked at one by one: nothing but their own resources, and sums that hold for
// the cluster or the parallel environment, decide.
func (a *attempt) sweepable() bool {
	if len(a.run.world.quotas) > 0 || a.advance != nil || !a.cat.masterQueues.Empty() || a.run.oversubscribed {
		return false
	}
	for _, at := range a.run.world.complex {
		if (at.once || at.exclusive) && a.run.takesAnywhere(a.cat, at) {
			return false
		}
	}
	return true
}

// takesAnywhere reports whether jobs of a category use an attribute that something is configured for.
func (r *run) takesAnywhere(c *category, at *attr) bool {
	_, _, takes := c.amount(at)
	return takes && (at.exclusive || c.asks(at) != nil || at.standard != 0)
}

// sweepOf brings the sweep of the attempt's category up to date; nil where none is possible.
func (a *attempt) sweepOf() *sweep {
	k := a.run.cacheOf(a.cat, a.pe)
	if !k.sweepKnown {
		k.sweepKnown = true
		if !noSweeps && a.sweepable() {
			k.sweep = &sweep{}
		}
	}
	if k.sweep != nil {
		k.sweep.update(a)
	}
	return k.sweep
}

func (s *sweep) update(a *attempt) {
	g := gathering{attempt: a, cache: a.run.cacheOf(a.cat, a.pe), rule: a.pe.perHost(a.slots)}
	g.least = max(g.rule, 1)
	g.quiet++
	defer func() { g.quiet-- }()
	g.newRound()
	g.globalSlots() // notes what is there for all
	g.markQueues()
	g.listHosts()
	if len(s.hosts) == 0 {
		s.hosts = make([]sweptHost, len(a.run.world.hosts))
	}
	var gone, come []slotEvent
	for _, h := range g.hosts {
		x := &s.hosts[h.id]
		if x.known && x.version == h.version {
			continue
		}
		gone = append(gone, x.events...)
		*x = sweptHost{host: h, known: true, version: h.version, events: g.hostEvents(h)}
		come = append(come, x.events...)
	}
	if len(gone)+len(come) > 0 {
		s.replace(gone, come)
	}
}

// hostEvents are the moments at which the number of slots that a host can give changes, and by how many.
func (g *gathering) hostEvents(h *host) []slotEvent {
	at := g.limitsOf(h)
	if at.most == 0 || len(at.queues) == 0 {
		return nil
	}
	var events []slotEvent
	before := int64(0)
	for _, t := range at.changes(g.duration) {
		if now := g.usable(at.slots(t, g.duration)); now != before {
			events = append(events, slotEvent{t, now - before})
			before = now
		}
	}
	return events
}

// Limits are what decides over time how many slots a host can give.
type limits struct {
	most   int // whatever the time
	host   []useLimit
	queues [][]useLimit // of each queue instance that the job may use
}

// A useLimit is a resource of which every slot takes an amount.
type useLimit struct {
	use           *use
	total, amount float64
	next          int // step behind the moment that was asked for last
}

// limitsOf finds what decides for a host. That a job may use it at all does not depend on time.
func (g *gathering) limitsOf(h *host) limits {
	at := limits{most: g.attempt.slots}
	if g.rule > 0 {
		at.most = g.rule
	}
	g.forget(metAtHost)
	if !g.allowsHost(h) {
		return limits{}
	}
	if got, _ := g.slotsOfAll(&h.layer, metAtHost, nil); got != fits && got != notThen {
		return limits{}
	}
	at.most = min(at.most, g.slotsByThresholds(h))
	at.host = g.useLimits(&h.layer)
	for _, q := range h.instances {
		if q.tag == 0 || !g.allowsInstance(g.cache, q) {
			continue
		}
		if got, _ := g.slotsOfAll(&q.layer, metAtQueue, q); got == fits || got == notThen {
			at.queues = append(at.queues, g.useLimits(&q.layer))
		}
	}
	return at
}

func (g *gathering) useLimits(l *layer) []useLimit {
	var list []useLimit
	for i := range l.conf {
		c := &l.conf[i]
		if amount, _, takes := g.cat.amount(c.attr); takes && amount != 0 && c.attr.consumable {
			list = append(list, useLimit{use: l.used(c.attr), total: c.amount, amount: amount})
		}
	}
	return list
}

// slots is how many slots a host can give from a moment on.
func (at *limits) slots(t, duration seconds) int {
	n := min(at.most, slotsWithin(at.host, t, duration))
	sum := 0
	for _, q := range at.queues {
		if sum >= n {
			break
		}
		sum += max(slotsWithin(q, t, duration), 0)
	}
	return max(min(n, sum), 0)
}

func slotsWithin(list []useLimit, t, duration seconds) int {
	n := unlimited
	for i := range list {
		l := &list[i]
		n = min(n, toSlots((l.total-l.most(t, duration))/l.amount))
	}
	return n
}

// most is the greatest amount in use from a moment on. The moments that are asked for only ever grow.
func (l *useLimit) most(t, duration seconds) float64 {
	d := l.use.over
	for l.next < len(d) && d[l.next].at <= t {
		l.next++
	}
	greatest := 0.0
	if l.next > 0 {
		greatest = d[l.next-1].amount
	}
	for i, end := l.next, later(t, duration); i < len(d) && d[i].at < end; i++ {
		greatest = max(greatest, d[i].amount)
	}
	return greatest
}

// usable is how many of a host's slots a job can use: all, or as many as each host has to give, or none.
func (g *gathering) usable(n int) int64 {
	switch {
	case n < g.least:
		return 0
	case g.rule > 0:
		return int64(g.rule)
	}
	return int64(n)
}

// changes are the moments at which what is used within the job's duration can change: a step begins to count when the job
// would still run at its time, and ends to count when the job starts behind it.
func (at *limits) changes(duration seconds) []seconds {
	list := []seconds{0}
	note := func(limits []useLimit) {
		for _, l := range limits {
			for _, s := range l.use.over {
				list = append(list, s.at)
				if s.at >= duration {
					list = append(list, s.at-duration+1)
				}
			}
		}
	}
	note(at.host)
	for _, q := range at.queues {
		note(q)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// replace takes events out and puts others in.
func (s *sweep) replace(gone, come []slotEvent) {
	for _, e := range gone {
		come = append(come, slotEvent{e.at, -e.slots})
	}
	slices.SortFunc(come, func(a, b slotEvent) int { return cmp.Compare(a.at, b.at) })
	old := s.events
	merged := make([]slotEvent, 0, len(old)+len(come))
	for len(old) > 0 || len(come) > 0 {
		var e slotEvent
		if len(come) == 0 || len(old) > 0 && old[0].at <= come[0].at {
			e, old = old[0], old[1:]
		} else {
			e, come = come[0], come[1:]
		}
		if n := len(merged); n > 0 && merged[n-1].at == e.at {
			merged[n-1].slots += e.slots
		} else {
			merged = append(merged, e)
		}
	}
	s.events = slices.DeleteFunc(merged, func(e slotEvent) bool { return e.slots == 0 })
	s.sums = s.sums[:0]
	sum := int64(0)
	for _, e := range s.events {
		sum += e.slots
		s.sums = append(s.sums, slotEvent{e.at, sum})
	}
}

// slotsAt is how many slots all hosts together have at a moment for the whole of a job's duration.
func (s *sweep) slotsAt(t seconds) int64 {
	i, found := slices.BinarySearchFunc(s.sums, t, func(e slotEvent, t seconds) int { return cmp.Compare(e.at, t) })
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	return s.sums[i].slots
}

// hasRoom reports whether a job has room at a moment: on the hosts, in the cluster and in its parallel environment.
func (a *attempt) hasRoom(s *sweep, t seconds) bool {
	if s.slotsAt(t) < int64(a.slots) {
		return false
	}
	probe := *a
	probe.start = t
	probe.quiet++
	return probe.slotsOfPE().now >= probe.slots && probe.globalSlots() == fits
}
