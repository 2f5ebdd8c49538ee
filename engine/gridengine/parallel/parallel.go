package parallel

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/place"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// seconds count from 1970.
type seconds = utilization.Seconds

// A search looks for the slots of one parallel task.
type search struct {
	place.Attempt
	least       int // slots that it is content with, 0 where its parallel environment cannot spread any number of them
	found       int // slots that its last try found
	broken      uint32
	masterPlace masterPlace // of the master task
	learns      bool        // it may extend what its category knows of hosts
}

// AssignParallel finds slots for one parallel task.
func AssignParallel(a *place.Attempt) resource.Result {
	s := search{Attempt: *a}
	got := s.assign()
	*a = s.Attempt
	return got
}

// assign finds slots for one parallel task: of the parallel environments that match, the one with most slots.
func (a *search) assign() resource.Result {
	r := a.Run
	r.RankHosts()
	for _, q := range r.Queues {
		q.Master = 2
	}
	best, matching := resource.NeverAny, r.MatchingPEs(&a.Attempt)
	for _, p := range matching {
		best = min(best, a.tryPE(p))
	}
	if len(matching) == 0 {
		a.Note(model.Reason{Kind: model.ReasonPE, Asked: a.Job.PE})
	}
	if a.Reserve && a.Grants != nil {
		a.mostSlots()
	}
	for _, q := range r.Queues {
		q.Tag = 0
	}
	if a.Grants != nil {
		return resource.Fits
	}
	return best
}

// tryPE looks for slots of one parallel environment and keeps them if they are better than those found before.
func (a *search) tryPE(p *cluster.PE) resource.Result {
	if a.Grants == nil {
		a.PE = p
		got := a.searchPE()
		if got != resource.Fits {
			a.noteLack(got)
		}
		return got
	}
	other := *a
	other.PE, other.Grants, other.broken = p, nil, 0
	if a.Reserve {
		other.Slots = 0
		if !a.Run.Quirks.FirstPEDecides {
			other.Start = utilization.AtEnd
		}
	}
	got := other.searchPE()
	a.Why = other.Why
	if got == resource.Fits && other.better(a) {
		*a = other
	}
	return got
}

// better reports whether slots of another parallel environment are to be preferred.
func (a *search) better(o *search) bool {
	switch {
	case a.Reserve && a.Start != o.Start:
		return a.Start < o.Start
	case a.Reserve:
		return a.broken < o.broken
	}
	return a.Slots > o.Slots || a.broken < o.broken
}

// searchPE looks for slots of the attempt's parallel environment: for a start the most, for a reservation the least, to
// find its time.
func (a *search) searchPE() resource.Result {
	if a.Reserve {
		return a.findTime()
	}
	return a.mostSlots()
}

// place tries to place a number of slots of a parallel environment at the attempt's start.
func (a *search) place() resource.Result {
	p := a.PE
	a.found = 0
	if a.Advance == nil {
		if p.Slots == 0 {
			return resource.NeverAny
		}
		if !a.Run.Usersets.Access(a.Category.User, a.Category.Group, p.ACL, p.XACL) {
			a.Note(model.Reason{Kind: model.ReasonAccess, Level: resource.LevelPE, Object: p.Name, Asked: a.Category.User})
			return resource.NeverAny
		}
		if free := a.slotsOfPE(); a.Slots > free.now {
			a.found = min(free.now, free.last)
			if a.Slots > free.last {
				return resource.NeverAny
			}
			return resource.NotThen
		}
	} else if got := a.CheckAdvance(); got != resource.Fits {
		return got
	}
	got := a.tagParallel()
	if got == resource.Fits {
		a.Run.LastSearch = place.SearchParallel
		if a.Soft {
			a.Run.LastSearch = place.SearchParallelSoft
		}
	} else {
		a.Grants = nil
	}
	return got
}

