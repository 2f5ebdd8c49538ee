package audit

import (
	"fmt"
	"math"
	"slices"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/ticket"
)

// findHidden looks for running tasks that took part in the run and ended before the bundle was made: the shares that the
// master printed of the running tasks are parts of one, and do not add up without them.
func (r *Report) findHidden() {
	lacking := view{r.View}.lackingShare()
	if lacking == 0 || r.Sum().Unexplained == 0 {
		return
	}
	gap := Gap{File: "accounting", Fields: closure([]lastrun.Field{lastrun.Otckt, lastrun.Ftckt, lastrun.Stckt, lastrun.NUrg}),
		What: fmt.Sprintf("tasks that ended between the run and the bundle took part: they had %.3g %% of the running tickets", 100*lacking)}
	r.Gaps = append(r.Gaps, gap)
	for i := range r.Disagreements {
		if d := &r.Disagreements[i]; d.Class == batch.Unexplained && slices.Contains(gap.Fields, d.Field) {
			d.Class, d.Why, d.File = batch.Missing, gap.What, gap.File
			r.Fields[d.Field].Unexplained--
			r.Fields[d.Field].Missing++
		}
	}
}

// lackingShare is what the printed shares of the running tasks lack of one; 0 where they add up or say nothing.
func (v view) lackingShare() float64 {
	sum, n := 0.0, 0
	for i := range v.Lists.Running {
		j := v.Lists.Running[i].Job
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if _, ran := v.Result.Tickets.Running[ticket.TaskID{Job: j.Number, Task: lastrun.FirstNumber(t)}]; !ran || t.Started.IsZero() {
				continue
			}
			if share := lastrun.Reported(j, t)[lastrun.Share]; !math.IsNaN(share) {
				sum += share
				n++
			}
		}
	}
	if rounding := 1e-5 * float64(n+1); sum == 0 || 1-sum <= rounding {
		return 0
	}
	return 1 - sum
}
