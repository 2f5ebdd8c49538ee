package gridengine

import (
	"fmt"

	"qprism/engine/cycle"
	"qprism/engine/model"
	"qprism/engine/order"
	"qprism/engine/priority"
	"qprism/engine/split"
	"qprism/engine/synthesis"
)

// Prove compares the order of the waiting jobs of a snapshot under PBS with the one that Grid Engine has after the translation.
// In an inversion First is the job that PBS tries first; Prio is the value of PBS's formula, Value Grid Engine's priority.
func (t *Translation) Prove(name string, s *model.Snapshot, quirks model.Quirks) synthesis.Agreement {
	to := t.Jobs(s)
	lists := split.Jobs(to, s.TakenAt, quirks, split.Assumed{})
	result := priority.Compute(priority.Input{Snapshot: to, Lists: lists, At: s.TakenAt, FreeSlots: 1 << 20, Quirks: quirks, UsageBooked: true})
	place := map[uint32]int32{}
	for i, j := range result.Pending {
		place[j.Job.Number] = int32(i)
	}
	values := map[uint32]float64{}
	for _, j := range cycle.LineUp(s, s.TakenAt).Jobs {
		values[j.Job.Number] = float64(j.Formula)
	}
	var jobs []uint32
	var pbs, ge []int32
	seen := map[uint32]bool{}
	for _, d := range cycle.Order(s, cycle.Options{At: s.TakenAt}) {
		if p, there := place[d.Job]; there && !seen[d.Job] {
			seen[d.Job] = true
			jobs, pbs, ge = append(jobs, d.Job), append(pbs, int32(len(pbs))), append(ge, p)
		}
	}
	a := synthesis.Agreement{Run: name, At: s.TakenAt, Jobs: len(jobs), Pairs: order.Count(pbs, ge)}
	a.TauB = a.Pairs.TauB()
	for _, k := range []int{1, 3, 10, 30, 100} {
		if k <= len(jobs) {
			a.Top = append(a.Top, synthesis.Top{K: k, Overlap: order.Overlap(pbs, ge, k)})
		}
	}
	for v := range order.Inversions(pbs, ge) {
		first, second := min(v.Late, v.Early), max(v.Late, v.Early)
		a.Worst = worse(a.Worst, synthesis.Inversion{First: jobs[first], Second: jobs[second], Places: second - first,
			Prio: [2]float64{values[jobs[first]], values[jobs[second]]}, Value: [2]float64{result.Jobs[jobs[first]].Prio, result.Jobs[jobs[second]].Prio}})
	}
	for i := range a.Worst {
		t.explain(&a.Worst[i], result)
	}
	return a
}

// worse keeps the ten worst inversions.
func worse(list []synthesis.Inversion, v synthesis.Inversion) []synthesis.Inversion {
	i := len(list)
	for i > 0 && (list[i-1].Places < v.Places || list[i-1].Places == v.Places && list[i-1].First > v.First) {
		i--
	}
	if i >= 10 {
		return list
	}
	list = append(list[:i], append([]synthesis.Inversion{v}, list[i:]...)...)
	return list[:min(len(list), 10)]
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
