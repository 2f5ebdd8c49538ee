package order

import (
	"qprism/engine/pbs/cycle/cluster"
)

// A cursor is where the scheduler is in its jobs.
type cursor struct {
	rounds      [][]*cluster.Queue // round_robin: queues of equal priority, highest first
	round       int
	queue       int
	index       int
	pastResvs   bool // no job of a reservation is left
	pastExpress bool // by_queue: no express or preempted job is left
}

// Resort says whether the last try changed the order.
type Resort uint8

const (
	Keep     Resort = iota
	MaySort         // usage changed: sort again if fair_share is on
	MustSort        // limits or preemption changed preempt priorities
)

// Next is the job to try next, nil for none.
func (w *Line) Next(order Resort) *cluster.Claim {
	if w.Qrun != "" {
		return w.qrunJob()
	}
	if !w.pastResvs {
		if c := w.nextReserved(); c != nil {
			return c
		}
		w.pastResvs = true
	}
	if order == MustSort || order == MaySort && w.Policy.FairShare {
		w.SortJobs()
		w.index = 0
	}
	switch {
	case w.Policy.RoundRobin:
		return w.nextInTurn()
	case w.Policy.ByQueue:
		return w.nextByQueue()
	}
	c, i := firstRunnable(w.Jobs, w.index)
	if c != nil {
		w.index = i
	}
	return c
}

func (w *Line) qrunJob() *cluster.Claim {
	for _, c := range w.Jobs {
		if c.ID == w.Qrun && !c.CannotRun && c.Runnable() {
			return c
		}
	}
	return nil
}

// nextReserved is the next job of a reservation whose time has come.
func (w *Line) nextReserved() *cluster.Claim {
	for _, r := range w.Reserved {
		if r.InForce && r.ResvQueue != nil {
			if c, _ := firstRunnable(r.ResvQueue.Jobs, 0); c != nil {
				return c
			}
		}
	}
	return nil
}

// firstRunnable is the first job from an index on that can be tried.
func firstRunnable(jobs []*cluster.Claim, from int) (*cluster.Claim, int) {
	for i := from; i < len(jobs); i++ {
		if c := jobs[i]; !c.CannotRun && c.Runnable() {
			return c, i
		}
	}
	return nil, -1
}

// nextInTurn takes a job of each queue in turn, as long as queues of one priority have any.
func (w *Line) nextInTurn() *cluster.Claim {
	for w.round < len(w.rounds) {
		finished, queues := 0, w.rounds[w.round]
		for j := w.queue; j < len(queues); j++ {
			if w.queue++; w.queue == len(queues) {
				w.queue = 0
			}
			if c, _ := firstRunnable(queues[j].Jobs, 0); c != nil {
				return c
			}
			finished++
		}
		if finished == len(queues) {
			w.queue = 0
			w.round++
		}
	}
	return nil
}

// nextByQueue takes express and preempted jobs first, then queue after queue.
func (w *Line) nextByQueue() *cluster.Claim {
	if !w.pastExpress {
		if i := firstExpress(w.Jobs, w.index); i >= 0 {
			w.index = i
			return w.Jobs[i]
		}
		w.pastExpress, w.index = true, 0
	}
	for w.queue < len(w.Queues) {
		if c, i := firstRunnable(w.Queues[w.queue].Jobs, w.index); c != nil {
			w.index = i
			return c
		}
		w.queue++
		w.index = 0
	}
	return nil
}

// firstExpress is the first express or preempted job before the first normal one.
func firstExpress(jobs []*cluster.Claim, from int) int {
	for i := from; i < len(jobs); i++ {
		switch c := jobs[i]; {
		case c.Bits&cluster.Express != 0 || c.Preempted:
			if !c.CannotRun {
				return i
			}
		case c.Bits&cluster.NormalJob != 0:
			return -1
		}
	}
	return -1
}
