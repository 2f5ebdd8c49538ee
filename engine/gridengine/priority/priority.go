// Package priority computes the dispatch priority of jobs, as sge_priority(5) defines it: posix priority, urgency and
// tickets, each normalized and weighted; and the order in which the scheduler tries pending jobs.
package priority

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// An Input is one scheduler run's view of a cluster.
type Input struct {
	Snapshot  *model.Snapshot
	Lists     split.Lists
	At        time.Time
	FreeSlots uint32 // of the queue instances that the run can use
	Quirks    model.Quirks

	UsageBooked  bool // see ticket.Input
	HalfTimeKept bool
	Derive       bool     // see ticket.Input
	Only         []uint32 // the jobs that the result tells of, none for all; the others are computed with them all the same
}

// A Result is what one run computes for all running and pending jobs.
type Result struct {
	Jobs    map[uint32]*Job
	Pending []*Job // in dispatch order
	Running []*Job // in list order
	Urgency urgency.Scale
	Tickets *ticket.Result
	Weights Weights
}

// Weights are those of the three policies.
type Weights struct {
	Urgency, Ticket, Priority float64
}

// A Job is what the run computes for one job.
type Job struct {
	Job     *model.Job
	Urgency urgency.Value
	NPPrior float64
	Running []Task // running tasks, in list order
	Pending []Task // enrolled pending tasks
	Waiting []Task // the first not enrolled tasks, in the order in which they would start
	// Template stands for all tasks that are not enrolled; it has the tickets of the first one.
	Template Task
	Prio     float64 // the one that ranks the job among pending ones
}

// A Task is what the run computes for one task.
type Task struct {
	Number uint32
	ticket.Tickets
	NTckts float64
	Prio   float64
}

// Rank runs the priority phase of the run at a moment, with the free slots that the snapshot shows.
func Rank(s *model.Snapshot, lists split.Lists, at time.Time, quirks model.Quirks) *Result {
	return Compute(Input{Snapshot: s, Lists: lists, At: at, FreeSlots: split.FreeSlots(s, at), Quirks: quirks})
}

// Compute runs the priority phase of one scheduler run.
func Compute(in Input) *Result {
	p := &in.Snapshot.Policy
	values, scale := urgency.Compute(in.Lists, in.Snapshot, in.At, in.Quirks)
	tickets := ticket.Distribute(ticket.Input{Lists: in.Lists, Snapshot: in.Snapshot, At: in.At, FreeSlots: in.FreeSlots,
		Quirks: in.Quirks, UsageBooked: in.UsageBooked, HalfTimeKept: in.HalfTimeKept, Derive: in.Derive})
	r := &Result{Jobs: map[uint32]*Job{}, Urgency: scale, Tickets: tickets,
		Weights: Weights{Urgency: p.WeightUrgency, Ticket: p.WeightTicket, Priority: p.WeightPriority}}
	running, pending := in.wanted(in.Lists.Running), in.wanted(in.Lists.Pending)
	all := make([]Job, 0, len(running)+len(pending))
	r.addAll(running, values, p, &all, (*Result).addRunning, &r.Running)
	r.addAll(pending, values, p, &all, (*Result).addPending, &r.Pending)
	slices.SortFunc(r.Pending, byDispatch)
	return r
}

// wanted are the entries of a list that the result tells of.
func (in *Input) wanted(list []split.Entry) []split.Entry {
	if len(in.Only) == 0 {
		return list
	}
	var few []split.Entry
	for i := range list {
		if slices.Contains(in.Only, list[i].Job.Number) {
			few = append(few, list[i])
		}
	}
	return few
}

// addAll adds the jobs of one list.
func (r *Result) addAll(list []split.Entry, values map[*model.Job]*urgency.Value, p *model.Policy, all *[]Job,
	add func(*Result, *Job, *split.Entry), to *[]*Job) {
	for i := range list {
		e := &list[i]
		j := r.Jobs[e.Job.Number]
		if j == nil {
			*all = append(*all, Job{Job: e.Job, Urgency: *values[e.Job], NPPrior: Posix(e.Job.PosixPriority)})
			j = &(*all)[len(*all)-1]
			j.applyInert(p)
			r.Jobs[e.Job.Number] = j
		}
		add(r, j, e)
		*to = append(*to, j)
	}
}

// applyInert sets to 0.5 what the master does not compute: policies of no weight, where pending jobs are not reported.
func (j *Job) applyInert(p *model.Policy) {
	if p.ReportPendingTickets {
		return
	}
	if p.WeightUrgency == 0 {
		j.Urgency = urgency.Value{Norm: 0.5}
	}
	if p.WeightPriority == 0 {
		j.NPPrior = 0.5
	}
}

func (r *Result) addRunning(j *Job, e *split.Entry) {
	for _, t := range e.Tasks {
		j.Running = append(j.Running, r.task(j, t.Number, r.Tickets.Running[ticket.TaskID{Job: e.Job.Number, Task: t.Number}]))
	}
}

func (r *Result) addPending(j *Job, e *split.Entry) {
	for _, t := range e.Tasks {
		j.Pending = append(j.Pending, r.task(j, t.Number, r.Tickets.Enrolled[ticket.TaskID{Job: e.Job.Number, Task: t.Number}]))
	}
	waiting := r.Tickets.Waiting[e.Job.Number]
	j.Waiting = make([]Task, 0, len(waiting))
	for _, t := range waiting {
		j.Waiting = append(j.Waiting, r.task(j, t.Number, t.Tickets))
	}
	if number, ok := model.First(e.Waiting); ok {
		j.Template = r.task(j, number, ticket.Tickets{})
	}
	if len(j.Waiting) > 0 {
		j.Template = j.Waiting[0]
	}
	j.Prio = j.Template.Prio
	if len(j.Pending) > 0 {
		j.Prio = j.Pending[0].Prio
	}
}

func (r *Result) task(j *Job, number uint32, t ticket.Tickets) Task {
	norm := urgency.Normalize(t.Total, 0, r.Tickets.Maximum)
	return Task{Number: number, Tickets: t, NTckts: norm, Prio: r.Weights.Blend(j.Urgency.Norm, norm, j.NPPrior)}
}

// Blend is the priority: the weighted sum of the three normalized values, added in the master's order. A value that is
// not known (NaN) matters only where it has a weight (R9).
func (w Weights) Blend(urgency, tickets, posix float64) float64 {
	return weighted(w.Urgency, urgency) + weighted(w.Ticket, tickets) + weighted(w.Priority, posix)
}

// Reblend is the same sum as the master adds it when it ranks the next task of an array anew (quirk Q36).
func (w Weights) Reblend(urgency, tickets, posix float64) float64 {
	return weighted(w.Urgency, urgency) + weighted(w.Priority, posix) + weighted(w.Ticket, tickets)
}

func weighted(weight, value float64) float64 {
	if weight == 0 {
		return 0
	}
	return float64(weight * value)
}

// Posix normalizes a -p value of -1023 to 1024 (R8).
func Posix(p int) float64 {
	return urgency.Normalize(float64(p+1024), 0, 2048)
}

// byDispatch sorts by decreasing prio, then by submission, then by job number (R10).
func byDispatch(a, b *Job) int {
	return cmp.Or(cmp.Compare(b.Prio, a.Prio), cmp.Compare(a.Job.Submitted.Unix(), b.Job.Submitted.Unix()),
		cmp.Compare(a.Job.Number, b.Job.Number))
}
