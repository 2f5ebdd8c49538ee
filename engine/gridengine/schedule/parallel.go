package schedule

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/model"
)

// The allocation rules of sge_pe(5) that have a name. A job gets all its slots on one host, or as many as one host has
// before the next one is asked, or one on each host in turn. They are also what perHost says of the last two.
const (
	fillUp     = -1
	roundRobin = -2
	oneHost    = -3
)

func allocationRule(text string) int {
	switch text {
	case "$pe_slots":
		return oneHost
	case "$fill_up":
		return fillUp
	case "$round_robin":
		return roundRobin
	}
	return max(toSlots(number(text)), 0)
}

// perHost is how many slots each host of a job gets; 0 where n slots cannot be spread so.
func (p *pe) perHost(n int) int {
	switch {
	case p.rule == oneHost:
		return n
	case p.rule > 0 && n%p.rule != 0:
		return 0
	}
	return p.rule
}

// assignParallel finds slots for one parallel task: of the parallel environments that match, the one with most slots.
func (a *attempt) assignParallel() result {
	r := a.run
	r.rankHosts()
	for _, q := range r.world.queues {
		q.master = 2
	}
	best, matching := neverAny, r.matchingPEs(a)
	for _, p := range matching {
		best = min(best, a.tryPE(p))
	}
	if len(matching) == 0 {
		a.note(model.Reason{Kind: model.ReasonPE, Asked: a.job.PE})
	}
	if a.reserve && a.grants != nil {
		a.mostSlots()
	}
	for _, q := range r.world.queues {
		q.tag = 0
	}
	if a.grants != nil {
		return fits
	}
	return best
}

