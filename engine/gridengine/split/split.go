package split

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"qprism/engine/halves"
	"qprism/engine/model"
	"qprism/engine/order"
	"qprism/engine/room"
)

// An Entry is a job in one list, with its tasks in that list. A job can be in several lists.
type Entry struct {
	Job     *model.Job
	Place   int32         // of the job in the snapshot
	Tasks   []Task        // enrolled tasks, one by one
	Waiting []model.Range // numbers of tasks that are not enrolled
}

// A Task is an enrolled task: the master keeps an object for it.
type Task struct {
	Number uint32
	Usage  []model.Amount // scaled usage, in the order of the host's report
}

// Lists of one scheduler run.
type Lists struct {
	Running, Finished, Pending []Entry // these get priorities
	// Blocked are jobs with waiting tasks that cannot start now: held, in error, waiting for a time or another
	// job, or above a limit on running tasks. The run clears the numbers that the master shows for them.
	Blocked   []Entry
	Hidden    map[uint32]bool // jobs of Blocked that JC_FILTER hides from the run
	Suspended []Entry         // keep their numbers
	begun     []*model.Job    // see Begun; nil if Jobs did not make the lists
	altered   map[uint32]bool // see AlteredSince; nil if Jobs did not need them
}

// Jobs sorts the tasks of a snapshot as the run at that moment finds them. A task that started at that moment
// or later was still waiting. The scheduler orders jobs by their last change: the submission, or the start of
// a task. The caller passes assumptions about facts that no snapshot shows.
func Jobs(s *model.Snapshot, at time.Time, q model.Quirks, assumed Assumed) Lists {
	suspended, counted := CountedAt(s, at, "J(s)")
	found := assumed.survey(s, at)
	jobs := found.inOrder(s, assumed)
	if assumed.Sequence == nil {
		followRecord(jobs, s, at)
	}
	jobs, hidden := filter(jobs, found.begun, s, at)
	// Each half writes into its part, at most one entry for a job. Then append closes the gap.
	pending := entryLists.For(len(jobs))
	lists, later := halves.Make(len(jobs), func(from, to int) Lists {
		sp := splitter{at: at, quirks: q, instances: maxInstances(s), noneSuspended: counted && suspended == 0}
		sp.lists.Pending = pending[from:from]
		for _, i := range jobs[from:to] {
			sp.add(&s.Jobs[i], i)
		}
		return sp.lists
	})
	lists.append(&later)
	lists.begun, lists.altered = found.begun, found.altered
	for _, i := range hidden {
		lists.hide(&s.Jobs[i], i)
	}
	return lists
}

var (
	entryLists room.Lists[Entry]
	placeLists room.Lists[place]
)

// Release lets later runs use the memory of Pending. The caller must not use Pending afterwards.
func (l *Lists) Release() {
	entryLists.Keep(l.Pending)
	l.Pending = nil
}

// append adds the entries of later jobs.
func (l *Lists) append(later *Lists) {
	l.Running = append(l.Running, later.Running...)
	l.Finished = append(l.Finished, later.Finished...)
	l.Pending = append(l.Pending, later.Pending...)
	l.Blocked = append(l.Blocked, later.Blocked...)
	l.Suspended = append(l.Suspended, later.Suspended...)
}

// inOrder returns the jobs that the run knows, as indices in the snapshot, in the scheduler's order. Jobs whose last
// change was in the second of their submission nearly always have this order already. So inOrder first checks whether it
// must sort them. It sorts the other jobs, and merges both lists. If the sequence is known, it sorts all jobs by it.
func (f *survey) inOrder(s *model.Snapshot, a Assumed) []int32 {
	same, moved := f.same, f.moved
	defer placeLists.Keep(same)
	first := func(p place) uint64 { return order.Int(p.second) }
	if a.Sequence != nil {
		first = func(p place) uint64 { return order.Int(a.sequence(p.of(s))) }
	}
	compare := func(p, q place) int { return cmp.Or(cmp.Compare(first(p), first(q)), comparePlaces(p, q)) }
	if a.Sequence != nil || !slices.IsSortedFunc(same, comparePlaces) {
		order.Sort(same, first, comparePlaces)
	}
	order.Sort(moved, first, comparePlaces)
	jobs, left := make([]int32, 0, len(same)+len(moved)), same
	for _, p := range moved {
		n, _ := slices.BinarySearchFunc(left, p, compare)
		jobs = append(listed(jobs, left[:n]), p.listed)
		left = left[n:]
	}
	return listed(jobs, left)
}

