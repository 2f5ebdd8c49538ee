package forecast

import (
	"time"

	"qprism/engine/model"
)

// A Clock says how long tasks run.
type Clock struct {
	// Estimate is the user's guess for tasks without a limit; if it is zero, default_duration of
	// sched_conf(5) counts.
	Estimate time.Duration
	// History has run times of ended tasks. With it, tasks end before their limits. It may be nil.
	History  *History
	standard time.Duration
}

// NewClock is the clock of a policy.
func NewClock(p *model.Policy, estimate time.Duration) Clock {
	return Clock{Estimate: estimate, standard: p.DefaultDuration}
}

// Length is how long a task runs, Forever if it never ends. It is the shorter of the requested h_rt and s_rt,
// else the limit of its queue instances (nil before it starts), else the estimate. A shorter time from a
// history takes precedence.
func (c Clock) Length(j *model.Job, on []*model.QueueInstance) time.Duration {
	return c.LengthAfter(j, on, 0)
}

// LengthAfter is the total run time of a task that has already run for ran.
func (c Clock) LengthAfter(j *model.Job, on []*model.QueueInstance, ran time.Duration) time.Duration {
	length, _ := c.lengths(j, on, ran)
	return length
}

// lengths returns the total run time of a task that has already run for ran, and the time from start until it is
// killed: Forever if no limit ends it.
func (c Clock) lengths(j *model.Job, on []*model.QueueInstance, ran time.Duration) (length, limit time.Duration) {
	limit, limited := limitOf(j, on)
	if usual, ok := c.History.Runtime(j, ran); ok {
		return min(usual, limit), limit
	}
	switch {
	case limited:
		return limit, limit
	case c.Estimate > 0:
		return c.Estimate, limit
	}
	return c.standard, limit
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
