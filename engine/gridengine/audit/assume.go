package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// assume looks for what no command prints but the printed numbers imply of the scheduler's state. It recomputes the run
// under these assumptions and keeps what they explain: numbers that agree then had an input missing.
func (r *Report) assume(q model.Quirks, known split.Assumed) {
	if r.Sum().Unexplained == 0 {
		return
	}
	assumed := known
	assumed.Stopped = r.stopped(q, known)
	assumed.Aside = view{r.View}.impliedAside()
	looked := r.View
	if len(assumed.Stopped)+len(assumed.Aside) > 0 {
		looked = lastrun.Recompute(looked.Snapshot, r.Moment.Instant(), q, assumed)
	}
	best, assumed := r.tryOrders(q, looked, assumed)
	best, assumed = r.searchOrder(q, best, assumed, (*Report).likelyMoves)
	best, assumed = r.tryPolicyChange(q, best, assumed)
	best, assumed = r.searchEnded(q, best, assumed)
	best, assumed = r.searchGone(q, best, assumed)
	r.adopt(best, assumed)
}

// assumeAltered looks for jobs that were altered without a sign. It is the last resort: any pending job may have been.
func (r *Report) assumeAltered(q model.Quirks) {
	if r.Sum().Unexplained > 0 {
		r.adopt(r.searchOrder(q, r, r.View.Assumed(), (*Report).allMoves))
	}
}

// adopt makes the report the one under assumptions, which says what only agrees under these.
func (r *Report) adopt(best *Report, assumed split.Assumed) {
	if best == r {
		return
	}
	best.plain = r.plain
	best.addExplained("agrees if " + strings.Join(describe(assumed), " and ") + "; no command prints that")
	*r = *best
}

// tryOrders tries what the printed tickets imply of altered jobs: by the tickets of one policy, and where these print
// alike, by all tickets.
func (r *Report) tryOrders(q model.Quirks, looked *lastrun.View, assumed split.Assumed) (*Report, split.Assumed) {
	best, chosen := r, split.Assumed{Order: split.Order{}, Sequence: assumed.Sequence, Later: assumed.Later}
	for _, ties := range []bool{false, true} {
		try := assumed
		try.Order = (view{looked}).impliedOrder(ties)
		if under := r.under(q, try); !try.Empty() && under.leavesLess(best) {
			best, chosen = under, try
		}
	}
	return best, chosen
}

// tryPolicyChange tries whether the scheduler's configuration had just changed.
func (r *Report) tryPolicyChange(q model.Quirks, best *Report, assumed split.Assumed) (*Report, split.Assumed) {
	try := assumed
	if try.PolicyChanged = !r.View.Snapshot.Policy.ReportPendingTickets; try.PolicyChanged {
		if under := r.under(q, try); under.leavesLess(best) {
			return under, try
		}
	}
	return best, assumed
}

// under is the report under assumptions.
func (r *Report) under(q model.Quirks, assumed split.Assumed) *Report {
	r.budget.spend(len(r.View.Snapshot.Jobs))
	u := &Report{Gaps: r.Gaps, Moment: r.Moment, budget: r.budget, View: lastrun.Recompute(r.View.Snapshot, r.Moment.Instant(), q, assumed)}
	u.compare()
	return u
}

func (r *Report) leavesLess(other *Report) bool { return r.Sum().Unexplained < other.Sum().Unexplained }

const (
	mostMoves = 4       // jobs that the search moves back
	mostOpen  = 12      // jobs with unexplained numbers that it moves behind each other
	mostEnded = 8       // tasks of one array that it assumes to have ended
	mostTasks = 100_000 // task numbers of one array that it looks at
	mostWork  = 200_000 // jobs times candidates that it tries at the most
)

// addExplained lists the numbers that only the assumptions explain.
func (r *Report) addExplained(why string) {
	type number struct {
		job, task uint32
		field     lastrun.Field
	}
	key := func(d Disagreement) number { return number{d.Job.Number, lastrun.FirstNumber(d.Task), d.Field} }
	still := map[number]bool{}
	for _, d := range r.Disagreements {
		still[key(d)] = true
	}
	for _, d := range r.plain {
		if d.Class == batch.Unexplained && !still[key(d)] {
			d.Class, d.Why = batch.Missing, why
			r.Disagreements = append(r.Disagreements, d)
			r.Fields[d.Field].Agree--
			r.Fields[d.Field].Missing++
		}
	}
}

// describe puts assumptions in words.
func describe(a split.Assumed) []string {
	var list []string
	if len(a.Order) > 0 {
		list = append(list, jobs(a.Order)+" moved back in the scheduler's list, as altering or starting a job does")
	}
	if len(a.Stopped) > 0 {
		list = append(list, "the scheduler held "+jobs(a.Stopped)+" for suspended by a queue")
	}
	if len(a.Aside) > 0 {
		list = append(list, "tasks that have ended since still counted against the limit of "+jobs(a.Aside))
	}
	if len(a.Ran) > 0 {
		list = append(list, "tasks of "+jobs(a.Ran)+" that have ended since were running")
	}
	if a.Slots > 0 {
		list = append(list, fmt.Sprintf("jobs that are gone took %d more slots", a.Slots))
	}
	if a.Full {
		list = append(list, "the last start left no usable queue instance")
	}
	if a.PolicyChanged {
		list = append(list, "the scheduler's configuration had just changed, upon which a run clears pending jobs")
	}
	if a.Urgency != 0 {
		list = append(list, fmt.Sprintf("a job that is gone had the urgency %.0f", a.Urgency))
	}
	if a.PendingTickets > 0 {
		list = append(list, fmt.Sprintf("pending jobs that are gone had %.0f tickets", a.PendingTickets))
	}
	return list
}

func jobs[V any](set map[uint32]V) string {
	noun, list := "job", ""
	if len(set) > 1 {
		noun = "jobs"
	}
	for _, number := range slices.Sorted(maps.Keys(set)) {
		list += fmt.Sprintf(" %d", number)
	}
	return noun + list
}

// impliedAside are the arrays of which the run considered no waiting task, though nothing the snapshot shows kept it from
// that: the master prints npprior 0, which no -p gives. A limit on running tasks (-tc, max_aj_instances) also counts tasks
// that have ended but are not yet buried.
func (v view) impliedAside() map[uint32]bool {
	if !v.Snapshot.Policy.ReportPendingTickets {
		return nil
	}
	aside := map[uint32]bool{}
	for i := range v.Lists.Pending {
		j := v.Lists.Pending[i].Job
		if j.Array && v.Left(j.Number) && j.Reported != nil && j.Reported.NPPrior == 0 {
			aside[j.Number] = true
		}
	}
	return aside
}
