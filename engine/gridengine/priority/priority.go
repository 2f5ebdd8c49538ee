// Package priority computes the priority of jobs, and the order in which the scheduler tries these jobs, as
// sge_priority(5) describes.
//
// Its steps, in priority.go:
//
//  1. Compute the urgency of each job (package "urgency"). At the same time, another goroutine computes the
//     tickets of each task (package "ticket").
//  2. Normalize -p, urgency and tickets to numbers that are usually between 0 and 1. The value p of -p
//     becomes (p+1024)/2048 (rule R8). The least urgency of the run becomes 0, and the greatest becomes 1
//     (rule R7). The tickets of each task are divided by the greatest number of tickets that any running or
//     pending task has (rule R19). If the greatest and the least urgency differ by less than 0.00001, urgency
//     becomes 0.5 for all jobs. If the greatest number of tickets is below 0.00001, tickets become 0.5 for all
//     tasks (rules R7 and Q12).
//  3. Multiply these three numbers by weight_priority, weight_urgency and weight_ticket. The sum is prio
//     (rule R9). Two goroutines compute prio for the tasks of pending jobs (package engine/halves).
//  4. Sort pending jobs by prio, the highest first, then by submission in whole seconds, then by job number
//     (rule R10). The function order.Sort sorts the jobs by prio, on two processors if there are many. It compares
//     submission times and job numbers only for jobs with the same prio.
//
// The package adds numbers in the same order as the master, and rounds products before it adds them. So the
// result has the same bits on every kind of processor. An array job has the prio of its first waiting task.
// Rescheduled tasks of the job come before its new tasks. After each start or reservation of a task, package
// engine/gridengine/schedule gives the array job the prio of its next task (rule R11). If this is a new task, the
// master adds the numbers in another order (Reblend, rule Q36). If no tickets were computed for it, the job keeps
// its old prio.
package priority

import (
	"cmp"
	"iter"
	"sync"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/halves"
	"qprism/engine/model"
	"qprism/engine/order"
	"qprism/engine/room"
)

// An Input is a cluster as one scheduler run sees it.
type Input struct {
	Snapshot  *model.Snapshot
	Lists     split.Lists
	At        time.Time
	FreeSlots uint32 // in queue instances that the run can use
	Quirks    model.Quirks

	UsageBooked  bool // see ticket.Input
	HalfTimeKept bool
	Derive       bool     // see ticket.Input
	Only         []uint32 // the result has only these jobs, none for all; all jobs are computed
}

// NewInput is the input of a run at a moment, with the slots that are free then.
func NewInput(s *model.Snapshot, lists split.Lists, at time.Time, quirks model.Quirks) Input {
	return Input{Snapshot: s, Lists: lists, At: at, FreeSlots: lists.FreeSlots(s, at), Quirks: quirks}
}

// A Result has the priorities of all running and pending jobs in one run.
type Result struct {
	Pending []*Job // in dispatch order
	Running []*Job // in list order
	Urgency urgency.Scale
	Tickets *ticket.Result
	Weights Weights

	byNumber func() map[uint32]*Job
	jobs     []Job // of both lists
	values   urgency.Values
}

var (
	jobLists room.Lists[Job]
	orders   room.Lists[*Job]
)

// Release lets later runs use the memory of this result. The caller must not use the result afterwards.
func (r *Result) Release() {
	r.values.Release()
	r.Tickets.Release()
	jobLists.Keep(r.jobs)
	orders.Keep(r.Pending)
	*r = Result{}
}

// Job is the result for a job, nil if the job has no part in the run.
func (r *Result) Job(number uint32) *Job { return r.byNumber()[number] }

// Empty reports whether the run has no job.
func (r *Result) Empty() bool { return len(r.Running)+len(r.Pending) == 0 }

// All are the jobs of both lists, each once.
func (r *Result) All() iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		for _, j := range r.Running {
			if !yield(j) {
				return
			}
		}
		for _, j := range r.Pending {
			if len(j.Running) == 0 && !yield(j) {
				return
			}
		}
	}
}

func (r *Result) index() map[uint32]*Job {
	m := make(map[uint32]*Job, len(r.Running)+len(r.Pending))
	for j := range r.All() {
		m[j.Job.Number] = j
	}
	return m
}

// Weights of the three policies.
type Weights struct {
	Urgency, Ticket, Priority float64
}

