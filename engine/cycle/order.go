package cycle

import (
	"cmp"

	"qprism/engine/fairshare"
)

// compareJobs says which of two jobs comes first.
func (w *world) compareJobs(a, b *claim) int {
	if x, y := a.runnable(), b.runnable(); x != y {
		return b2i(y) - b2i(x)
	}
	if c := cmp.Compare(b.level, a.level); c != 0 {
		return c
	}
	if c := comparePreempted(a, b); c != 0 {
		return c
	}
	if a.formula != b.formula {
		if a.formula < b.formula {
			return 1
		} else if a.formula > b.formula {
			return -1
		}
	}
	if w.policy.FairShare && a.entity != nil && b.entity != nil {
		if c := fairshare.Compare(a.entity, b.entity); c != 0 {
			return c
		}
	}
	for i := range w.policy.jobKeys {
		k := &w.policy.jobKeys[i]
		if c := inDirection(k.of(a), k.of(b), k.Descending); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.queueRank, b.queueRank), cmp.Compare(a.rank, b.rank))
}

// comparePreempted puts preempted jobs first, the one that was preempted first before others.
func comparePreempted(a, b *claim) int {
	x, y := a.preemptedAt != never, b.preemptedAt != never
	if x != y {
		return b2i(y) - b2i(x)
	}
	return cmp.Compare(a.preemptedAt, b.preemptedAt)
}

// sortJobs sorts all jobs, or the jobs of each queue, whichever the policy looks at.
func (w *world) sortJobs() {
	byQueue, p := func() {
		for _, q := range w.queues {
			fairshare.MergeSort(q.jobs, w.compareJobs)
		}
	}, &w.policy
	switch {
	case p.FairShare && (p.ByQueue || p.RoundRobin):
		byQueue()
		w.jobs = w.jobs[:0]
		for _, q := range w.queues {
			w.jobs = append(w.jobs, q.jobs...)
		}
	case p.FairShare:
		fairshare.MergeSort(w.jobs, w.compareJobs)
	case p.ByQueue:
		byQueue()
		fairshare.MergeSort(w.jobs, w.compareJobs)
	case p.RoundRobin:
		byQueue()
	default:
		fairshare.MergeSort(w.jobs, w.compareJobs)
	}
}

// A cursor is where the scheduler is in its jobs.
type cursor struct {
	rounds      [][]*queue // round_robin: queues of equal priority, highest first
	round       int
	queue       int
	index       int
	pastResvs   bool // no job of a reservation is left
	pastExpress bool // by_queue: no express or preempted job is left
}

// resorting says what the last try means to the order.
type resorting uint8

const (
	keepOrder      resorting = iota
	maybeReorder             // usage changed, which matters to fair_share
	certainReorder           // limits or preemption changed levels
)

// next is the job to try next, nil where none is left.
func (w *world) next(p *cursor, order resorting) *claim {
	if w.qrun != "" {
		return w.qrunJob()
	}
	if !p.pastResvs {
		if c := w.nextReserved(); c != nil {
			return c
		}
		p.pastResvs = true
	}
	if order == certainReorder || order == maybeReorder && w.policy.FairShare {
		w.sortJobs()
		p.index = 0
	}
	switch {
	case w.policy.RoundRobin:
		return w.nextInTurn(p)
	case w.policy.ByQueue:
		return w.nextByQueue(p)
	}
	c, i := firstRunnable(w.jobs, p.index)
	if c != nil {
		p.index = i
	}
	return c
}

func (w *world) qrunJob() *claim {
	for _, c := range w.jobs {
		if c.id == w.qrun && !c.cannotRun && c.runnable() {
			return c
		}
	}
	return nil
}

// nextReserved is the next job of a reservation whose time has come.
func (w *world) nextReserved() *claim {
	for _, r := range w.reserved {
		if r.inForce && r.onQueue != nil {
			if c, _ := firstRunnable(r.onQueue.jobs, 0); c != nil {
				return c
			}
		}
	}
	return nil
}

// firstRunnable is the first job from an index on that can be tried.
func firstRunnable(jobs []*claim, from int) (*claim, int) {
	for i := from; i < len(jobs); i++ {
		if c := jobs[i]; !c.cannotRun && c.runnable() {
			return c, i
		}
	}
	return nil, -1
}

// nextInTurn takes a job of each queue in turn, as long as queues of one priority have any.
func (w *world) nextInTurn(p *cursor) *claim {
	for p.round < len(p.rounds) {
		finished, queues := 0, p.rounds[p.round]
		for j := p.queue; j < len(queues); j++ {
			if p.queue++; p.queue == len(queues) {
				p.queue = 0
			}
			if c, _ := firstRunnable(queues[j].jobs, 0); c != nil {
				return c
			}
			finished++
		}
		if finished == len(queues) {
			p.queue = 0
			p.round++
		}
	}
	return nil
}

// nextByQueue takes express and preempted jobs first, then queue after queue.
func (w *world) nextByQueue(p *cursor) *claim {
	if !p.pastExpress {
		if i := firstExpress(w.jobs, p.index); i >= 0 {
			p.index = i
			return w.jobs[i]
		}
		p.pastExpress, p.index = true, 0
	}
	for p.queue < len(w.queues) {
		if c, i := firstRunnable(w.queues[p.queue].jobs, p.index); c != nil {
			p.index = i
			return c
		}
		p.queue++
		p.index = 0
	}
	return nil
}

// firstExpress is the first express or preempted job before the first normal one.
func firstExpress(jobs []*claim, from int) int {
	for i := from; i < len(jobs); i++ {
		switch c := jobs[i]; {
		case c.bits&express != 0 || c.preempted:
			if !c.cannotRun {
				return i
			}
		case c.bits&normalJob != 0:
			return -1
		}
	}
	return -1
}
