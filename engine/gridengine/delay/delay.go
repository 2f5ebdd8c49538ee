package delay

import (
	"slices"

	"qprism/engine/delay"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/cluster"
	"qprism/engine/model"
)

// Of explains why a job does not start in a plan of schedule.Run. If task is not 0, it explains that task.
func Of(s *model.Snapshot, p *model.Plan, j *model.Job, task uint32) *delay.Delay {
	d := &delay.Delay{Job: j, Running: runningTasks(p, j, task)}
	first := d.Choose(p, func(o *model.Decision) bool { return o.Job == j.Number && delay.Concerns(o.Tasks, task) })
	if d.Decision == nil {
		return d
	}
	d.Awaited = awaited(s, j)
	f := newInstances(s, p, j, d.Decision)
	d.General, d.Hosts = f.general, f.hosts()
	offset, clock := cluster.DurationOffset(&s.Policy), forecast.NewClock(&s.Policy, 0)
	if d.Decision.Verdict == model.Later {
		d.Slack = offset
	}
	d.Holders = delay.Holders(s, delay.InTheWay(delay.AtTheirLimits(s, forecast.Booked(s, p), offset, clock),
		first), f.wanted(d.Hosts))
	if delay.TriedInTurn(d.Decision.Why) {
		d.Closed = closed(p)
		d.Ahead = workAhead(s, p, first, clock)
	}
	return d
}

// runningTasks counts the tasks of a job that ran before the run.
func runningTasks(p *model.Plan, j *model.Job, task uint32) (n int) {
	for k := range j.Tasks {
		if t := &j.Tasks[k]; !t.Started.IsZero() && t.Started.Before(p.RunAt) && delay.Concerns(t.IDs, task) {
			n++
		}
	}
	return n
}

// awaited reports whether a job waits for one that runs.
func awaited(s *model.Snapshot, j *model.Job) bool {
	for i := range s.Jobs {
		if o := &s.Jobs[i]; slices.Contains(j.Predecessors, o.Number) && runs(o) {
			return true
		}
	}
	return false
}

// runs reports whether a task of a job runs.
func runs(j *model.Job) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return !t.Started.IsZero() })
}

// closed are the queue instances in which no job can start, by reason, but for full ones: Hosts has them,
// where they matter.
func closed(p *model.Plan) []delay.Group {
	var g delay.Grouping
	for _, why := range p.Closed {
		if why.Kind != model.ReasonFull {
			g.Add(why.Object, delay.Obstacle{Why: why})
		}
	}
	return g.Groups
}
