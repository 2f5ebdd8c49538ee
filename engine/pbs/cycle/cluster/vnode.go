package cluster

import (
	"maps"
	"strings"

	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/resource"
)

// A Vnode is a vnode, or a reservation's part of one.
type Vnode struct {
	resource.Stock
	Name         string
	States       State
	Host         string
	Sharing      Sharing
	Priority     int
	LastUsed     clock.Seconds
	Queue        string
	SharesHost   bool // its host has several vnodes
	Jobs         int  // running on it
	Reservations int  // reservations in force
	MaxRunning   int64
	MaxUserRun   int64
	MaxGroupRun  int64
	Users        map[string]int // running jobs by user, if the vnode limits them
	Groups       map[string]int
	NoMultiNode  bool // no_multinode_jobs
	Reservable   bool // resv_enable
	Signature    int  // equal for vnodes with equal resources
	LastSet      *Set // the set whose sums change with starts here (quirk P30); nil for none
	PartOf       int  // 1 plus the number of the vnode, for a reservation's part of it; else 0
	Rank         int
}

// A State has reasons why a vnode accepts no jobs; without any it is free.
type State uint32

const (
	Down State = 1 << iota
	Offline
	UnknownState
	JobExclusive
	ResvExclusive
	SharingState
	busy
	JobBusy
	StaleState
	Maintenance
	Provisioning
	Sleeping
	NotFree // another state that is not free
)

var StateNames = map[string]State{
	"down": Down, "offline": Offline, "state-unknown": UnknownState, "unresolvable": UnknownState,
	"job-exclusive": JobExclusive, "resv-exclusive": ResvExclusive, "job-sharing": SharingState, "busy": busy,
	"job-busy": JobBusy, "Stale": StaleState, "stale": StaleState, "provisioning": Provisioning,
	"wait-provisioning": Provisioning, "maintenance": Maintenance, "sleep": Sleeping, "free": 0,
}

func (v *Vnode) Free() bool { return v.States == 0 }

// A Sharing is the vnode attribute sharing: whether others may use the vnode or its host.
type Sharing struct {
	Forced    bool // regardless of the job's request
	ignored   bool // ignore_excl
	Exclusive bool
	Host      bool // the whole host
}

func ParseSharing(s string) Sharing {
	return Sharing{
		Forced: strings.HasPrefix(s, "force_"), ignored: s == "ignore_excl",
		Exclusive: strings.HasSuffix(s, "_excl") && s != "ignore_excl" || strings.HasSuffix(s, "_exclhost"),
		Host:      strings.HasSuffix(s, "_exclhost"),
	}
}

// duplicate unties a copied vnode from its original.
func (v *Vnode) duplicate() {
	v.Stock = v.Stock.Copy()
	v.Users, v.Groups = maps.Clone(v.Users), maps.Clone(v.Groups)
}

// take books what a claim gets of a vnode.
func (w *World) take(c *Claim, p *resource.Portion, gives []resource.Request) {
	v := &w.Vnodes[p.Vnode]
	if v.States&(Offline|Down) != 0 {
		return
	}
	if c.IsReservation {
		v.Reservations++
	} else {
		v.Jobs++
	}
	w.assign(p.Vnode, gives, 1)
	if v.Users != nil && !c.IsReservation {
		v.Users[c.User]++
		v.Groups[c.Group]++
	}
	if h, used := w.LookUp(&v.Stock, w.Res.Ncpus); h.Known && h.Set && h.Total-used <= 0 {
		v.States |= JobBusy
	}
	if Exclusive(c.Place, v.Sharing) {
		v.States |= exclusiveState(c)
		if v.PartOf > 0 && !c.IsReservation {
			w.Vnodes[v.PartOf-1].States |= JobExclusive
		}
	}
}

func exclusiveState(c *Claim) State {
	if c.IsReservation {
		return ResvExclusive
	}
	return JobExclusive
}

// giveBack undoes take.
func (w *World) giveBack(c *Claim, vnode int, released []resource.Portion) {
	v := &w.Vnodes[vnode]
	if v.States&(Offline|Down) != 0 {
		return
	}
	if c.IsReservation {
		v.Reservations = max(0, v.Reservations-1)
	} else {
		v.Jobs = max(0, v.Jobs-1)
	}
	v.States &^= JobBusy
	if Exclusive(c.Place, v.Sharing) {
		v.States &^= exclusiveState(c)
		if v.PartOf > 0 && !c.IsReservation {
			w.Vnodes[v.PartOf-1].States &^= JobExclusive
		}
	}
	for i := range c.Given {
		p := &c.Given[i]
		if p.Vnode != vnode {
			continue
		}
		gives := p.Gives
		if r := resource.OnVnode(released, vnode); r != nil {
			gives = r.Gives
		}
		w.assign(vnode, gives, -1)
		if v.Users != nil && !c.IsReservation {
			v.Users[c.User]--
			v.Groups[c.Group]--
		}
	}
}

// assign books amounts on a vnode, or on those that lend it what it gives.
func (w *World) assign(vnode int, gives []resource.Request, sign float64) {
	s := &w.Vnodes[vnode].Stock
	for i := range gives {
		r := gives[i].Res
		target := s
		if r < len(s.Held) && s.Held[r].From > 0 {
			target = &w.Vnodes[s.Held[r].From-1].Stock
		}
		target.Add(gives[i:i+1], sign, w.Res)
	}
}

// LookUp finds a resource of a stock, following the vnode that lends it.
func (w *World) LookUp(s *resource.Stock, res int) (h *resource.Holding, assigned float64) {
	if res >= len(s.Held) {
		return &resource.Holding{}, 0
	}
	if from := s.Held[res].From; from > 0 {
		s = &w.Vnodes[from-1].Stock
	}
	return &s.Held[res], s.Assigned[res]
}