// slotsOfPE are the slots that the parallel environment has left.
func (a *search) slotsOfPE() slots {
	u := a.PE.Use
	return slots{resource.ToSlots(u.Total - a.inUse(u)), resource.ToSlots(u.Total - u.Over.AtLast())}
}

// A gathering is the collection of slots, host by host.
type gathering struct {
	*search
	cache *cluster.Cache
	learn bool
	rule  int
	least int             // slots that a host must have to be used
	hosts []*cluster.Host // with a queue instance that the job may use, in its order
	other []*cluster.Host // without one: they are looked at all the same, and marked (D46, D21)
	used  []cluster.Grant // of the host that is visited

	got, gotLast       int // slots
	master, masterLast bool
	masterHost         *cluster.Host
}

// tagParallel collects the attempt's slots.
func (a *search) tagParallel() resource.Result {
	a.NewRound()
	a.Grants, a.broken = nil, 0
	if got := a.globalSlots(); got != resource.Fits {
		return got
	}
	for _, q := range a.Run.Queues {
		q.Tag, q.Granted, q.ExecHost.Granted = 0, 0, 0
	}
	g := gathering{search: a, cache: a.Run.CacheOf(a.Category, a.PE), learn: a.Cached(), rule: a.PE.PerHost(a.Slots)}
	g.least = max(g.rule, 1)
	order := a.keepOrder()
	g.markQueues()
	g.sortQueues()
	g.listHosts()
	for g.pass() {
	}
	copy(g.Run.Queues, order)
	a.found = g.got
	switch {
	case g.got >= a.Slots && g.master:
		return resource.Fits
	case g.gotLast >= a.Slots && g.masterLast:
		return resource.NotThen
	}
	return resource.NeverAny
}

// keepOrder is the order of the queue instances, where a search must not change it for other jobs (D19).
func (a *search) keepOrder() []*cluster.Instance {
	if !a.Soft || a.Run.Quirks.SoftOrderStays {
		return nil
	}
	return slices.Clone(a.Run.Queues)
}

// globalSlots looks at what the cluster as a whole has.
func (a *search) globalSlots() resource.Result {
	if a.Advance != nil {
		return resource.Fits
	}
	n := slots{}
	g := a.Run.Global
	a.masterPlace = masterPlace{wanted: true}
	if a.AllowsHost(g) {
		a.Forget(resource.MetGlobally)
		_, n = a.slotsOfAll(&g.Layer, resource.MetGlobally, nil)
	}
	if n.now >= a.Slots {
		return resource.Fits
	}
	a.found = n.last // as the master says it: what there is when all that is booked has ended
	if n.last >= a.Slots {
		return resource.NotThen
	}
	return resource.NeverAny
}

// markQueues marks the queue instances of cluster queues that the job may use.
func (g *gathering) markQueues() {
	for _, q := range g.Run.Queues {
		q.Violations = 0
		if g.AllowsCluster(g.cache, q) {
			q.Tag = 1
		} else {
			g.SkipCluster(q.Cluster)
		}
	}
	if g.Soft {
		for _, q := range g.Run.Queues {
			if q.Tag == 1 {
				q.Violations = g.softViolations(q)
			}
		}
	}
}

// softViolations counts the soft requests that a queue instance, its host and the cluster do not meet.
func (a *search) softViolations(q *cluster.Instance) uint32 {
	n := a.Violations(&a.Run.Global.Layer, resource.MetGlobally)
	n += a.Violations(&q.ExecHost.Layer, resource.MetAtHost)
	return n + a.Violations(&q.Layer, resource.MetAtQueue) + a.SoftQueueViolations(q)
}

