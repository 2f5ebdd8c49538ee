package schedule

import (
	"container/heap"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// Pending are the jobs that wait, in dispatch order: ranked has the jobs that were not tried yet, and back has the
// arrays that were put back after one of their tasks.
type pending struct {
	ranked []*priority.Job
	queued bool // the run tries the jobs
	back   backlog
	room   []waiting // for the next jobs that are tried
}

// roomAtOnce is for how many jobs room is made at a time.
const roomAtOnce = 64

// A waiting job has tasks that may start in this run.
type waiting struct {
	*priority.Job
	cat      *cluster.Category
	prio     float64
	enrolled []uint32      // rescheduled tasks that still wait
	ranges   []model.Range // new tasks that still wait
	done     int           // new tasks that were taken out of ranges
	counted  int           // tasks in enrolled and ranges
	fresh    bool          // ranges is a copy: it may change
}

func (j *waiting) job() *model.Job { return j.Job.Job }

// backlog is a heap of jobs in dispatch order.
type backlog []*waiting

func (b backlog) Len() int           { return len(b) }
func (b backlog) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
func (b backlog) Less(i, k int) bool { return b[i].compare(b[k]) < 0 }
func (b *backlog) Push(x any)        { *b = append(*b, x.(*waiting)) }
func (b *backlog) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}

// compare puts the job first that is tried first.
func (j *waiting) compare(o *waiting) int {
	return priority.CompareDispatch(j.job(), j.prio, o.job(), o.prio)
}

// queuePending lines up the pending jobs.
func (r *run) queuePending() {
	r.pending.ranked, r.pending.queued = r.ranked.Pending, true
	if !r.brief {
		r.Plan.Decisions = make([]model.Decision, 0, len(r.pending.ranked))
	}
}

// next takes the job that is tried next, nil where there is none.
func (r *run) next() *waiting {
	p := &r.pending
	if len(p.back) > 0 && (len(p.ranked) == 0 || priority.CompareDispatch(p.back[0].job(),
		p.back[0].prio, p.ranked[0].Job, p.ranked[0].Prio) < 0) {
		return heap.Pop(&p.back).(*waiting)
	}
	for len(p.ranked) > 0 {
		j := p.ranked[0]
		p.ranked = p.ranked[1:]
		if c := r.CategoryOfEntry(j.Entry); !r.brief || !r.isHopeless(j.Job, c) {
			return r.newWaiting(j, c)
		}
	}
	return nil
}

// isHopeless reports whether nothing can start or be reserved any more of what asks for the same as a job.
func (r *run) isHopeless(j *model.Job, c *cluster.Category) bool {
	return c.NoStart && !r.mayReserve(c, j)
}

func (r *run) newWaiting(j *priority.Job, c *cluster.Category) *waiting {
	p := &r.pending
	if len(p.room) == 0 {
		p.room = make([]waiting, roomAtOnce)
	}
	w := &p.room[0]
	p.room = p.room[1:]
	*w = waiting{Job: j, prio: j.Prio, ranges: j.Entry.Waiting, cat: c}
	for _, t := range j.Entry.Tasks {
		w.enrolled = append(w.enrolled, t.Number)
	}
	w.counted = len(w.enrolled) + model.CountOf(w.ranges)
	return w
}

func (p *pending) putBack(j *waiting) { heap.Push(&p.back, j) }

// task is the number of the job's next task.
func (j *waiting) task() uint32 {
	if len(j.enrolled) > 0 {
		return j.enrolled[0]
	}
	n, _ := model.First(j.ranges)
	return n
}

// take removes the next task, or the first new one in its stead.
func (j *waiting) take(onlyNew bool) {
	switch {
	case len(j.enrolled) > 0 && !onlyNew:
		j.counted--
		j.enrolled = j.enrolled[1:]
		return
	case len(j.ranges) == 0:
		return
	}
	j.counted--
	j.done++
	first := j.ranges[0]
	if first.Max-first.Min < max(first.Step, 1) {
		j.ranges = j.ranges[1:]
		return
	}
	if !j.fresh {
		j.ranges, j.fresh = append([]model.Range(nil), j.ranges...), true
	}
	j.ranges[0].Min += max(first.Step, 1)
}

// rerank gives a job the priority of its next task. If no tickets were computed for that task (Q16), the job keeps its
// prio. Package whatif sets weights with which Reblend gives the value of its variant again.
func (r *run) rerank(j *waiting) {
	switch {
	case len(j.enrolled) > 0:
		for _, t := range j.Pending() {
			if t.Number == j.enrolled[0] {
				j.prio = t.Prio
			}
		}
	case j.done < len(j.Waiting()):
		t := &j.Waiting()[j.done]
		tickets := urgency.Normalize(t.Total, 0, r.ranked.Tickets.Maximum)
		j.prio = r.ranked.Weights.Reblend(j.Urgency.Norm, tickets, j.NPPrior)
	}
}

// rest are the tasks that are left of a job.
func (j *waiting) rest() []model.Range {
	if len(j.enrolled) == 0 {
		return j.ranges
	}
	list := make([]model.Range, 0, len(j.enrolled)+len(j.ranges))
	for _, n := range j.enrolled {
		list = append(list, model.Range{Min: n, Max: n, Step: 1})
	}
	return append(list, j.ranges...)
}