// A Job is the result for one job. Its tasks are parts of the lists in Result.Tickets, because a copy of a million
// tasks has 64 MB.
type Job struct {
	Job     *model.Job
	Entry   *split.Entry // of the job's waiting tasks; nil for none
	Urgency *urgency.Value
	NPPrior float64
	Prio    float64 // ranks the job among pending ones
	Running []Task  // running tasks, in list order

	// waiting has the enrolled tasks, then the new tasks with tickets. If no new task has tickets, the last one stands
	// for the new tasks.
	waiting  []Task
	enrolled int32 // number of enrolled tasks
	ranked   int32 // number of tasks in waiting, without the one that stands for others
}

// Pending are the enrolled pending tasks (the master keeps an object for each).
func (j *Job) Pending() []Task { return j.waiting[:j.enrolled:j.enrolled] }

// Waiting are the first tasks that are not enrolled, in start order.
func (j *Job) Waiting() []Task { return j.waiting[j.enrolled:j.ranked:j.ranked] }

// Template stands for all tasks that are not enrolled. It has the tickets of the first one; none if enrolled tasks use
// up the limit of the job (Q16).
func (j *Job) Template() Task {
	if rest := j.waiting[j.enrolled:]; len(rest) > 0 {
		return rest[0]
	}
	return Task{}
}

// First is the task that ranks a waiting job: its first one.
func (j *Job) First() Task {
	if len(j.waiting) == 0 {
		return Task{}
	}
	return j.waiting[0]
}

// SetPrio sets the priority of a waiting job, and of all its tasks. The caller also sets Urgency.Norm and
// Result.Weights so that Reblend gives this priority: a run calls it for the next task of an array job.
func (j *Job) SetPrio(prio float64) {
	j.Prio = prio
	for i := range j.waiting {
		j.waiting[i].Prio = prio
	}
}

// A Task is the result for one task.
type Task = ticket.Task

// Rank computes the priorities of the run at a moment after the snapshot, with its free slots.
func Rank(s *model.Snapshot, lists split.Lists, at time.Time, quirks model.Quirks) *Result {
	return Compute(NewInput(ticket.Booked(s, lists), lists, at, quirks))
}

// Compute computes the priorities of one scheduler run. Urgency and tickets know nothing of each other, so each has
// a processor.
func Compute(in Input) *Result {
	p := &in.Snapshot.Policy
	r := &Result{Weights: Weights{Urgency: p.WeightUrgency, Ticket: p.WeightTicket, Priority: p.WeightPriority}}
	r.byNumber = sync.OnceValue(r.index)
	running, pending := in.wanted(in.Lists.Running), in.wanted(in.Lists.Pending)
	halves.Both(func() { r.begin(&in, running, pending) }, func() {
		r.Tickets = ticket.Distribute(ticket.Input{Lists: in.Lists, Snapshot: in.Snapshot, At: in.At, FreeSlots: in.FreeSlots,
			Quirks: in.Quirks, UsageBooked: in.UsageBooked, HalfTimeKept: in.HalfTimeKept, Derive: in.Derive})
	})
	r.addTasks(&in, running, pending)
	SortByDispatch(r.Pending)
	return r
}

// begin makes the jobs of both lists, with their urgency.
func (r *Result) begin(in *Input, running, pending []int32) {
	r.values, r.Urgency = urgency.Compute(in.Lists, in.Snapshot, in.At, in.Quirks)
	values, policy := &r.values, &in.Snapshot.Policy
	all := jobLists.For(len(running) + len(pending))
	free := all[len(running):] // for jobs that only wait: a job in both lists has one entry
	both := make(map[*model.Job]*Job, len(running))
	r.Running, r.Pending = make([]*Job, len(running)), orders.For(len(pending))
	for n, i := range running {
		e, j := &in.Lists.Running[i], &all[n]
		j.init(e.Job, &values.Running[i], policy)
		r.Running[n], both[e.Job] = j, j
	}
	for n, i := range pending {
		e, j := &in.Lists.Pending[i], &free[0]
		if r.Pending[n] = both[e.Job]; r.Pending[n] == nil {
			j.init(e.Job, &values.Pending[i], policy)
			r.Pending[n], free = j, free[1:]
		}
	}
	r.jobs = all[:len(all)-len(free)]
}

