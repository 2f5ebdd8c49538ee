package memory

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// A Recall infers the order in which earlier runs changed queue instances, parallel environments and quota
// sets.
type Recall struct {
	*cluster.Cluster
	memory      *Memory
	past        *Past
	sequence    map[uint32]int        // of the jobs, where it is known
	ended       map[ticket.TaskID]int // in the order of the accounting file, nil until it is asked for
	jobOrder    map[uint32]int        // in which the scheduler held jobs in the last recorded run
	jobPlaces   int                   // given so far
	startOrder  map[ticket.TaskID]int // when a task started, among all changes
	changes     int                   // of queue instances, parallel environments and quota sets, that the snapshot shows
	changing    ticket.TaskID         // whose start or end the last change belongs to,
	firstChange int                   // and the first change of that
}

// NewRecall starts from a Memory. If past is nil, it makes one.
func NewRecall(cl *cluster.Cluster, m *Memory, past *Past, sequence map[uint32]int) *Recall {
	r := &Recall{Cluster: cl, memory: m, past: past, sequence: sequence}
	if r.past == nil {
		r.past = NewPast(cl.Snapshot)
	}
	return r
}

// ListOrder is the order of the scheduler's list of queue instances: queue by queue, the least recently
// changed instance first. A start or end of a task changes an instance. No file prints this order. It comes
// from the runs in the schedule file, the starts of running tasks, and the Memory of earlier planned runs.
func (r *Recall) ListOrder() []*cluster.Instance {
	r.learnOrder()
	list := slices.Clone(r.Instances)
	slices.SortStableFunc(list, func(a, b *cluster.Instance) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Modified, b.Modified))
	})
	return list
}

// learnOrder goes through all starts and ends of tasks since the last run of the scheduler, or all that the snapshot
// shows, the oldest first.
func (r *Recall) learnOrder() {
	r.recall()
	last := r.memory.TaskPlaces
	seen := make(map[cluster.Place]bool, len(last)+len(r.memory.StartedPlaces))
	known := record.Known(r.Snapshot)
	sections := r.Snapshot.Runs[min(r.memory.sections, known):known]
	var bare []model.RunRecord
	// without reservations a few lines of resources that advance reservations have, at most
	if !r.OverTime || !tellsStarts(sections) {
		for _, p := range r.memory.StartedPlaces {
			r.start(p)
		}
		last = slices.Concat(last, r.memory.StartedPlaces) // never in place: the memory holds the same list
		sections, bare = nil, sections
	}
	for i := range sections {
		last = r.learnRun(&sections[i], last, seen)
		last = r.learnAdvance(&sections[i], last)
	}
	for _, p := range last {
		seen[p] = true
	}
	r.learnEnds(last, r.RunningPlaces())
	r.learnGone(sections)
	r.learnStarts(seen, bare, len(sections) == 0)
	r.learnGone(bare)
	r.learnFinished(seen)
	r.orderRunning()
	r.OrderQuotas()
}

// tellsStarts reports whether sections of the schedule file hold anything: without reservations they are empty.
func tellsStarts(sections []model.RunRecord) bool {
	return slices.ContainsFunc(sections, func(s model.RunRecord) bool { return len(s.Lines) > 0 })
}

// start notes that a task started in a place.
func (r *Recall) start(p cluster.Place) {
	r.Change(p)
	r.startOrder[ticket.TaskID{Job: p.Job, Task: p.Task}] = r.changes
}

