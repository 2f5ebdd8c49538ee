package forecast

import (
	"slices"
	"time"

	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// A meter charges the usage of running tasks to the share tree, so that later runs of a forecast see it (R33, R34).
type meter struct {
	quirks  model.Quirks
	weights []model.Amount // usage_weight_list: no other kind of usage counts
	charged time.Time      // up to which usage is charged
	tasks   []*metered     // that ran since then, in the order of their starts
	running map[taskID]*metered
	byOwner map[string]*consumption
	byAll   consumption
}

// A metered is a task that runs, or that ended and is not charged yet. rate is its usage of each kind in a slot second.
type metered struct {
	whose       ticket.Charged
	start, over time.Time // over is zero while it runs
	slots       float64
	rate        []model.Amount
}

// A consumption is what tasks used, and in how many slot seconds. The first call of meter.rate computes the field rate.
// After that, used must not change.
type consumption struct {
	used        []model.Amount
	slotSeconds float64
	rate        []model.Amount
}

// newMeter computes how much each user's tasks use in a slot second. The run before the snapshot has charged what
// running tasks show as used, so newMeter removes this usage. It returns nil without a share tree: then usage does not
// count.
func newMeter(c *Cluster, quirks model.Quirks) *meter {
	if c.Policy.ShareTreeTickets == 0 || c.ShareTree == nil {
		return nil
	}
	ticket.OwnUsage(c.Snapshot)
	m := &meter{quirks: quirks, weights: c.Policy.UsageWeights, charged: lastCharge(c.Snapshot),
		running: map[taskID]*metered{}, byOwner: map[string]*consumption{}}
	for i := range c.Ended {
		e := &c.Ended[i]
		m.learn(e.Owner, []model.Amount{{Name: "cpu", Value: e.CPU}, {Name: "mem", Value: e.Memory}, {Name: "io", Value: e.IO}},
			float64(e.Slots)*e.Wallclock.Seconds())
	}
	c.EachRunning(func(j *model.Job, t *model.Task) {
		if len(t.Usage) > 0 {
			m.learn(j.Owner, t.Usage, slots(t)*c.TakenAt.Sub(t.Started).Seconds())
		}
	})
	c.EachRunning(func(j *model.Job, t *model.Task) {
		own := consumption{used: t.Usage, slotSeconds: slots(t) * c.TakenAt.Sub(t.Started).Seconds()}
		m.run(j, t.IDs[0].Min, t.Started, t, own)
		t.Usage = nil
	})
	return m
}

// lastCharge is when the last run charged usage; the moment of the snapshot, if nobody has any.
func lastCharge(s *model.Snapshot) (at time.Time) {
	for i := range s.Users {
		at = model.Latest(at, s.Users[i].Usage.At)
	}
	for i := range s.Projects {
		at = model.Latest(at, s.Projects[i].Usage.At)
	}
	if at.IsZero() {
		return s.TakenAt
	}
	return at
}

func slots(t *model.Task) float64 { return float64(max(t.Slots, 1)) }

func (m *meter) learn(owner string, usage []model.Amount, slotSeconds float64) {
	own := m.byOwner[owner]
	if own == nil {
		own = &consumption{}
		m.byOwner[owner] = own
	}
	for _, c := range []*consumption{own, &m.byAll} {
		c.slotSeconds += slotSeconds
		ticket.AddUsage(&c.used, usage, 1)
	}
}

// rate is how much a task uses in a slot second: what it used so far, else what tasks of its owner use, else those
// of all, else one second of cpu.
func (m *meter) rate(j *model.Job, own consumption) []model.Amount {
	for _, c := range []*consumption{&own, m.byOwner[j.Owner], &m.byAll} {
		if c == nil || c.slotSeconds <= 0 || len(c.used) == 0 {
			continue
		}
		if c.rate == nil {
			c.rate = slices.Clone(c.used)
			for i := range c.rate {
				c.rate[i].Value /= c.slotSeconds
			}
			c.rate = slices.DeleteFunc(c.rate, func(a model.Amount) bool { return !m.weighs(a.Name) })
		}
		return c.rate
	}
	return ticket.PerSlot
}

// weighs reports whether usage_weight_list has a kind of usage.
func (m *meter) weighs(kind string) bool {
	return slices.ContainsFunc(m.weights, func(w model.Amount) bool { return w.Name == kind })
}

// run notes a task that runs from a moment on; own is what it used before, if it is known.
func (m *meter) run(j *model.Job, number uint32, from time.Time, t *model.Task, own consumption) {
	task := &metered{whose: ticket.ChargedFor(j), start: from, slots: slots(t), rate: m.rate(j, own)}
	m.tasks, m.running[taskID{j.Number, number}] = append(m.tasks, task), task
}

// begin notes a task of a job that starts, or goes on.
func (m *meter) begin(j *model.Job, number uint32, at time.Time) {
	if m == nil {
		return
	}
	if k := started(j, number); k >= 0 {
		m.run(j, number, at, &j.Tasks[k], consumption{})
	}
}

// end notes that a task ends or stands still.
func (m *meter) end(id taskID, at time.Time) {
	if m == nil {
		return
	}
	if t := m.running[id]; t != nil {
		t.over = at
		delete(m.running, id)
	}
}

// charge charges what was used up to a moment.
func (m *meter) charge(s *model.Snapshot, at time.Time) {
	if m == nil || !at.After(m.charged) {
		return
	}
	used := ticket.Used{}
	for _, t := range m.tasks {
		until := at
		if !t.over.IsZero() && t.over.Before(at) {
			until = t.over
		}
		if seconds := until.Sub(model.Latest(t.start, m.charged)).Seconds(); seconds > 0 {
			used.Add(t.whose, t.rate, seconds*t.slots)
		}
	}
	m.tasks = slices.DeleteFunc(m.tasks, func(t *metered) bool { return !t.over.IsZero() && !t.over.After(at) })
	ticket.Charge(s, at, m.quirks, used)
	m.charged = at
}
