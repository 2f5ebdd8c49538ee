package intend

import (
	"fmt"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// play holds a sentence against a forecast.
func (c *checker) play(v *Verdict) {
	waiting := map[uint32]*ranked{}
	for i := range c.now {
		if r := &c.now[i]; v.First.Selects(r.job) {
			waiting[r.job.Number] = r
		}
	}
	if len(waiting) == 0 {
		v.Why = "none of its jobs waits"
		return
	}
	switch v.Kind {
	case Waits:
		c.longest(v, waiting, func(j *model.Job, start time.Time) time.Duration {
			return start.Sub(j.Submitted)
		}, "has waited")
	case Starts:
		c.longest(v, waiting, func(_ *model.Job, start time.Time) time.Duration {
			return start.Sub(c.At.Truncate(time.Second))
		}, "starts in")
	case Passed:
		c.passed(v, waiting)
	case Gets:
		c.gets(v, waiting)
	}
}

// longest finds the job whose last task has the longest way to go until its start.
func (c *checker) longest(v *Verdict, waiting map[uint32]*ranked,
	way func(*model.Job, time.Time) time.Duration, words string) {
	f := c.forecast()
	var worst *model.Job
	longest := time.Duration(-1)
	for _, s := range f.Starts {
		if r := waiting[s.Job]; r != nil {
			if d := way(r.job, s.At); d > longest || d == longest && r.job.Number < worst.Number {
				worst, longest = r.job, d
			}
		}
	}
	left := c.notStarted(f, waiting)
	if left == nil && worst == nil {
		v.Why = fmt.Sprintf("the forecast has no start of these jobs: %s", f.Ending)
		return
	}
	switch {
	case longest > v.Span:
		v.Answer, v.Why = Fails, fmt.Sprintf("job %d of %s %s %s when it starts", worst.Number,
			worst.Owner, words, span(longest))
		if words == "starts in" {
			v.Why = fmt.Sprintf("job %d of %s starts in %s", worst.Number, worst.Owner, span(longest))
		}
		v.Against = &Counterexample{Jobs: []*model.Job{worst}, Behind: worst}
	case left != nil && (f.Ending == forecast.NothingEnds || f.Ending == forecast.OnlyHeld || way(left, f.Last) > v.Span):
		v.Answer, v.Why = Fails, fmt.Sprintf("the forecast has no start for job %d of %s: %s",
			left.Number, left.Owner, f.Ending)
		v.Against = &Counterexample{Jobs: []*model.Job{left}, Behind: left}
	case left != nil:
		v.Why = fmt.Sprintf("the forecast ends before job %d of %s starts: %s", left.Number, left.Owner, f.Ending)
	default:
		v.Answer, v.Why = Holds, fmt.Sprintf("job %d of %s waits longest: it %s %s", worst.Number,
			worst.Owner, words, span(longest))
	}
}

// notStarted is the first of some waiting jobs of which a forecast does not start everything.
func (c *checker) notStarted(f *forecast.Forecast, waiting map[uint32]*ranked) (first *model.Job) {
	for _, d := range f.Waits {
		if r := waiting[d.Job]; r != nil && (first == nil || r.job.Number < first.Number) {
			first = r.job
		}
	}
	return first
}

// passed looks for a job of a lower place that starts before one that a sentence speaks of.
func (c *checker) passed(v *Verdict, waiting map[uint32]*ranked) {
	f := c.forecast()
	place, start := map[uint32]int{}, map[uint32]time.Time{}
	for i, r := range c.now {
		place[r.job.Number] = i
	}
	for _, s := range f.Starts {
		if start[s.Job].IsZero() {
			start[s.Job] = s.At
		}
	}
	passers, of := 0, (*model.Job)(nil)
	var first *model.Job
	for i := range c.now {
		r := &c.now[i]
		if waiting[r.job.Number] == nil {
			continue
		}
		for _, other := range c.now[i+1:] {
			at, own := start[other.job.Number], start[r.job.Number]
			if at.IsZero() || !own.IsZero() && !at.Before(own) {
				continue
			}
			if passers++; first == nil {
				first, of = other.job, r.job
			}
		}
	}
	if first == nil {
		v.Answer, v.Why = Holds, "no job behind it starts before it in the forecast"
		return
	}
	v.Answer = Fails
	v.Why = fmt.Sprintf("job %d of %s overtakes job %d of %s; there are %d overtakes in total", first.Number, first.Owner,
		of.Number, of.Owner, passers)
	v.Against = &Counterexample{Jobs: []*model.Job{first, of}, First: first, Behind: of}
}

// gets adds up the slots that jobs have in the forecast, until the last of those that a sentence speaks of has started.
func (c *checker) gets(v *Verdict, waiting map[uint32]*ranked) {
	f := c.forecast()
	until := c.At
	for _, s := range f.Starts {
		if waiting[s.Job] != nil && s.At.After(until) {
			until = s.At
		}
	}
	if c.notStarted(f, waiting) != nil && f.Last.After(until) {
		until = f.Last
	}
	if end := c.At.Add(v.Span); v.Span > 0 && until.After(end) {
		until = end
	}
	jobs := c.Snapshot.JobsByNumber()
	all, own := 0.0, 0.0
	for _, list := range [][]forecast.Start{f.Running, f.Starts} {
		for _, s := range list {
			part := slotSeconds(&s, c.At, until)
			if all += part; jobs[s.Job] != nil && v.First.Selects(jobs[s.Job]) {
				own += part
			}
		}
	}
	if all == 0 {
		v.Why = "its jobs start at once, or no job runs: there is nothing to share"
		return
	}
	v.Answer = Holds
	if own/all < v.Number {
		v.Answer = Fails
	}
	v.Why = fmt.Sprintf("%.1f %% of the slots during the %s until none of its jobs waits",
		100*own/all, span(until.Sub(c.At)))
}

// slotSeconds is what a task holds between two moments.
func slotSeconds(s *forecast.Start, from, until time.Time) float64 {
	begin, end := model.Latest(s.At, from), until
	if !s.End.IsZero() {
		end = model.Earliest(s.End, until)
	}
	if !end.After(begin) {
		return 0
	}
	slots := 0
	for _, g := range s.Slots {
		slots += max(g.Slots, 1)
	}
	return float64(max(slots, 1)) * end.Sub(begin).Seconds()
}

// span prints a stretch of time to the second, as sched_conf(5) writes them.
func span(d time.Duration) string {
	s := int64(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