// listed appends the jobs at these places to a list.
func listed(jobs []int32, places []place) []int32 {
	for i := range places {
		jobs = append(jobs, places[i].listed)
	}
	return jobs
}

// lastChange is the second in which a job was last changed before the run, as far as its times show.
func lastChange(j *model.Job, at time.Time) int64 {
	last := j.Submitted.Unix()
	for i := range j.Tasks {
		if t := &j.Tasks[i]; !t.Started.IsZero() && !StartedAt(t, at) {
			last = max(last, t.Started.Unix())
		}
	}
	return last
}

// Assumed is the part of the scheduler's state that no command prints.
type Assumed struct {
	// Sequence has each job's place in the list of jobs by last change, if known. Jobs without a place come
	// last.
	Sequence map[uint32]int
	// Later is the first job submitted after the run, in the same second; 0 for none.
	Later uint32
	Order Order // of altered jobs
	// Coming means that the run is after the snapshot: jobs altered since the last run come after all others.
	Coming bool
}

// Unknown reports whether a job was submitted after the run at that moment.
func (a Assumed) Unknown(j *model.Job, at time.Time) bool {
	return j.Submitted.After(at) || a.Later > 0 && j.Number >= a.Later && j.Submitted.Unix() == at.Unix()
}

// sequence is a job's place in the list, if known.
func (a Assumed) sequence(j *model.Job) int64 {
	if n, known := a.Sequence[j.Number]; known {
		return int64(n)
	}
	return math.MaxInt64
}

// An Order says, for each altered job, which job it comes after. The scheduler moved it there.
type Order map[uint32]uint32

// Move puts a job after another one.
func (o Order) Move(job, behind uint32) { o[job] = behind }

// A place is where a job is in the scheduler's list: by the job that it comes with, and how far behind that
// one it is. Large queues are sorted by places, so that these are small and hold no pointers.
type place struct {
	second int64  // in which the leading job was last changed
	number uint32 // of the leading job
	behind int32
	listed int32 // in the snapshot, which decides between jobs of one number
	// of that second: 0 for a job that was submitted before others started, 2 for one that was altered, else 1
	phase int8
}

func (p *place) of(s *model.Snapshot) *model.Job { return &s.Jobs[p.listed] }

func comparePlaces(a, b place) int {
	switch {
	case a.second != b.second:
		return cmp.Compare(a.second, b.second)
	case a.phase != b.phase:
		return cmp.Compare(a.phase, b.phase)
	case a.number != b.number:
		return cmp.Compare(a.number, b.number)
	}
	return cmp.Or(cmp.Compare(a.behind, b.behind), cmp.Compare(a.listed, b.listed))
}

// A survey is what Jobs finds when it looks at each job for the first time. It looks once, because the jobs of a long
// queue do not fit into the processor's cache.
type survey struct {
	// same are the places of jobs whose last change was in the second of their submission. moved are those of others.
	same, moved []place
	begun       []*model.Job
	altered     map[uint32]bool // nil unless the run is after the snapshot
}

// survey looks at each job. It finds the places of jobs that the run knows. A job that seems altered comes behind all jobs
// that changed before the snapshot.
func (a Assumed) survey(s *model.Snapshot, at time.Time) *survey {
	var byNumber map[uint32]*model.Job
	if len(a.Order) > 0 {
		byNumber = s.JobsByNumber()
	}
	var since *alterations
	if a.Coming {
		since = alterationsOf(s)
	}
	type half struct {
		survey
		numbers []uint32 // of altered jobs
	}
	all := placeLists.For(len(s.Jobs))
	first, second := halves.Make(len(s.Jobs), func(from, to int) (h half) {
		h.same = all[from:from] // each half writes into its part; then append closes the gap
		for i := from; i < to; i++ {
			j := &s.Jobs[i]
			if anyBegun(j) {
				h.begun = append(h.begun, j)
			}
			changed := since != nil && since.altered(j)
			if changed {
				h.numbers = append(h.numbers, j.Number)
			}
			if a.Unknown(j, at) {
				continue
			}
			leader, behind := a.Order.leader(j, byNumber)
			// lowerPhases may make the phase 0
			p := place{second: lastChange(leader, at), phase: 1, number: leader.Number, listed: int32(i), behind: int32(behind)}
			if changed {
				p.second, p.phase = max(p.second, s.TakenAt.Unix()), 2
			}
			if p.second == j.Submitted.Unix() {
				h.same = append(h.same, p)
			} else {
				h.moved = append(h.moved, p)
			}
		}
		return h
	})
	f := &survey{same: append(first.same, second.same...), moved: append(first.moved, second.moved...),
		begun: append(append(make([]*model.Job, 0, len(first.begun)+len(second.begun)), first.begun...), second.begun...)}
	if a.Coming {
		f.altered = numbered(first.numbers, second.numbers)
	}
	newest := newestStarts(f.begun, at)
	for _, list := range [][]place{f.same, f.moved} {
		lowerPhases(list, s, byNumber, newest, at)
	}
	return f
}

