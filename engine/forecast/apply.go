package forecast

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/calendar"
	"qprism/engine/halves"
	"qprism/engine/model"
	"qprism/engine/room"
)

// A Cluster is a copy of a snapshot in which plans take effect. Planned tasks start, and ended tasks leave. Jobs that
// waited for ended jobs are released. The load values of the snapshot do not change. Come and Settle can move all
// jobs: then older pointers to jobs are invalid.
type Cluster struct {
	*model.Snapshot
	ordinals  map[uint32]int32 // by job number; a job gets the next ordinal when it comes
	places    []int32          // index in Jobs, by ordinal; -1 for a removed job
	listed    []int32          // ordinal of each entry of Jobs
	instances map[string]*model.QueueInstance
	waiters   map[uint32][]uint32 // jobs that wait for a job (-hold_jid), or their tasks for its tasks (-hold_jid_ad)
	calendars map[string]*model.Calendar
	zone      *time.Location
	awaited   []time.Time // start times of jobs (-a) that have not come yet
	ended     bool        // a job is over that is still in the list
	switched  bool        // a queue instance has been suspended, or runs again
}

// NewCluster copies what plans change. The snapshot itself does not change. In it, each started task is a model.Task of
// its own, with one number.
func NewCluster(s *model.Snapshot) *Cluster {
	own := *s
	own.Jobs = make([]model.Job, len(s.Jobs))
	halves.Do(len(s.Jobs), func(from, to int) { copyJobs(own.Jobs[from:to], s.Jobs[from:to]) })
	own.Instances = slices.Clone(s.Instances)
	own.Reserved = slices.Clone(s.Reserved)
	c := &Cluster{Snapshot: &own, ordinals: make(map[uint32]int32, len(own.Jobs)),
		instances: map[string]*model.QueueInstance{}, waiters: map[uint32][]uint32{},
		calendars: map[string]*model.Calendar{}, zone: s.Zone()}
	for i := range own.Instances {
		c.instances[own.Instances[i].Name] = &own.Instances[i]
	}
	for i := range own.Calendars {
		c.calendars[own.Calendars[i].Name] = &own.Calendars[i]
	}
	for i := range own.Jobs {
		c.awaits(&own.Jobs[i])
		c.list(i)
	}
	return c
}

// copyJobs copies jobs, with the parts that plans change. It puts all tasks into one list, and all their numbers into
// another. A list for each job takes much longer.
func copyJobs(to, from []model.Job) {
	tasks, numbers := 0, 0
	for i := range to {
		to[i] = from[i] // one by one: the garbage collector cannot interrupt the copy of a whole list
		tasks += len(to[i].Tasks)
		for k := range to[i].Tasks {
			numbers += max(1, len(to[i].Tasks[k].IDs))
		}
	}
	allTasks, allNumbers := make([]model.Task, 0, tasks), make([]model.Range, 0, numbers)
	for i := range to {
		j := &to[i]
		j.Tasks = added(&allTasks, j.Tasks)
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if len(t.IDs) == 0 {
				t.IDs = only(1)
			}
			t.IDs = added(&allNumbers, t.IDs)
		}
		j.Predecessors = slices.Clone(j.Predecessors)
		j.ArrayPredecessor = slices.Clone(j.ArrayPredecessor)
	}
}

// added appends a list to another one, and returns the new part. The part has no spare capacity, so append never
// overwrites the next part.
func added[T any](all *[]T, list []T) []T {
	first := len(*all)
	*all = append(*all, list...)
	return (*all)[first:len(*all):len(*all)]
}

// awaits notes which jobs and which time a job waits for.
func (c *Cluster) awaits(j *model.Job) {
	if !j.ExecutionTime.IsZero() {
		c.awaited = append(c.awaited, j.ExecutionTime)
	}
	for _, p := range append(slices.Clone(j.Predecessors), j.ArrayPredecessor...) {
		c.waiters[p] = append(c.waiters[p], j.Number)
	}
}

// list gives the i-th job an ordinal. All jobs before it have one.
func (c *Cluster) list(i int) {
	ordinal := int32(len(c.places))
	c.ordinals[c.Jobs[i].Number] = ordinal
	c.places, c.listed = append(c.places, int32(i)), append(c.listed, ordinal)
}

// Job is the job with a number; nil for none.
func (c *Cluster) Job(number uint32) *model.Job {
	if ordinal, known := c.ordinals[number]; known && c.places[ordinal] >= 0 {
		return &c.Jobs[c.places[ordinal]]
	}
	return nil
}

// removeEnded removes jobs without tasks.
func (c *Cluster) removeEnded() {
	left := 0
	for i, ordinal := range c.listed {
		if len(c.Jobs[i].Tasks) == 0 {
			c.places[ordinal] = -1
			continue
		}
		if left < i {
			c.Jobs[left] = c.Jobs[i]
		}
		c.places[ordinal], c.listed[left] = int32(left), ordinal
		left++
	}
	clear(c.Jobs[left:])
	c.Jobs, c.listed, c.ended = c.Jobs[:left], c.listed[:left], false
}

