package forecast

import (
	"container/heap"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// suspended are the letters of a queue instance whose tasks stand still: by a queue that it is subordinate
// to, by its calendar.
const suspended = "SC"

// subordinate suspends and resumes what a queue instance has on its list, after the number of its slots in
// use has changed, queue_conf(5). Of slot-wise lists, which suspend single tasks, nothing is known here.
func (c *Cluster) subordinate(q *model.QueueInstance, before int) {
	if q.SlotwiseSum > 0 {
		return
	}
	for _, s := range q.Subordinates {
		lower := c.instances[s.Queue+"@"+q.Host]
		if lower == nil || q.Suspends(s, float64(before)) == q.Suspends(s, float64(q.Used)) {
			continue
		}
		state := strings.ReplaceAll(lower.State, "S", "")
		if c.suspendedBy(lower) {
			state += "S"
		}
		c.enter(lower, state)
	}
}

// suspendedBy reports whether any queue instance suspends another one at the moment.
func (c *Cluster) suspendedBy(lower *model.QueueInstance) bool {
	for i := range c.Instances {
		q := &c.Instances[i]
		if q.Host == lower.Host && q.SlotwiseSum == 0 && slices.ContainsFunc(q.Subordinates, func(s model.Subordinate) bool {
			return s.Queue == lower.Queue && q.Suspends(s, float64(q.Used))
		}) {
			return true
		}
	}
	return false
}

// enter gives a queue instance a state.
func (c *Cluster) enter(q *model.QueueInstance, state string) {
	if strings.ContainsAny(q.State, suspended) != strings.ContainsAny(state, suspended) {
		c.switched = true
	}
	q.State = state
}

// standsStill reports whether a task runs in a queue instance that is suspended.
func (c *Cluster) standsStill(t *model.Task) bool {
	return slices.ContainsFunc(t.Granted, func(g model.Grant) bool {
		q := c.instances[g.Instance]
		return q != nil && strings.ContainsAny(q.State, suspended)
	})
}

// migrate puts a running task back among those that wait, and frees its slots: checkpoint(5), when x.
func (c *Cluster) migrate(id taskID) {
	j := c.Job(id.job)
	k := started(j, id.task)
	t := j.Tasks[k]
	c.hold(t.Granted, -1)
	j.Tasks[k] = model.Task{IDs: only(id.task), State: "Rq", Enrolled: true, Slots: t.Slots}
}

// leaves reports whether a job's checkpointing environment removes it from a suspended queue. goesOn says
// whether the job then continues where it was, and not from its beginning.
func (c *Cluster) leaves(j *model.Job) (leaves, goesOn bool) {
	for _, ck := range c.Checkpoints {
		if ck.Name != j.Checkpoint || j.Checkpoint == "" {
			continue
		}
		when, _ := model.Text(ck.Settings, "when")
		command, _ := model.Text(ck.Settings, "ckpt_command")
		return strings.Contains(when, "x"), command != "" && !strings.EqualFold(command, "none")
	}
	return false, false
}

// A taskID names a task.
type taskID struct{ job, task uint32 }

// A rest is what a task that stands still has left to run; known is false where nothing ends it.
type rest struct {
	left  time.Duration
	known bool
}

// stand stops the tasks whose queue instance has been suspended, and lets those go on whose instance runs again.
func (p *play) stand(at time.Time, window Window) {
	if !p.cluster.switched {
		return
	}
	p.cluster.switched = false
	var stopped, freed []taskID
	p.cluster.EachRunning(func(j *model.Job, t *model.Task) {
		still := p.cluster.standsStill(t)
		id := taskID{j.Number, t.IDs[0].Min}
		_, stood := p.still[id]
		switch {
		case still && !stood:
			stopped = append(stopped, id)
		case stood && !still:
			freed = append(freed, id)
		}
	})
	for _, id := range stopped {
		p.stop(id, at)
	}
	for _, id := range freed {
		p.goOn(id, at, window)
	}
}

// stop lets a task stand still. Its limit of run time goes on: sge_execd counts from its start, and kills a
// suspended task, too.
func (p *play) stop(id taskID, at time.Time) {
	p.meter.end(id, at)
	e, known := p.drop(id)
	left := rest{e.at.Sub(at), known}
	j := p.cluster.Job(id.job)
	if leaves, goesOn := p.cluster.leaves(j); leaves {
		if known && goesOn {
			p.kept[id] = max(left.left-p.Latency, 0)
		}
		p.reviseEnd(id, at)
		p.cluster.migrate(id)
		return
	}
	p.still[id] = left
	p.forecast.Stops = append(p.forecast.Stops, Stop{Job: id.job, Task: id.task, At: at})
	if e.killed.IsZero() {
		p.reviseEnd(id, time.Time{})
		return
	}
	by := e.killed.Sub(e.at)
	e.at, e.window = e.killed, Window{e.window.Earliest.Add(by), e.window.Latest.Add(by)}
	p.expectEnd(e)
}

// goOn lets a task run again for what it has left, or until its limit.
func (p *play) goOn(id taskID, at time.Time, window Window) {
	left := p.still[id]
	delete(p.still, id)
	p.meter.begin(p.cluster.Job(id.job), id.task, at)
	for i := range slices.Backward(p.forecast.Stops) {
		if s := &p.forecast.Stops[i]; s.Job == id.job && s.Task == id.task {
			s.Until = at
			break
		}
	}
	e, limited := p.drop(id) // at its limit
	if !left.known {
		return
	}
	if end := at.Add(left.left); !limited || end.Before(e.killed) {
		e.job, e.task, e.at = id.job, id.task, end
		e.window = Window{window.Earliest.Add(left.left), window.Latest.Add(left.left + p.slowest())}
	}
	p.expectEnd(e)
}

// drop forgets when a task ends.
func (p *play) drop(id taskID) (e ending, known bool) {
	k := slices.IndexFunc(p.ends, func(e *ending) bool { return e.job == id.job && e.task == id.task })
	if k < 0 {
		return e, false
	}
	return *heap.Remove(&p.ends, k).(*ending), true
}

// expectEnd notes when a task ends.
func (p *play) expectEnd(e ending) {
	heap.Push(&p.ends, &e)
	p.reviseEnd(taskID{e.job, e.task}, e.at.Add(-p.Latency))
}

// reviseEnd corrects the end of a task in the forecast.
func (p *play) reviseEnd(id taskID, end time.Time) {
	for _, list := range [][]Start{p.forecast.Starts, p.forecast.Running} {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Job == id.job && list[i].Task == id.task {
				list[i].End = end
				return
			}
		}
	}
}
