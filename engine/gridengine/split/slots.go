package split

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/halves"
	"qprism/engine/model"
)

// unlimited are the free slots of a snapshot that shows no queue instance: more than any array has tasks, so that
// max_pending_tasks_per_job alone limits how many of them take part in a run.
const unlimited = 1 << 30

// FreeSlots counts the free slots of the queue instances that a run at that moment can use; unlimited if the
// snapshot has no queue instance. Slots granted at that moment or later were still free. Slots of tasks that
// ended later were not.
func FreeSlots(s *model.Snapshot, at time.Time) uint32 { return freeSlots(s, begunJobs(s), at) }

// FreeSlots returns the same as the function FreeSlots, but does not search the begun jobs again.
func (l *Lists) FreeSlots(s *model.Snapshot, at time.Time) uint32 {
	return freeSlots(s, l.Begun(s), at)
}

func freeSlots(s *model.Snapshot, jobs []*model.Job, at time.Time) uint32 {
	begun := begunTasks(jobs)
	n, usable := freeNow(s, begun, func(q *model.QueueInstance) bool { return Usable(q.State) || suspendedSince(s, begun, q, at) })
	for _, t := range begun {
		switch {
		case !t.Ended.IsZero() && (t.Ended.Before(at) || StartedAt(t, at)): // neither held nor holds a slot
		case !t.Ended.IsZero():
			n -= slotsOn(t, usable)
		case StartedAt(t, at):
			n += slotsOn(t, usable)
		}
	}
	return counted(n, usable)
}

// LeftSlots counts the slots that are free after a run; unlimited if the snapshot has no queue instance.
func LeftSlots(s *model.Snapshot, at time.Time) uint32 {
	begun := begunTasks(begunJobs(s))
	n, usable := freeNow(s, begun, func(q *model.QueueInstance) bool { return Usable(q.State) })
	for _, t := range begun {
		if !t.Ended.IsZero() && !t.Ended.Before(at) {
			n -= slotsOn(t, usable)
		}
	}
	return counted(n, usable)
}

func counted(n int, usable map[string]bool) uint32 {
	if usable == nil {
		return unlimited
	}
	return uint32(max(n, 0))
}

// freeNow counts the free slots of usable queue instances at the moment of the snapshot, and names these;
// nil where none is listed. A task that ended between the listing of jobs and that of queues still holds
// its slots: those that its only known queue instance cannot have are elsewhere.
func freeNow(s *model.Snapshot, begun []*model.Task, isUsable func(*model.QueueInstance) bool) (n int, usable map[string]bool) {
	held := heldSlots(begun)
	for i := range s.Instances {
		q := &s.Instances[i]
		if !q.Listed {
			continue
		}
		if usable == nil {
			usable = map[string]bool{}
		}
		if usable[q.Name] = isUsable(q); usable[q.Name] {
			n += max(0, q.Slots-max(q.Used, held[q.Name]))
			if held[q.Name] > q.Used {
				n -= max(0, held[q.Name]-q.Slots)
			}
		}
	}
	return n, usable
}

// suspendedSince reports whether a queue instance is suspended (S) only because of tasks that started in
// the run or later. Then the run could use it, because its superiors did not have enough used slots before
// (R44).
func suspendedSince(s *model.Snapshot, begun []*model.Task, q *model.QueueInstance, at time.Time) bool {
	if !has(q.State, 'S') || !Usable(strings.ReplaceAll(q.State, "S", "")) {
		return false
	}
	since := false
	for i := range s.Instances {
		p := &s.Instances[i]
		k := slices.IndexFunc(p.Subordinates, func(o model.Subordinate) bool { return o.Queue == q.Queue })
		if k < 0 || p.Host != q.Host || p.SlotwiseSum > 0 || !p.Suspends(p.Subordinates[k], float64(p.Used)) {
			continue
		}
		if since = true; p.Suspends(p.Subordinates[k], float64(usedBefore(begun, p, at))) {
			return false
		}
	}
	return since
}

// usedBefore are the slots that were in use in a queue instance when a run began.
func usedBefore(begun []*model.Task, q *model.QueueInstance, at time.Time) int {
	used := q.Used
	for _, t := range begun {
		switch ended, started := !t.Ended.IsZero(), StartedAt(t, at); {
		case ended && !started && !t.Ended.Before(at):
			used += slotsIn(t, q.Name)
		case !ended && started:
			used -= slotsIn(t, q.Name)
		}
	}
	return used
}

// slotsIn are the slots of a task in one queue instance.
func slotsIn(t *model.Task, name string) (n int) {
	for _, g := range t.Granted {
		switch {
		case g.Instance != name:
		case len(t.Granted) == 1:
			n += max(t.Slots, 1)
		default:
			n += g.Slots
		}
	}
	return n
}

// heldSlots counts the slots that tasks hold in each queue instance.
func heldSlots(begun []*model.Task) map[string]int {
	held := map[string]int{}
	for _, t := range begun {
		if t.Started.IsZero() || !t.Ended.IsZero() {
			continue
		}
		for _, g := range t.Granted {
			if len(t.Granted) == 1 {
				g.Slots = max(t.Slots, 1)
			}
			held[g.Instance] += g.Slots
		}
	}
	return held
}

// slotsOn are the slots of a task, where its master task is on a usable queue instance.
func slotsOn(t *model.Task, usable map[string]bool) int {
	if len(t.Granted) > 0 && usable[t.Granted[0].Instance] {
		return t.Slots
	}
	return 0
}

// Begun are the jobs of which a task has started or ended, in the order of the snapshot. Jobs has found them already.
func (l *Lists) Begun(s *model.Snapshot) []*model.Job {
	if l.begun == nil { // Jobs did not make these lists
		return begunJobs(s)
	}
	return l.begun
}

// begunJobs are the jobs of which a task has started or ended, in the order of the snapshot. In a long queue these are few.
func begunJobs(s *model.Snapshot) []*model.Job {
	first, second := halves.Make(len(s.Jobs), func(from, to int) (jobs []*model.Job) {
		for i := from; i < to; i++ {
			if j := &s.Jobs[i]; anyBegun(j) {
				jobs = append(jobs, j)
			}
		}
		return jobs
	})
	return slices.Concat(first, second)
}

// anyBegun reports whether a task of a job has started or ended.
func anyBegun(j *model.Job) bool {
	for k := range j.Tasks {
		if hasBegun(&j.Tasks[k]) {
			return true
		}
	}
	return false
}

func hasBegun(t *model.Task) bool { return !t.Started.IsZero() || !t.Ended.IsZero() }

// begunTasks returns those tasks of the jobs that have started or ended.
func begunTasks(jobs []*model.Job) (begun []*model.Task) {
	for _, j := range jobs {
		for k := range j.Tasks {
			if t := &j.Tasks[k]; hasBegun(t) {
				begun = append(begun, t)
			}
		}
	}
	return begun
}

// Usable reports whether a queue instance in that state can start jobs.
func Usable(state string) bool {
	for _, letter := range []byte("uadsSACDEco") {
		if has(state, letter) {
			return false
		}
	}
	return true
}