// leader is the job that a job comes with, itself if it was not moved, and how far behind that one it is.
func (o Order) leader(j *model.Job, byNumber map[uint32]*model.Job) (leader *model.Job, behind int) {
	leader = j
	for next, moved := o[j.Number]; moved && behind <= len(o); next, moved = o[leader.Number] {
		if byNumber[next] == nil {
			break
		}
		leader = byNumber[next]
		behind++
	}
	return leader, behind
}

// lowerPhases makes the phase of some places 0. The scheduler orders the jobs of one second by number. But jobs that
// started in this second follow all jobs that were submitted before the newest of them.
func lowerPhases(list []place, s *model.Snapshot, byNumber map[uint32]*model.Job, newest map[int64]uint32, at time.Time) {
	if len(newest) == 0 {
		return
	}
	waits := func(t model.Task) bool { return !has(t.State, 'R') && (t.Started.IsZero() || StartedAt(&t, at)) }
	halves.Do(len(list), func(from, to int) {
		for i := from; i < to; i++ {
			p := &list[i]
			if p.phase != 1 || p.number >= newest[p.second] {
				continue
			}
			leader := p.of(s)
			if p.behind > 0 {
				leader = byNumber[p.number]
			}
			if !slices.ContainsFunc(leader.Tasks, func(t model.Task) bool { return !waits(t) }) {
				p.phase = 0
			}
		}
	})
}

// newestStarts are the newest jobs of which tasks started before the run, by the second of the start.
func newestStarts(begun []*model.Job, at time.Time) map[int64]uint32 {
	newest := map[int64]uint32{}
	for _, j := range begun {
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Started.IsZero() && !StartedAt(t, at) {
				newest[t.Started.Unix()] = max(newest[t.Started.Unix()], j.Number)
			}
		}
	}
	return newest
}

// followRecord puts jobs into the order in which the schedule file's last section lists them, in the places
// that they take together: those that ran, then those that it started before that moment.
func followRecord(jobs []int32, s *model.Snapshot, at time.Time) {
	order := recordedOrder(s, at)
	if len(order) == 0 {
		return
	}
	var places []int
	var recorded []int32
	for i, j := range jobs {
		if order[s.Jobs[j].Number] > 0 {
			places, recorded = append(places, i), append(recorded, j)
		}
	}
	slices.SortStableFunc(recorded, func(a, b int32) int {
		return cmp.Compare(order[s.Jobs[a].Number], order[s.Jobs[b].Number])
	})
	for n, i := range places {
		jobs[i] = recorded[n]
	}
}

// recordedOrder numbers the jobs of the last section.
func recordedOrder(s *model.Snapshot, at time.Time) map[uint32]int {
	order := map[uint32]int{}
	if len(s.Runs) == 0 {
		return order
	}
	for n, l := range s.Runs[len(s.Runs)-1].Lines {
		if l.State == "RUNNING" && order[l.Job] == 0 || l.State == "STARTING" && l.Start.Before(at) {
			order[l.Job] = n + 1
		}
	}
	return order
}

// defaultInstances is max_aj_instances where the configuration is not known, sge_conf(5).
const defaultInstances = 2000

func maxInstances(s *model.Snapshot) uint32 {
	text, _ := model.Text(s.Config.Global, "max_aj_instances")
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return uint32(n)
	}
	return defaultInstances
}

