package schedule

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/split"
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
	known := record.Known(r.snapshot)
	sections := r.snapshot.Runs[min(r.memory.sections, known):known]
	if !r.overTime || !tellsStarts(sections) { // without reservations a few lines of resources that advance reservations have, at most
		for _, p := range r.memory.planned {
			r.start(p)
		}
		last = slices.Concat(last, r.memory.planned) // never in place: the memory holds the same list
		sections = nil
	}
	for i := range sections {
		last = r.learnRun(&sections[i], last, seen)
		last = r.learnAdvance(&sections[i], last)
	}
	for _, p := range last {
		seen[p] = true
	}
	r.learnEnds(last, r.runningPlaces())
	r.learnGone(sections)
	r.learnStarts(seen, len(sections) == 0)
	r.learnFinished(seen)
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
		if there[p] && l.Level != levelQuota { // a quota set is told of for each queue instance
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
	r.learnJobs(section)
	return now
}

// learnJobs learns the order in which the scheduler holds jobs: that of the tasks that run, and behind them of those that start.
func (r *run) learnJobs(section *model.RunRecord) {
	if r.jobOrder == nil {
		r.jobOrder = map[uint32]int{}
	}
	listed := map[uint32]bool{}
	for _, l := range section.Lines {
		if l.State == "STARTING" || l.State == "RUNNING" && !listed[l.Job] {
			listed[l.Job] = true
			r.jobPlaces++
			r.jobOrder[l.Job] = r.jobPlaces
		}
	}
}

// learnAdvance learns from what requests for advance reservations booked behind a run: that changes what they keep, too. What had ended
// before the first of them changed its places before that.
func (r *run) learnAdvance(section *model.RunRecord, last []place) (left []place) {
	booked := slices.IndexFunc(section.Advance, func(l model.ScheduleLine) bool { return l.Job == 0 })
	if booked > 0 {
		ended := endedBefore(section.Advance[:booked], last)
		there := map[place]bool{}
		for _, p := range last {
			there[p] = !ended[ticket.TaskID{Job: p.job, Task: p.task}]
		}
		r.learnEnds(last, there)
		last = slices.DeleteFunc(slices.Clone(last), func(p place) bool { return !there[p] })
	}
	for _, l := range section.Advance {
		if l.Job == 0 && (l.Level == levelPE || l.Level == levelQueue && l.Resource == slotsName) {
			r.change(place{level: l.Level, where: l.Object})
		}
	}
	return last
}

// endedBefore are the tasks of which a request wrote nothing though it wrote another one in a queue instance of theirs. It leaves out
// what is in queue instances that it cannot use.
func endedBefore(lines []model.ScheduleLine, last []place) map[ticket.TaskID]bool {
	used, there := map[string]bool{}, map[ticket.TaskID]bool{}
	for _, l := range lines {
		there[ticket.TaskID{Job: l.Job, Task: l.Task}] = true
		used[l.Object] = used[l.Object] || l.Level == levelQueue
	}
	ended := map[ticket.TaskID]bool{}
	for _, p := range last {
		if id := (ticket.TaskID{Job: p.job, Task: p.task}); p.level == levelQueue && used[p.where] && !there[id] {
			ended[id] = true
		}
	}
	return ended
}

