package lastrun

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// A View is one scheduler run, recomputed from the snapshot after it.
type View struct {
	Snapshot  *model.Snapshot
	At        time.Time
	FreeSlots uint32
	leftSlots uint32 // that the run did not fill
	Lists     split.Lists
	Result    *priority.Result
	Started   []ticket.TaskID // tasks that the run started, in that order

	quirks   model.Quirks
	assumed  split.Assumed
	previous time.Time // the moment of the run before, zero where the bundle does not show it
	places   map[uint32]place
	starts   map[ticket.TaskID]priority.Task // what started tasks had when they started
	last     map[uint32]priority.Task        // what stands for a job's waiting tasks after the run
	cleared  bool                            // the run cleared what waits
	unranked map[uint32]uint32               // job → its last started task, where the next one was not ranked anew
}

// A place says which lists of the run a job was in.
type place struct {
	running, pending, blocked bool
	left                      bool // tasks of it are still pending after the run
}

// Recompute computes the priorities of the run at a moment, from the snapshot and from assumptions about
// the scheduler's state.
func Recompute(s *model.Snapshot, at time.Time, q model.Quirks, assumed split.Assumed) *View {
	v := &View{Snapshot: s, At: at, quirks: q, assumed: assumed, Lists: split.Jobs(s, at, q, assumed),
		previous: split.PreviousRun(s, at)}
	v.FreeSlots = v.Lists.FreeSlots(s, at)
	v.Result = priority.Compute(v.Input())
	v.findPlaces()
	v.leftSlots = split.LeftSlots(s, at)
	v.replay()
	v.cleared = v.clearedWaiting()
	return v
}

// NextRun is the earliest moment of the next run: the time of the snapshot, but at least one second after
// the view's run.
func (v *View) NextRun() time.Time {
	next := v.At.Truncate(time.Second).Add(time.Second)
	if taken := v.Snapshot.TakenAt.Truncate(time.Second); taken.After(next) {
		return taken
	}
	return next
}

// Next is the view of the next run. Tasks that started since then run, and new jobs wait. The assumed order
// of the scheduler's job list stays.
func (v *View) Next() *View {
	return Recompute(v.Snapshot, v.NextRun(), v.quirks, split.Assumed{Order: v.assumed.Order})
}

func (v *View) findPlaces() {
	v.places = make(map[uint32]place, len(v.Result.Running)+len(v.Result.Pending))
	mark := func(list []split.Entry, set func(*place)) {
		for i := range list {
			p := v.places[list[i].Job.Number]
			set(&p)
			v.places[list[i].Job.Number] = p
		}
	}
	mark(v.Lists.Running, func(p *place) { p.running = true })
	mark(v.Lists.Pending, func(p *place) { p.pending = true })
	mark(v.Lists.Blocked, func(p *place) { p.blocked = true })
}

// A Row is one task with all its numbers, or all waiting tasks of a job together.
type Row struct {
	Job  *model.Job
	Task *model.Task
	// Computed is what the run computed; NaN for numbers that it does not compute for such a task.
	Computed Values
	// Shown is what the master shows after the run. It differs from Computed if the master does not store the
	// number.
	Shown Values
	// Why explains fields whose Shown is not from this run; empty for all others.
	Why [Fields]string
	// Either marks fields for which the master may also show Computed: the run sent two orders about such a
	// field, and the one that came last is not known.
	Either [Fields]bool
}

// Row recomputes one task as the master shows it.
func (v *View) Row(j *model.Job, t *model.Task) Row {
	r := Row{Job: j, Task: t, Computed: nothing}
	p := v.places[j.Number]
	computed := v.Result.Job(j.Number)
	v.jobLevel(&r, p, computed)
	v.taskLevel(&r, p, computed)
	return r
}

// Agrees reports whether the master can show the printed number: the Shown value, or the Computed value if
// the field has Why or Either.
func (r *Row) Agrees(f Field, printed float64) bool {
	return f.Same(r.Shown[f], printed) || (r.Why[f] != "" || r.Either[f]) && f.Same(r.Computed[f], printed)
}

// Ranked has the numbers by which the run ranked a waiting task, before it started any task. If the task
// has no numbers of its own, it gets those of the task that would start first.
func (v *View) Ranked(j *model.Job, t *model.Task) Values {
	r, c := Row{Computed: nothing}, v.Result.Job(j.Number)
	if c == nil {
		return r.Computed
	}
	r.set(jobLevel, c.NPPrior, c.Urgency.Norm, c.Urgency.Total, c.Urgency.Resource, c.Urgency.Waiting, c.Urgency.Deadline)
	switch {
	case t.Enrolled && hasTask(c.Pending(), FirstNumber(t)):
		r.setTask(findTask(c.Pending(), FirstNumber(t)))
	case len(c.Waiting()) > 0:
		r.setTask(c.Waiting()[0])
	case len(c.Pending()) > 0:
		r.setTask(c.Pending()[0])
	default:
		r.setTask(c.Template())
	}
	return r.Computed
}