// MostRunning is the most tasks of a job that may run at once, by max_aj_instances and -tc; 0 for no limit.
func MostRunning(s *model.Snapshot, j *model.Job) uint32 { return mostRunning(j, maxInstances(s)) }

func mostRunning(j *model.Job, instances uint32) uint32 {
	if tc := j.MaxRunningTasks; tc > 0 && (tc < instances || instances == 0) {
		return tc
	}
	return instances
}

type splitter struct {
	lists     Lists
	at        time.Time
	quirks    model.Quirks
	instances uint32 // max_aj_instances

	noneSuspended bool // the run counts none: what is suspended now was so later
}

// add puts the tasks of one job into the lists.
func (sp *splitter) add(j *model.Job, place int32) {
	if plain := sp.plain(j); plain != nil {
		eligible, beyond := sp.limit(j, plain, 0)
		put(&sp.lists.Pending, j, place, Entry{Waiting: eligible})
		put(&sp.lists.Blocked, j, place, Entry{Waiting: beyond})
		return
	}
	sp.addRows(j, place)
}

// plain are the tasks of a job of which nothing else is known but that they wait, as of most: nil where
// there is more to tell.
func (sp *splitter) plain(j *model.Job) []model.Range {
	if len(j.Tasks) != 1 || len(j.Tasks[0].IDs) != 1 || sp.early(j) {
		return nil
	}
	t := &j.Tasks[0]
	if t.State != "qw" || !t.Started.IsZero() || !t.Ended.IsZero() {
		return nil
	}
	return t.IDs[:1:1]
}

// addRows is add for a job with several rows of tasks, of which some may run, have ended or be held.
func (sp *splitter) addRows(j *model.Job, place int32) {
	var running, finished, pending, aside, suspended, plain Entry
	enrolled := 0
	for i := range j.Tasks {
		t := &j.Tasks[i]
		state := t.State
		started := !t.Started.IsZero() && !StartedAt(t, sp.at)
		switch {
		case !t.Ended.IsZero() && t.Ended.Before(sp.at):
			enrolled += finished.enroll(t)
		case started && sp.suspended(state):
			enrolled += suspended.enroll(t)
		case has(state, 'R') && StartedAt(t, sp.at) && !sp.early(j): // it waited, enrolled from its first start
			enrolled += pending.enroll(t)
		case started:
			enrolled += running.enroll(t)
		case has(state, 'E'):
			enrolled += aside.enroll(t)
		case t.Enrolled && t.Started.IsZero() && has(state, 'h'):
			enrolled += aside.enroll(t)
		case has(state, 'R') && !sp.early(j):
			enrolled += pending.enroll(t)
		case has(state, 'h') && t.Started.IsZero():
			aside.Waiting = append(aside.Waiting, t.IDs...)
		default:
			plain.Waiting = append(plain.Waiting, t.IDs...)
		}
	}
	plain.Waiting = join(plain.Waiting)
	switch {
	case sp.early(j):
		aside.Waiting = append(aside.Waiting, plain.Waiting...)
	default:
		eligible, beyond := sp.limit(j, plain.Waiting, enrolled)
		pending.Waiting = eligible
		aside.Waiting = append(aside.Waiting, beyond...)
	}
	// qstat lists tasks that just started again by their queue instances
	slices.SortFunc(pending.Tasks, func(a, b Task) int { return cmp.Compare(a.Number, b.Number) })
	put(&sp.lists.Running, j, place, running)
	put(&sp.lists.Finished, j, place, finished)
	put(&sp.lists.Pending, j, place, pending)
	put(&sp.lists.Blocked, j, place, aside)
	put(&sp.lists.Suspended, j, place, suspended)
}

// hide puts the waiting tasks of a job aside that the run does not see.
func (l *Lists) hide(j *model.Job, place int32) {
	var e Entry
	for i := range j.Tasks {
		e.Waiting = append(e.Waiting, j.Tasks[i].IDs...)
	}
	e.Waiting = join(e.Waiting)
	put(&l.Blocked, j, place, e)
	if l.Hidden == nil {
		l.Hidden = map[uint32]bool{}
	}
	l.Hidden[j.Number] = true
}

// mostEnrolled bounds the tasks of one job that are listed one by one, because a bundle may print any
// numbers.
const mostEnrolled = 1_000_000

