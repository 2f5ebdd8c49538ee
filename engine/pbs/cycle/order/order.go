package order

import (
	"cmp"
	"slices"

	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/fairshare"
)

// sortValues are what a job is sorted by, gathered so that sorting need not look at the job.
type sortValues struct {
	level     int32
	entity    int32
	rank      int32
	formula   float32
	waits     bool          // it can be tried
	preempted clock.Seconds // never for a job that was not
	queueRank int64
}

// A Line has the jobs in the order in which they are tried.
type Line struct {
	*cluster.World
	cursor
	entityOrder entityOrder

	// room for sorting
	list   []*cluster.Claim
	places []sortValues
	order  []int32 // indices of places
	sorted []*cluster.Claim
}

// New makes the Line of a world, unsorted.
func New(w *cluster.World) *Line {
	l := &Line{World: w, cursor: cursor{rounds: rounds(w.Queues)}}
	l.entityOrder.number(w.Jobs)
	return l
}

// rounds are the queues of each priority, for round_robin.
func rounds(queues []*cluster.Queue) (list [][]*cluster.Queue) {
	for _, q := range queues {
		i := slices.IndexFunc(list, func(l []*cluster.Queue) bool { return l[0].Priority == q.Priority })
		if i < 0 {
			list = append(list, []*cluster.Queue{q})
		} else {
			list[i] = append(list[i], q)
		}
	}
	return list
}

func (l *Line) compare(i, j int32) int {
	a, b := &l.places[i], &l.places[j]
	switch {
	case a.waits != b.waits:
		return setFirst(a.waits, b.waits)
	case a.level != b.level:
		return cmp.Compare(b.level, a.level)
	case a.preempted != b.preempted:
		return comparePreempted(a.preempted, b.preempted)
	case a.formula < b.formula: // no number is neither less nor more than another
		return 1
	case a.formula > b.formula:
		return -1
	}
	if l.Policy.FairShare && a.entity != b.entity {
		if c := l.entityOrder.compare(a.entity, b.entity); c != 0 {
			return c
		}
	}
	for n := range l.Policy.JobKeys {
		k := &l.Policy.JobKeys[n]
		if c := k.Compare(k.OfJob(l.list[i]), k.OfJob(l.list[j])); c != 0 {
			return c
		}
	}
	if a.queueRank != b.queueRank {
		return cmp.Compare(a.queueRank, b.queueRank)
	}
	return cmp.Compare(a.rank, b.rank)
}

func setFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// comparePreempted puts preempted jobs first, the one that was preempted first before others.
func comparePreempted(a, b clock.Seconds) int {
	if x, y := a != clock.Never, b != clock.Never; x != y {
		return setFirst(x, y)
	}
	return cmp.Compare(a, b)
}

// SortJobs sorts all jobs, or the jobs of each queue, as the policy says.
func (w *Line) SortJobs() {
	w.entityOrder.forget()
	switch p := &w.Policy; {
	case p.FairShare && (p.ByQueue || p.RoundRobin):
		w.sortQueues()
		w.Jobs = w.Jobs[:0]
		for _, q := range w.Queues {
			w.Jobs = append(w.Jobs, q.Jobs...)
		}
	case p.ByQueue:
		w.sortQueues()
		w.sortList(w.Jobs)
	case p.RoundRobin:
		w.sortQueues()
	default:
		w.sortList(w.Jobs)
	}
}

func (w *Line) sortQueues() {
	for _, q := range w.Queues {
		w.sortList(q.Jobs)
	}
}

// Sort sorts a list of jobs if usage may have changed.
func (l *Line) Sort(jobs []*cluster.Claim) {
	l.entityOrder.forget()
	l.sortList(jobs)
}

func (l *Line) sortList(jobs []*cluster.Claim) {
	l.list = jobs
	l.places, l.order, l.sorted = l.places[:0], l.order[:0], l.sorted[:0]
	for i, c := range jobs {
		l.order = append(l.order, int32(i))
		l.places = append(l.places, sortValues{
			level: int32(c.Level), entity: int32(c.EntityNumber), rank: int32(c.Rank), formula: c.Formula,
			waits: c.Runnable(), preempted: c.PreemptedAt, queueRank: c.QueueRank,
		})
	}
	fairshare.MergeSort(l.order, l.compare)
	for _, i := range l.order {
		l.sorted = append(l.sorted, jobs[i])
	}
	copy(jobs, l.sorted)
}

// entityOrder remembers during a sort which of two entities is more deserving. It compares each pair once: there
// are many jobs and few entities.
type entityOrder struct {
	entities []*fairshare.Node
	known    []int8 // by both entities; 0 for not compared
}

// mostEntities bounds what is remembered.
const mostEntities = 2048

// number gives each entity of these jobs a number.
func (d *entityOrder) number(jobs []*cluster.Claim) {
	numbers := map[*fairshare.Node]int{}
	for _, c := range jobs {
		n, known := numbers[c.Entity]
		if !known {
			n = len(numbers)
			numbers[c.Entity] = n
			d.entities = append(d.entities, c.Entity)
		}
		c.EntityNumber = n
	}
}

// forget is for when usage has changed.
func (d *entityOrder) forget() {
	if n := len(d.entities); d.known == nil && n <= mostEntities {
		d.known = make([]int8, n*n)
	}
	clear(d.known)
}

func (d *entityOrder) compare(a, b int32) int {
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