// sortQueues brings the queue instances into the order in which slots are taken: soft requests first.
func (g *gathering) sortQueues() {
	r := g.Run
	switch {
	case g.Soft:
		slices.SortStableFunc(r.Queues, func(a, b *cluster.Instance) int {
			return cmp.Or(cmp.Compare(b.Tag, a.Tag), cmp.Compare(a.Violations, b.Violations), cmp.Compare(a.Rank, b.Rank))
		})
	case r.LastSearch == place.SearchNone || r.LastSearch == place.SearchParallelSoft || r.HostsMoved ||
		!r.Quirks.UnsortedTail:
		r.SortByRank()
	}
}

// listHosts lists the hosts in the order of their first usable queue instance, and with each its instances.
func (g *gathering) listHosts() {
	for _, h := range g.Run.Hosts {
		h.Instances, h.Order = h.Instances[:0], 0
	}
	for _, q := range g.Run.Queues {
		q.ExecHost.Instances = append(q.ExecHost.Instances, q)
		if q.Tag != 0 && q.ExecHost.Order == 0 {
			q.ExecHost.Order = 1
			g.hosts = append(g.hosts, q.ExecHost)
		}
	}
	if g.Run.Quirks.HostOrderStays {
		g.Run.LeaveHosts(g.hosts)
	}
	for _, h := range g.Run.Hosts {
		if h.Order == 0 && len(h.Instances) > 0 {
			g.other = append(g.other, h)
		}
	}
}

// pass takes slots from one host after the other and says whether another pass can bring more: it can where each host
// gives one slot at a time.
func (g *gathering) pass() (again bool) {
	before, beforeLast := g.got, g.gotLast
	for _, hosts := range [][]*cluster.Host{g.hosts, g.other} {
		for _, h := range hosts {
			if g.learn && g.cache.NoHost[h.Id] || g.SkipsHost(h) {
				continue
			}
			g.visit(h)
			if g.done() {
				return false
			}
			if g.Careful && g.gotLast >= g.search.Slots && g.masterLast {
				g.Careful = false // it can run later: no need to look for that any more, not even in other tries (D14)
			}
		}
	}
	return g.rule == cluster.RoundRobin && (g.got > before || g.gotLast > beforeLast)
}

func (g *gathering) done() bool {
	return g.got >= g.search.Slots && g.master && (!g.Careful || g.Reserve || g.gotLast >= g.search.Slots && g.masterLast)
}

// visit takes slots from one host.
func (g *gathering) visit(h *cluster.Host) {
	g.masterPlace = masterPlace{wanted: !g.master, here: g.masterHost == h, host: h}
	n := g.hostSlots(h)
	if n.now >= g.least && !g.harvest(h, n.now, false) {
		n.now = 0
	}
	if n.last >= g.least && g.Careful && !g.Reserve && !g.harvest(h, n.last, true) {
		n.last = 0
	}
	if g.learn && g.learns && n.now < g.least && n.last < g.least {
		g.cache.NoHost[h.Id] = true
	}
}

// hostSlots finds how many slots a host has for the job, and marks each of its queue instances with its own.
func (g *gathering) hostSlots(h *cluster.Host) slots {
	n := slots{}
	if g.Advance != nil {
		for _, q := range h.Instances {
			if l := g.Advance.LayerOf(q); l != nil {
				n.now += resource.ToSlots(l.Configured(g.Run.Slots).Amount)
			}
		}
		n.last = n.now
	} else if g.AllowsHost(h) {
		n = g.slotsAtHost(h)
	}
	most := g.search.Slots
	if g.rule > 0 {
		most = g.rule
	}
	n = n.least(slots{most, most})
	if n.now < g.least && n.last < g.least {
		return n
	}
	sum := slots{}
	for _, q := range h.Instances {
		m, ok := g.tagInstance(q)
		if ok {
			sum.now, sum.last = sum.now+m.now, sum.last+m.last
		}
	}
	return n.least(sum)
}

