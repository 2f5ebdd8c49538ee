package explain

import (
	"fmt"
	"math"

	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

func (sc *Scene) compare(c *explain.Comparison, idA, idB string) error {
	_, a, err := sc.actorOf(idA)
	if err != nil {
		return err
	}
	_, b, err := sc.actorOf(idB)
	if err != nil {
		return err
	}
	if a.job != nil && b.job != nil {
		c.Rows = sc.rows(gainsOf(a, sc.result, sc), gainsOf(b, sc.result, sc))
	}
	if c.First != 0 {
		c.Decided = decided(a.job, b.job)
	}
	sc.flips(c)
	return nil
}

// decided says which criterion tells two waiting jobs of Grid Engine apart.
func decided(a, b *priority.Job) string {
	switch {
	case a.Prio != b.Prio:
		return "prio"
	case a.Job.Submitted.Unix() != b.Job.Submitted.Unix():
		return "submission"
	}
	return "number"
}

// A gain is what one contribution adds to a priority.
type gain struct {
	name  string
	depth int
	raw   float64
	adds  float64 // NaN where it adds nothing by itself
}

// gainsOf are the contributions to a task's priority. The leaves add up to it, but for what normalization
// subtracts from all.
func gainsOf(a *actor, r *priority.Result, sc *Scene) []gain {
	w, u, t := r.Weights, a.job.Urgency, a.task.Tickets
	perUrgency, perTicket := 0.0, 0.0
	if span := r.Urgency.Hi - r.Urgency.Lo; span >= urgency.Epsilon && !sc.uncomputed() {
		perUrgency = w.Urgency / span
	}
	if r.Tickets.Maximum >= urgency.Epsilon {
		perTicket = w.Ticket / r.Tickets.Maximum
	}
	return []gain{
		{"prio", 0, a.task.Prio, a.task.Prio},
		{"posix priority (-p)", 1, float64(a.job.Job.PosixPriority), w.Priority * a.job.NPPrior},
		{"urgency", 1, u.Total, w.Urgency * u.Norm},
		{"resources", 2, u.Resource, perUrgency * u.Resource},
		{"waiting time", 2, u.Waiting, perUrgency * u.Waiting},
		{"deadline", 2, u.Deadline, perUrgency * u.Deadline},
		{"tickets", 1, t.Total, w.Ticket * a.task.NTckts},
		{"share tree", 2, t.ShareTree, perTicket * t.ShareTree},
		{"functional", 2, t.Function, perTicket * t.Function},
		{"override", 2, t.Override, perTicket * t.Override},
	}
}

func (sc *Scene) rows(a, b []gain) []explain.Row {
	var rows []explain.Row
	for i := range a {
		row := explain.Row{
			Name:  a[i].name,
			Depth: a[i].depth,
			A:     explain.Number(a[i].raw),
			B:     explain.Number(b[i].raw),
			Gain:  a[i].adds - b[i].adds,
		}
		row.Wins = explain.Winner(row.Gain)
		rows = append(rows, row)
	}
	return rows
}

func pendingJob(r *priority.Result, number uint32) *priority.Job {
	for _, j := range r.Pending {
		if j.Job.Number == number {
			return j
		}
	}
	return nil
}

// gone says which of two jobs that waited waits no more.
func gone(c *explain.Comparison, a, b *priority.Job) string {
	const oneGone = "Job %s takes no part in the next run. So no change can reverse the order of the two jobs."
	switch {
	case a == nil && b == nil:
		return fmt.Sprintf("Job %s and job %s take no part in the next run. So no change can reverse their order.",
			c.A.ID, c.B.ID)
	case a == nil:
		return fmt.Sprintf(oneGone, c.A.ID)
	}
	return fmt.Sprintf(oneGone, c.B.ID)
}

// rates say how much waiting time the urgency of a resource is worth that one of both asks for.
func (sc *Scene) rates(d *pair) []string {
	p := &sc.snapshot.Policy
	if p.WeightWaitingTime <= 0 || p.WeightUrgency == 0 {
		return nil
	}
	var list []string
	for i := range sc.snapshot.Resources {
		r := &sc.snapshot.Resources[i]
		v, err := model.ParseNumber(r.Urgency)
		if err != nil || v == 0 {
			continue
		}
		worth := func(urgency float64) string {
			return explain.SpanOf(math.Abs(urgency) / p.WeightWaitingTime)
		}
		one, several := unitOf(r)
		text := fmt.Sprintf("One %s (urgency %s) changes prio by the same amount as %s of waiting (weight_waiting_time %s)",
			one, explain.Number(v), worth(v), explain.Number(p.WeightWaitingTime))
		asked := false
		for _, j := range []*model.Job{d.First, d.Second} {
			for _, part := range urgency.Parts(j, sc.snapshot, sc.view.Input().Quirks) {
				if part.Resource != r.Name {
					continue
				}
				asked = true
				if units := part.Gives / v; units != 1 {
					n := explain.Number(units)
					text += fmt.Sprintf(". Job %d requests %s %s, so the amount is %s times as large: %s of waiting",
						j.Number, n, several, n, worth(part.Gives))
				}
			}
		}
		if asked {
			list = append(list, text+".")
		}
	}
	return list
}

// unitOf is what the urgency of a resource counts, one and several: of memory each byte.
func unitOf(r *model.Resource) (one, several string) {
	switch {
	case r.Name == "slots":
		return "slot", "slots"
	case r.Type == model.TypeMemory:
		return "byte of " + r.Name, "bytes of " + r.Name
	}
	return r.Name, "units of " + r.Name
}
