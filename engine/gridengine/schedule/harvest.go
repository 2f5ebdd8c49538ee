package schedule

import "slices"

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
func (w *harvester) take(h *host) bool {
	broken := w.broken
	w.found = w.master
	used := w.used[:0]
	for _, q := range h.instances {
		if q.tag == 0 && !w.last || w.last && q.slotsAtLast(w.run) == 0 {
			continue
		}
		s := w.share(q)
		s = w.withinQuotas(q, s)
		if s > 0 {
			used = append(used, grant{q, s})
			w.grant(q, s)
		}
		if w.last {
			q.setLast(w.run, s)
		} else {
			q.tag = int64(s)
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
			for _, q := range h.instances {
				q.setLast(w.run, 0)
			}
		}
		return false
	}
	w.count(h)
	return true
}

// giveBack undoes what was taken from a host.
func (w *harvester) giveBack(used []grant) {
	for _, u := range used {
		w.chargeQuotas(u.queue, -u.slots)
		if !w.last {
			w.grantOf(u.queue).slots -= u.slots
			u.queue.granted -= u.slots
			u.queue.host.granted -= u.slots
		}
	}
	w.grants = slices.DeleteFunc(w.grants, func(g grant) bool { return g.slots == 0 })
}

// share is how many slots an instance gives, leaving one for the master task where it cannot take that itself.
func (w *harvester) share(q *instance) int {
	tag := q.tag
	if w.last {
		tag = q.slotsAtLast(w.run)
	}
	if tag < 0 {
		if !w.run.quirks.UnsignedSlots {
			return 0
		}
		tag = unlimited // D45
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
		if got+w.taken+s == w.attempt.slots {
			s--
		}
	case !w.cat.hardQueues.Empty() && !w.cat.masterQueues.Empty() && !w.cat.hardQueues.Instance(q.Queue, q.Host()):
		s = min(s, 1)
	case !w.cat.masterQueues.Empty() && w.cat.forMasterAlone(q):
		s = min(s, 1)
	}
	return s
}

// canMaster reports whether an instance can take the master task: now, or at last.
func (w *harvester) canMaster(q *instance) bool { return q.master == 2 || w.last && q.master == 1 }

// grant notes slots of an instance; that of the master task goes to the front. On its host each further one that could
// take it goes before the others (D18).
func (w *harvester) grant(q *instance, s int) {
	mastered := !w.master && w.canMaster(q)
	toFront := mastered && (w.run.quirks.MasterLast || !w.found)
	w.found = w.found || mastered
	if w.last {
		return
	}
	if w.soft {
		w.broken += uint32(s) * q.violations
	}
	switch {
	case q.granted > 0:
		w.grantOf(q).slots += s
	case toFront:
		w.grants = slices.Insert(w.grants, 0, grant{q, s})
	default:
		w.grants = slices.Insert(w.grants, w.placeOf(q.host), grant{q, s})
	}
	q.granted += s
	q.host.granted += s
}

// placeOf is where a further grant of a host goes: behind all, or behind the others of the host (O17).
func (w *harvester) placeOf(h *host) int {
	for i := len(w.grants) - 1; i >= 0 && w.run.quirks.GrantsByHost; i-- {
		if w.grants[i].queue.host == h {
			return i + 1
		}
	}
	return len(w.grants)
}

func (w *harvester) grantOf(q *instance) *grant {
	return &w.grants[slices.IndexFunc(w.grants, func(g grant) bool { return g.queue == q })]
}

// count adds what was taken to what the job has.
func (w *harvester) count(h *host) {
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
func (w *harvester) withinQuotas(q *instance, s int) int {
	if w.advance != nil {
		return s
	}
	for _, c := range w.quotasOf(q) {
		switch {
		case c.round == w.round:
			s = min(s, c.left(w.last))
		case w.run.quirks.QuotaUnseen:
			s = 0 // D66
		}
	}
	w.chargeQuotas(q, s)
	return s
}

func (c *counter) left(last bool) int {
	if last {
		return c.slotsAtEnd
	}
	return c.slots
}

func (w *harvester) chargeQuotas(q *instance, s int) {
	for _, c := range w.quotasOf(q) {
		switch {
		case c.round != w.round:
		case w.last && c.slotsAtEnd != unlimited:
			c.slotsAtEnd -= s
		case !w.last && c.slots != unlimited:
			c.slots -= s
		}
	}
}