// addTasks gives jobs their tasks with tickets.
func (r *Result) addTasks(in *Input, running, pending []int32) {
	for n, i := range running {
		j := r.Running[n]
		j.Running = r.Tickets.Running.Of(int(i))
		r.rank(j, j.Running)
	}
	halves.Do(len(pending), func(from, to int) {
		for n := from; n < to; n++ {
			i := pending[n]
			r.addPending(r.Pending[n], &in.Lists.Pending[i], r.Tickets.Pending.Of(int(i)))
		}
	})
}

// wanted are the places in a list of the entries that the result tells of.
func (in *Input) wanted(list []split.Entry) []int32 {
	places := make([]int32, 0, len(list))
	only := make(map[uint32]bool, len(in.Only))
	for _, number := range in.Only {
		only[number] = true
	}
	for i := range list {
		if len(only) == 0 || only[list[i].Job.Number] {
			places = append(places, int32(i))
		}
	}
	return places
}

// init begins a job with what holds for all its tasks.
func (j *Job) init(job *model.Job, u *urgency.Value, p *model.Policy) {
	*j = Job{Job: job, Urgency: u, NPPrior: Posix(job.PosixPriority)}
	j.applyInert(p)
}

// applyInert sets values to 0.5 that the master does not compute: those of policies without weight, if
// pending jobs are not reported.
func (j *Job) applyInert(p *model.Policy) {
	if p.ReportPendingTickets {
		return
	}
	if p.WeightUrgency == 0 {
		*j.Urgency = urgency.Value{Norm: 0.5}
	}
	if p.WeightPriority == 0 {
		j.NPPrior = 0.5
	}
}

// addPending adds the waiting tasks of a job. The given tasks have tickets. Enrolled tasks above the limit (Q16) have
// none. If no new task has tickets, one task without tickets stands for the new tasks. Two goroutines share the list of
// the given tasks: append copies them, because Given.Of cuts their capacity.
func (r *Result) addPending(j *Job, e *split.Entry, given []Task) {
	tasks := given
	for i := len(given); i < len(e.Tasks); i++ {
		tasks = append(tasks, Task{Number: e.Tasks[i].Number})
	}
	j.Entry, j.enrolled, j.ranked = e, int32(len(e.Tasks)), int32(len(tasks))
	if number, ok := model.First(e.Waiting); ok && len(tasks) == len(e.Tasks) {
		tasks = append(tasks, Task{Number: number})
	}
	r.rank(j, tasks)
	j.waiting, j.Prio = tasks, tasks[0].Prio
}

// rank computes the priority of tasks of a job.
func (r *Result) rank(j *Job, tasks []Task) {
	for i := range tasks {
		t := &tasks[i]
		t.NTckts = urgency.Normalize(t.Total, 0, r.Tickets.Maximum)
		t.Prio = r.Weights.Blend(j.Urgency.Norm, t.NTckts, j.NPPrior)
	}
}

// Blend is the priority: the weighted sum of the three normalized values, in the master's order of addition.
// An unknown value (NaN) matters only if its weight is not 0 (R9).
func (w Weights) Blend(urgency, tickets, posix float64) float64 {
	return weighted(w.Urgency, urgency) + weighted(w.Ticket, tickets) + weighted(w.Priority, posix)
}

// Reblend is the same sum in the order of addition that the master uses when it ranks the next task of an
// array job again (quirk Q36).
func (w Weights) Reblend(urgency, tickets, posix float64) float64 {
	return weighted(w.Urgency, urgency) + weighted(w.Priority, posix) + weighted(w.Ticket, tickets)
}

func weighted(weight, value float64) float64 {
	if weight == 0 {
		return 0
	}
	return float64(weight * value)
}

// Posix normalizes a -p value from -1023 to 1024 (R8).
func Posix(p int) float64 {
	return urgency.Normalize(float64(p+1024), 0, 2048)
}

// CompareDispatch puts the job first that the scheduler tries first (R10).
func CompareDispatch(a *model.Job, prioA float64, b *model.Job, prioB float64) int {
	return cmp.Or(cmp.Compare(prioB, prioA), compareSubmission(a, b))
}

func compareSubmission(a, b *model.Job) int {
	return cmp.Or(cmp.Compare(a.Submitted.Unix(), b.Submitted.Unix()), cmp.Compare(a.Number, b.Number))
}

// SortByDispatch sorts by decreasing prio, then by submission, then by job number (R10).
func SortByDispatch(jobs []*Job) {
	prio := func(j *Job) uint64 { return ^order.Float(j.Prio) }
	order.Sort(jobs, prio, func(a, b *Job) int { return compareSubmission(a.Job, b.Job) })
}
