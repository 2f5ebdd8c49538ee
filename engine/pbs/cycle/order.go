package cycle

import (
	"cmp"
	"slices"

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

// A line is the jobs in the order in which they are tried.
type line struct {
	*world
	cursor
	deserving deserving

	// room for sorting
	list   []*claim
	places []placeInLine
	order  []int32 // indices of places
	sorted []*claim
}

// newLine lines up the jobs of a world, unsorted.
func newLine(w *world) *line {
	l := &line{world: w, cursor: cursor{rounds: rounds(w.queues)}}
	l.deserving.number(w.jobs)
	return l
}

// rounds are the queues of each priority, for round_robin.
func rounds(queues []*queue) (list [][]*queue) {
	for _, q := range queues {
		i := slices.IndexFunc(list, func(l []*queue) bool { return l[0].priority == q.priority })
		if i < 0 {
			list = append(list, []*queue{q})
		} else {
			list[i] = append(list[i], q)
		}
	}
	return list
}

func (l *line) compare(i, j int32) int {
	a, b := &l.places[i], &l.places[j]
	switch {
	case a.waits != b.waits:
		return trueFirst(a.waits, b.waits)
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
		if c := inDirection(k.of(l.list[i]), k.of(l.list[j]), k.Descending); c != 0 {
			return c
		}
	}
	if a.queueRank != b.queueRank {
		return cmp.Compare(a.queueRank, b.queueRank)
	}
	return cmp.Compare(a.rank, b.rank)
}

func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// comparePreempted puts preempted jobs first, the one that was preempted first before others.
func comparePreempted(a, b seconds) int {
	if x, y := a != never, b != never; x != y {
		return trueFirst(x, y)
	}
	return cmp.Compare(a, b)
}

// sortJobs sorts all jobs, or the jobs of each queue, whichever the policy looks at.
func (w *line) sortJobs() {
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

func (w *line) sortQueues() {
	for _, q := range w.queues {
		w.sortList(q.jobs)
	}
}

func (l *line) sortList(jobs []*claim) {
	l.list = jobs
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
