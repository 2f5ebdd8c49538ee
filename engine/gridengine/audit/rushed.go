package audit

import (
	"fmt"

	"qprism/engine/gridengine/lastrun"
)

// A run clears what the master shows of some jobs before it gives them new numbers. Where several runs
// ended in the second in which a bundle was taken, as the messages file tells, it may have been taken
// between the two: a waiting task that shows zeros alone is then of no run.

// rushed says why a number that is 0 may belong to no run; empty if nothing shows that.
func (r *Report) rushed(d *Disagreement, reported lastrun.Values) string {
	if r.runs < 2 || d.Reported != 0 || !d.Task.Started.IsZero() {
		return ""
	}
	for _, f := range []lastrun.Field{lastrun.Prio, lastrun.NTckts, lastrun.Tckts, lastrun.Share} {
		if reported[f] != 0 {
			return ""
		}
	}
	return fmt.Sprintf("the bundle was taken during %d runs in one second; each run first sets the numbers "+
		"to 0, and then to new values", r.runs)
}
