package explain

import (
	"math"

	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
)

// inert lists the policies that tell no two jobs of the run apart.
func (sc *Scene) inert() []explain.Inert {
	var list []explain.Inert
	p, r := &sc.snapshot.Policy, sc.result
	if r.Empty() {
		return nil
	}
	if p.WeightPriority == 0 {
		list = append(list, explain.Inert{Policy: "posix priority", Why: "weight_priority 0"})
	} else if v, same := sameFor(r, func(j *priority.Job) float64 { return float64(j.Job.PosixPriority) }); same {
		list = append(list, explain.Inert{Policy: "posix priority", Why: "every job has -p " + explain.Number(v)})
	}
	list = append(list, sc.inertUrgency()...)
	list = append(list, sc.inertTickets()...)
	return list
}

func (sc *Scene) inertUrgency() []explain.Inert {
	p, r := &sc.snapshot.Policy, sc.result
	if p.WeightUrgency == 0 {
		return []explain.Inert{{Policy: "urgency", Why: "weight_urgency 0"}}
	}
	var list []explain.Inert
	if r.Urgency.Hi-r.Urgency.Lo < urgency.Epsilon {
		list = append(list, explain.Inert{Policy: "urgency", Why: "every job has the same urgency, so nurg is 0.5 for every job"})
	}
	if v, same := sameFor(r, func(j *priority.Job) float64 { return j.Urgency.Resource }); same {
		list = append(list, explain.Inert{Policy: "resource urgency", Why: "the requests of every job have the urgency " +
			explain.Number(v)})
	}
	switch _, same := sameFor(r, func(j *priority.Job) float64 { return j.Urgency.Waiting }); {
	case p.WeightWaitingTime == 0:
		list = append(list, explain.Inert{Policy: "waiting time", Why: "weight_waiting_time 0"})
	case same:
		list = append(list, explain.Inert{Policy: "waiting time", Why: "all jobs were submitted in the same second"})
	}
	switch v, same := sameFor(r, func(j *priority.Job) float64 { return j.Urgency.Deadline }); {
	case p.WeightDeadline == 0:
		list = append(list, explain.Inert{Policy: "deadline", Why: "weight_deadline 0"})
	case same && v == 0:
		list = append(list, explain.Inert{Policy: "deadline", Why: "no job has a -dl"})
	}
	return list
}

func (sc *Scene) inertTickets() []explain.Inert {
	p := &sc.snapshot.Policy
	if p.WeightTicket == 0 {
		return []explain.Inert{{Policy: "tickets", Why: "weight_ticket 0"}}
	}
	var list []explain.Inert
	if sc.result.Tickets.Maximum < urgency.Epsilon {
		list = append(list, explain.Inert{Policy: "tickets", Why: "no job has tickets, so ntckts is 0.5 for every job"})
	}
	switch {
	case p.FunctionalTickets == 0:
		list = append(list, explain.Inert{Policy: "functional policy", Why: "weight_tickets_functional 0"})
	case p.MaxFunctionalJobs == 0:
		list = append(list, explain.Inert{Policy: "functional policy", Why: "max_functional_jobs_to_schedule 0"})
	case !sc.anyHas(func(t ticket.Tickets) float64 { return t.Function }):
		list = append(list, explain.Inert{Policy: "functional policy", Why: "nobody has functional shares (fshare, -js)"})
	}
	switch {
	case p.ShareTreeTickets == 0:
		list = append(list, explain.Inert{Policy: "share tree", Why: "weight_tickets_share 0"})
	case !sc.snapshot.TreeKnown():
		list = append(list, explain.Inert{Policy: "share tree", Why: "unknown: the bundle has no share_tree.txt"})
	case sc.snapshot.ShareTree == nil:
		list = append(list, explain.Inert{Policy: "share tree", Why: "there is no share tree"})
	case !sc.anyHas(func(t ticket.Tickets) float64 { return t.ShareTree }):
		list = append(list, explain.Inert{Policy: "share tree", Why: "no job belongs to one of its nodes"})
	}
	if !sc.anyHas(func(t ticket.Tickets) float64 { return t.Override }) {
		list = append(list, explain.Inert{Policy: "override policy", Why: "no job has tickets from oticket or -ot"})
	}
	return list
}

// anyHas reports whether any task of the run has tickets of a kind.
func (sc *Scene) anyHas(kind func(ticket.Tickets) float64) bool {
	for j := range sc.result.All() {
		for _, tasks := range [][]priority.Task{j.Running, j.Pending(), j.Waiting()} {
			for i := range tasks {
				if kind(tasks[i].Tickets) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// sameFor reports whether a number is the same for all jobs of the run, and which it is.
func sameFor(r *priority.Result, of func(*priority.Job) float64) (v float64, same bool) {
	v = math.NaN()
	for _, list := range [][]*priority.Job{r.Running, r.Pending} {
		for _, j := range list {
			if x := of(j); math.IsNaN(v) {
				v = x
			} else if x != v {
				return 0, false
			}
		}
	}
	return v, true
}
