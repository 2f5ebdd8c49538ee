package explain

import (
	"fmt"

	"qprism/engine/explain"
	"qprism/engine/pbs/criteria"
)

// criteria are what the cycle sorts by, the most important first, as far as it tells any jobs apart.
func (sc *Scene) criteria(s *criteria.JobValues) []explain.Criterion {
	var list []explain.Criterion
	for _, c := range sc.lineup.Criteria() {
		if !c.Compares() || c.Kind == criteria.Rank || c.Rare && !sc.anyone(&c) {
			continue
		}
		t := sc.term(&c, s)
		t.Name = c.Name
		list = append(list, explain.Criterion{Name: c.Name, Up: c.First, Term: t})
	}
	return list
}

// term derives what a criterion compares of a job.
func (sc *Scene) term(c *criteria.Criterion, s *criteria.JobValues) explain.Term {
	switch c.Kind {
	case criteria.Reservation, criteria.Express:
		return truth(c.Value(s) != 0)
	case criteria.Queue:
		return explain.Term{Value: c.Value(s), Text: fmt.Sprintf("queue %s, priority %d, %s of all queues",
			s.Queue, s.QueuePriority, explain.Ordinal(s.QueuePlace))}
	case criteria.Level:
		return explain.Term{Value: c.Value(s), Note: "as " + s.LevelOf + " in preempt_prio"}
	case criteria.Preempted:
		if s.Preempted.IsZero() {
			return explain.Term{Text: "not preempted"}
		}
		return explain.Moment(s.Preempted)
	case criteria.Formula:
		return sc.formula(s)
	case criteria.Fairshare:
		return sc.fairshare(s)
	case criteria.Arrival:
		return explain.Moment(s.Job.Arrived())
	}
	return explain.Fact(c.Name, c.Value(s))
}

// anyone reports whether a job that is considered has another value than 0.
func (sc *Scene) anyone(c *criteria.Criterion) bool {
	for i := range sc.lineup.Jobs {
		if s := &sc.lineup.Jobs[i]; s.Place > 0 && c.Value(s) != 0 {
			return true
		}
	}
	return false
}

func truth(b bool) explain.Term {
	if b {
		return explain.Term{Value: 1, Text: "yes"}
	}
	return explain.Term{Text: "no"}
}
