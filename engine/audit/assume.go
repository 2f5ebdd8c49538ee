package audit

import (
	"fmt"
	"maps"
	"math"
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
	best, assumed := r.tryOrders(q, view, assumed)
	best, assumed = r.searchOrder(q, best, assumed)
	best, assumed = r.searchEnded(q, best, assumed)
	best, assumed = r.searchGone(q, best, assumed)
	if best != r {
		best.addExplained(r.Disagreements, "agrees if "+strings.Join(describe(assumed), " and ")+"; no command prints that")
		*r = *best
	}
}

// tryOrders tries what the printed tickets imply of altered jobs: by the tickets of one policy, and where these print
// alike, by all tickets.
func (r *Report) tryOrders(q model.Quirks, view *View, assumed split.Assumed) (*Report, split.Assumed) {
	best, chosen := r, split.Assumed{Order: split.Order{}}
	for _, ties := range []bool{false, true} {
		try := split.Assumed{Aside: assumed.Aside, Order: view.impliedOrder(ties)}
		if under := r.under(q, try); !try.Empty() && under.leavesLess(best) {
			best, chosen = under, try
		}
	}
	return best, chosen
}

// searchEnded tries whether tasks of arrays that are gone ran during the run and have ended since.
func (r *Report) searchEnded(q model.Quirks, best *Report, assumed split.Assumed) (*Report, split.Assumed) {
	s := r.View.Snapshot
	for i := range s.Jobs {
		j := &s.Jobs[i]
		gone := goneTasks(j)
		for n := 1; n <= min(len(gone), mostEnded) && best.Sum().Unexplained > 0; n++ {
			if n*len(s.Jobs) > mostWork {
				return best, assumed
			}
			try := assumed
			if try.Ran = maps.Clone(assumed.Ran); try.Ran == nil {
				try.Ran = map[uint32][]uint32{}
			}
			try.Ran[j.Number] = gone[len(gone)-n:]
			if under := r.under(q, try); under.leavesLess(best) {
				best, assumed = under, try
			}
		}
	}
	for i := range best.Disagreements {
		d := &best.Disagreements[i]
		if ran := assumed.Ran[d.Job.Number]; d.Class == Unexplained && len(ran) > 0 {
			d.Class, d.Why = Stale, "tasks of it ended right after the run; the master shows what an earlier run computed"
			best.Fields[d.Field].Unexplained--
			best.Fields[d.Field].Stale++
		}
	}
	return best, assumed
}

// searchGone tries whether jobs that are gone took slots, set the scale of urgency, or had pending tickets.
func (r *Report) searchGone(q model.Quirks, best *Report, assumed split.Assumed) (*Report, split.Assumed) {
	tries := []func(*split.Assumed){func(a *split.Assumed) { a.Full = true }}
	for n := uint32(1); n <= min(r.View.FreeSlots, mostEnded); n++ {
		tries = append(tries, func(a *split.Assumed) { a.Slots = n })
	}
	for _, u := range r.impliedUrgencies() {
		tries = append(tries, func(a *split.Assumed) { a.Urgency = u })
	}
	if tickets := r.impliedPending(); tickets > 0 {
		tries = append(tries, func(a *split.Assumed) { a.PendingTickets = tickets })
	}
	if len(tries)*len(r.View.Snapshot.Jobs) > mostWork {
		return best, assumed
	}
	for _, change := range tries {
		try := assumed
		change(&try)
		if best.Sum().Unexplained == 0 {
			break
		}
		if under := r.under(q, try); under.leavesLess(best) {
			best, assumed = under, try
		}
	}
	return best, assumed
}

// impliedUrgencies are the urgencies that a job that is gone may have had: one that made the greatest or the least, so
// that a printed nurg comes out.
func (r *Report) impliedUrgencies() []float64 {
	scale := r.View.Result.Urgency
	for _, d := range r.Disagreements {
		c := r.View.Result.Jobs[d.Job.Number]
		if d.Class != Unexplained || d.Field != NUrg || c == nil || d.Reported <= 0 || d.Reported >= 1 {
			continue
		}
		u := c.Urgency.Total
		return append(roundings(scale.Lo+(u-scale.Lo)/d.Reported), roundings((u-d.Reported*scale.Hi)/(1-d.Reported))...)
	}
	return nil
}

