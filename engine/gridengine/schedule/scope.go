package schedule

import (
	"slices"
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// A seat is what a search has of the master task where it looks, for requests of that task alone or of the others alone (-scope, O15).
type seat struct {
	wanted bool  // it has no place yet
	here   bool  // this is its place
	met    bool  // this host meets what it asks for
	host   *host // nil for the cluster as a whole
	taken  bool  // what it takes is not there for the others
}

// readScopes reads what the jobs of a category ask for of some of their tasks.
func (r *run) readScopes(c *category) {
	if m := c.first.MasterScope; m != nil {
		c.master = scoped(r.world.complex.requests(ordered(m.Hard, byResource)), model.ScopeMaster)
	}
	if s := c.first.SlaveScope; s != nil {
		c.slave = scoped(r.world.complex.requests(ordered(s.Hard, byResource)), model.ScopeSlave)
		c.slaveQueues = match.NewQueueList(s.HardQueues, r.world.groups)
	}
}

func scoped(list []request, scope model.TaskScope) []request {
	for i := range list {
		list[i].scope = scope
	}
	return list
}

func (c *category) scoped() bool { return len(c.master)+len(c.slave) > 0 }

// scopes are the requests for all tasks, for the master task, and for the others.
func (c *category) scopes() [3][]request { return [3][]request{c.hard, c.master, c.slave} }

// asksIn is the request for an attribute in a list, nil for none.
func asksIn(list []request, a *attr) *request {
	for i := range list {
		if list[i].attr == a {
			return &list[i]
		}
	}
	return nil
}

// asksAnywhere is the hard request for an attribute, of whichever tasks.
func (c *category) asksAnywhere(a *attr) *request {
	for _, list := range c.scopes() {
		if req := asksIn(list, a); req != nil {
			return req
		}
	}
	return nil
}

// asksMost is the largest hard request for an attribute, of whichever tasks.
func (c *category) asksMost(a *attr) (most *request) {
	for _, list := range c.scopes() {
		if req := asksIn(list, a); req != nil && (most == nil || req.amount > most.amount) {
			most = req
		}
	}
	return most
}

// asksForAll reports whether no task does without an attribute.
func (c *category) asksForAll(a *attr) bool {
	return c.asks(a) != nil || asksIn(c.master, a) != nil && asksIn(c.slave, a) != nil
}

// masterTakes is how much of an attribute the master task takes where others look for room beside it.
func (a *attempt) masterTakes(at *attr) float64 {
	if !a.seat.taken {
		return 0
	}
	if req := asksIn(a.cat.master, at); req != nil {
		return req.amount
	}
	return 0
}

// slotsOfScopes is what the requests for some tasks leave of slots. Those for the master task limit none: where they are not met it goes
// elsewhere. With only, requests for other attributes are not looked at.
func (a *attempt) slotsOfScopes(l *layer, tag layerTag, q *instance, got result, n slots, only ...*attr) (result, slots) {
	beside, taken := a.masterSlot(), a.seat.here
	if a.seat.wanted && (q == nil || q.master != 0) {
		for _, req := range picked(a.cat.master, only) {
			switch a.masterFits(req, l, tag, q) {
			case neverAny:
				return neverAny, slots{}
			case notThen:
				beside, taken = 0, false
			case fits:
				taken = true
			}
		}
	}
	if a.spared(l) {
		return got, n
	}
	for _, req := range picked(a.cat.slave, only) {
		a.seat.taken = taken
		r, m := a.slotsIfKnown(req, l)
		a.seat.taken = false
		switch {
		case r == fits:
			req.met = max(req.met, tag)
			n = n.least(slots{beside + min(m.now, unlimited-beside), beside + min(m.last, unlimited-beside)})
		case r != notThere, a.unknown(req, l, tag):
			return neverAny, slots{}
		}
	}
	return got, n
}

// picked are the requests for some attributes, or all.
func picked(list []request, only []*attr) (some []*request) {
	for i := range list {
		if len(only) == 0 || slices.Contains(only, list[i].attr) {
			some = append(some, &list[i])
		}
	}
	return some
}

// masterSlot is how many slots the master task takes where it is, or may be.
func (a *attempt) masterSlot() int {
	if a.pe.JobIsFirstTask && (a.seat.wanted || a.seat.here) {
		return 1
	}
	return 0
}

// masterFits finds whether a layer has what the master task asks for. It says notThen where the master task has to go elsewhere, and
// neverAny where nothing is known of the resource: no other task may go there then, as long as the master task has no place.
func (a *attempt) masterFits(req *request, l *layer, tag layerTag, q *instance) result {
	got, n := a.slotsIfKnown(req, l)
	switch {
	case got == notThere && a.unknown(req, l, tag):
		return neverAny
	case got == notThere:
		return notThere
	case got != neverAny:
		req.met, a.seat.met = max(req.met, tag), true
	}
	if got == fits && n.now > 0 {
		return fits
	}
	a.barMaster(q)
	return notThen
}

// slotsIfKnown is slotsOf for a request of what need not be in the complex.
func (a *attempt) slotsIfKnown(req *request, l *layer) (result, slots) {
	if req.attr == nil {
		return notThere, slots{}
	}
	return a.slotsOf(req, l)
}

// unknown reports whether a resource is known nowhere, as far as a queue instance can see, and says so.
func (a *attempt) unknown(req *request, l *layer, tag layerTag) bool {
	if tag != metAtQueue || req.met != metNowhere {
		return false
	}
	a.refuse(model.ReasonUnknown, l, req, "", false, false)
	return true
}

// barMaster keeps the master task out of a queue instance, or of all on the host that is looked at.
func (a *attempt) barMaster(q *instance) {
	switch {
	case q != nil:
		q.master = 0
	case a.seat.host != nil:
		for _, q := range a.seat.host.instances {
			q.master = 0
		}
	}
}

// spared reports whether the other tasks need not have on a layer what they ask for, since the master task is there: a parallel environment
// can say so.
func (a *attempt) spared(l *layer) bool {
	return a.pe.sparesMasterHost() && (a.seat.wanted && a.seat.met || a.seat.here) && l.level != levelGlobal
}

func (p *pe) sparesMasterHost() bool {
	text, _ := model.Text(p.Settings, "ign_sreq_on_mhost")
	return strings.EqualFold(text, "TRUE")
}

// forMasterAlone reports whether no other task may go to a queue instance, by the queues that those are asked for.
func (c *category) forMasterAlone(q *instance) bool {
	return !c.slaveQueues.Empty() && !c.slaveQueues.Instance(q.Queue, q.Host())
}

// allTasks and eachTask are the parts of which what a task takes is booked.
var allTasks, eachTask = []model.TaskScope{""}, []model.TaskScope{model.ScopeMaster, model.ScopeSlave}

// parts are the tasks whose portions of an attribute are booked apart: none are where all ask for it, or take it without asking.
func (d *debit) parts(a *attr) []model.TaskScope {
	if d.pe == nil || !d.cat.scoped() || a.standard != 0 || d.cat.asks(a) != nil || d.cat.asksAnywhere(a) == nil {
		return allTasks
	}
	return eachTask
}

// partOf is how many slots of a grant such tasks have, and what they ask for of an attribute.
func (d *debit) partOf(a *attr, n int, part model.TaskScope) (slots int, req *request) {
	slots = d.grants[n].slots
	switch {
	case part == "":
		return slots, d.cat.asks(a)
	case part == model.ScopeMaster && n > 0:
		return 0, nil
	case part == model.ScopeMaster:
		req = asksIn(d.cat.master, a)
		return int(truth(req != nil)), req
	}
	req = asksIn(d.cat.slave, a)
	switch {
	case n == 0 && (req == nil || d.pe.sparesMasterHost()):
		return 0, nil
	case n == 0 && d.pe.JobIsFirstTask:
		slots--
	}
	return slots, req
}
