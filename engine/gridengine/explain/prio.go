package explain

import (
	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// prio derives the priority of a task.
func (sc *Scene) prio(a *actor) explain.Term {
	p := &sc.snapshot.Policy
	t := explain.Made("prio", a.task.Prio, explain.Sum,
		weighted("posix priority", "weight_priority", p.WeightPriority, sc.npprior(a)),
		weighted("urgency", "weight_urgency", p.WeightUrgency, sc.nurg(a)),
		weighted("tickets", "weight_ticket", p.WeightTicket, sc.ntckts(a)))
	return t
}

// weighted is what a policy adds to the priority.
func weighted(name, key string, weight float64, norm explain.Term) explain.Term {
	v := 0.0
	if weight != 0 {
		v = float64(weight * norm.Value)
	}
	t := explain.Made(name, v, explain.Product, explain.Fact(key, weight), norm)
	if weight == 0 {
		t.Inert, t.Op, t.Text = key+" 0", explain.Given, name+" 0"
	}
	return t
}

func (sc *Scene) npprior(a *actor) explain.Term {
	p := float64(a.job.Job.PosixPriority)
	if a.job.NPPrior != priority.Posix(a.job.Job.PosixPriority) {
		return explain.Term{Name: "npprior", Value: a.job.NPPrior,
			Note: "the master computes it only if its weight is not 0 or report_pjob_tickets is on"}
	}
	shifted := explain.Made("", p+1024, explain.Sum, explain.Fact("-p", p), explain.Fact("", 1024))
	shifted.Text = "(-p " + explain.Number(p) + " + 1024)"
	return explain.Made("npprior", a.job.NPPrior, explain.Product, shifted, explain.Fact("", 2048).Dividing())
}

func (sc *Scene) nurg(a *actor) explain.Term {
	u := a.job.Urgency
	if sc.uncomputed() {
		return explain.Term{Name: "nurg", Value: u.Norm,
			Note: "the master computes it only if its weight is not 0 or report_pjob_tickets is on"}
	}
	lo, hi := sc.result.Urgency.Lo, sc.result.Urgency.Hi
	least, most := explain.Fact("least", lo), explain.Fact("most", hi)
	least.Text, most.Text = "least "+explain.Number(lo)+sc.urgencyOf(lo, a), "most "+explain.Number(hi)+sc.urgencyOf(hi, a)
	t := explain.Made("nurg", u.Norm, explain.Normalize, sc.urg(a), least, most)
	if hi-lo < urgency.Epsilon {
		t.Op, t.Note = explain.Given, "every job's urgency is "+explain.Number(u.Total)+", so it is 0.5 for all"
		t.Inert = "every job has the same urgency"
	}
	return t
}

// uncomputed reports whether the release leaves urgency out: it has no weight, and nobody reports it.
func (sc *Scene) uncomputed() bool {
	p := &sc.snapshot.Policy
	return p.WeightUrgency == 0 && !p.ReportPendingTickets
}

// urgencyOf names the job that has an extreme urgency: " of job 7".
func (sc *Scene) urgencyOf(v float64, a *actor) string {
	if a.job.Urgency.Total == v {
		return " (its own)"
	}
	for _, list := range [][]*priority.Job{sc.result.Pending, sc.result.Running} {
		for _, j := range list {
			if j.Urgency.Total == v {
				return " of job " + utoa(j.Job.Number)
			}
		}
	}
	return " of a job that has left the cluster"
}

func (sc *Scene) urg(a *actor) explain.Term {
	u, p := a.job.Urgency, &sc.snapshot.Policy
	waiting := explain.Made("waiting time", u.Waiting, explain.Product,
		explain.Fact("weight_waiting_time", p.WeightWaitingTime), sc.waited(a.job.Job))
	if p.WeightWaitingTime == 0 {
		waiting.Inert = "weight_waiting_time 0"
	}
	return explain.Made("urg", u.Total, explain.Sum, waiting, sc.deadline(a), sc.requests(a))
}

func (sc *Scene) waited(j *model.Job) explain.Term {
	v := urgency.Waited(sc.view.At, j.Submitted, sc.view.Input().Quirks)
	t := explain.Fact("seconds waited", v)
	t.Text = explain.Number(v) + " s since submission"
	return t
}

func (sc *Scene) deadline(a *actor) explain.Term {
	j, p := a.job.Job, &sc.snapshot.Policy
	t := explain.Fact("deadline", a.job.Urgency.Deadline)
	if j.Deadline.IsZero() {
		t.Note = "it has none (-dl)"
		return t
	}
	left := explain.Fact("seconds left", urgency.Left(sc.view.At, j.Deadline, sc.view.Input().Quirks))
	left.Text = explain.Number(left.Value) + " s left"
	t.Op, t.Terms = explain.Product, []explain.Term{explain.Fact("weight_deadline", p.WeightDeadline), left.Dividing()}
	return t
}

func (sc *Scene) requests(a *actor) explain.Term {
	t := explain.Made("resources", a.job.Urgency.Resource, explain.Sum)
	for _, p := range urgency.Parts(a.job.Job, sc.snapshot, sc.view.Input().Quirks) {
		part := explain.Made(p.Resource, p.Gives, explain.Product,
			explain.Fact("urgency of "+p.Resource, p.Urgency), explain.Fact("asked for", p.Asked))
		part.Text = p.Resource + " " + explain.Bracketed(p.Urgency) + " × " + explain.Number(p.Asked)
		if p.Slots != 1 {
			slots := explain.Fact("slots", p.Slots)
			part.Terms = append(part.Terms, slots)
			part.Text += " × " + explain.Number(p.Slots) + " slots"
		}
		t.Terms = append(t.Terms, part)
	}
	return t
}

func (sc *Scene) ntckts(a *actor) explain.Term {
	most := sc.result.Tickets.Maximum
	t := explain.Made("ntckts", a.task.NTckts, explain.Product, sc.tckts(a),
		explain.Fact("most", most).As("most "+explain.Number(most)+sc.ticketsOf(a)).Dividing())
	if most < urgency.Epsilon {
		t.Op, t.Note, t.Inert = explain.Given, "nobody has tickets, so it is 0.5 for all", "nobody has tickets"
	}
	return t
}

// runs are the tickets of a running task, where it runs.
func (sc *Scene) runs(id ticket.TaskID) (ticket.Tickets, bool) {
	if j := sc.result.Job(id.Job); j != nil {
		for _, t := range j.Running {
			if t.Number == id.Task {
				return t.Tickets, true
			}
		}
	}
	return ticket.Tickets{}, false
}

// ticketsOf names the task that has the most tickets.
func (sc *Scene) ticketsOf(a *actor) string {
	m := sc.result.Tickets.Most
	switch {
	case a.job.Job.Number == m.Job && a.task.Total == sc.result.Tickets.Maximum:
		return " (its own)"
	case m == ticket.TaskID{}:
		return ""
	}
	text := " of job " + utoa(m.Job)
	if j := sc.result.Job(m.Job); j != nil {
		if j.Job.Array {
			text += "." + utoa(m.Task)
		}
		if r, runs := sc.runs(m); runs && r.Total == sc.result.Tickets.Maximum {
			text += ", a running job"
		} else if runs {
			text += ", a running job, before waiting jobs left the list"
		}
	}
	return text
}
