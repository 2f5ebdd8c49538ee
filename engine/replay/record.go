package replay

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Record is what happened in a period.
type Record struct {
	First, Last *model.Snapshot
	moments     []moment // of the snapshots, by time
	jobs        map[uint32]*seen
	tasks       map[taskID]*life
	running     map[taskID]*life // in the last snapshot
}

type taskID struct{ job, task uint32 }

// A life is a task that started.
type life struct {
	job        *model.Job
	task       uint32
	slots      int
	start, end time.Time // end is zero where it runs on
	accounted  bool      // the end is that of accounting
	last       int       // the last snapshot that has it
}

// length is how long a task ran; ok is false where it has not ended.
func (l *life) length() (d time.Duration, ok bool) {
	return max(l.end.Sub(l.start), 0), !l.end.IsZero()
}

// A seen job is one of a snapshot.
type seen struct {
	job  *model.Job // as it was last known to wait
	last int        // the last snapshot that has it
}

// NewRecord begins a record.
func NewRecord() *Record {
	return &Record{jobs: map[uint32]*seen{}, tasks: map[taskID]*life{}, running: map[taskID]*life{}}
}

// Add adds the next snapshot, and the tasks that had ended by then, from accounting.
func (r *Record) Add(s *model.Snapshot, ended []model.EndedTask) {
	m := moment{at: s.TakenAt, states: r.switched(s)}
	now := len(r.moments)
	for i := range s.Jobs {
		r.see(&m, &s.Jobs[i], now)
	}
	for i := range ended {
		r.end(&m, &ended[i])
	}
	r.miss(&m, now)
	if r.First == nil {
		m, r.First = moment{at: m.at}, s
	}
	r.moments, r.Last = append(r.moments, m), s
}

// see notes a job of a snapshot.
func (r *Record) see(m *moment, j *model.Job, now int) {
	known := r.jobs[j.Number]
	switch {
	case known == nil:
		known = &seen{job: submitted(j)}
		r.jobs[j.Number] = known
		m.come = append(m.come, known.job)
	case waitsWhole(j) && waitsWhole(known.job) && altered(known.job, j):
		known.job = submitted(j)
		m.altered = append(m.altered, known.job)
	}
	known.last = now
	for k := range j.Tasks {
		if t := &j.Tasks[k]; !t.Started.IsZero() && t.Ended.IsZero() {
			number, _ := model.First(t.IDs)
			r.run(known.job, t, max(number, 1), now)
		}
	}
}

// run notes a task that runs.
func (r *Record) run(j *model.Job, t *model.Task, number uint32, now int) {
	id := taskID{j.Number, number}
	l := r.tasks[id]
	if l == nil {
		l = &life{job: j, task: number}
		r.tasks[id] = l
	}
	l.start, l.slots, l.last = t.Started, max(t.Slots, 1), now
	r.running[id] = l
}

// end notes what accounting tells. A job that no snapshot has came and went between two of them.
func (r *Record) end(m *moment, e *model.EndedTask) {
	id := taskID{e.Job, max(e.Task, 1)}
	l := r.tasks[id]
	if e.Started.IsZero() || l != nil && l.accounted || len(r.moments) == 0 || !e.Ended.After(r.moments[0].at) {
		return
	}
	known := r.jobs[e.Job]
	if known == nil {
		job := e.AsJob()
		known = &seen{job: &job}
		known.job.Tasks = []model.Task{waiting(id.task, max(e.Slots, 1))}
		r.jobs[e.Job] = known
		m.come = append(m.come, known.job)
	}
	if l == nil {
		l = &life{job: known.job, task: id.task, slots: max(e.Slots, 1)}
		r.tasks[id] = l
	}
	l.start, l.end, l.accounted = e.Started, e.Ended, true
	delete(r.running, id)
}

// miss notes what is no longer there: tasks have ended, and jobs of which nothing started were withdrawn.
func (r *Record) miss(m *moment, now int) {
	for id, l := range r.running {
		if l.last < now { // at some time between two snapshots
			before := r.moments[l.last].at
			l.end = model.Latest(l.start, before.Add(m.at.Sub(before)/2))
			delete(r.running, id)
		}
	}
	for number, known := range r.jobs {
		if known.last == now-1 && now > 0 {
			m.gone = append(m.gone, number)
		}
	}
	slices.Sort(m.gone)
}

// switched are the queue instances whose states are others than in the snapshot before.
func (r *Record) switched(s *model.Snapshot) map[string]string {
	if r.Last == nil {
		return nil
	}
	states := map[string]string{}
	before := make(map[string]string, len(r.Last.Instances))
	for i := range r.Last.Instances {
		before[r.Last.Instances[i].Name] = r.Last.Instances[i].State
	}
	for i := range s.Instances {
		if q := &s.Instances[i]; before[q.Name] != q.State {
			states[q.Name] = q.State
		}
	}
	return states
}

// lives are the tasks that started, by number.
func (r *Record) lives() (list []*life) {
	for _, l := range r.tasks {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *life) int {
		return cmp.Or(cmp.Compare(a.job.Number, b.job.Number), cmp.Compare(a.task, b.task))
	})
	return list
}

// ended are the tasks of lives as accounting has them: those that ended by a moment.
func ended(list []*life, by time.Time) (tasks []model.EndedTask) {
	for _, l := range list {
		if d, ok := l.length(); ok && !l.end.After(by) {
			tasks = append(tasks, model.EndedTask{Job: l.job.Number, Task: l.task, Name: l.job.Name,
				Owner: l.job.Owner, Project: l.job.Project,
				Department: l.job.Department, Slots: l.slots, Submitted: l.job.Submitted, Started: l.start,
				Ended: l.end, Wallclock: d})
		}
	}
	return tasks
}
