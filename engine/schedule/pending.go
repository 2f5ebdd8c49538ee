package schedule

import (
	"cmp"
	"container/heap"

	"qprism/engine/model"
	"qprism/engine/priority"
	"qprism/engine/split"
	"qprism/engine/urgency"
)

// Pending holds the jobs that wait, in dispatch order: those ranked at the start of the run, and arrays that were put
// back after one of their tasks.
type pending struct {
	jobs []waiting // sorted
	next int
	back backlog // heap
}

// A waiting job has tasks that may start in this run.
type waiting struct {
	*priority.Job
	cat      *category
	prio     float64
	enrolled []uint32 // rescheduled tasks that wait again
	ranges   []model.Range
	done     int // tasks out of ranges
	counted  int // tasks
	fresh    bool
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
	return cmp.Or(cmp.Compare(o.prio, j.prio), cmp.Compare(j.job().Submitted.Unix(), o.job().Submitted.Unix()),
		cmp.Compare(j.job().Number, o.job().Number))
}

// queuePending lines up the pending jobs.
func (r *run) queuePending() {
	r.pending.jobs = make([]waiting, 0, len(r.ranked.Pending))
	r.plan.Decisions = make([]model.Decision, 0, len(r.ranked.Pending))
	entries := r.pendingEntries()
	for _, j := range r.ranked.Pending {
		e := entries[j.Job.Number]
		if e == nil {
			continue
		}
		w := waiting{Job: j, prio: j.Prio, ranges: e.Waiting, cat: r.categoryOf(j.Job)}
		for _, t := range e.Tasks {
			w.enrolled = append(w.enrolled, t.Number)
		}
		w.counted = len(w.enrolled) + split.Count(w.ranges)
		r.pending.jobs = append(r.pending.jobs, w)
	}
}

func (r *run) pendingEntries() map[uint32]*split.Entry {
	entries := make(map[uint32]*split.Entry, len(r.lists.Pending))
	for i := range r.lists.Pending {
		entries[r.lists.Pending[i].Job.Number] = &r.lists.Pending[i]
	}
	return entries
}

// first takes the job that is tried next, nil where there is none.
func (p *pending) first() *waiting {
	if len(p.back) > 0 && (p.next == len(p.jobs) || p.back[0].compare(&p.jobs[p.next]) < 0) {
		return heap.Pop(&p.back).(*waiting)
	}
	if p.next == len(p.jobs) {
		return nil
	}
	p.next++
	return &p.jobs[p.next-1]
}

func (p *pending) putBack(j *waiting) { heap.Push(&p.back, j) }

// task is the number of the job's next task.
func (j *waiting) task() uint32 {
	if len(j.enrolled) > 0 {
		return j.enrolled[0]
	}
	n, _ := split.First(j.ranges)
	return n
}

// take removes the next task; a reserved one, even if it was rescheduled, takes its first new one with it (D38).
func (j *waiting) take(reserved bool) {
	j.counted--
	if len(j.enrolled) > 0 && !(reserved && len(j.ranges) > 0) {
		j.enrolled = j.enrolled[1:]
		return
	}
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

// rerank gives a job the priority of its next task, where one was computed for it.
func (r *run) rerank(j *waiting) {
	switch {
	case len(j.enrolled) > 0:
		for i := range j.Pending {
			if j.Pending[i].Number == j.enrolled[0] {
				j.prio = j.Pending[i].Prio
			}
		}
	case j.done < len(j.Waiting):
		t := &j.Waiting[j.done]
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

// countCategories counts the jobs of each category, whatever their state.
func (r *run) countCategories() {
	for i := range r.snapshot.Jobs {
		r.categoryOf(&r.snapshot.Jobs[i]).count++
	}
}