var jobLevel = []Field{NPPrior, NUrg, Urg, RRContr, WTContr, DLContr}
var taskLevel = []Field{Prio, NTckts, Tckts, Otckt, Ftckt, Stckt, Share}

// jobLevel fills in values that the master keeps once for each job. Each order about one of its tasks brings
// new values. A run clears them if the job has tasks that cannot start.
func (v *View) jobLevel(r *Row, p place, c *priority.Job) {
	if c != nil {
		u := c.Urgency
		r.set(jobLevel, c.NPPrior, u.Norm, u.Total, u.Resource, u.Waiting, u.Deadline)
	}
	r.Shown = r.Computed
	if pol := &v.Snapshot.Policy; !pol.ReportPendingTickets {
		r.Shown[NPPrior] = priority.Posix(r.Job.PosixPriority)
		if pol.WeightUrgency == 0 { // never computed, and 0.5 stands in for it
			r.clear([]Field{NUrg, Urg, RRContr, WTContr, DLContr})
		}
	}
	v.storedLevel(r, p, c)
}

// storedLevel says which run the job's stored values are from.
func (v *View) storedLevel(r *Row, p place, c *priority.Job) {
	switch {
	case p.left && v.Snapshot.Policy.ReportPendingTickets:
	// worker threads carry out the two orders in either sequence
	case p.blocked && p.running, p.left && p.running && v.cleared:
		r.clear(jobLevel)
		r.either(jobLevel)
	case p.blocked:
		r.clear(jobLevel)
	case p.running:
	case p.left && c != nil && (len(c.Pending()) > 0 || r.Job.Array):
		r.clear(jobLevel)
		r.note(jobLevel, "not reported while it waits; the master shows the value from when a task of it ran")
	case p.left || v.assumed.Unknown(r.Job, v.At):
		r.clear(jobLevel)
	case p.pending:
		v.earlier(r, jobLevel, "started in this run; the master shows the value of an earlier run")
	default:
		r.frozen(jobLevel, "not part of this run; the master shows the value of an earlier run")
	}
	if v.quirks.PosixAtSubmit {
		r.Computed[NPPrior], r.Shown[NPPrior], r.Why[NPPrior] = priority.Posix(r.Job.PosixPriority),
			priority.Posix(r.Job.PosixPriority), ""
	}
}

// taskLevel fills in values that the master keeps for each task, and once for all waiting tasks of a job.
func (v *View) taskLevel(r *Row, p place, c *priority.Job) {
	id := ticket.TaskID{Job: r.Job.Number, Task: FirstNumber(r.Task)}
	switch start, started := v.starts[id]; {
	case started:
		r.setTask(start)
		v.started(r, start)
	case r.Task.Started.IsZero() && enrolledWaiting(r.Task) && !(p.left && v.ordersForAll(c, id.Task)):
		if p.left && c != nil && hasTask(c.Pending(), id.Task) { // it may have been among those that got an order
			r.setTask(findTask(c.Pending(), id.Task))
		}
		r.frozen(taskLevel, "not part of this run; the master shows the value at its start")
	case r.Task.Started.IsZero() && p.left:
		v.waiting(r, c)
		// the order about new tasks, with nothing in it, may have named it
		if enrolledWaiting(r.Task) && len(c.Waiting()) == 0 && hasNew(r.Job) {
			r.clear(taskLevel)
			r.either(taskLevel)
		}
	case r.Task.Started.IsZero():
		r.clear(taskLevel)
	case c != nil && hasTask(c.Running, id.Task):
		r.setTask(findTask(c.Running, id.Task))
		r.Shown = merge(r.Shown, r.Computed, taskLevel)
		if v.tightPE(r.Task) {
			r.frozen([]Field{Tckts, Otckt, Ftckt, Stckt},
				"a tightly integrated parallel job; the master shows the tickets at its start")
		}
	default:
		r.frozen(taskLevel, "not part of this run; the master shows the value of an earlier run")
	}
}

// waiting fills in a row of waiting tasks of a job that is still pending.
func (v *View) waiting(r *Row, c *priority.Job) {
	t := v.last[r.Job.Number]
	if r.Task.Enrolled && hasTask(c.Pending(), FirstNumber(r.Task)) {
		t = findTask(c.Pending(), FirstNumber(r.Task))
	}
	r.setTask(t)
	r.Shown = merge(r.Shown, r.Computed, taskLevel)
	switch {
	case !v.Snapshot.Policy.ReportPendingTickets:
		r.clear(taskLevel)
	case !r.Task.Enrolled && len(c.Waiting()) == 0:
		r.frozen(taskLevel, "rescheduled tasks use up the limit of the job, so its new tasks get "+
			"nothing; the master shows the value of an earlier run")
	case v.unranked[r.Job.Number] != 0:
		v.earlier(r, taskLevel,
			"the scheduler sent its new values for the task that just started, not for this task; the master "+
				"shows the value of an earlier run (undocumented behavior Q17)")
	case !r.Task.Enrolled && len(c.Pending()) > 0 && v.quirks.StaleTemplate:
		r.frozen([]Field{Prio, NTckts}, "a rescheduled task decides the place of the job; the master "+
			"does not update its new tasks (undocumented behavior Q18)")
	}
}

