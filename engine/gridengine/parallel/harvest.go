package parallel

import (
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
)

// A harvester takes slots from the queue instances of one host.
type harvester struct {
	*gathering
	last   bool // the slots at last are counted, nothing is granted
	master bool // the master task has its place on an earlier host
	found  bool // or on this one
	most   int
	taken  int
}

// take grants slots of one host in the order of its queue instances, and gives them back if they are too few.
func (w *harvester) take(h *cluster.Host) bool {
	broken := w.broken
	w.found = w.master
	used := w.used[:0]
	for _, q := range h.Instances {
		if q.Tag == 0 && !w.last || w.last && w.slotsAtLast(q) == 0 {
			continue
		}
		s := w.share(q)
		s = w.withinQuotas(q, s)
		if s > 0 {
			used = append(used, cluster.Grant{Queue: q, Slots: s})
			w.grant(q, s)
		}
		if w.last {
			w.setLast(q, s)
		} else {
			q.Tag = int64(s)
		}
		if w.taken += s; w.taken == w.most {
			break
		}
	}
	w.gathering.used = used
	if w.taken < w.least {
		w.broken = broken
		w.giveBack(used)
		if w.last {
			for _, q := range h.Instances {
				w.setLast(q, 0)
			}
		}
		return false
	}
	w.count(h)
	return true
}

// giveBack undoes what was taken from a host.
func (w *harvester) giveBack(used []cluster.Grant) {
	for _, u := range used {
		w.chargeQuotas(u.Queue, -u.Slots)
		if !w.last {
			w.grantOf(u.Queue).Slots -= u.Slots
			u.Queue.Granted -= u.Slots
			u.Queue.ExecHost.Granted -= u.Slots
		}
	}
	w.Grants = slices.DeleteFunc(w.Grants, func(g cluster.Grant) bool { return g.Slots == 0 })
}

// share is how many slots an instance gives, leaving one for the master task where it cannot take that itself.
func (w *harvester) share(q *cluster.Instance) int {
	tag := q.Tag
	if w.last {
		tag = w.slotsAtLast(q)
	}
	if tag < 0 {
		if !w.Run.Quirks.UnsignedSlots {
			return 0
		}
		tag = resource.Unlimited // D45
	}
	s := int(min(tag, int64(w.most-w.taken)))
	if w.master || w.found {
		return s
	}
	got := w.got
	if w.last {
		got = w.gotLast
	}
	switch {
	case !w.canMaster(q):
		if got+w.taken+s == w.search.Slots {
			s--
		}
	case !w.Category.HardQueues.Empty() && !w.Category.MasterQueues.Empty() &&
		!w.Category.HardQueues.Instance(q.Queue, q.Host):
		s = min(s, 1)
	case !w.Category.MasterQueues.Empty() && w.Category.ForMasterAlone(q):
		s = min(s, 1)
	}
	return s
}

// canMaster reports whether an instance can take the master task: now, or at last.
func (w *harvester) canMaster(q *cluster.Instance) bool {
	return q.Master == 2 || w.last && q.Master == 1
}

// grant notes slots of an instance; that of the master task goes to the front. On its host each further one that could
// take it goes before the others (D18).
func (w *harvester) grant(q *cluster.Instance, s int) {
	mastered := !w.master && w.canMaster(q)
	toFront := mastered && (w.Run.Quirks.MasterLast || !w.found)
	w.found = w.found || mastered
	if w.last {
		return
	}
	if w.Soft {
		w.broken += uint32(s) * q.Violations
	}
	switch {
	case q.Granted > 0:
		w.grantOf(q).Slots += s
	case toFront:
		w.Grants = slices.Insert(w.Grants, 0, cluster.Grant{Queue: q, Slots: s})
	default:
		w.Grants = slices.Insert(w.Grants, w.placeOf(q.ExecHost), cluster.Grant{Queue: q, Slots: s})
	}
	q.Granted += s
	q.ExecHost.Granted += s
}

// placeOf is where a further grant of a host goes: behind all, or behind the others of the host (O17).
func (w *harvester) placeOf(h *cluster.Host) int {
	for i := len(w.Grants) - 1; i >= 0 && w.Run.Quirks.GrantsByHost; i-- {
		if w.Grants[i].Queue.ExecHost == h {
			return i + 1
		}
	}
	return len(w.Grants)
}

func (w *harvester) grantOf(q *cluster.Instance) *cluster.Grant {
	return &w.Grants[slices.IndexFunc(w.Grants, func(g cluster.Grant) bool { return g.Queue == q })]
}

// count adds what was taken to what the job has.
func (w *harvester) count(h *cluster.Host) {
	if w.last {
		w.gotLast += w.taken
		w.masterLast = w.masterLast || w.found
		return
	}
	w.got += w.taken
	if w.found && !w.gathering.master {
		w.gathering.master, w.masterHost = true, h
	}
}

// withinQuotas is how many of some slots the quotas leave, and takes them off.
func (w *harvester) withinQuotas(q *cluster.Instance, s int) int {
	if w.Advance != nil {
		return s
	}
	for _, c := range w.QuotasOf(q) {
		switch {
		case c.Round == w.Round:
			s = min(s, w.leftOf(c))
		case w.Run.Quirks.FirstQuotaSetHides:
			s = 0 // D66
		}
	}
	w.chargeQuotas(q, s)
	return s
}

func (w *harvester) chargeQuotas(q *cluster.Instance, s int) {
	for _, c := range w.QuotasOf(q) {
		switch {
		case c.Round != w.Round:
		case w.last && c.SlotsAtEnd != resource.Unlimited:
			c.SlotsAtEnd -= s
		case !w.last && c.Slots != resource.Unlimited:
			c.Slots -= s
		}
	}
}

func (w *harvester) leftOf(c *cluster.Counter) int {
	if w.last {
		return c.SlotsAtEnd
	}
	return c.Slots
}
