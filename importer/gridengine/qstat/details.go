package qstat

import (
	"fmt"
	"math"
	"slices"
	"time"

	"qprism/engine/model"
)

// details are what qstat -j printed, before they are merged into the jobs that qstat printed: the two files are read at
// the same time.
type details struct {
	jobs     []*detail
	messages []message
	unix     bool // times are no local ones
	lists    bool // the file lists waiting tasks, as releases from 9.1 on do
	complete bool // it was read to its end
}

// A detail is one job.
type detail struct {
	model.Job
	line    int // where it ends
	tasks   []taskDetail
	waiting []model.Range // its tasks that have no object, where they are listed
	pending int           // how many tasks without an object wait, -1 where that is not said
}

// A taskDetail is a task with an object of its own.
type taskDetail struct {
	number  uint32
	status  uint32
	started time.Time
	usage   []model.Amount
	granted []model.Grant
}

// A merger puts details into the table of jobs.
type merger struct {
	*details
	r       *reader
	jobs    *jobTable
	alone   bool     // no other file lists jobs
	assumed []uint32 // jobs whose waiting tasks are those that the file does not list
}

// mergeInto puts all details into a table of jobs.
func (d *details) mergeInto(r *reader, jobs *jobTable) {
	m := &merger{details: d, r: r, jobs: jobs, alone: r.JobsFile() == ""}
	for _, one := range d.jobs {
		m.job(one)
	}
	for i := range d.messages {
		for _, number := range d.messages[i].about {
			if j := jobs.find(number); j != nil {
				j.Messages = append(j.Messages, d.messages[i].JobReason)
			}
		}
	}
	if d.complete {
		m.dropAssumed()
	}
}

// job puts what was read of a job into the table.
func (m *merger) job(d *detail) {
	j, isNew := m.jobs.job(d.Number)
	m.jobs.listed(j.Number)
	if !isNew {
		if m.unix {
			m.r.Hint(j.Submitted, d.Submitted)
		}
		d.Tasks, d.Reported = j.Tasks, j.Reported
		d.Array = d.Array || j.Array
		keepUnlessGiven(&d.Project, j.Project)
		keepUnlessGiven(&d.Department, j.Department)
		keepUnlessGiven(&d.Binding, j.Binding)
		copyContributions(d.Hard, j.Hard)
		copyContributions(d.Soft, j.Soft)
		copyScope(d.MasterScope, j.MasterScope)
		copyScope(d.SlaveScope, j.SlaveScope)
	}
	*j = d.Job
	j.Finished = d.finished(j)
	m.tasks(d, j)
}

func keepUnlessGiven(given *string, have string) {
	if *given == "" {
		*given = have
	}
}

// copyContributions takes the urgency of requests from where qstat -r printed it.
func copyContributions(to, from []model.Request) {
	for i := range to {
		for _, f := range from {
			if f.Resource == to[i].Resource {
				to[i].Contribution = f.Contribution
				break
			}
		}
	}
}

func copyScope(to, from *model.Scope) {
	if to != nil && from != nil {
		copyContributions(to.Hard, from.Hard)
		copyContributions(to.Soft, from.Soft)
	}
}

// Values of JAT_status.
const (
	statusIdle     = 0
	statusFinished = 1 << 16
)

// finished are the tasks that have ended and that the master still keeps. One that qstat.xml shows running
// ended while the bundle was made.
func (d *detail) finished(j *model.Job) (list []model.FinishedTask) {
	for _, t := range d.tasks {
		runs := func(o model.Task) bool { return len(o.Granted) > 0 && holds(o.IDs, t.number) }
		if t.status == statusFinished && !slices.ContainsFunc(j.Tasks, runs) {
			list = append(list, model.FinishedTask{Number: t.number, Started: t.started})
		}
	}
	return list
}

func holds(ranges []model.Range, number uint32) bool {
	return slices.ContainsFunc(ranges, func(r model.Range) bool { return r.Holds(number) })
}

// tasks puts what was read of the job's tasks into those that qstat.xml shows.
func (m *merger) tasks(d *detail, j *model.Job) {
	if len(j.Tasks) == 0 && m.alone {
		m.tasksAlone(d, j)
		return
	}
	if len(j.Tasks) == 0 || len(d.tasks) == 0 {
		return
	}
	single := map[uint32]int{} // places of tasks that stand alone
	for i, t := range j.Tasks {
		if len(t.IDs) == 1 && t.IDs[0].Min == t.IDs[0].Max {
			single[t.IDs[0].Min] = i
		}
	}
	var enrolled []uint32 // waiting tasks, in groups with others
	for _, t := range d.tasks {
		i, alone := single[t.number]
		switch waiting := t.status == statusIdle; {
		case !alone && waiting:
			enrolled = append(enrolled, t.number)
		case alone && waiting == (len(j.Tasks[i].Granted) == 0):
			if m.unix && !waiting {
				m.r.Hint(j.Tasks[i].Started, t.started)
			}
			t.mergeInto(&j.Tasks[i])
		}
	}
	if len(enrolled) > 0 {
		slices.Sort(enrolled)
		splitEnrolled(j, enrolled)
	}
}

