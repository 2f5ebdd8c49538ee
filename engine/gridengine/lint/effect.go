package lint

import (
	"fmt"
	"strconv"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// numbers are those of jobs.
func numbers(jobs []*priority.Job) string {
	var names []string
	for _, j := range jobs {
		names = append(names, strconv.FormatUint(uint64(j.Job.Number), 10))
	}
	return lint.Few(names)
}

// lastingSeconds prints a number of seconds as lasting does, and what no duration holds, or nobody waits for, in years.
func lastingSeconds(x float64) string {
	const year = 365.25 * 24 * 3600
	if x < 10*year {
		return lint.Lasting(lint.Seconds(x))
	}
	return lint.Rounded(x/year) + " years"
}

// under recomputes the run under a changed snapshot. What is changed must be replaced, not overwritten: the copy shares
// all that it points to.
func (l *linter) under(change func(*model.Snapshot)) *priority.Result {
	s := *l.Snapshot
	change(&s)
	return priority.Compute(priority.Input{Snapshot: &s, Lists: l.view.Lists, At: l.view.At, FreeSlots: l.view.FreeSlots,
		Quirks: l.Quirks, UsageBooked: true, HalfTimeKept: true})
}

// moved says what a change does to the order of the waiting jobs.
func (l *linter) moved(change func(*model.Snapshot)) string {
	if len(l.waiting()) < 2 {
		return "fewer than two jobs wait, so nothing changes now"
	}
	after := map[uint32]int{}
	for i, j := range l.under(change).Pending {
		after[j.Job.Number] = i
	}
	moved, most, gain := 0, -1, 0
	for i, j := range l.waiting() {
		if after[j.Job.Number] != i {
			moved++
		}
		if g := i - after[j.Job.Number]; g > gain {
			most, gain = i, g
		}
	}
	if moved == 0 {
		return fmt.Sprintf("the fix below does not change the places of the %d jobs that wait now", len(l.waiting()))
	}
	winner := l.waiting()[most].Job
	return fmt.Sprintf("with the fix, %d of %d waiting jobs get another place; job %d of %s moves from place %d to %d",
		moved, len(l.waiting()), winner.Number, winner.Owner, most+1, after[winner.Number]+1)
}