// enroll adds the tasks of a row, which the master keeps one by one, and counts them. qstat prints
// rescheduled ones together.
func (e *Entry) enroll(t *model.Task) int {
	before := len(e.Tasks)
	for _, r := range t.IDs {
		for id := range r.All() {
			if len(e.Tasks) == mostEnrolled {
				return len(e.Tasks) - before
			}
			e.Tasks = append(e.Tasks, Task{Number: id, Usage: t.Usage})
		}
	}
	if len(t.IDs) == 0 {
		e.Tasks = append(e.Tasks, Task{Number: 1, Usage: t.Usage})
	}
	return len(e.Tasks) - before
}

func put(list *[]Entry, j *model.Job, place int32, e Entry) {
	if len(e.Tasks) > 0 || len(e.Waiting) > 0 {
		e.Job, e.Place = j, place
		*list = room.Append(*list, e)
	}
}

// StartedAt reports whether a task started at a moment or later.
func StartedAt(t *model.Task, at time.Time) bool {
	return !t.Started.IsZero() && !t.Started.Before(at)
}

// early reports whether the job waits for its -a time or for another job.
func (sp *splitter) early(j *model.Job) bool {
	return j.ExecutionTime.After(sp.at) || len(j.Predecessors) > 0
}

// limit parts the waiting tasks of a job at what max_aj_instances and -tc let run beside those that are enrolled (R3).
func (sp *splitter) limit(j *model.Job, waiting []model.Range, enrolled int) (eligible, beyond []model.Range) {
	limit := mostRunning(j, sp.instances)
	if limit == 0 && !sp.quirks.ZeroInstancesExcludes {
		return waiting, nil
	}
	left := int(limit) - enrolled
	switch {
	case left <= 0:
		return nil, waiting
	case model.CountOf(waiting) <= left:
		return waiting, nil
	}
	for i, r := range waiting {
		n := model.CountOf([]model.Range{r})
		if n < left {
			left -= n
			eligible = append(eligible, r)
			continue
		}
		first, rest := cut(r, left)
		eligible, beyond = append(eligible, first), append(beyond, rest...)
		if sp.quirks.FirstRangeOnly { // Q40: the limit is forgotten once it is reached
			return append(eligible, waiting[i+1:]...), beyond
		}
		return eligible, append(beyond, waiting[i+1:]...)
	}
	return eligible, nil
}

// join makes one list of ranges: the numbers of tasks that just started lay in one range with those after them.
func join(ranges []model.Range) []model.Range {
	slices.SortFunc(ranges, func(a, b model.Range) int { return cmp.Compare(a.Min, b.Min) })
	var list []model.Range
	for _, r := range ranges {
		if len(list) == 0 {
			list = append(list, r)
			continue
		}
		last := &list[len(list)-1]
		step := r.Min - last.Max
		if fits := func(r model.Range) bool { return r.Min == r.Max || r.Step == step }; fits(*last) && fits(r) {
			last.Max, last.Step = r.Max, step
		} else {
			list = append(list, r)
		}
	}
	return list
}

// cut parts a range after its first n numbers, n > 0.
func cut(r model.Range, n int) (first model.Range, rest []model.Range) {
	step := max(r.Step, 1)
	last := r.Min + uint32(n-1)*step
	if last >= r.Max || last+step > r.Max {
		return r, nil
	}
	return model.Range{Min: r.Min, Max: last, Step: r.Step}, []model.Range{{Min: last + step, Max: r.Max, Step: r.Step}}
}

// suspended reports whether the scheduler knows that a task is suspended. The master tells it of those that
// are suspended by hand or by load; of those that their queue suspends (a subordinate one, qmod -sq) it
// keeps the old state (quirk D61).
func (sp *splitter) suspended(state string) bool {
	return !sp.noneSuspended && (has(state, 's') || has(state, 'T') || has(state, 'S') && !sp.quirks.QueueSuspendUnreported)
}

// Suspended reports whether a running task is suspended: by a user, by its queue, or by load.
func Suspended(state string) bool {
	return has(state, 's') || has(state, 'S') || has(state, 'T')
}

func has(state string, letter byte) bool {
	for i := range len(state) {
		if state[i] == letter {
			return true
		}
	}
	return false
}
