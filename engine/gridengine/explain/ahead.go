package explain

import (
	"math"
	"slices"
	"sort"

	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// ahead is the job that comes next before a waiting one of Grid Engine, of those that the run did not
// start; nil for the first.
func (sc *Scene) ahead(a *actor) *explain.Neighbour {
	i := sc.placeOf(a.job) - 2
	for i >= 0 && !waits(sc.result.Pending[i].Job) {
		i--
	}
	if i < 0 {
		return nil
	}
	before := sc.result.Pending[i]
	n := &explain.Neighbour{
		ID:      utoa(before.Job.Number),
		Owner:   before.Job.Owner,
		Decided: decided(before, a.job),
		By:      before.Prio - a.job.Prio,
	}
	if n.Decided == "prio" {
		n.Priority, _ = sc.posixWorth(a, before)
		n.Worth = sc.worth(a, before)
	}
	return n
}

// waits reports whether a job has a task that has not started.
func waits(j *model.Job) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Started.IsZero() && t.Ended.IsZero() })
}

// worth says what a difference in priority is as much as: tickets, urgency and waiting time at their present rates.
func (sc *Scene) worth(a *actor, before *priority.Job) []string {
	p, r, gap := &sc.snapshot.Policy, sc.result, before.Prio-a.job.Prio
	var list []string
	if tickets := ticketsWorth(gap, p, r); tickets > 0 {
		list = append(list, explain.Number(math.Ceil(tickets))+" more tickets")
	}
	if urgency := urgencyWorth(gap, p, r); urgency > 0 {
		list = append(list, "an additional urgency of "+explain.Number(urgency))
	}
	if seconds := waitingWorth(gap, p, r); seconds >= 1 && seconds < 1e9 {
		list = append(list, explain.SpanOf(seconds)+" of waiting")
	}
	return list
}

// ticketsWorth is how many tickets a difference in priority is as much as; 0 where tickets do not count.
func ticketsWorth(gap float64, p *model.Policy, r *priority.Result) float64 {
	if p.WeightTicket <= 0 || r.Tickets.Maximum < urgency.Epsilon {
		return 0
	}
	return gap * r.Tickets.Maximum / p.WeightTicket
}

// urgencyWorth is how much urgency a difference in priority is as much as; 0 where urgency does not count.
func urgencyWorth(gap float64, p *model.Policy, r *priority.Result) float64 {
	wide := r.Urgency.Hi - r.Urgency.Lo
	if p.WeightUrgency <= 0 || !(wide >= urgency.Epsilon) {
		return 0
	}
	return gap * wide / p.WeightUrgency
}

// waitingWorth is how many seconds of waiting a difference in priority is as much as; 0 where waiting does not count.
func waitingWorth(gap float64, p *model.Policy, r *priority.Result) float64 {
	if p.WeightWaitingTime <= 0 {
		return 0
	}
	return urgencyWorth(gap, p, r) / p.WeightWaitingTime
}

// posixWorth is by how much -p has to grow so that the job passes the one before, which is exact: nothing
// else depends on it.
func (sc *Scene) posixWorth(a *actor, before *priority.Job) (by int, ok bool) {
	if sc.result.Weights.Priority == 0 {
		return 0, false
	}
	now := a.job.Job.PosixPriority
	by = 1 + sort.Search(1024-now, func(more int) bool {
		return byDispatch(sc.withPriority(a.job, now+1+more), before) < 0
	})
	return by, now+by <= 1024
}

// withPriority is a waiting job with another -p, of which no other number of the run depends.
func (sc *Scene) withPriority(job *priority.Job, p int) *priority.Job {
	j := *job
	j.Prio = sc.result.Weights.Blend(j.Urgency.Norm, ranking(job).task.NTckts, priority.Posix(p))
	return &j
}