// Come adds jobs to the cluster, or replaces those that it has.
func (c *Cluster) Come(jobs []*model.Job) {
	for _, j := range jobs {
		own := []model.Job{*j}
		copyJobs(own, own)
		c.awaits(&own[0])
		if known := c.Job(j.Number); known != nil {
			*known = own[0]
		} else {
			c.Jobs = append(c.Jobs, own[0])
			c.list(len(c.Jobs) - 1)
		}
	}
}

// Switch sets the state of a queue instance, if it exists.
func (c *Cluster) Switch(instance, state string) {
	if q := c.instances[instance]; q != nil {
		c.enter(q, state)
	}
}

// EachRunning visits the tasks that run.
func (c *Cluster) EachRunning(visit func(*model.Job, *model.Task)) {
	for i := range c.Jobs {
		j := &c.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Started.IsZero() && t.Ended.IsZero() {
				visit(j, t)
			}
		}
	}
}

// full reports whether no queue instance can start a task before something happens: the slots of each are in use, or
// its state allows no start. A load alarm (a) can end before that. An instance with slots in complex_values never counts
// as full.
func (c *Cluster) full() bool {
	return !slices.ContainsFunc(c.Instances, func(q model.QueueInstance) bool {
		_, limited := model.Text(q.Capacity, "slots")
		return !strings.ContainsAny(q.State, "sSCDduEc") && (q.Used < q.Slots || limited)
	})
}

// started is the place of a started task in its job; -1 if none of that number has started.
func started(j *model.Job, number uint32) int {
	for k := range j.Tasks {
		if t := &j.Tasks[k]; !t.Started.IsZero() && numbered(t, number) {
			return k
		}
	}
	return -1
}

// Withdraw removes the waiting tasks of a job, except those in but.
func (c *Cluster) Withdraw(job uint32, but []uint32) {
	j := c.Job(job)
	if j == nil {
		return
	}
	for k := range j.Tasks {
		t := &j.Tasks[k]
		if !t.Started.IsZero() {
			continue
		}
		var left []model.Range
		for _, number := range but {
			if numbered(t, number) {
				left = append(left, only(number)...)
			}
		}
		t.IDs = left
	}
	dropEmpty(j)
	c.ended = c.ended || len(j.Tasks) == 0
}

// A Started task is a task that a plan started.
type Started struct {
	Job   *model.Job
	Task  uint32
	At    time.Time
	Slots []model.Grant
	On    []*model.QueueInstance // their queue instances
}

// Apply starts the tasks of a plan in its order: they run and use their slots. Decisions about tasks that do
// not wait are ignored.
func (c *Cluster) Apply(p *model.Plan) []Started {
	var list []Started
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if d.Verdict != model.Now || len(d.Tasks) == 0 {
			continue
		}
		j := c.Job(d.Job)
		if number := d.Tasks[0].Min; j != nil && takeWaiting(j, number) {
			start := d.Start
			if start.IsZero() {
				start = p.RunAt
			}
			j.Tasks = append(j.Tasks, running(d, number, start))
			list = room.Append(list, Started{Job: j, Task: number, At: start, Slots: d.Slots, On: c.hold(d.Slots, 1)})
		}
	}
	return list
}

func running(d *model.Decision, number uint32, start time.Time) model.Task {
	t := model.Task{IDs: only(number), State: "r", Enrolled: true, Started: start, Granted: d.Slots, PE: d.PE}
	for _, g := range d.Slots {
		t.Slots += g.Slots
	}
	return t
}

// hold returns the queue instances of grants. With sign 1, it takes their slots. With sign -1, it gives them back. With
// sign 0, it changes nothing.
func (c *Cluster) hold(grants []model.Grant, sign int) []*model.QueueInstance {
	var on []*model.QueueInstance
	for _, g := range grants {
		if q := c.instances[g.Instance]; q != nil {
			before := q.Used
			q.Used = max(0, q.Used+sign*g.Slots)
			c.subordinate(q, before)
			on = append(on, q)
		}
	}
	return on
}

// takeWaiting takes a task out of those of its job that wait to start; false where it is not there.
func takeWaiting(j *model.Job, number uint32) bool {
	for k := range j.Tasks {
		t := &j.Tasks[k]
		if t.Started.IsZero() && !strings.ContainsAny(t.State, "hE") && take(t, number) {
			dropEmpty(j)
			return true
		}
	}
	return false
}

// take takes a number out of a group of tasks.
func take(t *model.Task, number uint32) bool {
	if !numbered(t, number) {
		return false
	}
	t.IDs = model.Without(t.IDs, number)
	return true
}

func dropEmpty(j *model.Job) {
	j.Tasks = slices.DeleteFunc(j.Tasks, func(t model.Task) bool { return len(t.IDs) == 0 })
}