// roundings are a value that was worked out from five digits, and rounder ones near it, which it may be.
func roundings(v float64) []float64 {
	list := []float64{v}
	for unit := 1.0; unit <= 1000; unit *= 10 {
		list = append(list, math.Round(v/unit)*unit)
	}
	return list
}

// impliedPending are the tickets that pending tasks that are gone had, by a printed share.
func (r *Report) impliedPending() float64 {
	most, gone := 0.0, 0.0
	for _, d := range r.Disagreements {
		if d.Class == Unexplained && d.Field == Share && d.Reported > most && d.Computed > d.Reported {
			row := r.View.Row(d.Job, d.Task)
			most = d.Reported
			gone = row.Computed[Tckts]/d.Reported - row.Computed[Tckts]/d.Computed
		}
	}
	return gone
}

// goneTasks are the numbers of an array's tasks that the master no longer has, of those before its waiting ones.
func goneTasks(j *model.Job) []uint32 {
	there := map[uint32]bool{}
	last := uint32(0)
	for i := range j.Tasks {
		for _, r := range j.Tasks[i].IDs {
			for id := r.Min; id <= r.Max && len(there) < mostTasks; id += max(r.Step, 1) {
				there[id] = true
			}
			if j.Tasks[i].Started.IsZero() {
				last = max(last, r.Min)
			}
		}
	}
	var gone []uint32
	for _, r := range j.Structure {
		for id := r.Min; j.Array && id <= r.Max && id < last && len(gone) < mostTasks; id += max(r.Step, 1) {
			if !there[id] {
				gone = append(gone, id)
			}
		}
	}
	return gone
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
	mostOpen  = 12      // jobs with unexplained numbers that it moves behind each other
	mostEnded = 8       // tasks of one array that it assumes to have ended
	mostTasks = 100_000 // task numbers of one array that it looks at
	mostWork  = 200_000 // jobs times candidates that it tries at the most
)

// searchOrder moves jobs that may have been altered back in the scheduler's list, one by one, as long as that leaves fewer
// numbers unexplained: where waiting tasks print no tickets, or print alike, only others' numbers tell.
func (r *Report) searchOrder(q model.Quirks, best *Report, assumed split.Assumed) (*Report, split.Assumed) {
	for range mostMoves {
		from := best
		moves := from.moves()
		if from.Sum().Unexplained == 0 || len(moves)*len(r.View.Snapshot.Jobs) > mostWork {
			break
		}
		chosen := assumed
		for _, m := range moves {
			try := assumed
			try.Order = maps.Clone(assumed.Order)
			try.Order.Move(m.job, m.behind)
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

// A move puts a job behind another one.
type move struct {
	job, behind uint32
}

// moves are what altering may have done: jobs that show signs of it moved to the end, or one of the jobs whose numbers
// are unexplained behind another one.
func (r *Report) moves() []move {
	pending := r.View.Lists.Pending
	if len(pending) == 0 {
		return nil
	}
	var list []move
	last := pending[len(pending)-1].Job.Number
	for _, job := range r.View.maybeAltered() {
		if job != last {
			list = append(list, move{job, last})
		}
	}
	var open []uint32
	for _, d := range r.Disagreements {
		if d.Class == Unexplained && !slices.Contains(open, d.Job.Number) && len(open) < mostOpen {
			open = append(open, d.Job.Number)
		}
	}
	for _, job := range open {
		for _, behind := range open {
			if job != behind {
				list = append(list, move{job, behind})
			}
		}
	}
	return list
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
	if len(a.Ran) > 0 {
		list = append(list, "tasks of "+jobs(a.Ran)+" that have ended since were running")
	}
	if a.Slots > 0 {
		list = append(list, fmt.Sprintf("jobs that are gone took %d more slots", a.Slots))
	}
	if a.Full {
		list = append(list, "the last start left no usable queue instance")
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
