package cycle

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// newWorld is a world without anything in it.
func newWorld(s *model.Snapshot, opts Options, m *Memory) *world {
	w := &world{now: opts.At.Unix(), setting: &setting{
		snapshot: s, pbs: s.PBS, sched: s.PBS.Scheduler(), conf: &s.PBS.SchedConfig, res: newResources(s.Resources, s.PBS.SchedConfig.Resources),
		vnodeIndex: map[string]int{}, qrun: opts.Qrun, refused: opts.Refused, lastHost: &m.LastVnode,
		clock: clock{holidays: s.PBS.Holidays, dedicated: dedicatedAfter(s.PBS.Dedicated, opts.At), zone: s.Zone()},
	}}
	if w.tree = m.Fairshare; w.tree == nil {
		w.tree = fairshare.Start(s.PBS.Fairshare, opts.At)
	}
	w.server.counts = newCounts()
	return w
}

// mine reports whether the scheduler looks after a partition of vnodes or queues.
func (w *world) mine(partition string) bool { return w.sched.Serves(partition) }

func dedicatedAfter(all []model.Period, at time.Time) []model.Period {
	return slices.DeleteFunc(slices.Clone(all), func(p model.Period) bool { return p.End.Before(at) })
}

func unix(t time.Time) seconds {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// unixOr is never for the zero time.
func unixOr(t time.Time) seconds {
	if t.IsZero() {
		return never
	}
	return t.Unix()
}

// load reads the cluster in the order in which the scheduler does.
func (w *world) load() {
	w.loadPolicy()
	w.loadServer()
	w.loadVnodes()
	w.sortVnodes(w.order)
	w.loadQueues()
	w.assignVnodes()
	w.loadJobs()
	w.loadReservations()
	w.gather()
	w.collectChecks()
	w.planEnds()
	w.countRunningJobs()
	w.placeJobs()
	w.sign()
	w.makeSets()
}

func (w *world) loadPolicy() {
	w.setPolicy(w.clock.prime(w.now))
	w.policy.end = w.clock.ends(w.now)
	w.policy.depth = -1
	w.levels, w.normal = parseLevels(w.sched.PreemptPrio)
	w.fuzz = fuzz(w.sched.Fuzzy)
}

// fuzz is opt_backfill_fuzzy in seconds.
func fuzz(text string) seconds {
	switch strings.ToLower(text) {
	case "off":
		return 0
	case "med", "medium":
		return 600
	case "high":
		return 3600
	}
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && n >= 0 {
		return n
	}
	return 60
}

func (w *world) loadServer() {
	s := &w.pbs.Server
	w.server.stock = newStock(len(w.res.list))
	w.server.stock.fill(w.res, s.Available, s.Assigned)
	w.server.anyStock = len(s.Available)+len(s.Assigned) > 0
	for i := range s.Limits {
		w.server.limits.add(&s.Limits[i], w.res, &w.limited)
	}
	if s.BackfillDepth.Set {
		w.policy.depth = s.BackfillDepth.N
		w.policy.Backfill = w.policy.Backfill && s.BackfillDepth.N != 0
	}
	if v, ok := model.Text(s.Attributes, "restrict_res_to_release_on_suspend"); ok {
		w.releases = make([]bool, len(w.res.list))
		for _, name := range splitValues(v) {
			if r, known := w.res.index[name]; known && r < len(w.releases) {
				w.releases[r] = true
			}
		}
	}
}

// loadQueues reads the queues. Those of equal priority keep the server's order.
func (w *world) loadQueues() {
	for i := range w.snapshot.Queues {
		if q := &w.snapshot.Queues[i]; q.PBS != nil && w.mine(q.PBS.Partition) {
			w.queues = append(w.queues, w.loadQueue(q))
		}
	}
	expresses := 0
	for _, q := range w.queues {
		if q.priority >= w.sched.PreemptQueuePrio {
			expresses++
		}
	}
	w.expressMany = expresses > 1
}

func (w *world) loadQueue(s *model.Queue) *queue {
	p := s.PBS
	q := &queue{
		name: s.Name, priority: p.Priority, execution: p.Type == "Execution", started: p.Started, depth: countOr(p.BackfillDepth),
		ownVnodes: p.HasNodes, groupKey: splitValues(p.NodeGroupKey), limitsResources: len(p.Available) > 0,
		prime:     strings.HasPrefix(s.Name, w.conf.PrimetimePrefix),
		nonPrime:  strings.HasPrefix(s.Name, w.conf.NonprimetimePrefix),
		dedicated: strings.HasPrefix(s.Name, w.conf.DedicatedPrefix),
	}
	q.stock, q.counts = newStock(len(w.res.list)), newCounts()
	q.stock.fill(w.res, p.Available, p.Assigned)
	q.anyStock = len(p.Available)+len(p.Assigned) > 0
	for i := range p.Limits {
		q.limits.add(&p.Limits[i], w.res, &w.limited)
	}
	w.policy.Backfill = w.policy.Backfill || q.depth > 0
	q.open = w.opens(q)
	return q
}

// assignVnodes finds the vnodes of queues that have their own, and those that are for all.
func (w *world) assignVnodes() {
	w.anyone = w.order
	if w.queueVnodes {
		w.anyone = slices.DeleteFunc(slices.Clone(w.order), func(v int) bool { return w.vnodes[v].queue != "" })
	}
	for _, q := range w.queues {
		if q.ownVnodes {
			q.vnodes = slices.DeleteFunc(slices.Clone(w.order), func(v int) bool { return w.vnodes[v].queue != q.name })
		}
	}
}

// gather puts the jobs of all queues into one list, and finds the entities that they are charged to.
func (w *world) gather() {
	if p := &w.policy; p.RoundRobin || p.ByQueue {
		slices.SortStableFunc(w.queues, func(a, b *queue) int { return b.priority - a.priority })
	}
	names := []string{}
	w.jobs = []*claim{}
	byID := map[string]*claim{}
	for i, q := range w.queues {
		q.index = i
		for _, c := range q.jobs {
			w.jobs = append(w.jobs, c)
			names = append(names, w.entityName(c))
			byID[c.id] = c
		}
	}
	for i, n := range w.tree.Entities(names) {
		w.jobs[i].entity = n
	}
	for _, c := range w.jobs {
		if a := byID[c.arrayID]; a != nil && c.arrayID != "" && c.running() {
			c.array = a
			a.runSubjobs++
		}
		if c.running() {
			w.running = append(w.running, c)
		}
	}
}

// entityName is what fairshare charges a job to.
func (w *world) entityName(c *claim) string {
	return fairshare.EntityName(w.tree.Policy.Entity, func(name string) string {
		switch name {
		case "euser":
			return c.user
		case "egroup":
			return c.group
		case "project":
			return c.project
		case "Account_Name":
			return c.source.Account
		}
		v, _ := model.Text(c.source.PBS.Other, name)
		return v
	}, c.queue.name)
}

// collectChecks finds the resources that some job or reservation asks for: no others are looked at.
func (w *world) collectChecks() {
	w.growStocks()
	n := len(w.res.list)
	w.checks, w.checksNode, w.checksSum = make([]bool, n), make([]bool, n), make([]bool, n)
	w.infinite = make([]bool, n)
	for _, name := range append([]string{"mpiprocs", "ompthreads"}, w.conf.UnsetInfinite...) {
		if r, ok := w.res.index[name]; ok {
			w.infinite[r] = true
		}
	}
	for _, c := range slices.Concat(w.jobs, w.reserved) {
		w.check(c.selection)
		if c.runnable() && !c.isReservation || c.isReservation && c.stateName == "RESV_BEING_ALTERED" {
			w.check(c.exact)
		}
		for _, a := range c.asked {
			w.checks[a.res] = w.checks[a.res] || w.res.checked[w.res.list[a.res].name]
		}
	}
	for r := range w.checks {
		d := &w.res.list[r]
		w.checksNode[r] = w.checks[r] && r != w.res.host && r != w.res.vnode
		w.checksSum[r] = w.checks[r] && d.assigned && d.inSelect
	}
}

// planEnds makes the calendar: the ends of what has vnodes, the starts of reservations, dedicated time.
func (w *world) planEnds() {
	for _, c := range slices.Concat(w.jobs, w.reserved) {
		if c.start == never || c.end == never {
			continue
		}
		if c.runnable() {
			w.calendar.insert(&event{at: c.start, kind: startEvent, claim: c})
		}
		w.calendar.insert(&event{at: c.end, kind: endEvent, claim: c})
	}
	w.calendar.first = w.calendar.findStart(0)
	for _, d := range w.clock.dedicated {
		w.calendar.add(&event{at: d.Start.Unix(), kind: dedicatedStart}, w.now)
		w.calendar.add(&event{at: d.End.Unix(), kind: dedicatedEnd}, w.now)
	}
}

// countRunningJobs counts what runs against limits.
func (w *world) countRunningJobs() {
	for _, c := range w.running {
		w.countRunning(c, 1)
	}
}

// placeJobs counts the jobs on each vnode. A vnode that shows jobs which do not run is added up anew.
func (w *world) placeJobs() {
	on := map[int][]*claim{}
	here := map[string]*claim{}
	for _, c := range w.jobs {
		if c.inside == nil && (c.running() || c.exiting() || c.state == 'U') && c.given != nil {
			here[c.id] = c
			for _, v := range c.vnodes {
				on[v] = append(on[v], c)
			}
		}
	}
	for i := range w.snapshot.Hosts {
		h := &w.snapshot.Hosts[i]
		v, ok := w.vnodeIndex[h.Name]
		if !ok || h.PBS == nil {
			continue
		}
		w.countOn(v, h.PBS.Jobs, here, on[v])
	}
}

// countOn counts the jobs that a vnode shows.
func (w *world) countOn(v int, shown []string, here map[string]*claim, really []*claim) {
	n, seen, ghost := &w.vnodes[v], map[string]bool{}, false
	for _, id := range shown {
		id, _, _ = strings.Cut(id, "/")
		c := here[id]
		if ghost = ghost || c == nil; c == nil || seen[id] {
			continue
		}
		seen[id] = true
		n.jobs++
		if n.users != nil {
			n.users[c.user]++
			n.groups[c.group]++
		}
	}
	if ghost {
		w.addUpJobs(v, really)
	}
}

// addUpJobs recomputes what is assigned of a vnode from the jobs and reservations on it.
func (w *world) addUpJobs(v int, jobs []*claim) {
	n := &w.vnodes[v]
	for r := range n.assigned {
		n.assigned[r] = 0
	}
	for _, r := range w.reserved {
		if r.inForce {
			jobs = append(jobs, r)
		}
	}
	for _, c := range jobs {
		if p := on(c.given, v); p != nil {
			n.stock.add(p.gives, 1, w.res)
		}
	}
	if h := n.held[w.res.ncpus]; h.known && n.assigned[w.res.ncpus] < h.total {
		n.states &^= jobBusy
	}
}

// sign gives vnodes of equal resources, as far as these are looked at, equal signatures.
func (w *world) sign() {
	index := map[string]int{}
	for v := range w.vnodes {
		var b strings.Builder
		for r := range w.res.list {
			if h, _ := w.lookUp(&w.vnodes[v].stock, r); h.set && (w.checksNode[r] || w.res.list[r].kind == boolean) {
				sorted := slices.Sorted(slices.Values(h.values))
				b.WriteString(strconv.Itoa(r) + "=" + strconv.FormatFloat(h.total, 'g', -1, 64) + "=")
				if w.res.list[r].kind == text {
					b.WriteString(strings.Join(sorted, ",") + "\x00")
				}
			}
		}
		i, known := index[b.String()]
		if !known {
			i = len(index)
			index[b.String()] = i
		}
		w.vnodes[v].signature = i
	}
}

// makeSets makes the sets that every try looks at.
func (w *world) makeSets() {
	w.all = w.newSet("all", "none", w.anyone, true)
	if w.multiVnode {
		w.hosts = w.partition(w.order, []string{"host"}, true)
	}
	grouped := w.pbs.Server.NodeGroupEnable
	serverKey := splitValues(w.pbs.Server.NodeGroupKey)
	if grouped && len(serverKey) > 0 {
		w.groups = w.partition(w.anyone, serverKey, true)
		w.sortSets(w.groups)
	}
	for _, q := range w.queues {
		vnodes := w.anyone
		if q.ownVnodes {
			q.all, vnodes = w.newSet("all", "none", q.vnodes, true), q.vnodes
		}
		if key := cmpOr(q.groupKey, serverKey); grouped && len(key) > 0 && (q.ownVnodes || len(q.groupKey) > 0) {
			q.groups = w.partition(vnodes, key, true)
			w.sortSets(q.groups)
		}
	}
}

func cmpOr(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}
