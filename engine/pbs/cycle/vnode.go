package cycle

import (
	"maps"
	"strings"
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

// lookUp finds a resource, with the vnode that lends it.
func (w *world) lookUp(s *stock, res int) (h *holding, assigned float64) {
	if res >= len(s.held) {
		return &holding{}, 0
	}
	if from := s.held[res].from; from > 0 {
		s = &w.vnodes[from-1].stock
	}
	return &s.held[res], s.assigned[res]
}
