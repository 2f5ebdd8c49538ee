package audit

import (
	"maps"
	"math"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Between a run and the bundle jobs end. What they had counted in the run; the numbers of those that are left tell of it.

// searchEnded tries whether tasks of arrays that are gone ran during the run and have ended since.
func (r *Report) searchEnded(q model.Quirks, best *Report, assumed split.Assumed) (*Report, split.Assumed) {
	s := r.View.Snapshot
	for i := range s.Jobs {
		j := &s.Jobs[i]
		gone := goneTasks(j)
		for n := 1; n <= min(len(gone), mostEnded) && best.Sum().Unexplained > 0; n++ {
			if n*len(s.Jobs) > mostWork || r.budget.spent() {
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
		if ran := assumed.Ran[d.Job.Number]; d.Class == batch.Unexplained && len(ran) > 0 {
			d.Class, d.Why = batch.Stale, "tasks of it ended right after the run; the master shows what an earlier run computed"
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
		if best.Sum().Unexplained == 0 || r.budget.spent() {
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
		if d.Class != batch.Unexplained || d.Field != lastrun.NUrg || c == nil || d.Reported <= 0 || d.Reported >= 1 {
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
		if d.Class == batch.Unexplained && d.Field == lastrun.Share && d.Reported > most && d.Computed > d.Reported {
			row := r.View.Row(d.Job, d.Task)
			most = d.Reported
			gone = row.Computed[lastrun.Tckts]/d.Reported - row.Computed[lastrun.Tckts]/d.Computed
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
			for id := range r.All() {
				if there[id] = true; len(there) >= mostTasks {
					break
				}
			}
			if j.Tasks[i].Started.IsZero() {
				last = max(last, r.Min)
			}
		}
	}
	var gone []uint32
	for _, r := range j.Structure {
		for id := range r.All() {
			if !j.Array || id >= last || len(gone) == mostTasks {
				break
			}
			if !there[id] {
				gone = append(gone, id)
			}
		}
	}
	return gone
}
