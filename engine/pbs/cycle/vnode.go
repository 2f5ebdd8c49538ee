package cycle

import (
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A vnode is a vnode, or the part of one that belongs to a reservation.
type vnode struct {
	stock
	name        string
	states      state
	host        string
	sharing     sharing
	priority    int
	lastUsed    seconds
	queue       string
	several     bool // its host has several vnodes
	jobs        int  // that run on it
	resvs       int  // reservations in force
	maxRunning  int64
	maxUserRun  int64
	maxGroupRun int64
	users       map[string]int // running jobs by user, where the vnode limits them
	groups      map[string]int
	single      bool // no_multinode_jobs
	reservable  bool // resv_enable
	signature   int  // vnodes with equal resources have equal ones
	follows     *set // whose sums change when something starts on it (quirk P30); nil for none
	whole       int  // 1 and the vnode of which this is a reservation's part, 0 for none
	rank        int
}

// A state is a set of reasons why a vnode takes no jobs; a vnode without any is free.
type state uint32

const (
	down state = 1 << iota
	offline
	unknownState
	jobExclusive
	resvExclusive
	sharingState
	busy
	jobBusy
	staleState
	maintenance
	provisioning
	sleeping
	notFree // none of the above, but not free either
)

var stateNames = map[string]state{
	"down": down, "offline": offline, "state-unknown": unknownState, "unresolvable": unknownState,
	"job-exclusive": jobExclusive, "resv-exclusive": resvExclusive, "job-sharing": sharingState, "busy": busy,
	"job-busy": jobBusy, "Stale": staleState, "stale": staleState, "provisioning": provisioning,
	"wait-provisioning": provisioning, "maintenance": maintenance, "sleep": sleeping, "free": 0,
}

func (v *vnode) free() bool { return v.states == 0 }

// A sharing is the vnode attribute of that name: who else may be on the vnode or its host.
type sharing struct {
	forced    bool // whatever a job asks for
	ignored   bool // ignore_excl
	exclusive bool
	host      bool // the whole host
}

func parseSharing(s string) sharing {
	return sharing{
		forced: strings.HasPrefix(s, "force_"), ignored: s == "ignore_excl",
		exclusive: strings.HasSuffix(s, "_excl") && s != "ignore_excl" || strings.HasSuffix(s, "_exclhost"),
		host:      strings.HasSuffix(s, "_exclhost"),
	}
}

// duplicate unties a copied vnode from its original.
func (v *vnode) duplicate() {
	v.stock = v.stock.duplicate()
	v.users, v.groups = maps.Clone(v.users), maps.Clone(v.groups)
}

// loadVnodes reads the vnodes in the server's order.
func (w *world) loadVnodes() {
	hosts := w.snapshot.Hosts
	w.vnodes = make([]vnode, 0, len(hosts))
	for i := range hosts {
		if h := &hosts[i]; h.PBS != nil {
			w.multiVnode = w.multiVnode || h.PBS.MultiVnode // of another scheduler's too: it reads them before it passes over them
		}
		if h := &hosts[i]; h.PBS != nil && w.mine(h.PBS.Partition) {
			w.vnodeIndex[h.Name] = len(w.vnodes)
			w.vnodes = append(w.vnodes, w.loadVnode(h))
		}
	}
	w.findHosts()
	w.growStocks()
	for i := range w.vnodes {
		w.lend(&w.vnodes[i])
		w.order = append(w.order, i)
	}
	w.scratch = make([]uint8, len(w.vnodes))
}

func (w *world) loadVnode(h *model.Host) vnode {
	p := h.PBS
	v := vnode{
		name: h.Name, priority: p.Priority, queue: p.Queue, several: p.MultiVnode, sharing: parseSharing(p.Sharing),
		maxRunning: countOr(p.MaxRunning), maxUserRun: countOr(p.MaxUserRun), maxGroupRun: countOr(p.MaxGroupRun),
		lastUsed: unix(p.LastUsed), reservable: true, rank: w.nextRank(),
	}
	v.stock = newStock(len(w.res.list))
	w.fill(&v.stock, h.Capacity, p.Assigned)
	if m := &v.held[w.res.mem]; m.set {
		m.total -= float64(whole(m.total) % 1024)
	}
	for _, s := range p.State {
		known, ok := stateNames[s]
		if v.states |= known; !ok {
			v.states |= notFree
		}
	}
	if v.maxUserRun >= 0 || v.maxGroupRun >= 0 {
		v.users, v.groups = map[string]int{}, map[string]int{}
	}
	for _, a := range p.Attributes {
		switch {
		case a.Name == "no_multinode_jobs":
			v.single = a.Value == "True"
		case a.Name == "resv_enable":
			v.reservable = a.Value == "True"
		}
	}
	return v
}

func countOr(c model.Count) int64 {
	if !c.Set {
		return -1
	}
	return c.N
}

// findHosts finds the host of each vnode, and the hosts with several vnodes where the bundle does not name them.
func (w *world) findHosts() {
	vnodes := map[string]int{}
	for i := range w.vnodes {
		v := &w.vnodes[i]
		if h := v.held[w.res.host]; len(h.values) > 0 {
			v.host = h.values[0]
		}
		vnodes[v.host]++
	}
	for i := range w.vnodes {
		v := &w.vnodes[i]
		v.several = v.several || v.host != "" && vnodes[v.host] > 1
		w.multiVnode = w.multiVnode || v.several
		w.queueVnodes = w.queueVnodes || v.queue != ""
	}
}

// lend follows "@vnode" to the vnode that has a resource. Chains that do not end lend nothing.
func (w *world) lend(v *vnode) {
	for r := range v.held {
		at := v
		for range 10 {
			if len(at.held[r].values) == 0 || !strings.HasPrefix(at.held[r].values[0], "@") {
				break
			}
			next, ok := w.vnodeIndex[at.held[r].values[0][1:]]
			if !ok {
				break
			}
			at = &w.vnodes[next]
			v.held[r].from = next + 1
		}
	}
}

// take books what a claim gets of a vnode.
func (w *world) take(c *claim, p *portion, gives []request) {
	v := &w.vnodes[p.vnode]
	if v.states&(offline|down) != 0 {
		return
	}
	if c.isReservation {
		v.resvs++
	} else {
		v.jobs++
	}
	w.assign(p.vnode, gives, 1)
	if v.users != nil && !c.isReservation {
		v.users[c.user]++
		v.groups[c.group]++
	}
	if h, used := w.lookUp(&v.stock, w.res.ncpus); h.known && h.set && h.total-used <= 0 {
		v.states |= jobBusy
	}
	if exclusive(c.place, v.sharing) {
		v.states |= exclusiveState(c)
		if v.whole > 0 && !c.isReservation {
			w.vnodes[v.whole-1].states |= jobExclusive
		}
	}
}

func exclusiveState(c *claim) state {
	if c.isReservation {
		return resvExclusive
	}
	return jobExclusive
}

// giveBack undoes take.
func (w *world) giveBack(c *claim, vnode int, released []portion) {
	v := &w.vnodes[vnode]
	if v.states&(offline|down) != 0 {
		return
	}
	if c.isReservation {
		v.resvs = max(0, v.resvs-1)
	} else {
		v.jobs = max(0, v.jobs-1)
	}
	v.states &^= jobBusy
	if exclusive(c.place, v.sharing) {
		v.states &^= exclusiveState(c)
		if v.whole > 0 && !c.isReservation {
			w.vnodes[v.whole-1].states &^= jobExclusive
		}
	}
	for i := range c.given {
		p := &c.given[i]
		if p.vnode != vnode {
			continue
		}
		gives := p.gives
		if r := on(released, vnode); r != nil {
			gives = r.gives
		}
		w.assign(vnode, gives, -1)
		if v.users != nil && !c.isReservation {
			v.users[c.user]--
			v.groups[c.group]--
		}
	}
}

// assign books amounts on a vnode, or on those that lend it what it gives.
func (w *world) assign(vnode int, gives []request, sign float64) {
	s := &w.vnodes[vnode].stock
	for i := range gives {
		r := gives[i].res
		target := s
		if r < len(s.held) && s.held[r].from > 0 {
			target = &w.vnodes[s.held[r].from-1].stock
		}
		target.add(gives[i:i+1], sign, w.res)
	}
}

// An undo is a booking of a search that is to be taken back.
type undo struct {
	vnode, res int
	amount     float64
}

// tryOut books amounts for the length of a search.
func (w *world) tryOut(vnode int, gives []request) {
	for i := range gives {
		g := &gives[i]
		if !w.res.list[g.res].kind.consumable() {
			continue
		}
		at := vnode
		if s := &w.vnodes[vnode].stock; g.res < len(s.held) && s.held[g.res].from > 0 {
			at = s.held[g.res].from - 1
		}
		if s := &w.vnodes[at].stock; g.res < len(s.held) && s.held[g.res].known {
			s.assigned[g.res] += g.amount
			w.journal = append(w.journal, undo{at, g.res, g.amount})
		}
	}
}

// takeBack undoes what was tried out since the journal had a length. Sums are restored, not subtracted.
func (w *world) takeBack(length int) {
	for _, u := range slices.Backward(w.journal[length:]) {
		w.vnodes[u.vnode].assigned[u.res] -= u.amount
	}
	w.journal = w.journal[:length]
}
