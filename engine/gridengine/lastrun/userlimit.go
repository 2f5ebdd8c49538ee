package lastrun

import (
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
)

// A userLimit is maxujobs, sched_conf(5). When a user has that many jobs, the run skips the user's other
// jobs that it has not tried yet. It also clears the numbers that the master shows for them.
type userLimit struct {
	most    int            // 0 for no limit
	running map[string]int // running and suspended tasks of each user
	reached map[string]*starter
}

func (v *View) newUserLimit() *userLimit {
	l := &userLimit{most: v.Snapshot.Policy.MaxUserJobs, running: map[string]int{}, reached: map[string]*starter{}}
	if full := v.FreeSlots == 0 && v.Snapshot.Policy.MaxReservation == 0; full {
		l.most = 0 // the run stops before it looks at users
	}
	if l.most <= 0 {
		return l
	}
	for _, list := range [][]split.Entry{v.Lists.Running, v.Lists.Suspended} {
		for i := range list {
			owner := list[i].Job.Owner
			l.running[owner] += len(list[i].Tasks)
			if l.running[owner] >= l.most {
				l.reached[owner] = nil // before the run
			}
		}
	}
	return l
}

// started counts a start; the one that reaches the limit is remembered with the rank it had.
func (l *userLimit) started(j *starter) {
	if l.most <= 0 {
		return
	}
	owner := j.computed.Job.Owner
	l.running[owner]++
	if _, already := l.reached[owner]; !already && l.running[owner] >= l.most {
		at := *j
		l.reached[owner] = &at
	}
}

// excludes reports whether the run passed over the tasks of a job that are left, which rank by that prio.
func (l *userLimit) excludes(j *priority.Job, prio float64) bool {
	at, reached := l.reached[j.Job.Owner]
	switch {
	case !reached:
		return false
	case at == nil || at.computed == j:
		return true
	}
	return priority.CompareDispatch(at.computed.Job, at.prio, j.Job, prio) < 0
}
