package view

import (
	"context"

	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// A load is how full the cluster is: what "timeline" prints of this moment, and the work that "why" prints
// of the last job.
type load struct {
	Slots   *int64      `json:"slots"` // of all queue instances; of PBS: CPUs of vnodes
	Used    *int64      `json:"used"`
	Waiting []loadCause `json:"waiting"`
	Last    string      `json:"last"`    // the last job in dispatch order that waits for its turn; empty for none
	Backlog *delay.Work `json:"backlog"` // the work before that job; null if nothing waits or the bundle does not say
	Unit    string      `json:"unit"`    // of the work: slot-hours, of PBS processor-hours
}

// A loadCause is how many jobs and tasks wait for one cause.
type loadCause struct {
	Cause string `json:"cause"`
	Jobs  int64  `json:"jobs"`
	Tasks int64  `json:"tasks"`
}

// load says how full the cluster is.
func (s *Site) load(ctx context.Context, a *Answers, _ *Cluster, m *Moment) (*packed, error) {
	return a.about(ctx, m, "load", func(about *subject.Subject) ([]byte, error) {
		return show.Marshal(loadOf(about))
	})
}

func loadOf(s *subject.Subject) *load {
	found := past.Analyse(s.Snapshot).Load
	l := &load{Waiting: []loadCause{}, Unit: s.Batch.Words().Work}
	if found.Slots > 0 {
		l.Slots, l.Used = &found.Slots, &found.Used
	}
	for _, w := range found.Waiting {
		l.Waiting = append(l.Waiting, loadCause{string(w.Cause), w.Jobs, w.Tasks})
	}
	l.addBacklog(s)
	return l
}

// addBacklog adds the work before the last job that waits for its turn; jobs that are held wait for none.
func (l *load) addBacklog(s *subject.Subject) {
	at, err := s.Moment()
	if err != nil || s.Batch.Lacks(false) != nil {
		return
	}
	p, jobs := s.Batch.Plan(at.At), s.JobsByNumber()
	for i := len(p.Decisions) - 1; i >= 0; i-- {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || d.Verdict == model.Now || !delay.TriedInTurn(d.Why) {
			continue
		}
		l.Last, l.Backlog = subject.JobText(d), s.Batch.Delay(p, j, 0).Ahead
		return
	}
}
