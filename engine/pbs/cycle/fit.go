package cycle

import (
	"strings"
	"time"

	"qprism/engine/model"
)

// A Fit says whether a vnode has room for a piece of a job.
type Fit struct {
	Vnode string
	Room  bool         // one piece at least fits there now
	Why   model.Reason // why none does; Later where one would fit if nothing else were on the vnode
}

// Fits looks at every vnode that a waiting job may use, in the scheduler's order, whatever else keeps the job from running.
// It is nil for a job that the scheduler does not read.
func Fits(s *model.Snapshot, at time.Time, id string) []Fit {
	r := newRun(s, Options{At: at})
	if r.world == nil {
		return nil
	}
	r.load()
	for _, c := range r.world.jobs {
		if c.id == id {
			return r.fits(c)
		}
	}
	return nil
}

func (r *run) fits(c *claim) (list []Fit) {
	s := search{world: r.world, claim: c}
	s.spec, s.place = c.specification()
	vnodes, _ := r.world.candidates(c)
	for _, v := range vnodes {
		f := Fit{Vnode: r.world.vnodes[v].name}
		f.Why, f.Room = r.fitOn(&s, v)
		list = append(list, f)
	}
	return list
}

// fitOn says why no chunk fits on a vnode: the reason of the one that comes nearest, which time would mend.
func (r *run) fitOn(s *search, v int) (why model.Reason, room bool) {
	const lasting = down | offline | unknownState | staleState | maintenance | provisioning | sleeping | notFree
	n := &r.world.vnodes[v]
	if n.states&lasting != 0 {
		return r.closed(n), false
	}
	for i := range s.spec.chunks {
		f := s.fitOf(v, &s.spec.chunks[i])
		if !f.failed() {
			if n.free() {
				return model.Reason{}, true
			}
			return r.closed(n), false
		}
		if why.Kind == "" || !why.Later {
			why = r.reason(f)
			why.Level, why.Object, why.Later = "H", n.name, f.status == notRun
		}
	}
	return why, false
}

// fitOf is why a chunk does not fit on a vnode now: for good where it would not even if the vnode were empty.
func (s *search) fitOf(v int, c *chunk) failure {
	n := &s.vnodes[v]
	all := check{totals: true, unsetZero: true, booleans: true, only: s.checksNode, code: model.FailInsufficient}
	if times, f := s.count(&n.stock, c.needs, all); times == 0 && f.failed() {
		f.status = neverRun
		return f
	}
	if f := s.notEligible(v); f.failed() {
		return f
	}
	if !n.free() {
		return failure{}
	}
	fixed := 0
	for fixed < len(c.needs) && !s.res.list[c.needs[fixed].res].kind.consumable() {
		fixed++
	}
	if f := s.lacksFixed(v, c.needs[:fixed]); f.failed() {
		return f
	}
	if fixed == len(c.needs) {
		return failure{}
	}
	_, f := s.fitsUntilEnd(v, c.needs[fixed:])
	return f
}

// closed is the reason of a vnode that is not free; jobs that end make one free that they fill.
func (r *run) closed(n *vnode) model.Reason {
	m := model.Reason{Kind: model.ReasonQueueState, Level: "H", Object: n.name}
	m.Later = n.states&^(jobBusy|jobExclusive|resvExclusive|sharingState) == 0
	for i := range r.world.snapshot.Hosts {
		if h := &r.world.snapshot.Hosts[i]; h.Name == n.name && h.PBS != nil {
			m.Offered = strings.Join(h.PBS.State, ",")
		}
	}
	return m
}
