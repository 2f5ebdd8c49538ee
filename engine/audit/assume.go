package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/split"
)

// assume looks for what no command prints but the printed numbers imply of the scheduler's state. It recomputes the run
// under these assumptions and keeps what they explain: numbers that agree then had an input missing.
func (r *Report) assume(q model.Quirks) {
	if r.Sum().Unexplained == 0 {
		return
	}
	assumed := split.Assumed{Aside: r.View.impliedAside()}
	view := r.View
	if len(assumed.Aside) > 0 {
		view = Recompute(view.Snapshot, r.Moment.instant(), q, assumed)
	}
	assumed.Order = view.impliedOrder()
	best := r
	if under := r.under(q, assumed); under.leavesLess(r) {
		best = under
	} else {
		assumed = split.Assumed{Order: split.Order{}}
	}
	best, assumed = r.searchOrder(q, best, assumed)
	if best != r {
		best.addExplained(r.Disagreements, "agrees if "+strings.Join(describe(assumed), " and ")+"; no command prints that")
		*r = *best
	}
}

// under is the report under assumptions.
func (r *Report) under(q model.Quirks, assumed split.Assumed) *Report {
	u := &Report{Gaps: r.Gaps, Moment: r.Moment, View: Recompute(r.View.Snapshot, r.Moment.instant(), q, assumed)}
	u.compare()
	return u
}

func (r *Report) leavesLess(other *Report) bool { return r.Sum().Unexplained < other.Sum().Unexplained }

const (
	mostMoves = 4       // jobs that the search moves back
	mostWork  = 200_000 // jobs times candidates that it tries at the most
)

// searchOrder moves jobs that may have been altered to the end of the scheduler's list, one by one, as long as that
// leaves fewer numbers unexplained: where waiting tasks print no tickets, only others' numbers tell.
func (r *Report) searchOrder(q model.Quirks, best *Report, assumed split.Assumed) (*Report, split.Assumed) {
	candidates := r.View.maybeAltered()
	if len(candidates)*len(r.View.Snapshot.Jobs) > mostWork {
		return best, assumed
	}
	for range mostMoves {
		from, pending := best, best.View.Lists.Pending
		if best.Sum().Unexplained == 0 || len(pending) == 0 {
			break
		}
		last := pending[len(pending)-1].Job.Number
		var chosen split.Assumed
		for _, job := range candidates {
			if job == last {
				continue
			}
			try := split.Assumed{Aside: assumed.Aside, Order: maps.Clone(assumed.Order)}
			try.Order.Move(job, last)
			if under := r.under(q, try); under.leavesLess(best) {
				best, chosen = under, try
			}
		}
		if best == from {
			break
		}
		assumed = chosen
	}
	return best, assumed
}

// maybeAltered are the pending jobs that show signs of having been altered: changed since submission, or a -p of their own.
func (v *View) maybeAltered() []uint32 {
	var list []uint32
	for i := range v.Lists.Pending {
		if j := v.Lists.Pending[i].Job; j.Version > 0 || j.PosixPriority != 0 {
			list = append(list, j.Number)
		}
	}
	return list
}

// addExplained lists the numbers that only the assumptions explain.
func (r *Report) addExplained(before []Disagreement, why string) {
	type number struct {
		task  *model.Task
		field Field
	}
	still := map[number]bool{}
	for _, d := range r.Disagreements {
		still[number{d.Task, d.Field}] = true
	}
	for _, d := range before {
		if d.Class == Unexplained && !still[number{d.Task, d.Field}] {
			d.Class, d.Why = Missing, why
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
		list = append(list, jobs(a.Order)+" moved back in the scheduler's list, as altering a job does")
	}
	if len(a.Aside) > 0 {
		list = append(list, "tasks that have ended since still counted against the limit of "+jobs(a.Aside))
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
func (v *View) impliedAside() map[uint32]bool {
	if !v.Snapshot.Policy.ReportPendingTickets {
		return nil
	}
	aside := map[uint32]bool{}
	for i := range v.Lists.Pending {
		j := v.Lists.Pending[i].Job
		if j.Array && v.places[j.Number].left && j.Reported != nil && j.Reported.NPPrior == 0 {
			aside[j.Number] = true
		}
	}
	return aside
}