// slotsAtHost is what the resources of a host are enough for.
func (g *gathering) slotsAtHost(h *cluster.Host) slots {
	g.Forget(resource.MetAtHost)
	got, n := g.slotsOfAll(&h.Layer, resource.MetAtHost, nil)
	if got != resource.Fits && got != resource.NotThen {
		return slots{}
	}
	if got == resource.NotThen {
		for _, q := range h.Instances {
			q.Master = 1
		}
		g.Run.MastersLowered = true
	}
	if n.now > 0 {
		n.now = min(n.now, g.slotsByThresholds(h)) - h.Granted
	}
	return n
}

// tagInstance marks a queue instance with the slots that it has for the job.
func (g *gathering) tagInstance(q *cluster.Instance) (slots, bool) {
	switch {
	case g.SkipsCluster(q.Cluster):
		g.setLast(q, 0)
		return slots{}, false
	case g.learn && g.cache.NoQueue[q.Id]:
		if !g.Run.Quirks.UnsuitableKeepsSlot { // it keeps its mark, which is one slot (D17)
			q.Tag = 0
		}
		return slots{}, false
	}
	got, n := g.slotsAtInstance(q)
	if got != resource.Fits && got != resource.NotThen || n.now <= 0 && n.last <= 0 {
		q.Tag = 0
		if !g.Run.Quirks.SharedTags {
			g.setLast(q, 0)
		}
		if g.learn {
			g.cache.NoQueue[q.Id] = true
		}
		return slots{}, false
	}
	q.Tag = int64(n.now)
	g.setLast(q, n.last)
	return n, true
}

func (g *gathering) slotsAtInstance(q *cluster.Instance) (resource.Result, slots) {
	if !g.AllowsInstance(g.cache, q) {
		return resource.NeverAny, slots{}
	}
	if g.Category.ForMasterAlone(q) && !(g.masterPlace.wanted && g.cache.CanMaster[q.Id]) {
		g.Note(model.Reason{Kind: model.ReasonQueueList, Level: resource.LevelQueue, Object: q.Name,
			Asked: strings.Join(g.Job.SlaveScope.HardQueues, ","),
			Scope: model.ScopeSlave})
		return resource.NeverAny, slots{}
	}
	n, quota := slots{}, slots{resource.Unlimited, resource.Unlimited}
	got := resource.Fits
	if g.Advance != nil {
		l := g.Advance.LayerOf(q)
		if l == nil {
			return resource.NeverAny, slots{}
		}
		got, n = g.slotsOfAll(l, resource.MetAtQueue, q)
	} else if got, quota = g.slotsOfQuotas(q); got == resource.Fits {
		got, n = g.slotsOfAll(&q.Layer, resource.MetAtQueue, q)
	}
	n.now -= q.Granted
	n = n.least(quota)
	if g.OverloadedNow(q) {
		n.now = 0
	}
	if !g.Run.Quirks.UnsignedSlots {
		n = slots{max(n.now, 0), max(n.last, 0)}
	}
	return got, n
}

// setLast notes how many slots an instance has at last; that shares its place with the time when it is free (D2).
func (g *gathering) setLast(q *cluster.Instance, n int) {
	if g.Run.Quirks.SharedTags {
		q.Avail = seconds(n)
	} else {
		q.AtLast = int64(n)
	}
}

func (g *gathering) slotsAtLast(q *cluster.Instance) int64 {
	if g.Run.Quirks.SharedTags {
		return q.Avail
	}
	return q.AtLast
}

// harvest takes the slots of one host: those for the start, or those at last. It takes none where they are too few.
func (g *gathering) harvest(h *cluster.Host, n int, last bool) bool {
	w := harvester{gathering: g, last: last, master: g.master, most: n}
	if last {
		w.master = g.masterLast
	}
	switch {
	case g.rule > 0:
		w.most = g.rule
	case g.rule == cluster.FillUp && !last:
		w.most = min(g.search.Slots-g.got, n)
	case g.rule == cluster.FillUp:
		w.most = min(g.search.Slots-g.gotLast, n)
	default:
		w.most = 1
	}
	return w.take(h)
}
