package cycle

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
func (w *line) next(order resorting) *claim {
	if w.qrun != "" {
		return w.qrunJob()
	}
	if !w.pastResvs {
		if c := w.nextReserved(); c != nil {
			return c
		}
		w.pastResvs = true
	}
	if order == certainReorder || order == maybeReorder && w.policy.FairShare {
		w.sortJobs()
		w.index = 0
	}
	switch {
	case w.policy.RoundRobin:
		return w.nextInTurn()
	case w.policy.ByQueue:
		return w.nextByQueue()
	}
	c, i := firstRunnable(w.jobs, w.index)
	if c != nil {
		w.index = i
	}
	return c
}

func (w *line) qrunJob() *claim {
	for _, c := range w.jobs {
		if c.id == w.qrun && !c.cannotRun && c.runnable() {
			return c
		}
	}
	return nil
}

// nextReserved is the next job of a reservation whose time has come.
func (w *line) nextReserved() *claim {
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
func (w *line) nextInTurn() *claim {
	for w.round < len(w.rounds) {
		finished, queues := 0, w.rounds[w.round]
		for j := w.queue; j < len(queues); j++ {
			if w.queue++; w.queue == len(queues) {
				w.queue = 0
			}
			if c, _ := firstRunnable(queues[j].jobs, 0); c != nil {
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
func (w *line) nextByQueue() *claim {
	if !w.pastExpress {
		if i := firstExpress(w.jobs, w.index); i >= 0 {
			w.index = i
			return w.jobs[i]
		}
		w.pastExpress, w.index = true, 0
	}
	for w.queue < len(w.queues) {
		if c, i := firstRunnable(w.queues[w.queue].jobs, w.index); c != nil {
			w.index = i
			return c
		}
		w.queue++
		w.index = 0
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
