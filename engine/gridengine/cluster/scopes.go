package cluster

import (
	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// readScopes reads what the jobs of a category ask for of some of their tasks.
func (r *Cluster) readScopes(c *Category) {
	if m := c.First.MasterScope; m != nil {
		c.Master = scoped(r.Complex.Requests(ordered(m.Hard, byResource)), model.ScopeMaster)
	}
	if s := c.First.SlaveScope; s != nil {
		c.Slave = scoped(r.Complex.Requests(ordered(s.Hard, byResource)), model.ScopeSlave)
		c.slaveQueues = match.NewQueueList(s.HardQueues, r.Groups)
	}
}

func scoped(list []resource.Request, scope model.TaskScope) []resource.Request {
	for i := range list {
		list[i].Scope = scope
	}
	return list
}

// Scoped reports whether the jobs have requests for only some of their tasks (-scope).
func (c *Category) Scoped() bool { return len(c.Master)+len(c.Slave) > 0 }

// Scopes are the requests for all tasks, for the master task, and for the others.
func (c *Category) Scopes() [3][]resource.Request {
	return [3][]resource.Request{c.Hard, c.Master, c.Slave}
}

// RequestFor is the request for an attribute in a list, nil for none.
func RequestFor(list []resource.Request, a *resource.Attribute) *resource.Request {
	for i := range list {
		if list[i].Attr == a {
			return &list[i]
		}
	}
	return nil
}

// AsksAnywhere is the hard request for an attribute, of any of the tasks.
func (c *Category) AsksAnywhere(a *resource.Attribute) *resource.Request {
	for _, list := range c.Scopes() {
		if req := RequestFor(list, a); req != nil {
			return req
		}
	}
	return nil
}

// asksMost is the largest hard request for an attribute, of whichever tasks.
func (c *Category) asksMost(a *resource.Attribute) (most *resource.Request) {
	for _, list := range c.Scopes() {
		if req := RequestFor(list, a); req != nil && (most == nil || req.Amount > most.Amount) {
			most = req
		}
	}
	return most
}

// AsksForAll reports whether every task asks for an attribute.
func (c *Category) AsksForAll(a *resource.Attribute) bool {
	return c.Asks(a) != nil || RequestFor(c.Master, a) != nil && RequestFor(c.Slave, a) != nil
}

// ForMasterAlone reports whether only the master task may use a queue instance, by the queues that the job
// names for the other tasks.
func (c *Category) ForMasterAlone(q *Instance) bool {
	return !c.slaveQueues.Empty() && !c.slaveQueues.Instance(q.Queue, q.Host)
}

// allTasks and eachTask are the parts of which what a task takes is booked.
var allTasks, eachTask = []model.TaskScope{""}, []model.TaskScope{model.ScopeMaster, model.ScopeSlave}

// parts are the tasks whose portions of an attribute are booked apart: none are where all ask for it, or
// take it without asking.
func (d *debit) parts(a *resource.Attribute) []model.TaskScope {
	if d.pe == nil || !d.cat.Scoped() || a.Standard != 0 || d.cat.Asks(a) != nil || d.cat.AsksAnywhere(a) == nil {
		return allTasks
	}
	return eachTask
}

// partOf is how many slots of a grant such tasks have, and what they ask for of an attribute.
func (d *debit) partOf(a *resource.Attribute, n int, part model.TaskScope) (slots int, req *resource.Request) {
	slots = d.grants[n].Slots
	switch {
	case part == "":
		return slots, d.cat.Asks(a)
	case part == model.ScopeMaster && n > 0:
		return 0, nil
	case part == model.ScopeMaster:
		req = RequestFor(d.cat.Master, a)
		return int(Truth(req != nil)), req
	}
	req = RequestFor(d.cat.Slave, a)
	switch {
	case n == 0 && (req == nil || d.pe.SparesMasterHost()):
		return 0, nil
	case n == 0 && d.pe.JobIsFirstTask:
		slots--
	}
	return slots, req
}
