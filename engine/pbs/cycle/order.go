package cycle

import (
	"cmp"

	"qprism/engine/pbs/fairshare"
)

// A place in line is what a job is sorted by, gathered so that sorting need not look at the job.
type placeInLine struct {
	level     int32
	entity    int32
	rank      int32
	formula   float32
	waits     bool    // it can be tried
	preempted seconds // never for a job that was not
	queueRank int64
}

// A line sorts jobs.
type line struct {
	*world
	jobs   []*claim
	places []placeInLine
	order  []int32 // indices of places
	sorted []*claim
}

func (l *line) compare(i, j int32) int {
	a, b := &l.places[i], &l.places[j]
	switch {
	case a.waits != b.waits:
		return b2i(b.waits) - b2i(a.waits)
	case a.level != b.level:
		return cmp.Compare(b.level, a.level)
	case a.preempted != b.preempted:
		return comparePreempted(a.preempted, b.preempted)
	case a.formula < b.formula: // no number is neither less nor more than another
		return 1
	case a.formula > b.formula:
		return -1
	}
	if l.policy.FairShare && a.entity != b.entity {
		if c := l.deserving.compare(a.entity, b.entity); c != 0 {
			return c
		}
	}
	for n := range l.policy.jobKeys {
		k := &l.policy.jobKeys[n]
		if c := inDirection(k.of(l.jobs[i]), k.of(l.jobs[j]), k.Descending); c != 0 {
			return c
		}
	}
	if a.queueRank != b.queueRank {
		return cmp.Compare(a.queueRank, b.queueRank)
	}
	return cmp.Compare(a.rank, b.rank)
}

// comparePreempted puts preempted jobs first, the one that was preempted first before others.
func comparePreempted(a, b seconds) int {
	if x, y := a != never, b != never; x != y {
		return b2i(y) - b2i(x)
	}
	return cmp.Compare(a, b)
}

// sortJobs sorts all jobs, or the jobs of each queue, whichever the policy looks at.
func (w *world) sortJobs() {
	w.deserving.forget()
	switch p := &w.policy; {
	case p.FairShare && (p.ByQueue || p.RoundRobin):
		w.sortQueues()
		w.jobs = w.jobs[:0]
		for _, q := range w.queues {
			w.jobs = append(w.jobs, q.jobs...)
		}
	case p.ByQueue:
		w.sortQueues()
		w.sortList(w.jobs)
	case p.RoundRobin:
		w.sortQueues()
	default:
		w.sortList(w.jobs)
	}
}

func (w *world) sortQueues() {
	for _, q := range w.queues {
		w.sortList(q.jobs)
	}
}

func (w *world) sortList(jobs []*claim) {
	l := &w.line
	l.world, l.jobs = w, jobs
	l.places, l.order, l.sorted = l.places[:0], l.order[:0], l.sorted[:0]
	for i, c := range jobs {
		l.order = append(l.order, int32(i))
		l.places = append(l.places, placeInLine{
			level: int32(c.level), entity: int32(c.entityNumber), rank: int32(c.rank), formula: c.formula,
			waits: c.runnable(), preempted: c.preemptedAt, queueRank: c.queueRank,
		})
	}
	fairshare.MergeSort(l.order, l.compare)
	for _, i := range l.order {
		l.sorted = append(l.sorted, jobs[i])
	}
	copy(jobs, l.sorted)
}

// A deserving remembers, for the length of a sort, which of two entities is more deserving. Each pair is compared once:
// there are many jobs, and few entities.
type deserving struct {
	entities []*fairshare.Node
	known    []int8 // by both entities; 0 for not compared
}

// mostEntities bounds what is remembered.
const mostEntities = 2048

// number gives each entity of these jobs a number.
func (d *deserving) number(jobs []*claim) {
	numbers := map[*fairshare.Node]int{}
	for _, c := range jobs {
		n, known := numbers[c.entity]
		if !known {
			n = len(numbers)
			numbers[c.entity] = n
			d.entities = append(d.entities, c.entity)
		}
		c.entityNumber = n
	}
}

// forget is for when usage has changed.
func (d *deserving) forget() {
	if n := len(d.entities); d.known == nil && n <= mostEntities {
		d.known = make([]int8, n*n)
	}
	clear(d.known)
}

func (d *deserving) compare(a, b int32) int {
	if d.known == nil {
		return compareEntities(d.entities[a], d.entities[b])
	}
	known := &d.known[int(a)*len(d.entities)+int(b)]
	if *known == 0 {
		*known = int8(compareEntities(d.entities[a], d.entities[b])) + 2
	}
	return int(*known) - 2
}

func compareEntities(a, b *fairshare.Node) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Compare(fairshare.Compare(a, b), 0)
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