// learnGone learns from advance reservations that sections tell of and that are no more: what they kept was changed again. When one
// was deleted before its time is not known; it counts as the last change.
func (r *run) learnGone(sections []model.RunRecord) {
	there := map[[2]seconds]int{}
	for _, v := range r.world.advance {
		there[[2]seconds{v.start, v.length}]++
	}
	for i := range sections {
		for _, b := range r.advanceBookingsOf(&sections[i]) {
			key := [2]seconds{unix(b.start), whole(b.duration)}
			if there[key]--; there[key] >= 0 {
				continue
			}
			for _, g := range b.granted {
				r.change(place{level: levelQueue, where: g.Instance})
			}
			if b.pe != "" {
				r.change(place{level: levelPE, where: b.pe})
			}
		}
	}
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
		r.placeJobs(last)
		for job := range split.AlteredSince(r.snapshot) {
			last[job] += math.MaxInt32 / 4
		}
	}
	if r.quirks.TicketsMoveJobs && r.snapshot.Policy.ReportPendingTickets {
		for i := range r.lists.Pending {
			last[r.lists.Pending[i].Job.Number] += math.MaxInt32
		}
	}
	for _, t := range r.running {
		if t.suspended && !r.quirks.QueueSuspendUntold { // that it was suspended changed its job
			last[t.job.Number] += math.MaxInt32 / 2
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
	if r.quirks.QuotasStay {
		return
	}
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

// placeJobs replaces the places of jobs by those that sections of the schedule file tell, where they tell of any. A job that they do not
// know was changed since.
func (r *run) placeJobs(last map[uint32]int) {
	if len(r.jobOrder) == 0 {
		return
	}
	for job := range last {
		if place, told := r.jobOrder[job]; told {
			last[job] = place
		} else {
			last[job] += r.jobPlaces
		}
	}
}

// truthOrder puts false before true.
func truthOrder(a, b bool) int { return cmp.Compare(truth(a), truth(b)) }

// learnEnds learns from what is there no more, in the order in which the accounting file has it.
func (r *run) learnEnds(before []place, there map[place]bool) {
	gone := slices.DeleteFunc(slices.Clone(before), func(p place) bool { return there[p] })
	if len(gone) > 1 {
		ended := r.endOrder()
		slices.SortStableFunc(gone, func(a, b place) int {
			return cmp.Compare(ended[ticket.TaskID{Job: a.job, Task: a.task}], ended[ticket.TaskID{Job: b.job, Task: b.task}])
		})
	}
	for _, p := range gone {
		r.change(p)
	}
}

// endOrder numbers the tasks that have ended, as the accounting file lists them.
func (r *run) endOrder() map[ticket.TaskID]int {
	if r.ended == nil {
		r.ended = make(map[ticket.TaskID]int, len(r.snapshot.Ended))
		for i := range r.snapshot.Ended {
			t := &r.snapshot.Ended[i]
			r.ended[ticket.TaskID{Job: t.Job, Task: max(t.Task, 1)}] = i + 1
		}
	}
	return r.ended
}

// change moves what a task started or ended in to the end of the scheduler's list. The quota sets that count a task move
// together, behind each of its queue instances anew, and keep the master's order among themselves.
func (r *run) change(p place) {
	r.changes++
	if id := (ticket.TaskID{Job: p.job, Task: p.task}); id != r.changing || p.level == levelQueue {
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
	d := r.newDebit(t.job, t.grants, t.pe)
	for n, g := range t.grants {
		list = append(list, place{t.job.Number, t.number, levelQueue, g.queue.Name})
		for _, c := range d.counters(n) {
			if d.counts(c, n) {
				list = append(list, place{t.job.Number, t.number, levelQuota, c.set.Name})
			}
		}
	}
	return list
}

// learnStarts learns from the tasks that run and of which nothing else tells, by their start, and where advances says so from advance
// reservations, by their request. Those of one second come in the order in which that run tried its jobs.
func (r *run) learnStarts(seen map[place]bool, advances bool) {
	var list []happening
	for _, t := range r.running {
		list = append(list, happening{t.start, t.job.Number, r.placesOf(t)})
	}
	if advances {
		for _, v := range r.world.advance {
			if !v.Submitted.IsZero() {
				list = append(list, happening{unix(v.Submitted), 0, v.places()})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b happening) int { return cmp.Compare(a.at, b.at) })
	known := r.orderStarts(list, seen)
	for _, h := range list {
		for _, p := range h.places {
			if seen[p] {
				continue
			}
			r.change(p)
			if q := r.world.instanceNames[p.where]; q != nil && !known[h.at] {
				q.second = h.at
			}
		}
	}
}

// learnFinished learns from tasks that have ended since and of which nothing else tells, those that the snapshot still holds and those that
// a request for an advance reservation counted: after all that runs, in the order in which the accounting file has them (D9).
func (r *run) learnFinished(seen map[place]bool) {
	var gone []place
	if !r.memory.known { // else it knows what ran
		gone = r.ranLast()
		told := map[place]bool{}
		for _, p := range gone {
			told[p] = true
		}
		gone = append(gone, slices.DeleteFunc(r.endedLast(), func(p place) bool { return told[p] })...)
	}
	for i := range r.snapshot.Jobs {
		j := &r.snapshot.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Ended.IsZero() && t.Ended.Before(r.plan.RunAt) && len(t.Granted) > 0 {
				gone = append(gone, r.placesOf(r.newRunning(j, t))...)
			}
		}
	}
	r.learnEnds(gone, seen)
}

// ranLast are the places of tasks that the last section of the schedule file shows and that do not run any more: those that ran when
// requests for advance reservations wrote them (D37), which is all that such a file tells of tasks without reservations.
func (r *run) ranLast() (gone []place) {
	known := record.Known(r.snapshot)
	if known == 0 {
		return nil
	}
	there, last := r.runningPlaces(), &r.snapshot.Runs[known-1]
	for _, l := range slices.Concat(last.Lines, last.Advance) {
		p := place{l.Job, l.Task, l.Level, l.Object}
		if l.State == "RESERVING" || l.Level != levelPE && (l.Level != levelQueue || l.Resource != slotsName) || there[p] {
			continue
		}
		there[p] = true // each request writes it anew
		gone = append(gone, p)
		if at := r.endOrder()[ticket.TaskID{Job: l.Job, Task: l.Task}]; at > 0 && l.Level == levelQueue {
			gone = append(gone, r.countedIn(&r.snapshot.Ended[at-1], l.Object)...)
		}
	}
	return gone
}

// endedLast are the places of tasks of which the accounting file alone tells: they ended after all starts that the snapshot shows. Those of
// simulated hosts have no times; they count where their jobs were submitted after all but the last of these starts. Of several queue
// instances the file names the master task's.
func (r *run) endedLast() (gone []place) {
	last, before := r.lastStarts()
	submitted := r.firstSubmitted(before)
	for i := range r.snapshot.Ended {
		t := &r.snapshot.Ended[i]
		instance := t.Queue + "@" + t.Host
		earlier := t.Ended.IsZero() && t.Job < submitted || !t.Ended.IsZero() && unix(t.Ended) <= last
		if earlier || r.world.instanceNames[instance] == nil {
			continue
		}
		if t.PE != "" {
			gone = append(gone, place{t.Job, max(t.Task, 1), levelPE, t.PE})
		}
		gone = append(append(gone, place{t.Job, max(t.Task, 1), levelQueue, instance}), r.countedIn(t, instance)...)
	}
	return gone
}

// lastStarts are the moment at which a running task started last, and the one before.
func (r *run) lastStarts() (last, before seconds) {
	for _, t := range r.running {
		if t.start > last {
			last, before = t.start, last
		} else if t.start < last {
			before = max(before, t.start)
		}
	}
	return last, before
}

// firstSubmitted is the least number of a job that was submitted after a moment: numbers are given in the order of submission.
func (r *run) firstSubmitted(after seconds) uint32 {
	first := uint32(math.MaxUint32)
	for i := range r.snapshot.Jobs {
		if j := &r.snapshot.Jobs[i]; unix(j.Submitted) > after {
			first = min(first, j.Number)
		}
	}
	return first
}

// countedIn are the quota sets that counted the slots of a task that has ended.
func (r *run) countedIn(t *model.EndedTask, instance string) (sets []place) {
	q := r.world.instanceNames[instance]
	if q == nil {
		return nil
	}
	var e *pe
	if k := slices.IndexFunc(r.world.pes, func(e *pe) bool { return e.Name == t.PE }); k >= 0 {
		e = r.world.pes[k]
	}
	for _, c := range r.countersOf(owner{t.Owner, t.Group, t.Project}, e, q) {
		if c.used(r.world.slots) != nil {
			sets = append(sets, place{t.Job, max(t.Task, 1), levelQuota, c.set.Name})
		}
	}
	return sets
}

// mostReplayed bounds how many earlier runs are ranked anew.
const mostReplayed = 5

// orderStarts brings what started in one second into the order of the run that started it: that of the jobs' priorities, then of their
// submission. It does so for the last few seconds in which several jobs started, and says which these are. Those of which all is seen
// already keep their order, which then tells nothing: ranking a run anew is dear, and the runs of a forecast know what the one before did.
func (r *run) orderStarts(list []happening, seen map[place]bool) map[seconds]bool {
	known := map[seconds]bool{}
	for to := len(list); to > 0 && len(known) < mostReplayed; {
		from := to - 1
		for from > 0 && list[from-1].at == list[to-1].at {
			from--
		}
		if same := list[from:to]; slices.ContainsFunc(same, func(h happening) bool { return h.job != same[0].job }) {
			if slices.ContainsFunc(same, func(h happening) bool { return h.tells(seen) }) {
				place := r.past.order(r, same)
				slices.SortStableFunc(same, func(a, b happening) int { return cmp.Compare(place[a.job], place[b.job]) })
			}
			known[same[0].at] = true
		}
		to = from
	}
	return known
}

// A happening changes places at a moment.
type happening struct {
	at     seconds
	job    uint32 // 0 for an advance reservation
	places []place
}

// tells reports whether a happening changes a place of which nothing else tells.
func (h *happening) tells(seen map[place]bool) bool {
	return slices.ContainsFunc(h.places, func(p place) bool { return !seen[p] })
}

// places are what an advance reservation keeps.
func (v *advance) places() (list []place) {
	for _, g := range v.Granted {
		list = append(list, place{level: levelQueue, where: g.Instance})
	}
	if v.PE != "" {
		list = append(list, place{level: levelPE, where: v.PE})
	}
	return list
}
