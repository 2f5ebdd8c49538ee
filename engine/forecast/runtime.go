package forecast

import (
	"time"

	"qprism/engine/model"
)

// A Clock says how long tasks run.
type Clock struct {
	// Estimate is the user's guess for tasks that no limit ends; where it is zero, the scheduler's own guess counts:
	// default_duration of sched_conf(5).
	Estimate time.Duration
	// History is what tasks ran that have ended; with it, tasks end before their limits. It may be nil.
	History  *History
	standard time.Duration
}

// NewClock is the clock of a policy.
func NewClock(p *model.Policy, estimate time.Duration) Clock {
	return Clock{Estimate: estimate, standard: p.DefaultDuration}
}

// Length is how long a task of a job runs, Forever where nothing ends it: up to the first of the limits h_rt and s_rt that
// the job asks for; else up to those of the queue instances that it runs on, nil before it starts; else as long as guessed.
// Where a history knows of shorter times, they count.
func (c Clock) Length(j *model.Job, on []*model.QueueInstance) time.Duration {
	return c.LengthAfter(j, on, 0)
}

// LengthAfter is how long a task runs in all that has been running for a while.
func (c Clock) LengthAfter(j *model.Job, on []*model.QueueInstance, ran time.Duration) time.Duration {
	limit, limited := limitOf(j, on)
	if usual, ok := c.History.Runtime(j, ran); ok {
		return min(usual, limit)
	}
	switch {
	case limited:
		return limit
	case c.Estimate > 0:
		return c.Estimate
	}
	return c.standard
}

// Limit is when a task is killed, counted from its start; Forever where no limit ends it.
func (c Clock) Limit(j *model.Job, on []*model.QueueInstance) time.Duration {
	limit, _ := limitOf(j, on)
	return limit
}

// limitOf is the limit on a task's run time: what its job asks for, else the least of the queue instances.
func limitOf(j *model.Job, on []*model.QueueInstance) (length time.Duration, limited bool) {
	if d, limited := asked(j); limited {
		return d, true
	}
	length = model.Forever
	for _, q := range on {
		for _, name := range []string{"h_rt", "s_rt"} {
			if text, ok := model.Text(q.Limits, name); ok {
				length = min(length, interval(text))
			}
		}
	}
	return length, length != model.Forever
}

// asked is the first limit on run time that a job asks for.
func asked(j *model.Job) (length time.Duration, limited bool) {
	length = model.Forever
	for i := range j.Hard {
		if r := &j.Hard[i]; r.Resource == "h_rt" || r.Resource == "s_rt" {
			length, limited = min(length, interval(r.Value)), true
		}
	}
	return length, limited
}

// interval is a limit's time, Forever where it is none.
func interval(text string) time.Duration {
	d, err := model.ParseInterval(text)
	if err != nil || d < 0 {
		return model.Forever
	}
	return d
}

// add is the moment that a duration after another one ends; zero where it is for ever.
func add(start time.Time, d time.Duration) time.Time {
	if d == model.Forever {
		return time.Time{}
	}
	return start.Add(d)
}
