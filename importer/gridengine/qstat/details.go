package qstat

import (
	"fmt"
	"math"
	"slices"
	"time"

	"qprism/engine/model"
)

// details has the output of qstat -j, before it is merged into the jobs of qstat. Both files are read at the
// same time.
type details struct {
	jobs     []*detail
	messages []message
	unix     bool // times are not local
	lists    bool // the file lists waiting tasks, as releases since 9.1 do
	complete bool // the file was read to its end
}

// A detail is one job.
type detail struct {
	model.Job
	line    int // number of its last line
	tasks   []taskDetail
	waiting []model.Range // its tasks without an object, if the file lists them
	pending int           // number of waiting tasks without an object; -1 if unknown
}

// A taskDetail is a task that has its own object in the master.
type taskDetail struct {
	number  uint32
	status  uint32
	started time.Time
	usage   []model.Amount
	granted []model.Grant
}

// A merger adds details to the table of jobs.
type merger struct {
	*details
	r       *reader
	jobs    *jobTable
	alone   bool     // no other file lists jobs
	assumed []uint32 // jobs whose waiting tasks are assumed, because the file does not list them
}

// mergeInto adds all details to a table of jobs.
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

// job adds the details of a job to the table.
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
		d.Hard, d.Soft = withContributions(d.Hard, j.Hard), withContributions(d.Soft, j.Soft)
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

// withContributions returns requests with their urgency from the output of qstat -r: a copy, if there is any.
func withContributions(requests, listed []model.Request) []model.Request {
	if len(listed) == 0 {
		return requests
	}
	own := slices.Clone(requests)
	for i := range own {
		for k := range listed {
			if listed[k].Resource == own[i].Resource {
				own[i].Contribution = listed[k].Contribution
				break
			}
		}
	}
	return own
}

func copyScope(to, from *model.Scope) {
	if to != nil && from != nil {
		to.Hard, to.Soft = withContributions(to.Hard, from.Hard), withContributions(to.Soft, from.Soft)
	}
}

// Values of JAT_status.
const (
	statusIdle     = 0
	statusFinished = 1 << 16
)

// finished returns the ended tasks that the master still keeps. A task that runs in qstat.xml ended during the
// capture.
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

// tasks adds the details of the job's tasks to the tasks of qstat.xml.
func (m *merger) tasks(d *detail, j *model.Job) {
	if len(j.Tasks) == 0 && m.alone {
		m.tasksAlone(d, j)
		return
	}
	if len(j.Tasks) == 0 || len(d.tasks) == 0 {
		return
	}
	single := map[uint32]int{} // places of tasks that are not in a group
	for i, t := range j.Tasks {
		if len(t.IDs) == 1 && t.IDs[0].Min == t.IDs[0].Max {
			single[t.IDs[0].Min] = i
		}
	}
	var enrolled []uint32 // waiting tasks that are in groups
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

// tasksAlone makes the tasks of a job that no other listing has. Tasks in the list run, or were enrolled. All
// others wait, unless they have ended; only newer releases show that.
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

// withoutStarted removes the tasks below the first running task. Tasks start in the order of their numbers, so
// these tasks have probably ended. This is not certain, because somebody may hold only some tasks. The snapshot
// says so.
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

// dropAssumed removes assumed waiting tasks, if the file lists the waiting tasks of other jobs.
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

// mergeInto adds the details of a task to it. Both files show it running, or both show it waiting. Usage in
// qstat.xml stays, because it is from the same moment as the task's other values.
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

// splitEnrolled splits the waiting groups of a job into two: tasks with these numbers, which have their own
// objects in the master, and all others.
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
