package dispatch

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// ahead decides about slots that are still taken. Where other jobs wait as well, the scheduler gives a slot to one of them in the run in
// which it falls free: a dispatcher that waits to see it free comes too late, each time. So the run after this one is planned as if on each
// host the task had ended that is the next to end. What of it is owned, and takes one place alone, is narrowed and released now, and starts
// there when its turn comes in the scheduler's own order; nobody else's job is passed by that.
func (r *Result) ahead(c *cluster) error {
	if !c.othersWait() {
		return nil
	}
	next := c.vacated(r.Starts)
	owned := maps.Clone(c.Owned)
	for _, s := range r.Starts {
		delete(owned, s.Job) // its tasks have one request
	}
	for _, l := range r.Left {
		delete(owned, l.Job) // there is a free place for it
	}
	in := c.Input
	in.Snapshot, in.Owned, in.Ahead = next, owned, false
	if in.Most > 0 {
		if in.Most -= len(r.Starts); in.Most <= 0 {
			return nil
		}
	}
	later, err := Decide(in)
	if err != nil {
		return err
	}
	for _, s := range later.Starts {
		if len(s.Slots) == 1 {
			r.Ahead = append(r.Ahead, s)
		} else {
			r.leave(s, fmt.Sprintf("%s are not all free yet, and which of them falls free first nobody knows", Places(s.Slots)))
		}
	}
	return nil
}

// othersWait reports whether a job waits that is not owned and that the scheduler may start.
func (c *cluster) othersWait() bool {
	return slices.ContainsFunc(c.Snapshot.Jobs, func(j model.Job) bool {
		return len(c.Owned[j.Number]) == 0 && slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
			return t.Started.IsZero() && t.Ended.IsZero() && strings.Contains(t.State, "q") && !strings.ContainsAny(t.State, "hEd")
		})
	})
}

// vacated is the cluster after the next run, in which some owned jobs start, and after the end of the task of each host that is the next to
// end.
func (c *cluster) vacated(starts []Start) *model.Snapshot {
	narrowed := narrowed(c.Snapshot, c.Owned, starts)
	next := forecast.NewCluster(narrowed)
	next.Apply(c.Native(narrowed))
	for _, t := range nextToEnd(next.Snapshot, c.Snapshot.TakenAt) {
		next.End(t.job, t.task)
	}
	return next.Snapshot
}

// A leaving is a running task, and when it is expected to end: Forever where nothing is known.
type leaving struct {
	job, task uint32
	started   time.Time
	left      time.Duration
}

// nextToEnd is the task of each host that is the next to end: by its limit on run time, else the one that runs longest. One that runs on
// several hosts is that of none: it may free all of them, or end only after others.
func nextToEnd(s *model.Snapshot, at time.Time) (list []leaving) {
	first := map[string]leaving{}
	clock := forecast.NewClock(&s.Policy, 0)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, t := range j.Tasks {
			host, one := hostOf(t.Granted)
			if t.Started.IsZero() || !t.Ended.IsZero() || !one || len(t.IDs) == 0 {
				continue
			}
			ran := at.Sub(t.Started)
			l := leaving{j.Number, t.IDs[0].Min, t.Started, clock.LengthAfter(j, instancesOf(s, t.Granted), ran) - ran}
			if was, known := first[host]; !known || sooner(l, was) < 0 {
				first[host] = l
			}
		}
	}
	for _, host := range slices.Sorted(maps.Keys(first)) {
		list = append(list, first[host])
	}
	return list
}

func sooner(a, b leaving) int {
	return cmp.Or(cmp.Compare(a.left, b.left), a.started.Compare(b.started), cmp.Compare(a.job, b.job), cmp.Compare(a.task, b.task))
}

// hostOf is the host of slots that are all on one.
func hostOf(slots []model.Grant) (host string, one bool) {
	for i, g := range slots {
		_, name, _ := strings.Cut(g.Instance, "@")
		if i > 0 && name != host {
			return "", false
		}
		host = name
	}
	return host, len(slots) > 0
}

func instancesOf(s *model.Snapshot, slots []model.Grant) (list []*model.QueueInstance) {
	for i := range s.Instances {
		if slices.ContainsFunc(slots, func(g model.Grant) bool { return g.Instance == s.Instances[i].Name }) {
			list = append(list, &s.Instances[i])
		}
	}
	return list
}
