package schedule

import (
	"slices"
	"strings"

	"qprism/engine/blame"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// An Idle cluster is that of a snapshot with nothing in its way: nothing runs or is reserved, every queue instance is open and every
// calendar too, quotas count nobody, and load that changes is at its best. What does not fit there can never run as the cluster is
// configured.
type Idle struct {
	run *run
}

// NewIdle is the idle cluster of a snapshot, under the rules of a release.
func NewIdle(s *model.Snapshot, quirks model.Quirks) *Idle {
	i := &Idle{run: newIdleRun(idleSnapshot(s), s, quirks)}
	for _, h := range i.run.world.hosts {
		h.loosenLoad()
	}
	i.run.discard(i.run.overAlways)
	return i
}

// NewVerified is the cluster that qalter -w v imagines: idle, but what exclusive jobs and advance reservations hold counts (D63), and
// load that changes is not known (D64).
func NewVerified(s *model.Snapshot, quirks model.Quirks) *Idle {
	own := idleSnapshot(s)
	own.Jobs, own.Reserved = s.Jobs, s.Reserved
	r := newIdleRun(own, s, quirks)
	r.debitRunning()
	r.freeAllButExclusive()
	r.bookAdvance()
	for _, v := range r.world.advance {
		v.State = "r"
	}
	for _, h := range r.world.hosts {
		h.load = slices.DeleteFunc(h.load, func(v loadValue) bool { return !isStatic(v.attr.Name) })
	}
	return &Idle{run: r}
}

func newIdleRun(own, s *model.Snapshot, quirks model.Quirks) *run {
	r := newRun(own, split.Lists{}, &priority.Result{}, Options{At: s.TakenAt, Quirks: quirks})
	r.empty = true
	r.openQueues()
	return r
}

// idleSnapshot is a snapshot without jobs, states, calendars and thresholds of load.
func idleSnapshot(s *model.Snapshot) *model.Snapshot {
	own := *s
	own.Jobs, own.Runs = nil, nil
	own.Policy.MaxReservation, own.Policy.LoadAdjustments = 0, nil
	own.Instances = slices.Clone(s.Instances)
	for i := range own.Instances {
		q := &own.Instances[i]
		orphaned := strings.Contains(q.State, "o")
		if q.State = ""; orphaned {
			q.State = "o"
		}
		q.Listed = true // its ambiguous attributes do not close it
		q.SuspendThresholds = nil
	}
	own.Reserved = slices.Clone(s.Reserved)
	for i := range own.Reserved {
		own.Reserved[i].State = "r"
	}
	return &own
}

// freeAllButExclusive takes what jobs use off all resources that are not exclusive.
func (r *run) freeAllButExclusive() {
	free := func(l *layer) {
		for _, u := range l.uses {
			if !u.attr.exclusive {
				u.now, u.nowOther = 0, 0
			}
		}
	}
	for _, h := range r.world.hosts {
		free(&h.layer)
	}
	for _, q := range r.world.instances {
		free(&q.layer)
	}
	for _, p := range r.world.pes {
		p.use.now, p.use.nowOther = 0, 0
	}
	for _, s := range r.world.quotas {
		for _, c := range s.counters {
			free(&c.layer)
		}
	}
}

// overAlways reports whether a queue instance is over a load threshold that is no load, whatever runs.
func (r *run) overAlways(q *instance) bool {
	lasting := slices.DeleteFunc(slices.Clone(q.loadThresholds), func(t threshold) bool { return t.attr != nil && !t.attr.consumable })
	return r.refuses(q, lasting, true)
}

// isStatic reports whether hosts report the same value of an attribute as long as they are not rebuilt.
func isStatic(name string) bool {
	switch name {
	case "arch", "num_proc", "mem_total", "swap_total", "virtual_total", "m_topology", "m_socket", "m_core", "m_thread":
		return true
	}
	return false
}

// loosenLoad puts what a host reports and what changes at its best: what is configured counts alone, free memory can be all memory,
// and of anything else nobody knows a bound.
func (h *host) loosenLoad() {
	h.load = slices.DeleteFunc(h.load, func(v loadValue) bool { return !isStatic(v.attr.Name) && h.configured(v.attr) != nil })
	for i := range h.load {
		v := &h.load[i]
		if isStatic(v.attr.Name) {
			continue
		}
		if whole := h.wholeOf(v.attr.Name); whole != nil {
			v.text, v.amount = whole.text, whole.amount
		} else {
			v.loose = true
		}
	}
}

// wholeOf is what there is at most of a load value that is a part of another one: of mem_free, mem_total.
func (h *host) wholeOf(name string) *loadValue {
	of, isPart := strings.CutSuffix(name, "_free")
	if !isPart {
		return nil
	}
	for i := range h.load {
		if h.load[i].attr.Name == of+"_total" {
			return &h.load[i]
		}
	}
	return nil
}

// Place finds a place for one task of a job. It has none where the job can never run; the reasons say what each place refuses.
func (i *Idle) Place(j *model.Job) (grants []model.Grant, why []model.Reason) {
	own := *j
	own.Soft, own.SoftQueues = nil, nil
	r := i.run
	c := &category{first: &own, count: 1}
	r.prepare(c)
	for _, q := range r.world.instances {
		q.tag = 0
	}
	r.hostsMoved, r.mastersLowered = false, false
	a := &attempt{run: r, cat: c, job: &own, taskNumber: 1, duration: c.duration}
	a.advance = r.advanceOf(&own)
	if a.find(true, false) != fits {
		return nil, distinct(a.why)
	}
	for _, g := range a.grants {
		grants = append(grants, model.Grant{Instance: g.queue.Name, Slots: g.slots})
	}
	return grants, nil
}

// Category tells jobs apart that ask for different things: those of the same one share their fate.
func (i *Idle) Category(j *model.Job) string { return string(i.run.keyOf(nil, j)) }

// Offers are the different values that places have of a resource: hosts, queue instances, the cluster as a whole, and quotas.
func (i *Idle) Offers(resource string) (list []blame.Offer) {
	r := i.run
	at := r.world.complex[resource]
	if at == nil {
		return nil
	}
	seen := map[blame.Offer]bool{}
	note := func(o blame.Offer) {
		if !seen[o] {
			seen[o] = true
			list = append(list, o)
		}
	}
	layers := func(l *layer) {
		if c := l.configured(at); c != nil {
			note(blame.Offer{Text: c.text, Amount: c.amount})
		}
		if v := l.loaded(at); v != nil && !v.loose {
			note(blame.Offer{Text: v.text, Amount: v.amount})
		}
		if l.fixed != nil {
			if v, ok := l.fixed(at); ok {
				note(blame.Offer{Text: v.text, Amount: v.amount})
			}
		}
	}
	for _, h := range r.world.hosts {
		layers(&h.layer)
	}
	for _, q := range r.world.instances {
		layers(&q.layer)
	}
	for _, s := range r.world.quotas {
		for k := range s.Rules {
			for _, limit := range s.Rules[k].Limits {
				if r.world.complex[limit.Name] == at && !strings.Contains(limit.Value, "$") {
					note(blame.Offer{Text: limit.Value, Amount: number(limit.Value)})
				}
			}
		}
	}
	return list
}

// Resource is the entry of the complex for a name or a shortcut, nil for none.
func (i *Idle) Resource(name string) *model.Resource {
	if at := i.run.world.complex[name]; at != nil {
		return &at.Resource
	}
	return nil
}
