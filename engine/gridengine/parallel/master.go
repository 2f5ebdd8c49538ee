package parallel

import (
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// A masterPlace tracks whether a search has found a place for the master task. It is used if the master task, or
// the other tasks, have requests of their own (-scope, O15).
type masterPlace struct {
	wanted bool          // it has no place yet
	here   bool          // this is its place
	met    bool          // this host meets what it asks for
	host   *cluster.Host // nil for the cluster as a whole
	taken  bool          // what it takes is not there for the others
}

// masterTakes is the amount of an attribute that the master task uses, where a search looks for slots for
// the other tasks.
func (a *search) masterTakes(at *resource.Attribute) float64 {
	if !a.masterPlace.taken {
		return 0
	}
	if req := cluster.RequestFor(a.Category.Master, at); req != nil {
		return req.Amount
	}
	return 0
}

// slotsOfScopes is what the requests for some tasks leave of slots. Those for the master task limit none:
// where they are not met it goes elsewhere. With only, requests for other attributes are not looked at.
func (a *search) slotsOfScopes(l *resource.Layer, tag resource.LayerTag, q *cluster.Instance,
	got resource.Result, n slots, only ...*resource.Attribute) (resource.Result, slots) {
	beside, taken := a.masterSlot(), a.masterPlace.here
	if a.masterPlace.wanted && (q == nil || q.Master != 0) {
		for _, req := range picked(a.Category.Master, only) {
			switch a.masterFits(req, l, tag, q) {
			case resource.NeverAny:
				return resource.NeverAny, slots{}
			case resource.NotThen:
				beside, taken = 0, false
			case resource.Fits:
				taken = true
			}
		}
	}
	if a.spared(l) {
		return got, n
	}
	for _, req := range picked(a.Category.Slave, only) {
		a.masterPlace.taken = taken
		r, m := a.slotsIfKnown(req, l)
		a.masterPlace.taken = false
		switch {
		case r == resource.Fits:
			req.Met = max(req.Met, tag)
			n = n.least(slots{beside + min(m.now, resource.Unlimited-beside), beside + min(m.last, resource.Unlimited-beside)})
		case r != resource.NotThere, a.unknown(req, l, tag):
			return resource.NeverAny, slots{}
		}
	}
	return got, n
}

// picked are the requests for some attributes, or all.
func picked(list []resource.Request, only []*resource.Attribute) (some []*resource.Request) {
	for i := range list {
		if len(only) == 0 || slices.Contains(only, list[i].Attr) {
			some = append(some, &list[i])
		}
	}
	return some
}

// masterSlot is how many slots the master task takes where it is, or may be.
func (a *search) masterSlot() int {
	if a.PE.JobIsFirstTask && (a.masterPlace.wanted || a.masterPlace.here) {
		return 1
	}
	return 0
}

// masterFits finds whether a layer has what the master task asks for. It says notThen where the master task
// has to go elsewhere, and neverAny where nothing is known of the resource: no other task may go there
// then, as long as the master task has no place.
func (a *search) masterFits(req *resource.Request, l *resource.Layer, tag resource.LayerTag,
	q *cluster.Instance) resource.Result {
	got, n := a.slotsIfKnown(req, l)
	switch {
	case got == resource.NotThere && a.unknown(req, l, tag):
		return resource.NeverAny
	case got == resource.NotThere:
		return resource.NotThere
	case got != resource.NeverAny:
		req.Met, a.masterPlace.met = max(req.Met, tag), true
	}
	if got == resource.Fits && n.now > 0 {
		return resource.Fits
	}
	a.barMaster(q)
	return resource.NotThen
}

// slotsIfKnown is slotsOf for a request of what need not be in the complex.
func (a *search) slotsIfKnown(req *resource.Request, l *resource.Layer) (resource.Result, slots) {
	if req.Attr == nil {
		return resource.NotThere, slots{}
	}
	return a.slotsOf(req, l)
}

// unknown reports whether a resource is known nowhere, as far as a queue instance can see, and says so.
func (a *search) unknown(req *resource.Request, l *resource.Layer, tag resource.LayerTag) bool {
	if tag != resource.MetAtQueue || req.Met != resource.MetNowhere {
		return false
	}
	a.Refuse(model.ReasonUnknown, l, req, "", false, false)
	return true
}

// barMaster keeps the master task out of a queue instance, or of all on the host that is looked at.
func (a *search) barMaster(q *cluster.Instance) {
	switch {
	case q != nil:
		q.Master = 0
	case a.masterPlace.host != nil:
		for _, q := range a.masterPlace.host.Instances {
			q.Master = 0
		}
	}
}

// spared reports whether the other tasks need not have on a layer what they ask for, since the master task
// is there: a parallel environment can say so.
func (a *search) spared(l *resource.Layer) bool {
	return a.PE.SparesMasterHost() && (a.masterPlace.wanted && a.masterPlace.met || a.masterPlace.here) &&
		l.Level != resource.LevelGlobal
}
