package parallel

import (
	"cmp"
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
)

// A sweep knows, for every moment, how many slots all hosts together have for the jobs of a category. It
// counts only slots of a host that do not depend on other hosts. The searches for a reservation ask the
// sweep first, so they need not try each moment. It is kept from job to job, and recomputes only the hosts
// that were booked in between.
type sweep struct {
	hosts  []sweptHost
	events []slotEvent // sorted by time

	limits         limits // of the host that is looked at
	changes, spare []slotEvent
}

// NoSweeps turns sweeps off. Tests compare the results with and without them.
var NoSweeps bool

// A sweptHost is a host as it was when it was looked at.
type sweptHost struct {
	known   bool
	version int // of its bookings
	events  []slotEvent
}

// A slotEvent is by how many slots the number of slots changes at a moment, and what all changes up to it come to.
type slotEvent struct {
	at         seconds
	slots, sum int64
}

// sweepable reports whether hosts can be looked at one by one: nothing but their own resources, and sums that hold for
// the cluster or the parallel environment, decide.
func (a *search) sweepable() bool {
	if len(a.Run.Quotas) > 0 || a.Advance != nil || !a.Category.MasterQueues.Empty() || a.Category.Scoped() ||
		a.Run.Oversubscribed {
		return false
	}
	for _, at := range a.Run.Complex {
		if (at.Once || at.Exclusive) && a.Run.TakesAnywhere(a.Category, at) {
			return false
		}
	}
	return true
}

// sweepOf updates the sweep of the attempt's category; nil if no sweep is possible.
func (a *search) sweepOf() *sweep {
	k := a.Run.CacheOf(a.Category, a.PE)
	s, known := k.Parallel.(*sweep)
	if !known {
		if !NoSweeps && a.sweepable() {
			s = &sweep{}
		}
		k.Parallel = s
	}
	if s != nil {
		s.update(a)
	}
	return s
}

// update looks at the hosts that were booked since the last time.
func (s *sweep) update(a *search) {
	g := gathering{search: a, cache: a.Run.CacheOf(a.Category, a.PE), rule: a.PE.PerHost(a.Slots)}
	g.least = max(g.rule, 1)
	g.Quiet++
	defer func() { g.Quiet-- }()
	g.NewRound()
	g.globalSlots() // notes what is there for all
	g.markQueues()
	g.listHosts()
	if len(s.hosts) == 0 {
		s.hosts = make([]sweptHost, len(a.Run.Hosts))
	}
	s.changes = s.changes[:0]
	for _, h := range g.hosts {
		if x := &s.hosts[h.Id]; !x.known || x.version != h.Version {
			s.look(&g, h, x)
		}
	}
	if len(s.changes) > 0 {
		s.apply()
	}
}

// look notes what changes in all because one host changed.
func (s *sweep) look(g *gathering, h *cluster.Host, x *sweptHost) {
	for _, e := range x.events {
		s.changes = append(s.changes, slotEvent{at: e.at, slots: -e.slots})
	}
	x.known, x.version = true, h.Version
	x.events = s.hostEvents(g, h, x.events[:0])
	s.changes = append(s.changes, x.events...)
}