// learnRun learns from one section of the schedule file: what was there in the one before and is not in this one has
// ended in between.
func (r *Recall) learnRun(section *model.RunRecord, before []cluster.Place,
	seen map[cluster.Place]bool) []cluster.Place {
	there := map[cluster.Place]bool{}
	var now, starts []cluster.Place
	for _, l := range section.Lines {
		shared := l.Level == resource.LevelQuota ||
			(l.Level == resource.LevelQueue || l.Level == resource.LevelPE) && l.Resource == resource.SlotsName
		if !shared || l.State == "RESERVING" {
			continue
		}
		p := cluster.Place{Job: l.Job, Task: l.Task, Level: l.Level, Where: l.Object}
		if there[p] && l.Level != resource.LevelQuota { // a quota set is told of for each queue instance
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

// learnJobs learns the order in which the scheduler holds jobs: that of the tasks that run, and behind them
// of those that start.
func (r *Recall) learnJobs(section *model.RunRecord) {
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

// learnAdvance learns from what requests for advance reservations booked behind a run: that changes what
// they keep, too. What had ended before the first of them changed its places before that.
func (r *Recall) learnAdvance(section *model.RunRecord, last []cluster.Place) (left []cluster.Place) {
	booked := slices.IndexFunc(section.Advance, func(l model.ScheduleLine) bool { return l.Job == 0 })
	if booked > 0 {
		ended := endedBefore(section.Advance[:booked], last)
		there := map[cluster.Place]bool{}
		for _, p := range last {
			there[p] = !ended[ticket.TaskID{Job: p.Job, Task: p.Task}]
		}
		r.learnEnds(last, there)
		last = slices.DeleteFunc(slices.Clone(last), func(p cluster.Place) bool { return !there[p] })
	}
	for _, l := range section.Advance {
		if l.Job == 0 && (l.Level == resource.LevelPE || l.Level == resource.LevelQueue && l.Resource == resource.SlotsName) {
			r.Change(cluster.Place{Level: l.Level, Where: l.Object})
		}
	}
	return last
}

// endedBefore are the tasks of which a request wrote nothing though it wrote another one in a queue
// instance of theirs. It leaves out what is in queue instances that it cannot use.
func endedBefore(lines []model.ScheduleLine, last []cluster.Place) map[ticket.TaskID]bool {
	used, there := map[string]bool{}, map[ticket.TaskID]bool{}
	for _, l := range lines {
		there[ticket.TaskID{Job: l.Job, Task: l.Task}] = true
		used[l.Object] = used[l.Object] || l.Level == resource.LevelQueue
	}
	ended := map[ticket.TaskID]bool{}
	for _, p := range last {
		if id := (ticket.TaskID{Job: p.Job, Task: p.Task}); p.Level == resource.LevelQueue && used[p.Where] && !there[id] {
			ended[id] = true
		}
	}
	return ended
}

// learnGone learns from advance reservations that sections tell of and that are no more: what they kept was
// changed again. When one was deleted before its time is not known; it counts as the last change.
func (r *Recall) learnGone(sections []model.RunRecord) {
	there := map[[2]seconds]int{}
	for _, v := range r.Advance {
		there[[2]seconds{v.From, v.Length}]++
	}
	for i := range sections {
		for _, b := range r.AdvanceBookingsOf(&sections[i]) {
			key := [2]seconds{utilization.Unix(b.Start), utilization.Whole(b.Duration)}
			if there[key]--; there[key] >= 0 {
				continue
			}
			for _, p := range b.Places() {
				r.Change(p)
			}
		}
	}
}

// orderRunning brings running tasks into the order in which the scheduler holds them: a job moves behind all others
// with each change to it, of which without a known sequence only the starts of its tasks show.
func (r *Recall) orderRunning() {
	last := maps.Clone(r.sequence)
	if last == nil {
		last = make(map[uint32]int, len(r.startOrder))
		for id, n := range r.startOrder {
			last[id.Job] = max(last[id.Job], n)
		}
		r.placeJobs(last)
		for job := range r.Lists.AlteredSince(r.Snapshot) {
			last[job] += math.MaxInt32 / 4
		}
	}
	if r.Quirks.TicketsMoveJobs && r.Snapshot.Policy.ReportPendingTickets {
		for i := range r.Lists.Pending {
			last[r.Lists.Pending[i].Job.Number] += math.MaxInt32
		}
	}
	for _, t := range r.Running {
		if t.Suspended && !r.Quirks.QueueSuspendUnreported { // that it was suspended changed its job
			last[t.Job.Number] += math.MaxInt32 / 2
		}
	}
	type ranked struct {
		*cluster.RunningTask
		job, start int
	}
	tasks := make([]ranked, len(r.Running))
	for i, t := range r.Running {
		tasks[i] = ranked{t, last[t.Job.Number], r.startOrder[ticket.TaskID{Job: t.Job.Number, Task: t.Number}]}
	}
	slices.SortStableFunc(tasks, func(a, b ranked) int {
		return cmp.Or(truthOrder(a.Suspended, b.Suspended), cmp.Compare(a.job, b.job), cmp.Compare(a.start, b.start))
	})
	for i := range tasks {
		r.Running[i] = tasks[i].RunningTask
	}
}

// OrderQuotas sorts the quota sets as the scheduler's list has them. A set moves to the end with each start
// or end of a task that it counts.
func (r *Recall) OrderQuotas() {
	sets := r.Quotas
	if r.Quirks.QuotaOrderStays {
		return
	}
	byChange := func(a, b *cluster.QuotaSet) int { return cmp.Compare(a.Modified, b.Modified) }
	if slices.IsSortedFunc(sets, byChange) {
		return
	}
	slices.SortStableFunc(sets, byChange)
	for _, c := range r.Categories {
		for _, k := range c.Caches {
			clear(k.Quotas)
		}
	}
}

// placeJobs replaces the places of jobs by those that sections of the schedule file tell, where they tell
// of any. A job that they do not know was changed since.
func (r *Recall) placeJobs(last map[uint32]int) {
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
func truthOrder(a, b bool) int { return cmp.Compare(cluster.Truth(a), cluster.Truth(b)) }

// learnEnds learns from ended tasks, in the order of the accounting file.
func (r *Recall) learnEnds(before []cluster.Place, there map[cluster.Place]bool) {
	gone := slices.DeleteFunc(slices.Clone(before), func(p cluster.Place) bool { return there[p] })
	if len(gone) > 1 {
		ended := r.endOrder()
		slices.SortStableFunc(gone, func(a, b cluster.Place) int {
			return cmp.Compare(ended[ticket.TaskID{Job: a.Job, Task: a.Task}], ended[ticket.TaskID{Job: b.Job, Task: b.Task}])
		})
	}
	for _, p := range gone {
		r.Change(p)
	}
}

// endOrder numbers the tasks that have ended, as the accounting file lists them.
func (r *Recall) endOrder() map[ticket.TaskID]int {
	if r.ended == nil {
		r.ended = make(map[ticket.TaskID]int, len(r.Snapshot.Ended))
		for i := range r.Snapshot.Ended {
			t := &r.Snapshot.Ended[i]
			r.ended[ticket.TaskID{Job: t.Job, Task: max(t.Task, 1)}] = i + 1
		}
	}
	return r.ended
}

// Change moves the places of a started or ended task to the end of the scheduler's lists. The quota sets that
// count a task move together, again for each of its queue instances. They keep their order among themselves.
func (r *Recall) Change(p cluster.Place) {
	r.changes++
	if id := (ticket.TaskID{Job: p.Job, Task: p.Task}); id != r.changing || p.Level == resource.LevelQueue {
		r.changing, r.firstChange = id, r.changes
	}
	switch p.Level {
	case resource.LevelQueue:
		if q := r.InstanceNames[p.Where]; q != nil {
			q.Modified, q.ChangedAt = r.changes, 0
		}
	case resource.LevelQuota:
		for _, set := range r.Quotas {
			if set.Name == p.Where {
				set.Modified = r.firstChange
			}
		}
	case resource.LevelPE:
		for _, e := range r.PEs {
			if e.Name == p.Where {
				e.Modified = r.changes
			}
		}
	}
}

// learnStarts learns from running tasks that no other source has, in the order of their start. With
// advances, it also learns from advance reservations: from their request, or from sections that tell
// nothing else. Tasks of one second come in the order in which that run tried its jobs.
func (r *Recall) learnStarts(seen map[cluster.Place]bool, bare []model.RunRecord, advances bool) {
	var list []event
	for _, t := range r.Running {
		list = append(list, event{at: t.Start, job: t.Job.Number, places: r.PlacesOf(t)})
	}
	if advances {
		dated := map[[2]seconds]bool{}
		for _, v := range r.Advance {
			if !v.Submitted.IsZero() {
				dated[[2]seconds{v.From, v.Length}] = true
				list = append(list, event{at: utilization.Unix(v.Submitted), places: v.Places()})
			}
		}
		list = append(list, r.requests(bare, dated)...)
	}
	slices.SortStableFunc(list, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	known := r.orderStarts(list, seen)
	for _, h := range list {
		for _, p := range h.places {
			if seen[p] {
				continue
			}
			r.Change(p)
			if q := r.InstanceNames[p.Where]; q != nil && !known[h.at] && !h.behind {
				q.ChangedAt = h.at
			}
		}
	}
}

// requests are the requests for advance reservations in sections of the schedule file, but for those of
// known date: each came behind the last start that its section tells of (D67).
func (r *Recall) requests(sections []model.RunRecord, dated map[[2]seconds]bool) (list []event) {
	last := seconds(0)
	for i := range sections {
		for _, l := range slices.Concat(sections[i].Lines, sections[i].Advance) {
			if l.State != "RESERVING" {
				last = max(last, utilization.Unix(l.Start))
			}
		}
		for _, b := range r.AdvanceBookingsOf(&sections[i]) {
			if !dated[[2]seconds{utilization.Unix(b.Start), utilization.Whole(b.Duration)}] {
				list = append(list, event{at: last, behind: true, places: b.Places()})
			}
		}
	}
	return list
}

// learnFinished learns from tasks that have ended since and that no other source has. These are tasks in
// the snapshot, and tasks that a request for an advance reservation counted. They come after all running
// tasks, in the order of the accounting file (D9).
func (r *Recall) learnFinished(seen map[cluster.Place]bool) {
	var gone []cluster.Place
	if !r.memory.Known { // else it knows what ran
		gone = r.ranLast()
		told := map[cluster.Place]bool{}
		for _, p := range gone {
			told[p] = true
		}
		// the accounting file names the master task's instance, which changes before the others
		gone = append(slices.DeleteFunc(r.endedLast(), func(p cluster.Place) bool { return told[p] }), gone...)
	}
	for _, j := range r.Begun {
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Ended.IsZero() && t.Ended.Before(r.Plan.RunAt) && len(t.Granted) > 0 {
				gone = append(gone, r.PlacesOf(r.NewRunning(j, t))...)
			}
		}
	}
	r.learnEnds(gone, seen)
}

// ranLast are the places of tasks that the last section of the schedule file shows and that do not run any
// more: those that ran when requests for advance reservations wrote them (D37), which is all that such a
// file tells of tasks without reservations.
func (r *Recall) ranLast() (gone []cluster.Place) {
	known := record.Known(r.Snapshot)
	if known == 0 {
		return nil
	}
	there, last := r.RunningPlaces(), &r.Snapshot.Runs[known-1]
	for _, l := range slices.Concat(last.Lines, last.Advance) {
		p := cluster.Place{Job: l.Job, Task: l.Task, Level: l.Level, Where: l.Object}
		if l.State == "RESERVING" || l.Level != resource.LevelPE &&
			(l.Level != resource.LevelQueue || l.Resource != resource.SlotsName) || there[p] {
			continue
		}
		there[p] = true // each request writes it anew
		gone = append(gone, p)
		if at := r.endOrder()[ticket.TaskID{Job: l.Job, Task: l.Task}]; at > 0 && l.Level == resource.LevelQueue {
			gone = append(gone, r.countedIn(&r.Snapshot.Ended[at-1], l.Object)...)
		}
	}
	return gone
}

// endedLast are the places of tasks of which the accounting file alone tells: they ended after all starts
// that the snapshot shows. Those of simulated hosts have no times; they count where their jobs were
// submitted after all but the last of these starts. Of several queue instances the file names the master
// task's.
func (r *Recall) endedLast() (gone []cluster.Place) {
	last, before := r.lastStarts()
	submitted := r.firstSubmitted(before)
	for i := range r.Snapshot.Ended {
		t := &r.Snapshot.Ended[i]
		instance := t.Queue + "@" + t.Host
		earlier := t.Ended.IsZero() && t.Job < submitted || !t.Ended.IsZero() && utilization.Unix(t.Ended) <= last
		if earlier || r.InstanceNames[instance] == nil {
			continue
		}
		if t.PE != "" {
			gone = append(gone, cluster.Place{Job: t.Job, Task: max(t.Task, 1), Level: resource.LevelPE, Where: t.PE})
		}
		gone = append(append(gone, cluster.Place{Job: t.Job, Task: max(t.Task, 1), Level: resource.LevelQueue,
			Where: instance}), r.countedIn(t, instance)...)
	}
	return gone
}

// lastStarts are the moment at which a running task started last, and the one before.
func (r *Recall) lastStarts() (last, before seconds) {
	for _, t := range r.Running {
		if t.Start > last {
			last, before = t.Start, last
		} else if t.Start < last {
			before = max(before, t.Start)
		}
	}
	return last, before
}

// firstSubmitted is the least number of a job that was submitted after a moment: numbers are given in the
// order of submission.
func (r *Recall) firstSubmitted(after seconds) uint32 {
	first := uint32(math.MaxUint32)
	for i := range r.Snapshot.Jobs {
		if j := &r.Snapshot.Jobs[i]; utilization.Unix(j.Submitted) > after {
			first = min(first, j.Number)
		}
	}
	return first
}

// countedIn are the quota sets that counted the slots of a task that has ended.
func (r *Recall) countedIn(t *model.EndedTask, instance string) (sets []cluster.Place) {
	q := r.InstanceNames[instance]
	if q == nil {
		return nil
	}
	var e *cluster.PE
	if k := slices.IndexFunc(r.PEs, func(e *cluster.PE) bool { return e.Name == t.PE }); k >= 0 {
		e = r.PEs[k]
	}
	for _, c := range r.CountersOf(cluster.Owner{User: t.Owner, Group: t.Group, Project: t.Project}, e, q) {
		if c.UseOf(r.Slots) != nil {
			sets = append(sets, cluster.Place{Job: t.Job, Task: max(t.Task, 1), Level: resource.LevelQuota, Where: c.Set.Name})
		}
	}
	return sets
}

// mostReplayed bounds how many earlier runs are ranked anew.
const mostReplayed = 5

// orderStarts brings what started in one second into the order of the run that started it: that of the
// jobs' priorities, then of their submission. It does so for the last few seconds in which several jobs
// started, and says which these are. Those of which all is seen already keep their order, which then tells
// nothing: ranking a run anew is dear, and the runs of a forecast know what the one before did.
func (r *Recall) orderStarts(list []event, seen map[cluster.Place]bool) map[seconds]bool {
	known := map[seconds]bool{}
	for to := len(list); to > 0 && len(known) < mostReplayed; {
		from := to - 1
		for from > 0 && list[from-1].at == list[to-1].at {
			from--
		}
		if same := list[from:to]; slices.ContainsFunc(same, func(h event) bool { return h.job != same[0].job }) {
			if slices.ContainsFunc(same, func(h event) bool { return h.tells(seen) }) {
				place := r.past.order(r, same)
				slices.SortStableFunc(same, func(a, b event) int {
					return cmp.Or(truthOrder(a.behind, b.behind), cmp.Compare(place[a.job], place[b.job]))
				})
			}
			known[same[0].at] = true
		}
		to = from
	}
	return known
}

// A event changes places at a moment.
type event struct {
	at     seconds
	job    uint32 // 0 for an advance reservation
	behind bool   // all that started at that moment
	places []cluster.Place
}

// tells reports whether a happening changes a place of which nothing else tells.
func (h *event) tells(seen map[cluster.Place]bool) bool {
	return slices.ContainsFunc(h.places, func(p cluster.Place) bool { return !seen[p] })
}
