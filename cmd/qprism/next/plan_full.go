package next

import (
	"slices"
	"sync"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
)

// A run skips queue instances that are full before it begins. So all reasons of a job may be about other
// places, which would never accept it. In fact, the job waits for the full ones.

// WaitText says briefly why a job does not start. If no other reason can end with time, it names the full
// places that would accept the job.
func WaitText(s *subject.Subject, p *model.Plan) func(d *model.Decision) string {
	gate := sync.OnceValue(func() *schedule.Gate { return schedule.NewGate(s.Snapshot) })
	jobs, full := s.Snapshot.JobsByNumber(), fullPlaces(p)
	never, summary := words.NeverIn(s), words.Once(words.Summary)
	known := map[*model.Reason]int{}
	return func(d *model.Decision) string {
		if text := neverText(d, jobs[d.Job], never); text != "" {
			return text
		}
		if !waitsForGood(d) || len(full) == 0 {
			return summary(d.Why)
		}
		n, counted := known[&d.Why[0]]
		if !counted {
			for _, place := range full {
				if _, bars := gate().Bars(jobs[d.Job], place); !bars {
					n++
				}
			}
			known[&d.Why[0]] = n
		}
		if n == 0 {
			return summary(d.Why)
		}
		return show.Joined("; ", words.WithCount("no slot free", n), summary(d.Why))
	}
}

// neverText says that a waiting job can never run, and what else blocks it. It is empty for any other job.
func neverText(d *model.Decision, j *model.Job, never func(*model.Job) string) string {
	if d.Verdict != model.Never {
		return ""
	}
	text := never(j)
	if text != "" && slices.ContainsFunc(d.Why, func(r model.Reason) bool { return r.Kind.HoldsBack() }) {
		return show.Joined("; ", text, words.Summary(d.Why))
	}
	return text
}

// fullPlaces are the queue instances that were full before the run.
func fullPlaces(p *model.Plan) (list []string) {
	for i := range p.Closed {
		if p.Closed[i].Kind == model.ReasonFull {
			list = append(list, p.Closed[i].Object)
		}
	}
	return list
}

// waitsForGood reports whether a job only met hosts and queues that never accept it. It did not meet a reason
// that ends with time or applies everywhere.
func waitsForGood(d *model.Decision) bool {
	places := 0
	for i := range d.Why {
		switch r := &d.Why[i]; {
		case r.Later, r.Failure != model.NoFailure, r.Level == "G", r.Level == "L":
			return false
		case r.Level == "H", r.Level == "Q":
			places++
		}
	}
	return places > 0 && d.Verdict == model.Never && delay.TriedInTurn(d.Why)
}
