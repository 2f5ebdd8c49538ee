package audit

import (
	"fmt"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A run clears the printed numbers of some jobs before it sets new ones. If several runs ended in the second
// of the snapshot (messages file), the snapshot may be from between two of them. Then a waiting task with
// only zeros belongs to no run.

// runsAround counts the runs that ended in the second of the snapshot.
func runsAround(s *model.Snapshot) (n int) {
	for _, l := range s.Trace {
		if l.At.Unix() == s.TakenAt.Unix() && split.EndsRun(l.Text) {
			n++
		}
	}
	return n
}

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
	return fmt.Sprintf("the bundle was taken among %d runs of a second, each of which clears numbers before it gives new ones", r.runs)
}