// tasksAlone makes the tasks of a job that no other listing shows: those that it lists run or have been
// enrolled. The others wait as far as they have not ended, which only newer releases say.
func (m *merger) tasksAlone(d *detail, j *model.Job) {
	waiting := j.Structure
	if len(waiting) == 0 {
		waiting = []model.Range{{Min: 1, Max: 1, Step: 1}}
	}
	for _, o := range d.tasks {
		waiting = model.Without(waiting, o.number)
		t := model.Task{IDs: []model.Range{{Min: o.number, Max: o.number, Step: 1}}, State: "r",
			Enrolled: true, Started: o.started,
			Usage: o.usage, Granted: o.granted, Slots: granted(o.granted)}
		if o.status == statusIdle {
			t.State = "qw"
		}
		if o.status != statusFinished {
			j.Tasks = append(j.Tasks, t)
		}
	}
	switch {
	case len(d.waiting) > 0:
		waiting = d.waiting
	case d.pending >= 0: // tasks start in the order of their numbers
		waiting = lastNumbers(waiting, uint64(d.pending))
	case len(waiting) > 0:
		if waiting = m.withoutStarted(d, waiting); len(waiting) > 0 {
			m.assumed = append(m.assumed, j.Number)
		}
	}
	if len(waiting) > 0 {
		j.Tasks = append(j.Tasks, model.Task{IDs: waiting, State: "qw"})
	}
}

// withoutStarted takes away the tasks below the first that runs: tasks start in the order of their numbers,
// so that these have ended. That is no more than likely, as somebody may hold some tasks only, and is said.
func (m *merger) withoutStarted(d *detail, waiting []model.Range) []model.Range {
	first := uint32(math.MaxUint32)
	for _, t := range d.tasks {
		if t.status != statusIdle && t.status != statusFinished {
			first = min(first, t.number)
		}
	}
	rest := waiting
	if n, ok := model.First(waiting); len(d.tasks) > 0 && ok && n < first {
		rest = numbersFrom(waiting, first)
		m.r.Snap.Repaired = append(m.r.Snap.Repaired, model.Repair{File: "qstat-j.xml", Line: d.line,
			Text: fmt.Sprintf("job %d", d.Number), Count: 1,
			Note: "its tasks before the first that runs are taken to have ended, which qstat -j does " +
				"not say; qstat lists those that wait", Guess: true})
	}
	return rest
}

// dropAssumed takes the waiting tasks away that jobs do not list, where the file lists those of other jobs.
func (m *merger) dropAssumed() {
	if !m.lists {
		return
	}
	for _, number := range m.assumed {
		if j := m.jobs.find(number); j != nil {
			j.Tasks = j.Tasks[:len(j.Tasks)-1]
		}
	}
}

// mergeInto puts what was read of a task into it. Both files show it running, or both waiting. Usage that
// qstat.xml shows is of the same moment as the task's other values, and stays.
func (d *taskDetail) mergeInto(t *model.Task) {
	t.Enrolled = true
	for _, u := range d.usage {
		if !slices.ContainsFunc(t.Usage, func(have model.Amount) bool { return have.Name == u.Name }) {
			t.Usage = append(t.Usage, u)
		}
	}
	if len(t.Granted) == 0 || d.status == statusFinished {
		return
	}
	if !d.started.IsZero() {
		t.Started = d.started
	}
	if len(d.granted) > 0 && granted(d.granted) == t.Slots {
		t.Granted = d.granted
	}
}

// splitEnrolled parts the waiting groups of a job: from the tasks of these numbers, for which the master
// keeps objects of their own, and the others.
func splitEnrolled(j *model.Job, numbers []uint32) {
	var tasks []model.Task
	for _, group := range j.Tasks {
		if len(group.Granted) == 0 && !group.Enrolled {
			taken, rest := takeNumbers(group.IDs, numbers)
			if alone := group; len(taken) > 0 {
				alone.IDs, alone.Enrolled = taken, true
				tasks = append(tasks, alone)
				group.IDs = rest
			}
		}
		if len(group.IDs) > 0 {
			tasks = append(tasks, group)
		}
	}
	j.Tasks = tasks
}
