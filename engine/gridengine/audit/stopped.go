package audit

import (
	"maps"
	"slices"
	"strings"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// stopped searches for the jobs that the scheduler holds for suspended by their queue. The master does not tell it of such
// suspensions (quirk D61), but any other change to a task does, and then it is not told of their end either. All that are
// suspended now may be, or one by one those that share a host with a queue that suspends others, as long as that leaves
// fewer numbers unexplained.
func (r *Report) stopped(q model.Quirks, known split.Assumed) map[uint32]bool {
	suspended, maybe := view{r.View}.maybeStopped()
	best := r
	try := func(jobs map[uint32]bool) bool {
		with := known
		with.Stopped = jobs
		under := r.under(q, with)
		if !under.leavesLess(best) {
			return false
		}
		best, known = under, with
		return true
	}
	if len(suspended) > 0 {
		try(suspended)
	}
	for range mostMoves {
		from := known.Stopped
		for _, job := range maybe {
			jobs := maps.Clone(from)
			if jobs == nil {
				jobs = map[uint32]bool{}
			}
			if jobs[job] = !jobs[job]; !jobs[job] {
				delete(jobs, job)
			}
			try(jobs)
		}
		if maps.Equal(from, known.Stopped) {
			break
		}
	}
	return known.Stopped
}

// maybeStopped are the jobs that a queue suspends now, and those that one may suspend or have suspended.
func (v view) maybeStopped() (suspended map[uint32]bool, maybe []uint32) {
	suspended = map[uint32]bool{}
	lesser := v.subordinates()
	for i := range v.Snapshot.Jobs {
		j := &v.Snapshot.Jobs[i]
		if slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return strings.Contains(t.State, "S") && !split.StartedAt(&t, v.At) }) {
			suspended[j.Number] = true
		}
		in := func(g model.Grant) bool { queue, _, _ := strings.Cut(g.Instance, "@"); return lesser[queue] }
		runs := func(t model.Task) bool { return !t.Started.IsZero() && slices.ContainsFunc(t.Granted, in) }
		if len(maybe) < mostOpen && (suspended[j.Number] || slices.ContainsFunc(j.Tasks, runs)) {
			maybe = append(maybe, j.Number)
		}
	}
	return suspended, maybe
}

// subordinates are the queues that others suspend.
func (v view) subordinates() map[string]bool {
	lesser := map[string]bool{}
	for i := range v.Snapshot.Instances {
		for _, s := range v.Snapshot.Instances[i].Subordinates {
			lesser[s.Queue] = true
		}
	}
	return lesser
}
