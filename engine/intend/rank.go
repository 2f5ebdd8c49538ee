package intend

import (
	"cmp"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// A ranked job is a waiting one with what ranks it; of PBS only its place is known.
type ranked struct {
	job     *model.Job
	prio    float64
	urgency float64
	tickets float64
}

// rank lists the waiting jobs of a snapshot in the order in which a run tries them.
func rank(s *model.Snapshot, at time.Time, quirks model.Quirks) (list []ranked) {
	if s.PBS != nil {
		jobs := s.JobsByNumber()
		for _, n := range (&whatif.Case{Snapshot: s}).Order(at) {
			if j := jobs[n]; j != nil {
				list = append(list, ranked{job: j})
			}
		}
		return list
	}
	r := priority.Rank(s, split.Jobs(s, at, quirks, split.Assumed{}), at, quirks)
	for _, j := range r.Pending {
		t := j.Template
		if len(j.Pending) > 0 {
			t = j.Pending[0]
		}
		list = append(list, ranked{job: j.Job, prio: j.Prio, urgency: j.Urgency.Total, tickets: t.Total})
	}
	return list
}

// The things that a policy looks at.
const (
	bySlots   = "slots"
	byWaiting = "waiting"
	byUrgency = "urgency"
	byTickets = "tickets"
	byPosix   = "-p"
)

// compareBy compares two jobs by one thing: 1 where it speaks for the first.
func compareBy(thing string, a, b *ranked) int {
	switch thing {
	case bySlots:
		return cmp.Compare(slotsOf(a.job), slotsOf(b.job))
	case byWaiting:
		return b.job.Submitted.Compare(a.job.Submitted)
	case byUrgency:
		return cmp.Compare(a.urgency, b.urgency)
	case byTickets:
		return cmp.Compare(a.tickets, b.tickets)
	}
	return cmp.Compare(a.job.PosixPriority, b.job.PosixPriority)
}
