package lint

import (
	"fmt"
	"slices"

	"qprism/engine/gridengine/urgency"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// heldGatherTime finds jobs that wait for others (-hold_jid) and gather waiting time meanwhile: a smaller
// job that was submitted after them never makes up for their size, however much a second of waiting counts.
func heldGatherTime(l *linter) []lint.Trap {
	if l.policy.WeightWaitingTime <= 0 || l.policy.WeightUrgency <= 0 {
		return nil
	}
	held := l.held()
	behind, ahead := 0, 0
	var last *model.Job
	for _, w := range l.waiting()[:min(len(l.waiting()), maxPairs)] {
		n := 0
		for _, h := range held { // both gain the same with each second
			if w.Urgency.Resource < h.Resource && w.Urgency.Resource+w.Urgency.Waiting < h.Resource+h.Waiting {
				n++
			}
		}
		behind += lint.BoolInt(n > 0)
		if n > ahead {
			last, ahead = w.Job, n
		}
	}
	if last == nil {
		return nil
	}
	return []lint.Trap{{
		Name: "held-jobs-gather-time",
		What: "waiting time also grows while a job is held (-hold_jid): a small job can never pass a " +
			"chain of larger jobs that was submitted before it or with it, and starts after the last of them",
		Place: l.Sched("weight_waiting_time"),
		Effect: fmt.Sprintf("%s permanently behind jobs that are still held: for example, job %d of %s is behind %d "+
			"of them. To avoid this, submit each job of a chain only when the job before it has ended", lint.Many(behind, "waiting job")+" "+lint.Verb(behind, "is", "are"),
			last.Number, last.Owner, ahead),
	}}
}

// held are the urgencies of the jobs that wait for others to end.
func (l *linter) held() (list []urgency.Value) {
	for i := range l.Jobs {
		j := &l.Jobs[i]
		if len(j.Predecessors) > 0 && len(list) < maxPairs &&
			slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Started.IsZero() }) {
			list = append(list, urgency.Of(j, l.Snapshot, l.view.At, l.Quirks))
		}
	}
	return list
}
