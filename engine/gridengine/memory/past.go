package memory

import (
	"sync"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// A Past is the order in which earlier runs tried the jobs that they started. The order follows the policy of
// the snapshot. Runs of this snapshot under other policies use the same Past.
type Past struct {
	snapshot *model.Snapshot
	known    map[seconds]map[uint32]int
	one      sync.Mutex
}

// NewPast is the Past of a snapshot.
func NewPast(s *model.Snapshot) *Past { return &Past{snapshot: s, known: map[seconds]map[uint32]int{}} }

// order is the place of each job that started in a second, in the order in which the run at that moment
// tried them, from 1.
func (p *Past) order(r *Recall, started []event) map[uint32]int {
	p.one.Lock()
	defer p.one.Unlock()
	second := started[0].at
	if p.known[second] == nil {
		p.known[second] = p.ranked(r, started)
	}
	return p.known[second]
}

func (p *Past) ranked(r *Recall, started []event) map[uint32]int {
	at := utilization.Moment(started[0].at)
	lists := split.Jobs(p.snapshot, at, r.Quirks, split.Assumed{Sequence: r.sequence})
	in := priority.NewInput(p.snapshot, lists, at, r.Quirks)
	for _, h := range started {
		in.Only = append(in.Only, h.job)
	}
	place := map[uint32]int{}
	for i, j := range priority.Compute(in).Pending {
		place[j.Job.Number] = i + 1
	}
	return place
}
