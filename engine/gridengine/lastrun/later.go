package lastrun

import (
	"fmt"
	"slices"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// mostLater is the most jobs of one second that are tried as the first one after the run.
const mostLater = 16

// mostWork is the most jobs that are recomputed for this.
const mostWork = 200_000

// withLater adds to each moment those before jobs that were submitted in the same second: submission times
// are whole seconds.
func withLater(s *model.Snapshot, moments []Moment, q model.Quirks) []Moment {
	list := slices.Clip(moments)
	for _, m := range moments {
		for _, number := range firstLater(s, m, q) {
			before := m
			before.Later = number
			before.Source += fmt.Sprintf("; job %d was submitted later in that second", number)
			list = append(list, before)
		}
	}
	return list
}

// firstLater are the jobs that may be the first ones submitted after the run in its second. Where the
// master prints numbers of pending jobs it is the one behind the last that has any; else it may be each
// that has not started, oldest first.
func firstLater(s *model.Snapshot, m Moment, q model.Quirks) []uint32 {
	var list []uint32
	for _, j := range submittedIn(s, m) {
		switch {
		case ranked(s, j, q) || slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return split.StartedAt(&t, m.At) }):
			list = list[:0]
		default:
			list = append(list, j.Number)
		}
	}
	most := min(mostLater, 1+mostWork/max(len(s.Jobs), 1))
	if s.Policy.ReportPendingTickets {
		most = 1
	}
	return list[:min(len(list), most)]
}

// ranked reports whether the master shows that a run has ranked a job.
func ranked(s *model.Snapshot, j *model.Job, q model.Quirks) bool {
	if q.PosixAtSubmit { // which print npprior of jobs that no run has seen
		return s.Policy.ReportPendingTickets && slices.ContainsFunc(j.Tasks,
			func(t model.Task) bool { return t.Reported != nil && t.Reported.Prio > 0 })
	}
	return s.Policy.ReportPendingTickets && j.Reported != nil && j.Reported.NPPrior > 0
}

// submittedIn lists the new jobs of a moment's second, by number.
func submittedIn(s *model.Snapshot, m Moment) []*model.Job {
	var list []*model.Job
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Submitted.Unix() == m.At.Unix() && !restarted(j) {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b *model.Job) int { return int(a.Number) - int(b.Number) })
	return list
}
