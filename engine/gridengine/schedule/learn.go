package schedule

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// listOrder is the order in which the scheduler holds the queue instances: queue by queue, and in each the one first
// that was least recently changed, by a task that started there or ended. No file prints it. It is learnt from the runs
// that the schedule file shows, from the starts of tasks that run, and in the memory of a scheduler that goes on.
func (r *run) listOrder() []*instance {
	r.learnOrder()
	list := slices.Clone(r.world.instances)
	slices.SortStableFunc(list, func(a, b *instance) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.modified, b.modified))
	})
	return list
}

// A place is a task in a queue instance or parallel environment.
type place struct {
	job, task    uint32
	level, where string
}

// learnOrder goes through all starts and ends of tasks since the last run of the scheduler, or all that the snapshot
// shows, the oldest first.
func (r *run) learnOrder() {
	r.recall()
	seen := map[place]bool{}
	last := r.memory.there
	sections := r.snapshot.Runs[min(r.memory.sections, len(r.snapshot.Runs)):]
	if !tellsStarts(sections) {
		for _, p := range r.memory.planned {
			r.start(p)
			last = append(last[:len(last):len(last)], p)
		}
		sections = nil
	}
	for i := range sections {
		last = r.learnRun(&sections[i], last, seen)
	}
	for _, p := range last {
		seen[p] = true
	}
	r.learnEnds(last, r.runningPlaces())
	r.learnStarts(seen)
	r.orderRunning()
	r.orderQuotas()
}

// tellsStarts reports whether sections of the schedule file hold anything: without reservations they are empty.
func tellsStarts(sections []model.RunRecord) bool {
	return slices.ContainsFunc(sections, func(s model.RunRecord) bool { return len(s.Lines) > 0 })
}

// start notes that a task started in a place.
func (r *run) start(p place) {
	r.change(p)
	r.startOrder[ticket.TaskID{Job: p.job, Task: p.task}] = r.changes
}

// learnRun learns from one section of the schedule file: what was there in the one before and is not in this one has
// ended in between.
func (r *run) learnRun(section *model.RunRecord, before []place, seen map[place]bool) []place {
	there := map[place]bool{}
	var now, starts []place
	for _, l := range section.Lines {
		shared := l.Level == levelQuota || (l.Level == levelQueue || l.Level == levelPE) && l.Resource == slotsName
		if !shared || l.State == "RESERVING" {
			continue
		}
		p := place{l.Job, l.Task, l.Level, l.Object}
		if there[p] {
			continue
		}
		there[p], seen[p] = true, true
		now = append(now, p)
		if l.State == "STARTING" {
			starts = append(starts, p)
		}
	}
	r.learnEnds(before, there)
	for _, p := range starts {
		r.start(p)
	}
	return now
}

// orderRunning brings running tasks into the order in which the scheduler holds them: a job moves behind all others
// with each change to it, of which without a known sequence only the starts of its tasks show.
func (r *run) orderRunning() {
	last := maps.Clone(r.sequence)
	if last == nil {
		last = map[uint32]int{}
		for id, n := range r.startOrder {
			last[id.Job] = max(last[id.Job], n)
		}
	}
	if r.quirks.TicketsMoveJobs {
		for i := range r.lists.Pending {
			last[r.lists.Pending[i].Job.Number] += math.MaxInt32
		}
	}
	order := func(t *runningTask) (int, int) {
		return last[t.job.Number], r.startOrder[ticket.TaskID{Job: t.job.Number, Task: t.number}]
	}
	slices.SortStableFunc(r.running, func(a, b *runningTask) int {
		jobA, taskA := order(a)
		jobB, taskB := order(b)
		return cmp.Or(truthOrder(a.suspended, b.suspended), cmp.Compare(jobA, jobB), cmp.Compare(taskA, taskB))
	})
}

// orderQuotas brings the quota sets into the order in which the scheduler holds them: a set moves behind all others with
// each start or end of a task that it counts.
func (r *run) orderQuotas() {
	sets := r.world.quotas
	byChange := func(a, b *quotaSet) int { return cmp.Compare(a.modified, b.modified) }
	if slices.IsSortedFunc(sets, byChange) {
		return
	}
	slices.SortStableFunc(sets, byChange)
	for _, c := range r.categories {
		for _, k := range c.caches {
			clear(k.quotas)
		}
	}
}

// truthOrder puts false before true.
func truthOrder(a, b bool) int { return cmp.Compare(truth(a), truth(b)) }

func (r *run) learnEnds(before []place, there map[place]bool) {
	for _, p := range before {
		if !there[p] {
			r.change(p)
		}
	}
}

// change moves what a task started or ended in to the end of the scheduler's list. The quota sets that count a task move
// together, and keep the master's order among themselves.
func (r *run) change(p place) {
	r.changes++
	if id := (ticket.TaskID{Job: p.job, Task: p.task}); id != r.changing {
		r.changing, r.firstChange = id, r.changes
	}
	switch p.level {
	case levelQueue:
		if q := r.world.instanceNames[p.where]; q != nil {
			q.modified, q.second = r.changes, 0
		}
	case levelQuota:
		for _, set := range r.world.quotas {
			if set.Name == p.where {
				set.modified = r.firstChange
			}
		}
	case levelPE:
		for _, e := range r.world.pes {
			if e.Name == p.where {
				e.modified = r.changes
			}
		}
	}
}

func (r *run) runningPlaces() map[place]bool {
	there := map[place]bool{}
	for _, t := range r.running {
		for _, p := range r.placesOf(t) {
			there[p] = true
		}
	}
	return there
}

func (r *run) placesOf(t *runningTask) []place {
	var list []place
	if t.pe != nil {
		list = append(list, place{t.job.Number, t.number, levelPE, t.pe.Name})
	}
	for _, g := range t.grants {
		list = append(list, place{t.job.Number, t.number, levelQueue, g.queue.Name})
	}
	d := r.newDebit(t.job, t.grants, t.pe)
	for n := range t.grants {
		for _, c := range d.counters(n) {
			p := place{t.job.Number, t.number, levelQuota, c.set.Name}
			if !slices.Contains(list, p) && d.counts(c, n) {
				list = append(list, p)
			}
		}
	}
	return list
}

// learnStarts learns from the tasks that run and of which nothing else tells, by their start. Which of those that started
// in one second came first is not known.
func (r *run) learnStarts(seen map[place]bool) {
	tasks := slices.Clone(r.running)
	slices.SortStableFunc(tasks, func(a, b *runningTask) int { return cmp.Compare(a.start, b.start) })
	for _, t := range tasks {
		for _, p := range r.placesOf(t) {
			if seen[p] {
				continue
			}
			r.change(p)
			if q := r.world.instanceNames[p.where]; q != nil {
				q.second = t.start
			}
		}
	}
}
