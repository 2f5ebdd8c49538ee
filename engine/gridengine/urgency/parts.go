package urgency

import (
	"time"

	"qprism/engine/model"
)

// A Part is the contribution of one request.
type Part struct {
	Resource string
	Asked    float64 // amount, 1 for resources that are not numbers
	Urgency  float64 // of one unit
	Slots    float64 // factor, 1 for a resource that counts once a job
	Gives    float64
}

// Parts are the contributions of a job's requests, slots first. Contributions of 0 are in the list.
func Parts(j *model.Job, s *model.Snapshot, quirks model.Quirks) []Part {
	m := newMeter(s, time.Time{}, quirks)
	n := float64(RequestedSlots(j, s.PEs))
	parts := []Part{{Resource: "slots", Asked: n, Urgency: m.slots, Slots: 1, Gives: m.slots * n}}
	for _, r := range j.Hard {
		w, known := m.resources[r.Resource]
		if !known {
			continue
		}
		p := Part{Resource: r.Resource, Asked: r.Amount, Urgency: w.urgency, Slots: n, Gives: m.request(&r, n)}
		switch {
		case !w.kind.Numeric():
			p.Asked, p.Slots = 1, 1
		case w.perJob && !m.quirks.JobConsumableTimesN:
			p.Slots = 1
		}
		parts = append(parts, p)
	}
	return parts
}
