package gridengine

import (
	"fmt"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/migrate/agreement"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// Prove compares the order of the waiting jobs of a snapshot under PBS with the one that Grid Engine has after the translation.
// In an inversion First is the job that PBS tries first; Prio is the value of PBS's formula, Value Grid Engine's priority.
func (t *Translation) Prove(name string, s *model.Snapshot, quirks model.Quirks) synthesis.Agreement {
	result := t.rank(s, quirks)
	values := map[uint32]float64{}
	for _, j := range cycle.LineUp(s, s.TakenAt).Jobs {
		values[j.Job.Number] = float64(j.Formula)
	}
	var pbs, ge []agreement.Placed
	for _, d := range cycle.Order(s, cycle.Options{At: s.TakenAt}) {
		pbs = append(pbs, agreement.Placed{Job: d.Job, Value: values[d.Job]})
	}
	for _, j := range result.Pending {
		ge = append(ge, agreement.Placed{Job: j.Job.Number, Value: j.Prio})
	}
	a := agreement.Of(name, s.TakenAt, pbs, ge)
	for i := range a.Worst {
		t.explain(&a.Worst[i], result)
	}
	return a
}

// rank computes the priorities of the jobs of a snapshot in Grid Engine.
func (t *Translation) rank(s *model.Snapshot, quirks model.Quirks) *priority.Result {
	to := t.Jobs(s)
	lists := split.Jobs(to, s.TakenAt, quirks, split.Assumed{})
	return priority.Compute(priority.Input{Snapshot: to, Lists: lists, At: s.TakenAt, FreeSlots: split.Unlimited, Quirks: quirks, UsageBooked: true})
}

// explain says which policy puts the second job of a pair first.
func (t *Translation) explain(v *synthesis.Inversion, r *priority.Result) {
	a, b := r.Jobs[v.First], r.Jobs[v.Second]
	switch {
	case t.From.PBS.Formula == "": // what PBS sorts by then is no number
	case v.Prio[0] == v.Prio[1]:
		v.Cause, v.Why = synthesis.ByTie, "equal in PBS, where the one that came first into its queue comes first"
		return
	case v.Prio[0] < v.Prio[1]:
		v.Cause, v.Why = synthesis.BySystem, "PBS sorts by something else before the formula"
		return
	}
	v.Cause = synthesis.ByTerm
	most := 0.0
	for _, g := range []struct {
		policy synthesis.Policy
		ahead  float64 // the second job, by this policy
	}{
		{synthesis.Posix, r.Weights.Priority * (b.NPPrior - a.NPPrior)},
		{synthesis.Urgency, r.Weights.Urgency * (b.Urgency.Norm - a.Urgency.Norm)},
		{synthesis.Tickets, r.Weights.Ticket * (b.Template.NTckts - a.Template.NTckts)},
	} {
		if g.ahead > most {
			most, v.Policy = g.ahead, g.policy
		}
	}
	v.Why = reasons[v.Policy]
	if v.Policy == "" {
		v.Cause, v.Why = synthesis.ByResolution, fmt.Sprintf("equal in Grid Engine (%.6g)", v.Value[0])
	}
}

var reasons = map[synthesis.Policy]string{
	synthesis.Posix:   "it weighs more than in the formula, because urgency has a wider range than the frozen one",
	synthesis.Urgency: "it weighs more than in the formula, because urgency has a narrower range than the frozen one; or time on hold counts",
	synthesis.Tickets: "tickets are divided among a user's jobs, and grow by target over usage",
}
