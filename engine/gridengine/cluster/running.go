package cluster

import (
	"cmp"
	"slices"
	"sync"

	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// A RunningTask is a task that has slots at the moment of the run.
type RunningTask struct {
	Job       *model.Job
	task      *model.Task
	Number    uint32
	Start     seconds
	Grants    []Grant
	pe        *PE
	Suspended bool
	counted   bool // it is in the scheduler's lists of running or suspended tasks
	places    []Place
}

// DebitRunning finds the tasks that have slots, and debits what they use now.
func (r *Cluster) DebitRunning() {
	byID := make(map[ticket.TaskID]*RunningTask, len(r.Lists.Running))
	granted := sync.OnceValue(r.grantOrder)
	for _, j := range r.Begun {
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if len(t.Granted) == 0 || t.Started.IsZero() || !t.Ended.IsZero() || split.StartedAt(t, r.Plan.RunAt) {
				continue
			}
			rt := r.NewRunning(j, t)
			if len(rt.Grants) > 1 {
				rt.sortGrants(granted())
			}
			byID[ticket.TaskID{Job: j.Number, Task: rt.Number}] = rt
			r.debitOf(rt).Now()
		}
	}
	r.order(byID, r.Lists.Running, false)
	r.order(byID, r.Lists.Suspended, true)
	r.debitUnknown()
}

// NewRunning reads one task that has slots.
func (r *Cluster) NewRunning(j *model.Job, t *model.Task) *RunningTask {
	rt := &RunningTask{Job: j, task: t, Number: 1, Start: utilization.Unix(t.Started)}
	if n, ok := model.First(t.IDs); ok {
		rt.Number = n
	}
	for _, g := range t.Granted {
		q := r.InstanceNames[g.Instance]
		if q == nil {
			q = r.strange(g.Instance)
		}
		slots := g.Slots
		if slots == 0 && len(t.Granted) == 1 {
			slots = max(t.Slots, 1)
		}
		rt.Grants = append(rt.Grants, Grant{q, slots})
	}
	if t.PE != "" || j.PE != "" {
		rt.pe = r.findPE(t.PE, j.PE)
	}
	return rt
}

// grantOrder numbers the places of running tasks in the order in which they were granted, as far as it was
// recorded: qstat lists a parallel job's queue instances by name.
func (r *Cluster) grantOrder() map[Place]int {
	order := make(map[Place]int, len(r.RanBefore))
	for i, p := range r.RanBefore {
		order[p] = i
	}
	for i := range r.Snapshot.Runs {
		for n, l := range r.Snapshot.Runs[i].Lines {
			if l.Level == resource.LevelQueue && l.Resource == resource.SlotsName && l.State != "RESERVING" {
				order[Place{l.Job, l.Task, l.Level, l.Object}] = n
			}
		}
	}
	return order
}

// sortGrants puts what a task was granted into that order, where it is known of all.
func (t *RunningTask) sortGrants(order map[Place]int) {
	number := func(g Grant) (int, bool) {
		n, known := order[Place{t.Job.Number, t.Number, resource.LevelQueue, g.Queue.Name}]
		return n, known
	}
	for _, g := range t.Grants {
		if _, known := number(g); !known {
			return
		}
	}
	slices.SortStableFunc(t.Grants, func(a, b Grant) int {
		i, _ := number(a)
		k, _ := number(b)
		return cmp.Compare(i, k)
	})
}

// strange is a queue instance in which a task runs and of which the bundle says nothing: no other task can use it.
func (r *Cluster) strange(name string) *Instance {
	queue, at := name, ""
	for i := range name {
		if name[i] == '@' {
			queue, at = name[:i], name[i+1:]
			break
		}
	}
	if r.HostNames[match.Host(at)] == nil {
		r.addHost(&model.Host{Name: at})
	}
	m := &model.QueueInstance{Name: name, Queue: queue, Host: at, State: "u"}
	q := &Instance{QueueInstance: m, Id: -1, ExecHost: r.HostNames[match.Host(at)],
		Layer:  resource.Layer{Level: resource.LevelQueue, Object: name},
		broken: true}
	q.Add(r.Slots, "")
	q.SlotsUse = q.UseOf(r.Slots)
	r.InstanceNames[name] = q
	r.Plan.Notes = append(r.Plan.Notes, "tasks run in "+name+", of which the bundle says nothing else")
	return q
}

// order puts the tasks of a list into the order in which the scheduler holds them.
func (r *Cluster) order(byID map[ticket.TaskID]*RunningTask, list []split.Entry, suspended bool) {
	for i := range list {
		for _, t := range list[i].Tasks {
			if rt := byID[ticket.TaskID{Job: list[i].Job.Number, Task: t.Number}]; rt != nil && !rt.counted {
				rt.counted, rt.Suspended = true, suspended
				r.Running = append(r.Running, rt)
			}
		}
	}
}

