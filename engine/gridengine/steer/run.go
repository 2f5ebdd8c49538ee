// Package steer finds -p values of qalter(1) that give the jobs of Grid Engine a wanted order (run.go). The
// package computes the priorities that jobs would have in a scheduler run with the changed -p values. Package
// engine/assign chooses the -p values.
package steer

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"qprism/engine/assign"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// A Run is a scheduler run, which ranks pending jobs by -p and other terms (sge_priority(5)).
type Run struct {
	input priority.Input
}

// NewRun is the run at a moment. The sequence is the order in which the scheduler holds the jobs, as an
// audit of its last run finds it; nil infers it.
func NewRun(s *model.Snapshot, at time.Time, q model.Quirks, sequence map[uint32]int) Run {
	withEnded := split.WithEndedTasks(s, at)
	lists := split.Jobs(withEnded, at, q, split.Assumed{Sequence: sequence, Coming: true})
	return Run{priority.NewInput(ticket.Booked(withEnded, lists), lists, at, q)}
}

// Steer finds the -p values that give the wanted order. It fails with NoWeightError if -p has no weight.
func (r Run) Steer(wanted []uint32, s assign.Scale) (*assign.Steering, error) {
	st, err := assign.Steer(wanted, s, r.Native)
	var unknown *assign.NoNumberError
	switch {
	case errors.As(err, &unknown):
		err = r.withoutNumber(unknown.Job)
	case err != nil:
		err = &NoWeightError{s.Weight}
	}
	return st, err
}

// A NoWeightError says that a higher -p does not move a job forward.
type NoWeightError struct{ Weight float64 }

func (e *NoWeightError) Error() string {
	if e.Weight == 0 {
		return "weight_priority is 0: -p has no influence on the order (qconf -msconf; sched_conf(5))"
	}
	return fmt.Sprintf("weight_priority is %v: only a positive weight makes a higher -p sooner (qconf "+
		"-msconf; sched_conf(5))", e.Weight)
}

// withoutNumber says why the priority of a job is no number: it is not known when the job was submitted, or
// the weights are too great.
func (r Run) withoutNumber(job uint32) error {
	s := r.input.Snapshot
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Number == job && j.Submitted.IsZero() && s.Policy.WeightWaitingTime != 0 {
			return fmt.Errorf("the urgency of job %d is unknown: no file of the bundle has its "+
				"submission time (qstat-j.xml has it), and weight_waiting_time is %v; capture again",
				job, s.Policy.WeightWaitingTime)
		}
	}
	p := s.Policy
	return fmt.Errorf("the priority of job %d is not a number: weight_waiting_time %v, weight_deadline "+
		"%v, weight_urgency %v, weight_ticket %v, weight_priority %v or the urgency of a resource is "+
		"too large (qconf -msconf, qconf -mc; sched_conf(5))",
		job, p.WeightWaitingTime, p.WeightDeadline, p.WeightUrgency, p.WeightTicket, p.WeightPriority)
}

// Native are the pending jobs in the order of the run after the changes.
func (r Run) Native(changes []assign.Change) []assign.Waiting {
	result := r.after(changes)
	list := make([]assign.Waiting, len(result.Pending))
	for i, j := range result.Pending {
		list[i] = waitingOf(result, j)
	}
	return list
}

// A Ranked is the -p of a job and its other terms, each between 0 and 1.
type Ranked struct {
	Job              uint32
	P                int
	Urgency, Tickets float64
}

// Ranked has the terms of each pending job in the run after the changes, and their weights.
func (r Run) Ranked(changes []assign.Change) ([]Ranked, priority.Weights) {
	result := r.after(changes)
	list := make([]Ranked, len(result.Pending))
	for i, j := range result.Pending {
		list[i] = Ranked{Job: j.Job.Number, P: j.Job.PosixPriority, Urgency: j.Urgency.Norm, Tickets: j.First().NTckts}
	}
	return list, result.Weights
}

// after is the run after changes. Jobs that are altered go to the end of the scheduler's list, which can
// move tickets among them.
func (r Run) after(changes []assign.Change) *priority.Result {
	in := r.input
	in.Lists = altered(in.Lists, changes)
	return priority.Compute(in)
}

// waitingOf is a job as the planner of priorities sees it.
func waitingOf(r *priority.Result, j *priority.Job) assign.Waiting {
	base := r.Weights
	base.Priority = 0
	return assign.Waiting{Job: j.Job.Number, P: j.Job.PosixPriority,
		Base:      base.Blend(j.Urgency.Norm, j.First().NTckts, 0),
		Submitted: j.Job.Submitted.Unix()}
}

// altered are the lists of a run after changes, in the order in which the scheduler then holds the jobs.
func altered(lists split.Lists, changes []assign.Change) split.Lists {
	to := make(map[uint32]int, len(changes))
	place := make(map[uint32]int, len(changes))
	for i, c := range changes {
		to[c.Job], place[c.Job] = c.To, i+1
	}
	jobs := map[uint32]*model.Job{} // one copy, whatever the number of lists it is in
	move := func(list []split.Entry) []split.Entry {
		list = slices.Clone(list)
		for i, e := range list {
			if place[e.Job.Number] == 0 {
				continue
			}
			if jobs[e.Job.Number] == nil {
				j := *e.Job
				j.PosixPriority = to[j.Number]
				jobs[j.Number] = &j
			}
			list[i].Job = jobs[e.Job.Number]
		}
		slices.SortStableFunc(list, func(a, b split.Entry) int { return place[a.Job.Number] - place[b.Job.Number] })
		return list
	}
	lists.Running, lists.Pending = move(lists.Running), move(lists.Pending)
	return lists
}