func only(number uint32) []model.Range { return []model.Range{{Min: number, Max: number, Step: 1}} }

func numbered(t *model.Task, number uint32) bool {
	return slices.ContainsFunc(t.IDs, func(r model.Range) bool { return r.Holds(number) })
}

// End ends a running task: it frees its slots and releases jobs that waited for it.
func (c *Cluster) End(job, number uint32) {
	j := c.Job(job)
	if j == nil {
		return
	}
	if k := started(j, number); k >= 0 {
		c.hold(j.Tasks[k].Granted, -1)
		j.Tasks = slices.Delete(j.Tasks, k, k+1)
	}
	c.ended = c.ended || len(j.Tasks) == 0
	for _, waiter := range c.waiters[job] {
		if w := c.Job(waiter); w != nil {
			c.release(w, j, number)
		}
	}
}

// Finish ends a running task that the next run still sees, because no run has removed it yet. It counts
// against the limit on running tasks of its array.
func (c *Cluster) Finish(job, number uint32, at time.Time) {
	j := c.Job(job)
	if j == nil {
		return
	}
	k := started(j, number)
	if k < 0 {
		return
	}
	t := j.Tasks[k]
	c.End(job, number)
	t.Ended = at
	j.Tasks = append(j.Tasks, t)
}

// release lets go what waited for a task that has ended, and for its job where that was the last task.
// qstat shows what waits for others as held; a hold by hand besides looks the same, and is taken for that.
func (c *Cluster) release(w, j *model.Job, number uint32) {
	if slices.Contains(w.ArrayPredecessor, j.Number) {
		c.releaseTask(w, number)
	}
	if len(j.Tasks) > 0 {
		return
	}
	is := func(n uint32) bool { return n == j.Number }
	w.Predecessors = slices.DeleteFunc(w.Predecessors, is)
	w.ArrayPredecessor = slices.DeleteFunc(w.ArrayPredecessor, is)
	if len(w.Predecessors)+len(w.ArrayPredecessor) == 0 {
		releaseAll(w)
	}
}

// releaseTask lets a task go whose counterparts in all the arrays that it waits for have ended. A hold by
// hand (-h) looks the same in qstat; it is taken for one of these.
func (c *Cluster) releaseTask(w *model.Job, number uint32) {
	for _, p := range w.ArrayPredecessor {
		if j := c.Job(p); j != nil && slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return numbered(&t, number) }) {
			return
		}
	}
	for k := range w.Tasks {
		if t := &w.Tasks[k]; held(t) && take(t, number) {
			free := *t
			free.IDs, free.State = only(number), unheld(t.State)
			w.Tasks = append(w.Tasks, free)
			break
		}
	}
	dropEmpty(w)
}

func releaseAll(w *model.Job) {
	for k := range w.Tasks {
		if t := &w.Tasks[k]; held(t) {
			t.State = unheld(t.State)
		}
	}
}

func held(t *model.Task) bool { return t.Started.IsZero() && strings.Contains(t.State, "h") }

func unheld(state string) string { return strings.ReplaceAll(state, "h", "") }

// Settle brings the cluster to a moment: it removes jobs without tasks, switches queues by their calendars,
// and starts and ends advance reservations. next is the moment of the next such change, zero for never.
func (c *Cluster) Settle(at time.Time) (next time.Time) {
	at = at.In(c.zone)
	if c.ended {
		c.removeEnded()
	}
	for i := range c.Instances {
		next = model.Earliest(next, c.switchCalendar(&c.Instances[i], at))
	}
	c.Reserved = slices.DeleteFunc(c.Reserved, func(r model.AdvanceReservation) bool {
		return !r.End.IsZero() && !r.End.After(at)
	})
	for i := range c.Reserved {
		r := &c.Reserved[i]
		if r.State == "w" && !r.Start.After(at) {
			r.State = "r"
		}
		next = model.Earliest(next, after(r.Start, at))
		next = model.Earliest(next, after(r.End, at))
	}
	c.awaited = slices.DeleteFunc(c.awaited, func(t time.Time) bool { return !t.After(at) })
	for _, t := range c.awaited {
		next = model.Earliest(next, t)
	}
	return next
}

// switchCalendar gives a queue instance the state of its calendar, and is when that changes next.
func (c *Cluster) switchCalendar(q *model.QueueInstance, at time.Time) (next time.Time) {
	cal := c.calendars[q.Calendar]
	if cal == nil {
		return next
	}
	state, changes := calendar.At(cal, at)
	letters := strings.NewReplacer("C", "", "D", "").Replace(q.State)
	switch state {
	case calendar.Off:
		letters += "D"
	case calendar.Suspended:
		letters += "C"
	}
	c.enter(q, letters)
	if len(changes) > 0 {
		next = changes[0].At
	}
	return next
}

// after is a moment where it comes after another one, else zero.
func after(t, than time.Time) time.Time {
	if t.After(than) {
		return t
	}
	return time.Time{}
}