// debitOf computes what a running task takes from its places.
func (r *Cluster) debitOf(t *RunningTask) *debit {
	return r.NewDebit(t.Job, r.CategoryOf(t.Job), t.Grants, t.pe)
}

// debitUnknown makes an instance as full as the master printed it, where it runs what the bundle does not show.
func (r *Cluster) debitUnknown() {
	shown := make(map[*Instance]int)
	for _, j := range r.Begun {
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if t.Started.IsZero() || !t.Ended.IsZero() {
				continue
			}
			for _, g := range t.Granted {
				if q := r.InstanceNames[g.Instance]; q != nil {
					shown[q] += max(g.Slots, 1)
				}
			}
		}
	}
	for _, q := range r.Instances {
		if more := q.Used - shown[q]; q.Listed && more > 0 {
			q.SlotsUse.Now += float64(more)
		}
		r.Oversubscribed = r.Oversubscribed || q.SlotsUse.Now > q.Total()
	}
}

// BookRunning fills the diagrams: first running tasks, then suspended ones, then closing times and
// reservations.
func (r *Cluster) BookRunning() {
	r.lines = r.OverTime
	r.BookAdvance()
	if !r.OverTime && len(r.Advance) == 0 {
		return
	}
	for _, t := range r.Running {
		state := "RUNNING"
		if t.Suspended {
			state = "SUSPENDED"
		}
		d := r.debitOf(t)
		d.Start, d.Duration, d.State, d.Task = t.Start, r.lengthOf(t), state, t.Number
		d.openOnly = true
		d.Book()
	}
	r.bookCalendars()
}

// lengthOf is how long a running task is expected to take, from its start and with the offset. One that is late is
// expected to end with the next interval.
func (r *Cluster) lengthOf(t *RunningTask) seconds {
	length := utilization.Later(r.bounded(r.limitOf(t)), r.offset)
	if utilization.Later(t.Start, length) <= r.Now {
		length = r.Now - t.Start + utilization.Whole(r.Snapshot.Policy.ScheduleInterval)
	}
	return length
}

// limitOf is the run time limit of a running task: the one that it asked for, else that of its queues (D8).
func (r *Cluster) limitOf(t *RunningTask) seconds {
	c := r.CategoryOf(t.Job)
	r.Prepare(c)
	for i := range c.Hard {
		if a := c.Hard[i].Attr; a != nil && (a.Name == "h_rt" || a.Name == "s_rt") {
			return r.runLength(c.Hard)
		}
	}
	least := utilization.Forever
	for _, g := range t.Grants {
		for _, name := range []string{"h_rt", "s_rt"} {
			if text, ok := model.Text(g.Queue.Limits, name); ok {
				least = min(least, secondsOf(text))
			}
		}
	}
	if least == utilization.Forever {
		return r.standardLength
	}
	return least
}

// A Grant is a number of slots in a queue instance.
type Grant struct {
	Queue *Instance
	Slots int
}

// A Place is a task in a queue instance or parallel environment.
type Place struct {
	Job, Task    uint32
	Level, Where string
}

// RunningPlaces are the places of all running tasks.
func (r *Cluster) RunningPlaces() map[Place]bool {
	there := make(map[Place]bool, len(r.Running))
	for _, t := range r.Running {
		for _, p := range r.PlacesOf(t) {
			there[p] = true
		}
	}
	return there
}

// PlacesOf are the places of a task, and the quota sets that count it. A run asks several times; only the order of quota
// sets can change meanwhile.
func (r *Cluster) PlacesOf(t *RunningTask) []Place {
	if t.places == nil || len(r.Quotas) > 0 {
		t.places = r.placesOf(t)
	}
	return t.places
}

func (r *Cluster) placesOf(t *RunningTask) []Place {
	var list []Place
	if t.pe != nil {
		list = append(list, Place{t.Job.Number, t.Number, resource.LevelPE, t.pe.Name})
	}
	d := r.debitOf(t)
	for n, g := range t.Grants {
		list = append(list, Place{t.Job.Number, t.Number, resource.LevelQueue, g.Queue.Name})
		for _, c := range d.counters(n) {
			if d.counts(c, n) {
				list = append(list, Place{t.Job.Number, t.Number, resource.LevelQuota, c.Set.Name})
			}
		}
	}
	return list
}

// Places are the places that an advance reservation keeps.
func (v *Advance) Places() []Place {
	return (&advanceBooking{Granted: v.Granted, PE: v.PE}).Places()
}
