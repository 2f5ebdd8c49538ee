package search

import (
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// A Fit says whether a vnode has room for a piece of a job.
type Fit struct {
	Vnode string
	Room  bool         // at least one piece fits there now
	Why   model.Reason // why none fits; Later if one would fit on the idle vnode
}

// Fits checks every vnode that a claim may use, in the scheduler's order.
func (w Finder) Fits(c *cluster.Claim) (list []Fit) {
	s := search{Finder: w, claim: c}
	s.spec, s.place = c.Specification()
	vnodes, _ := w.candidates(c)
	for _, v := range vnodes {
		f := Fit{Vnode: w.Vnodes[v].Name}
		f.Why, f.Room = s.fitOn(v)
		list = append(list, f)
	}
	return list
}

// fitOn says why no chunk fits on a vnode: the reason of the one that comes nearest, which time would mend.
func (s *search) fitOn(v int) (why model.Reason, room bool) {
	const lasting = cluster.Down | cluster.Offline | cluster.UnknownState | cluster.StaleState | cluster.Maintenance |
		cluster.Provisioning | cluster.Sleeping | cluster.NotFree
	n := &s.Vnodes[v]
	if n.States&lasting != 0 {
		return s.closed(n), false
	}
	for i := range s.spec.Chunks {
		f := s.fitOf(v, &s.spec.Chunks[i])
		if !f.Failed() {
			if n.Free() {
				return model.Reason{}, true
			}
			return s.closed(n), false
		}
		if why.Kind == "" || !why.Later {
			why = s.Reason(&f)
			why.Level, why.Object, why.Later = "H", n.Name, f.Status == reason.NotRun
		}
	}
	return why, false
}

// fitOf is why a chunk does not fit on a vnode now: for good where it would not even if the vnode were empty.
func (s *search) fitOf(v int, c *resource.Chunk) reason.Failure {
	n := &s.Vnodes[v]
	all := Check{Totals: true, UnsetZero: true, Booleans: true, Only: s.CheckedOnVnode, Code: model.FailInsufficient}
	if times, f := s.Count(&n.Stock, c.Needs, all); times == 0 && f.Failed() {
		f.Status = reason.NeverRun
		return f
	}
	if f := s.notEligible(v); f.Failed() {
		return f
	}
	if !n.Free() {
		return reason.Failure{}
	}
	fixed := 0
	for fixed < len(c.Needs) && !s.Res.List[c.Needs[fixed].Res].Kind.Consumable() {
		fixed++
	}
	if f := s.lacksFixed(v, c.Needs[:fixed]); f.Failed() {
		return f
	}
	if fixed == len(c.Needs) {
		return reason.Failure{}
	}
	_, f := s.fitsUntilEnd(v, c.Needs[fixed:])
	return f
}

// closed is the reason of a vnode that is not free; jobs that end make one free that they fill.
func (s *search) closed(n *cluster.Vnode) model.Reason {
	m := model.Reason{Kind: model.ReasonQueueState, Level: "H", Object: n.Name}
	m.Later = n.States&^(cluster.JobBusy|cluster.JobExclusive|cluster.ResvExclusive|cluster.SharingState) == 0
	for i := range s.Snapshot.Hosts {
		if h := &s.Snapshot.Hosts[i]; h.Name == n.Name && h.PBS != nil {
			m.Offered = strings.Join(h.PBS.State, ",")
		}
	}
	return m
}