// started fills in the values of a task that this run started. The three kinds of tickets are those of the
// first queue instance's slots. The share is that of the waiting tasks before the run.
func (v *View) started(r *Row, t priority.Task) {
	r.Shown = merge(r.Shown, r.Computed, taskLevel)
	if v.Snapshot.Policy.ReportPendingTickets && v.places[r.Job.Number].left &&
		v.unranked[r.Job.Number] == FirstNumber(r.Task) &&
		v.leftEnrolled(v.Result.Job(r.Job.Number)) == 0 {
		return // an order about the waiting tasks named it
	}
	part := firstPart(r.Task)
	for f, tickets := range map[Field]float64{Otckt: t.Override, Ftckt: t.Function, Stckt: t.ShareTree} {
		r.Shown[f] = part(tickets)
	}
	v.earlier(r, []Field{Share}, "started in this run; the master shows the share from the run before")
	if v.tightPE(r.Task) {
		r.Shown[Tckts] = part(t.Total)
	}
}

// ordersForAll reports whether a rescheduled task that is left got an order with its numbers, as all of the
// job did: the run sends them only with report_pjob_tickets, no more than max_pending_tasks_per_job, nor
// than the slots it leaves free and one. Which ones come first no command prints.
func (v *View) ordersForAll(c *priority.Job, number uint32) bool {
	p := &v.Snapshot.Policy
	return p.ReportPendingTickets && c != nil && hasTask(c.Pending(), number) &&
		v.leftEnrolled(c) <= min(p.MaxPendingTasks, v.leftSlots+1)
}

// leftEnrolled counts the rescheduled tasks of a job that the run ranked and did not start.
func (v *View) leftEnrolled(c *priority.Job) (n uint32) {
	for _, t := range c.Pending() {
		if _, started := v.starts[ticket.TaskID{Job: c.Job.Number, Task: t.Number}]; !started {
			n++
		}
	}
	return n
}

// firstPart is the part of a started task's tickets for its first queue instance.
func firstPart(t *model.Task) func(float64) float64 {
	first, all := 0, 0
	for i, g := range t.Granted {
		if i == 0 {
			first = g.Slots
		}
		all += g.Slots
	}
	if all == 0 || first == all {
		return func(tickets float64) float64 { return tickets }
	}
	return func(tickets float64) float64 { return tickets / float64(all) * float64(first) }
}

// earlier marks fields from the run before: 0 if the job is new.
func (v *View) earlier(r *Row, fields []Field, why string) {
	isNew := !v.previous.IsZero() && r.Job.Submitted.Unix() > v.previous.Unix() && !restarted(r.Job)
	r.clear(fields)
	if !isNew {
		r.note(fields, why)
	}
}

// restarted reports whether a job was rescheduled, which renews its submission time.
func restarted(j *model.Job) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return strings.Contains(t.State, "R") })
}

// frozen marks fields from a run that this bundle does not show.
func (r *Row) frozen(fields []Field, why string) {
	for _, f := range fields {
		r.Shown[f] = nothing[f]
	}
	r.note(fields, why)
}

func (r *Row) note(fields []Field, why string) {
	for _, f := range fields {
		r.Why[f] = why
	}
}

func (r *Row) either(fields []Field) {
	for _, f := range fields {
		r.Either[f] = true
	}
}

func (r *Row) clear(fields []Field) {
	for _, f := range fields {
		r.Shown[f] = 0
	}
}

func (r *Row) set(fields []Field, values ...float64) {
	for i, f := range fields {
		r.Computed[f] = values[i]
	}
}

func (r *Row) setTask(t priority.Task) {
	r.set(taskLevel, t.Prio, t.NTckts, t.Total, t.Override, t.Function, t.ShareTree, t.Tickets.Share)
}

func merge(into, from Values, fields []Field) Values {
	for _, f := range fields {
		into[f] = from[f]
	}
	return into
}

// tightPE reports whether the task runs in a parallel environment with control_slaves.
func (v *View) tightPE(t *model.Task) bool {
	name := t.PE
	if name == "" {
		return false
	}
	pe := urgency.FindPE(name, v.Snapshot.PEs)
	return pe != nil && pe.ControlSlaves
}

func enrolledWaiting(t *model.Task) bool {
	for _, letter := range t.State {
		if letter == 'E' || letter == 'R' && t.Enrolled {
			return true
		}
	}
	return false
}

// hasNew reports whether a job has waiting tasks that never ran.
func hasNew(j *model.Job) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Started.IsZero() && !t.Enrolled })
}

func FirstNumber(t *model.Task) uint32 {
	if number, ok := model.First(t.IDs); ok {
		return number
	}
	return 1
}

func hasTask(tasks []priority.Task, number uint32) bool {
	for i := range tasks {
		if tasks[i].Number == number {
			return true
		}
	}
	return false
}

func findTask(tasks []priority.Task, number uint32) priority.Task {
	for i := range tasks {
		if tasks[i].Number == number {
			return tasks[i]
		}
	}
	return priority.Task{Number: number}
}
