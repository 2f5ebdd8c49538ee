package schedule

import (
	"slices"
	"strings"

	"qprism/engine/blame"
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// An Idle cluster is a snapshot without any use: no task runs, no reservation exists, all queue instances and
// calendars are open, quotas count nothing, and changing load has its best value. A job that does not fit
// there can never run with this configuration.
type Idle struct {
	run *run
}

// NewIdle makes the idle cluster of a snapshot, with the quirks of a release.
func NewIdle(s *model.Snapshot, quirks model.Quirks) *Idle {
	i := &Idle{run: newIdleRun(idleSnapshot(s), s, quirks)}
	for _, h := range i.run.Hosts {
		h.LoosenLoad()
	}
	i.run.Discard(i.run.overAlways)
	return i
}

// NewVerified makes the cluster of qalter -w v: idle, but exclusive jobs and advance reservations count
// (D63), and changing load is not known (D64).
func NewVerified(s *model.Snapshot, quirks model.Quirks) *Idle {
	own := idleSnapshot(s)
	own.Jobs, own.Reserved = s.Jobs, s.Reserved
	r := newIdleRun(own, s, quirks)
	r.DebitRunning()
	r.freeAllButExclusive()
	r.BookAdvance()
	for _, v := range r.Advance {
		v.State = "r"
	}
	for _, h := range r.Hosts {
		h.Loads = slices.DeleteFunc(h.Loads, func(v resource.LoadValue) bool { return !cluster.IsStatic(v.Attr.Name) })
	}
	return &Idle{run: r}
}

func newIdleRun(own, s *model.Snapshot, quirks model.Quirks) *run {
	r := newRun(own, split.Lists{}, Options{At: s.TakenAt, Quirks: quirks})
	r.Empty = true
	r.OpenQueues(r.recall.ListOrder())
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
	free := func(l *resource.Layer) {
		for _, u := range l.Uses {
			if !u.Attr.Exclusive {
				u.Now, u.NowOthers = 0, 0
			}
		}
	}
	for _, h := range r.Hosts {
		free(&h.Layer)
	}
	for _, q := range r.Instances {
		free(&q.Layer)
	}
	for _, p := range r.PEs {
		p.Use.Now, p.Use.NowOthers = 0, 0
	}
	for _, s := range r.Quotas {
		for _, c := range s.Counters {
			free(&c.Layer)
		}
	}
}

// overAlways reports whether a queue instance exceeds a load threshold even on an idle cluster: one on a
// consumable, or on an unknown attribute.
func (r *run) overAlways(q *cluster.Instance) bool {
	lasting := slices.DeleteFunc(slices.Clone(q.LoadLimits), func(t cluster.Threshold) bool {
		return t.Attr != nil && !t.Attr.IsConsumable
	})
	return r.Refuses(q, lasting, true)
}

// Place finds a place for one task of a job. grants is empty if the job can never run. The reasons say why
// each place refuses.
func (i *Idle) Place(j *model.Job) (grants []model.Grant, why []model.Reason) {
	own := *j
	own.Soft, own.SoftQueues = nil, nil
	r := i.run
	c := &cluster.Category{First: &own, Count: 1}
	r.Prepare(c)
	for _, q := range r.Instances {
		q.Tag = 0
	}
	r.HostsMoved, r.MastersLowered = false, false
	a := r.NewAttempt(c, &own, 1)
	if find(a, true, false) != resource.Fits {
		return nil, cluster.Distinct(a.Why)
	}
	for _, g := range a.Grants {
		grants = append(grants, model.Grant{Instance: g.Queue.Name, Slots: g.Slots})
	}
	return grants, nil
}

// Category is the key of a job's category. Jobs of one category have the same result.
func (i *Idle) Category(j *model.Job) string { return string(i.run.KeyOf(nil, j)) }

// Offers are the different values of a resource in all places: hosts, queue instances, the global host, and
// quotas.
func (i *Idle) Offers(name string) (list []blame.Offer) {
	r := i.run
	at := r.Complex[name]
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
	layers := func(l *resource.Layer) {
		if c := l.Configured(at); c != nil {
			note(blame.Offer{Text: c.Text, Amount: c.Amount})
		}
		if v := l.Loaded(at); v != nil && !v.Loose {
			note(blame.Offer{Text: v.Text, Amount: v.Amount})
		}
		if l.Fixed != nil {
			if v, ok := l.Fixed(at); ok {
				note(blame.Offer{Text: v.Text, Amount: v.Amount})
			}
		}
	}
	for _, h := range r.Hosts {
		layers(&h.Layer)
	}
	for _, q := range r.Instances {
		layers(&q.Layer)
	}
	for _, s := range r.Quotas {
		for k := range s.Rules {
			for _, limit := range s.Rules[k].Limits {
				if r.Complex[limit.Name] == at && !strings.Contains(limit.Value, "$") {
					note(blame.Offer{Text: limit.Value, Amount: resource.Number(limit.Value)})
				}
			}
		}
	}
	return list
}

// Resource is the complex entry for a name or a shortcut, nil for none.
func (i *Idle) Resource(name string) *model.Resource {
	if at := i.run.Complex[name]; at != nil {
		return &at.Resource
	}
	return nil
}
