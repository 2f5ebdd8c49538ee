package lastrun

import (
	"container/heap"
	"slices"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// replay repeats the starts of the run in dispatch order. It finds the numbers of each task when it started,
// and those of a job's waiting tasks afterwards. After each start the scheduler ranks the job's next task
// again, except when the start filled the last slot, or when no tickets were computed for the next task. Then
// its last order about the waiting tasks names the task that just started: that task gets their numbers, and
// they keep those of the run before (undocumented behavior Q17).
func (v *View) replay() {
	v.starts, v.last, v.unranked = map[ticket.TaskID]priority.Task{}, map[uint32]priority.Task{}, map[uint32]uint32{}
	limit := v.newUserLimit()
	queue := v.startQueue()
	jobs := map[uint32]*starter{}
	for _, j := range queue {
		jobs[j.computed.Job.Number] = j
	}
	heap.Init(&queue)
	for len(queue) > 0 {
		j := queue[0]
		number := j.computed.Job.Number
		id, t := j.next()
		v.starts[ticket.TaskID{Job: number, Task: id}] = t
		v.Started = append(v.Started, ticket.TaskID{Job: number, Task: id})
		limit.started(j)
		if j.done == len(j.tasks) {
			heap.Pop(&queue)
		}
		last := v.leftSlots == 0 && len(queue) == 0
		if ranked := !last && j.rankNext(v.Result); !ranked && !j.namesNew() {
			v.unranked[number] = id
		} else {
			delete(v.unranked, number)
		}
		if j.done < len(j.tasks) {
			heap.Fix(&queue, 0)
		} else {
			v.last[number] = j.template
		}
	}
	v.rankReserved(jobs)
	v.noteLeft(limit, jobs)
}

// rankReserved goes through the reservations of the run. After each one the job's next task is ranked, as
// long as more reservations are allowed (max_reservation) and the job has more tasks.
func (v *View) rankReserved(jobs map[uint32]*starter) {
	for n, id := range v.reservations() {
		j := jobs[id.Job]
		if c := v.Result.Job(id.Job); j == nil && c != nil && len(c.Waiting()) > 0 {
			j = &starter{computed: c, template: c.Template(), prio: c.Prio}
			jobs[id.Job] = j
		}
		if j == nil || n+1 >= v.Snapshot.Policy.MaxReservation {
			continue
		}
		j.done++
		if j.rankNext(v.Result) {
			v.last[id.Job] = j.template
		}
	}
}

// reservations are those of the run, from the last section of the schedule file.
func (v *View) reservations() []ticket.TaskID {
	runs := v.Snapshot.Runs
	if len(runs) == 0 {
		return nil
	}
	var list []ticket.TaskID
	for _, l := range runs[len(runs)-1].Lines {
		if id := (ticket.TaskID{Job: l.Job, Task: l.Task}); l.State == "RESERVING" && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// startQueue lists the jobs with tasks that the run started.
func (v *View) startQueue() starters {
	var queue starters
	for _, c := range v.Result.Pending {
		if tasks := v.startedTasks(c.Job); len(tasks) > 0 {
			queue = append(queue, &starter{computed: c, template: c.Template(), prio: c.Prio, tasks: tasks})
		}
	}
	return queue
}

// noteLeft notes for each pending job whether it has tasks left, and their numbers.
func (v *View) noteLeft(limit *userLimit, jobs map[uint32]*starter) {
	for i := range v.Lists.Pending {
		e := &v.Lists.Pending[i]
		number := e.Job.Number
		if len(v.startedTasks(e.Job)) < len(e.Tasks)+model.CountOf(e.Waiting) {
			p := v.places[number]
			c := v.Result.Job(number)
			prio := c.Prio
			if j := jobs[number]; j != nil {
				prio = j.prio
			}
			p.left = !limit.excludes(c, prio)
			p.blocked = p.blocked || !p.left
			v.places[number] = p
		}
		if _, ok := v.last[number]; !ok {
			v.last[number] = v.Result.Job(number).Template()
		}
	}
}

// A starter is a job of which the run started tasks.
type starter struct {
	computed *priority.Job
	template priority.Task
	prio     float64
	tasks    []uint32 // that the run started
	done     int      // of them
}

// next is the next task to start, and its numbers.
func (j *starter) next() (uint32, priority.Task) {
	t := j.template
	if j.done < len(j.computed.Pending()) {
		t = j.computed.Pending()[j.done]
	}
	t.Number = j.tasks[j.done]
	j.done++
	return t.Number, t
}

// rankNext gives the job the tickets of its next waiting task, if any were computed.
func (j *starter) rankNext(r *priority.Result) bool {
	k := j.done - len(j.computed.Pending())
	if k < 0 {
		j.prio = j.computed.Pending()[j.done].Prio
		return true
	}
	if k >= len(j.computed.Waiting()) {
		return false
	}
	j.template = j.computed.Waiting()[k]
	j.template.NTckts = urgency.Normalize(j.template.Total, 0, r.Tickets.Maximum)
	j.template.Prio = r.Weights.Reblend(j.computed.Urgency.Norm, j.template.NTckts, j.computed.NPPrior)
	j.prio = j.template.Prio
	return true
}

// namesNew reports whether the order about the job's waiting tasks names the first new one, as it did
// before the run started any.
func (j *starter) namesNew() bool {
	return j.done <= len(j.computed.Pending()) && len(j.computed.Waiting()) > 0
}

// startedTasks are the numbers of a job's tasks that the run started, in ascending order.
func (v *View) startedTasks(j *model.Job) []uint32 {
	var list []uint32
	for i := range j.Tasks {
		if t := &j.Tasks[i]; split.StartedAt(t, v.At) {
			list = append(list, FirstNumber(t))
		}
	}
	slices.Sort(list)
	return list
}

// starters is a heap of jobs in dispatch order.
type starters []*starter

func (s starters) Len() int      { return len(s) }
func (s starters) Swap(i, k int) { s[i], s[k] = s[k], s[i] }
func (s *starters) Push(x any)   { *s = append(*s, x.(*starter)) }
func (s *starters) Pop() any {
	old := *s
	x := old[len(old)-1]
	*s = old[:len(old)-1]
	return x
}

func (s starters) Less(i, k int) bool {
	return priority.CompareDispatch(s[i].computed.Job, s[i].prio, s[k].computed.Job, s[k].prio) < 0
}
