package intend

import (
	"cmp"
	"slices"
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

// rank lists the waiting jobs of a snapshot in the order in which a run tries them, here or elsewhere.
func (c *checker) rank(s *model.Snapshot, made bool) []ranked {
	list := rank(s, c.At, c.Quirks)
	if c.Elsewhere == nil {
		return list
	}
	place := map[uint32]int{}
	for k, n := range c.Elsewhere.Order(s, made) {
		place[n] = k + 1
	}
	list = slices.DeleteFunc(list, func(r ranked) bool { return place[r.job.Number] == 0 }) // not every job is taken
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(place[a.job.Number], place[b.job.Number]) })
	for k := range list {
		list[k].prio = 0 // it orders nothing there
	}
	return list
}

// rank is the same by the snapshot's own system.
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
		list = append(list, ranked{job: j.Job, prio: j.Prio, urgency: j.Urgency.Total, tickets: j.First().Total})
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

// value is how much a thing speaks for a job.
func (r *ranked) value(thing string) float64 {
	switch thing {
	case bySlots:
		return float64(r.job.LeastSlots())
	case byWaiting:
		return -float64(r.job.Submitted.UnixMicro())
	case byUrgency:
		return r.urgency
	case byTickets:
		return r.tickets
	}
	return float64(r.job.PosixPriority)
}
