package schedule

import (
	"cmp"
	"slices"

	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// A runningTask is a task that has slots at the moment of the run.
type runningTask struct {
	job       *model.Job
	task      *model.Task
	number    uint32
	start     seconds
	grants    []grant
	pe        *pe
	suspended bool
	counted   bool // it is in the scheduler's lists of running or suspended tasks
}

// debitRunning finds the tasks that have slots, and debits what they use at the moment.
func (r *run) debitRunning() {
	byID := map[ticket.TaskID]*runningTask{}
	granted := r.grantOrder()
	for i := range r.snapshot.Jobs {
		j := &r.snapshot.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if len(t.Granted) == 0 || t.Started.IsZero() || !t.Ended.IsZero() || split.StartedAt(t, r.plan.RunAt) {
				continue
			}
			rt := r.newRunning(j, t)
			rt.sortGrants(granted)
			byID[ticket.TaskID{Job: j.Number, Task: rt.number}] = rt
			r.debitTask(rt)
		}
	}
	r.order(byID, r.lists.Running, false)
	r.order(byID, r.lists.Suspended, true)
	r.debitUnknown()
}

func (r *run) newRunning(j *model.Job, t *model.Task) *runningTask {
	rt := &runningTask{job: j, task: t, number: 1, start: unix(t.Started)}
	if n, ok := model.First(t.IDs); ok {
		rt.number = n
	}
	for _, g := range t.Granted {
		q := r.world.instanceNames[g.Instance]
		if q == nil {
			q = r.strange(g.Instance)
		}
		slots := g.Slots
		if slots == 0 && len(t.Granted) == 1 {
			slots = max(t.Slots, 1)
		}
		rt.grants = append(rt.grants, grant{q, slots})
	}
	if t.PE != "" || j.PE != "" {
		rt.pe = r.findPE(t.PE, j.PE)
	}
	return rt
}

// grantOrder numbers the places of running tasks in the order in which they were granted, as far as it was recorded: qstat
// lists a parallel job's queue instances by name.
func (r *run) grantOrder() map[place]int {
	order := map[place]int{}
	for i, p := range slices.Concat(r.memory.there, r.memory.planned) {
		order[p] = i
	}
	for i := range r.snapshot.Runs {
		for n, l := range r.snapshot.Runs[i].Lines {
			if l.Level == levelQueue && l.Resource == slotsName && l.State != "RESERVING" {
				order[place{l.Job, l.Task, l.Level, l.Object}] = n
			}
		}
	}
	return order
}

// sortGrants puts what a task was granted into that order, where it is known of all.
func (t *runningTask) sortGrants(order map[place]int) {
	number := func(g grant) (int, bool) {
		n, known := order[place{t.job.Number, t.number, levelQueue, g.queue.Name}]
		return n, known
	}
	for _, g := range t.grants {
		if _, known := number(g); !known {
			return
		}
	}
	slices.SortStableFunc(t.grants, func(a, b grant) int {
		i, _ := number(a)
		k, _ := number(b)
		return cmp.Compare(i, k)
	})
}

// strange is a queue instance in which a task runs and of which the bundle says nothing: no other task can use it.
func (r *run) strange(name string) *instance {
	queue, at := name, ""
	for i := range name {
		if name[i] == '@' {
			queue, at = name[:i], name[i+1:]
			break
		}
	}
	if r.world.hostNames[match.Host(at)] == nil {
		r.addHost(&model.Host{Name: at})
	}
	m := &model.QueueInstance{Name: name, Queue: queue, Host: at, State: "u"}
	q := &instance{QueueInstance: m, id: -1, host: r.world.hostNames[match.Host(at)], layer: layer{level: levelQueue, name: name},
		broken: true}
	q.add(r.world.slots, "")
	q.slotsUse = q.used(r.world.slots)
	r.world.instanceNames[name] = q
	r.plan.Notes = append(r.plan.Notes, "tasks run in "+name+", of which the bundle says nothing else")
	return q
}

// findPE is the parallel environment that was granted; else the only one that the job can have got.
func (r *run) findPE(granted, asked string) *pe {
	for _, p := range r.world.pes {
		if granted == p.PE.Name || granted == "" && model.MatchName(asked, p.PE.Name) {
			return p
		}
	}
	return nil
}

// order puts the tasks of a list into the order in which the scheduler holds them.
func (r *run) order(byID map[ticket.TaskID]*runningTask, list []split.Entry, suspended bool) {
	for i := range list {
		for _, t := range list[i].Tasks {
			if rt := byID[ticket.TaskID{Job: list[i].Job.Number, Task: t.Number}]; rt != nil && !rt.counted {
				rt.counted, rt.suspended = true, suspended
				r.running = append(r.running, rt)
			}
		}
	}
}

// debitTask debits what a task uses at the moment.
func (r *run) debitTask(t *runningTask) {
	d := r.newDebit(t.job, t.grants, t.pe)
	d.now()
}

// debitUnknown makes an instance as full as the master printed it, where it runs what the bundle does not show.
func (r *run) debitUnknown() {
	shown := make(map[*instance]int)
	for i := range r.snapshot.Jobs {
		for k := range r.snapshot.Jobs[i].Tasks {
			t := &r.snapshot.Jobs[i].Tasks[k]
			if !t.Ended.IsZero() {
				continue
			}
			for _, g := range t.Granted {
				if q := r.world.instanceNames[g.Instance]; q != nil {
					shown[q] += max(g.Slots, 1)
				}
			}
		}
	}
	for _, q := range r.world.instances {
		if more := q.Used - shown[q]; q.Listed && more > 0 {
			q.slotsUse.now += float64(more)
		}
		r.oversubscribed = r.oversubscribed || q.slotsUse.now > q.total()
	}
}

// bookRunning fills the diagrams: tasks that run, then those that are suspended, then closing times and reservations.
func (r *run) bookRunning() {
	r.lines = r.overTime
	r.bookAdvance()
	if !r.overTime && len(r.world.advance) == 0 {
		return
	}
	for _, t := range r.running {
		state := "RUNNING"
		if t.suspended {
			state = "SUSPENDED"
		}
		d := r.newDebit(t.job, t.grants, t.pe)
		d.start, d.duration, d.state, d.task = t.start, r.lengthOf(t), state, t.number
		d.openOnly = true
		d.book()
	}
	r.bookCalendars()
}

// lengthOf is how long a running task is expected to take, from its start and with the offset. One that is late is
// expected to end with the next interval.
func (r *run) lengthOf(t *runningTask) seconds {
	length := later(r.bounded(r.limitOf(t)), r.offset)
	if later(t.start, length) <= r.now {
		length = r.now - t.start + whole(r.snapshot.Policy.ScheduleInterval)
	}
	return length
}

// limitOf is the run time limit of a running task: the one that it asked for, else that of its queues (D8).
func (r *run) limitOf(t *runningTask) seconds {
	c := r.categoryOf(t.job)
	r.prepare(c)
	for i := range c.hard {
		if a := c.hard[i].attr; a != nil && (a.Name == "h_rt" || a.Name == "s_rt") {
			return r.runLength(c.hard)
		}
	}
	least := forever
	for _, g := range t.grants {
		for _, name := range []string{"h_rt", "s_rt"} {
			if text, ok := model.Text(g.queue.Limits, name); ok {
				least = min(least, secondsOf(text))
			}
		}
	}
	if least == forever {
		return r.standardLength
	}
	return least
}