// hostEvents adds the moments at which the number of slots that a host can give changes, and by how many.
func (s *sweep) hostEvents(g *gathering, h *cluster.Host, events []slotEvent) []slotEvent {
	at := &s.limits
	g.findLimits(at, h)
	if at.most == 0 || len(at.ends) < 2 {
		return events
	}
	before := int64(0)
	for t := seconds(0); t <= utilization.Forever; {
		n, next := at.slots(t, g.Duration)
		if now := g.usable(n); now != before {
			events = append(events, slotEvent{at: t, slots: now - before})
			before = now
		}
		t = next
	}
	return events
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

// Limits are what decides over time how many slots a host can give.
type limits struct {
	most int         // whatever the time
	uses []useWindow // of the host, then of each queue instance that the job may use
	ends []int       // where in uses those of the host end, and those of each instance
}

// findLimits finds what decides for a host. That a job may use it at all does not depend on time.
func (g *gathering) findLimits(at *limits, h *cluster.Host) {
	*at = limits{uses: at.uses[:0], ends: at.ends[:0]}
	g.Forget(resource.MetAtHost)
	if !g.AllowsHost(h) {
		return
	}
	if got, _ := g.slotsOfAll(&h.Layer, resource.MetAtHost, nil); got != resource.Fits && got != resource.NotThen {
		return
	}
	at.most = g.search.Slots
	if g.rule > 0 {
		at.most = g.rule
	}
	at.most = min(at.most, g.slotsByThresholds(h))
	at.add(g, &h.Layer)
	for _, q := range h.Instances {
		if q.Tag == 0 || !g.AllowsInstance(g.cache, q) {
			continue
		}
		if got, _ := g.slotsOfAll(&q.Layer, resource.MetAtQueue, q); got == resource.Fits || got == resource.NotThen {
			at.add(g, &q.Layer)
		}
	}
}

func (at *limits) add(g *gathering, l *resource.Layer) {
	for i := range l.Capacities {
		c := &l.Capacities[i]
		if amount, _, takes := g.Category.Amount(c.Attr); takes && amount != 0 && c.Attr.IsConsumable {
			at.uses = append(at.uses, useWindow{over: l.UseOf(c.Attr).Over.UntilForever(),
				total: c.Amount, amount: amount, from: -1})
		}
	}
	at.ends = append(at.ends, len(at.uses))
}

// slots is how many slots a host can give from a moment on, and when that can change next. The moments that are asked
// for only ever grow.
func (at *limits) slots(t, duration seconds) (n int, next seconds) {
	n, next = at.most, utilization.Forever+1
	sum, begin := 0, 0
	for i, end := range at.ends {
		least := resource.Unlimited
		for k := begin; k < end; k++ {
			slots, change := at.uses[k].move(t, duration)
			least, next = min(least, slots), min(next, change)
		}
		if begin = end; i == 0 {
			n = min(n, least)
		} else {
			sum += max(least, 0)
		}
	}
	return max(min(n, sum), 0), next
}

// A useWindow looks at a resource of which every slot takes an amount, as long as a job would run.
type useWindow struct {
	over          utilization.Diagram
	total, amount float64
	from, to      int // steps that begin within the job's time
	slots         int
}

// move is how many slots the resource is enough for from a moment on, and when that can change next: when a
// step begins, or when the job would still run at its time.
func (w *useWindow) move(t, duration seconds) (slots int, next seconds) {
	from, to := max(w.from, 0), w.to
	for from < len(w.over) && w.over[from].At <= t {
		from++
	}
	for end := utilization.Later(t, duration); to < len(w.over) && w.over[to].At < end; {
		to++
	}
	if from != w.from || to != w.to {
		w.from, w.to = from, to
		w.slots = resource.ToSlots((w.total - w.most()) / w.amount)
	}
	next = utilization.Forever + 1
	if from < len(w.over) {
		next = w.over[from].At
	}
	if to < len(w.over) && w.over[to].At-duration >= t {
		next = min(next, w.over[to].At-duration+1)
	}
	return w.slots, next
}

// most is the greatest amount in use within the job's time.
func (w *useWindow) most() float64 {
	greatest := 0.0
	for i := max(w.from-1, 0); i < max(w.from, w.to); i++ {
		greatest = max(greatest, w.over[i].Amount)
	}
	return greatest
}

// apply merges the changes into the events, and adds up anew.
func (s *sweep) apply() {
	come, old := s.changes, s.events
	slices.SortFunc(come, func(a, b slotEvent) int { return cmp.Compare(a.at, b.at) })
	merged := s.spare[:0]
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
	s.spare = s.events
	s.events = slices.DeleteFunc(merged, func(e slotEvent) bool { return e.slots == 0 })
	sum := int64(0)
	for i := range s.events {
		sum += s.events[i].slots
		s.events[i].sum = sum
	}
}

// slotsAt is how many slots all hosts together have at a moment for the whole of a job's duration.
func (s *sweep) slotsAt(t seconds) int64 {
	i, found := slices.BinarySearchFunc(s.events, t, func(e slotEvent, t seconds) int { return cmp.Compare(e.at, t) })
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	return s.events[i].sum
}

// hasRoom reports whether a job has room at a moment: on the hosts, in the cluster and in its parallel environment.
func (a *search) hasRoom(s *sweep, t seconds) bool {
	if s.slotsAt(t) < int64(a.Slots) {
		return false
	}
	probe := *a
	probe.Start = t
	probe.Quiet++
	return probe.slotsOfPE().now >= probe.Slots && probe.globalSlots() == resource.Fits
}