// matchingPEs are the parallel environments that a job can have: the least recently changed one first (D10).
func (r *run) matchingPEs(a *attempt) []*pe {
	var list []*pe
	for _, p := range r.world.pes {
		if a.advance != nil && p.Name != a.advance.PE {
			continue
		}
		if model.MatchName(a.job.PE, p.Name) || a.advance != nil && !a.reserve && r.quirks.AdvancePE { // D70
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(x, y *pe) int { return cmp.Compare(x.modified, y.modified) })
	return list
}

// tryPE looks for slots of one parallel environment and keeps them if they are better than those found before.
func (a *attempt) tryPE(p *pe) result {
	if a.grants == nil {
		a.pe = p
		got := a.searchPE()
		if got != fits {
			a.noteLack(got)
		}
		return got
	}
	other := *a
	other.pe, other.grants, other.broken = p, nil, 0
	if a.reserve {
		other.slots = 0
		if !a.run.quirks.FirstPEDecides {
			other.start = atEnd
		}
	}
	got := other.searchPE()
	a.why = other.why
	if got == fits && other.better(a) {
		*a = other
	}
	return got
}

// better reports whether slots of another parallel environment are to be preferred.
func (a *attempt) better(o *attempt) bool {
	switch {
	case a.reserve && a.start != o.start:
		return a.start < o.start
	case a.reserve:
		return a.broken < o.broken
	}
	return a.slots > o.slots || a.broken < o.broken
}

// searchPE looks for slots of the attempt's parallel environment: for a start the most, for a reservation the least, to
// find its time.
func (a *attempt) searchPE() result {
	if a.reserve {
		return a.findTime()
	}
	return a.mostSlots()
}

// place tries to place a number of slots of a parallel environment at the attempt's start.
func (a *attempt) place() result {
	p := a.pe
	a.found = 0
	if a.advance == nil {
		if p.Slots == 0 {
			return neverAny
		}
		if !a.run.world.usersets.Access(a.cat.user, a.cat.group, p.ACL, p.XACL) {
			a.note(model.Reason{Kind: model.ReasonAccess, Level: levelPE, Object: p.Name, Asked: a.cat.user})
			return neverAny
		}
		if free := a.slotsOfPE(); a.slots > free.now {
			a.found = min(free.now, free.last)
			if a.slots > free.last {
				return neverAny
			}
			return notThen
		}
	} else if got := a.checkAdvance(); got != fits {
		return got
	}
	got := a.tagParallel()
	if got == fits {
		a.run.lastSearch = searchParallel
		if a.soft {
			a.run.lastSearch = searchParallelSoft
		}
	} else {
		a.grants = nil
	}
	return got
}

// slotsOfPE are the slots that the parallel environment has left.
func (a *attempt) slotsOfPE() slots {
	u := a.pe.use
	return slots{toSlots(u.total - a.inUse(u)), toSlots(u.total - u.over.atLast())}
}

// A gathering is the collection of slots, host by host.
type gathering struct {
	*attempt
	cache *cache
	learn bool
	rule  int
	least int     // slots that a host must have to be used
	hosts []*host // with a queue instance that the job may use, in its order
	other []*host // without one: they are looked at all the same, and marked (D46, D21)
	used  []grant // of the host that is visited

	got, gotLast       int // slots
	master, masterLast bool
	masterHost         *host
}

// tagParallel collects the attempt's slots.
func (a *attempt) tagParallel() result {
	a.newRound()
	a.grants, a.broken = nil, 0
	if got := a.globalSlots(); got != fits {
		return got
	}
	for _, q := range a.run.world.queues {
		q.tag, q.granted, q.host.granted = 0, 0, 0
	}
	g := gathering{attempt: a, cache: a.run.cacheOf(a.cat, a.pe), learn: a.cached(), rule: a.pe.perHost(a.slots)}
	g.least = max(g.rule, 1)
	order := g.run.keepOrder(a)
	g.markQueues()
	g.sortQueues()
	g.listHosts()
	for g.pass() {
	}
	copy(g.run.world.queues, order)
	a.found = g.got
	switch {
	case g.got >= a.slots && g.master:
		return fits
	case g.gotLast >= a.slots && g.masterLast:
		return notThen
	}
	return neverAny
}

// keepOrder is the order of the queue instances, where a search must not change it for other jobs (D19).
func (r *run) keepOrder(a *attempt) []*instance {
	if !a.soft || r.quirks.SoftOrderStays {
		return nil
	}
	return slices.Clone(r.world.queues)
}

// globalSlots looks at what the cluster as a whole has.
func (a *attempt) globalSlots() result {
	if a.advance != nil {
		return fits
	}
	n := slots{}
	g := a.run.world.global
	a.seat = seat{wanted: true}
	if a.allowsHost(g) {
		a.forget(metGlobally)
		_, n = a.slotsOfAll(&g.layer, metGlobally, nil)
	}
	if n.now >= a.slots {
		return fits
	}
	a.found = n.last // as the master says it: what there is when all that is booked has ended
	if n.last >= a.slots {
		return notThen
	}
	return neverAny
}

// markQueues marks the queue instances of cluster queues that the job may use.
func (g *gathering) markQueues() {
	for _, q := range g.run.world.queues {
		q.violations = 0
		if g.allowsCluster(g.cache, q) {
			q.tag = 1
		} else {
			g.skipCluster(q.cluster)
		}
	}
	if g.soft {
		for _, q := range g.run.world.queues {
			if q.tag == 1 {
				q.violations = g.softViolations(q)
			}
		}
	}
}

// softViolations counts the soft requests that a queue instance, its host and the cluster do not meet.
func (a *attempt) softViolations(q *instance) uint32 {
	n := a.violations(&a.run.world.global.layer, metGlobally)
	n += a.violations(&q.host.layer, metAtHost)
	return n + a.violations(&q.layer, metAtQueue) + a.softQueueViolations(q)
}

// sortQueues brings the queue instances into the order in which slots are taken: soft requests first.
func (g *gathering) sortQueues() {
	r := g.run
	switch {
	case g.soft:
		slices.SortStableFunc(r.world.queues, func(a, b *instance) int {
			return cmp.Or(cmp.Compare(b.tag, a.tag), cmp.Compare(a.violations, b.violations), cmp.Compare(a.rank, b.rank))
		})
	case r.lastSearch == searchNone || r.lastSearch == searchParallelSoft || r.hostsMoved || !r.quirks.UnsortedTail:
		r.sortByRank()
	}
}

// listHosts lists the hosts in the order of their first usable queue instance, and with each its instances.
func (g *gathering) listHosts() {
	for _, h := range g.run.world.hosts {
		h.instances, h.order = h.instances[:0], 0
	}
	for _, q := range g.run.world.queues {
		q.host.instances = append(q.host.instances, q)
		if q.tag != 0 && q.host.order == 0 {
			q.host.order = 1
			g.hosts = append(g.hosts, q.host)
		}
	}
	if g.run.quirks.HostsStayMoved {
		g.run.leaveHosts(g.hosts)
	}
	for _, h := range g.run.world.hosts {
		if h.order == 0 && len(h.instances) > 0 {
			g.other = append(g.other, h)
		}
	}
}

// pass takes slots from one host after the other and says whether another pass can bring more: it can where each host
// gives one slot at a time.
func (g *gathering) pass() (again bool) {
	before, beforeLast := g.got, g.gotLast
	for _, hosts := range [][]*host{g.hosts, g.other} {
		for _, h := range hosts {
			if g.learn && g.cache.noHost[h.id] || g.skipsHost(h) {
				continue
			}
			g.visit(h)
			if g.done() {
				return false
			}
			if g.careful && g.gotLast >= g.attempt.slots && g.masterLast {
				g.careful = false // it can run later: no need to look for that any more, not even in other tries (D14)
			}
		}
	}
	return g.rule == roundRobin && (g.got > before || g.gotLast > beforeLast)
}

func (g *gathering) done() bool {
	return g.got >= g.attempt.slots && g.master && (!g.careful || g.reserve || g.gotLast >= g.attempt.slots && g.masterLast)
}

// visit takes slots from one host.
func (g *gathering) visit(h *host) {
	g.seat = seat{wanted: !g.master, here: g.masterHost == h, host: h}
	n := g.hostSlots(h)
	if n.now >= g.least && !g.harvest(h, n.now, false) {
		n.now = 0
	}
	if n.last >= g.least && g.careful && !g.reserve && !g.harvest(h, n.last, true) {
		n.last = 0
	}
	if g.learn && g.learns && n.now < g.least && n.last < g.least {
		g.cache.noHost[h.id] = true
	}
}

// hostSlots finds how many slots a host has for the job, and marks each of its queue instances with its own.
func (g *gathering) hostSlots(h *host) slots {
	n := slots{}
	if g.advance != nil {
		for _, q := range h.instances {
			if l := g.advance.layerOf(q); l != nil {
				n.now += toSlots(l.configured(g.run.world.slots).amount)
			}
		}
		n.last = n.now
	} else if g.allowsHost(h) {
		n = g.slotsAtHost(h)
	}
	most := g.attempt.slots
	if g.rule > 0 {
		most = g.rule
	}
	n = n.least(slots{most, most})
	if n.now < g.least && n.last < g.least {
		return n
	}
	sum := slots{}
	for _, q := range h.instances {
		m, ok := g.tagInstance(q)
		if ok {
			sum.now, sum.last = sum.now+m.now, sum.last+m.last
		}
	}
	return n.least(sum)
}

// slotsAtHost is what the resources of a host are enough for.
func (g *gathering) slotsAtHost(h *host) slots {
	g.forget(metAtHost)
	got, n := g.slotsOfAll(&h.layer, metAtHost, nil)
	if got != fits && got != notThen {
		return slots{}
	}
	if got == notThen {
		for _, q := range h.instances {
			q.master = 1
		}
		g.run.mastersLowered = true
	}
	if n.now > 0 {
		n.now = min(n.now, g.slotsByThresholds(h)) - h.granted
	}
	return n
}

// tagInstance marks a queue instance with the slots that it has for the job.
func (g *gathering) tagInstance(q *instance) (slots, bool) {
	switch {
	case g.skipsCluster(q.cluster):
		q.setLast(g.run, 0)
		return slots{}, false
	case g.learn && g.cache.noQueue[q.id]:
		if !g.run.quirks.IgnoredKeepsSlot { // it keeps its mark, which is one slot (D17)
			q.tag = 0
		}
		return slots{}, false
	}
	got, n := g.slotsAtInstance(q)
	if got != fits && got != notThen || n.now <= 0 && n.last <= 0 {
		q.tag = 0
		if !g.run.quirks.SharedTags {
			q.setLast(g.run, 0)
		}
		if g.learn {
			g.cache.noQueue[q.id] = true
		}
		return slots{}, false
	}
	q.tag = int64(n.now)
	q.setLast(g.run, n.last)
	return n, true
}

func (g *gathering) slotsAtInstance(q *instance) (result, slots) {
	if !g.allowsInstance(g.cache, q) {
		return neverAny, slots{}
	}
	if g.cat.forMasterAlone(q) && !(g.seat.wanted && g.cache.canMaster[q.id]) {
		g.note(model.Reason{Kind: model.ReasonQueueList, Level: levelQueue, Object: q.Name, Asked: strings.Join(g.job.SlaveScope.HardQueues, ","),
			Scope: model.ScopeSlave})
		return neverAny, slots{}
	}
	n, quota := slots{}, slots{unlimited, unlimited}
	got := fits
	if g.advance != nil {
		l := g.advance.layerOf(q)
		if l == nil {
			return neverAny, slots{}
		}
		got, n = g.slotsOfAll(l, metAtQueue, q)
	} else if got, quota = g.slotsOfQuotas(q); got == fits {
		got, n = g.slotsOfAll(&q.layer, metAtQueue, q)
	}
	n.now -= q.granted
	n = n.least(quota)
	if g.overloadedNow(q) {
		n.now = 0
	}
	if !g.run.quirks.UnsignedSlots {
		n = slots{max(n.now, 0), max(n.last, 0)}
	}
	return got, n
}

// setLast notes how many slots an instance has at last; that shares its place with the time when it is free (D2).
func (q *instance) setLast(r *run, n int) {
	if r.quirks.SharedTags {
		q.avail = seconds(n)
	} else {
		q.atLast = int64(n)
	}
}

func (q *instance) slotsAtLast(r *run) int64 {
	if r.quirks.SharedTags {
		return q.avail
	}
	return q.atLast
}

// harvest takes the slots of one host: those for the start, or those at last. It takes none where they are too few.
func (g *gathering) harvest(h *host, n int, last bool) bool {
	w := harvester{gathering: g, last: last, master: g.master, most: n}
	if last {
		w.master = g.masterLast
	}
	switch {
	case g.rule > 0:
		w.most = g.rule
	case g.rule == fillUp && !last:
		w.most = min(g.attempt.slots-g.got, n)
	case g.rule == fillUp:
		w.most = min(g.attempt.slots-g.gotLast, n)
	default:
		w.most = 1
	}
	return w.take(h)
}
