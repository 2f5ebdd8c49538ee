package schedule

import (
	"strconv"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/place"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
	"qprism/engine/room"
)

// mostPlaced bounds the starts and reservations of one run, because a bundle may print any numbers.
const mostPlaced = 1_000_000

// dispatch tries the pending jobs one by one, in dispatch order, an array task by task.
func (r *run) dispatch() {
	r.LastSearch = place.SearchNone
	r.LoadChanged = true
	for _, t := range r.Running {
		r.perOwner[t.Job.Owner]++
	}
	for j := r.next(); j != nil; j = r.next() {
		if r.excludes(j) {
			r.wait(j, r.userLimit(j))
			continue
		}
		again := r.try(j)
		if r.Quirks.StopWhenFull && len(r.Queues) == 0 {
			if !r.brief {
				r.stop(j, again)
			}
			return
		}
		if again {
			r.rerank(j)
			r.pending.putBack(j)
		}
		if r.placed == mostPlaced {
			r.Plan.Notes = append(r.Plan.Notes, "qprism planned only the first "+strconv.Itoa(mostPlaced)+" tasks of this run")
			return
		}
	}
}

// excludes reports whether the owner runs as many tasks as maxujobs allows.
func (r *run) excludes(j *waiting) bool {
	most := r.Snapshot.Policy.MaxUserJobs
	return most > 0 && r.perOwner[j.job().Owner] >= most
}

func (r *run) userLimit(j *waiting) []model.Reason {
	return []model.Reason{{Kind: model.ReasonUserLimit, Object: j.job().Owner,
		Offered: strconv.Itoa(r.Snapshot.Policy.MaxUserJobs)}}
}

// stop ends the run if no queue instance is left, even if jobs still wait (D3).
func (r *run) stop(j *waiting, again bool) {
	because := r.newIdleness()
	if again {
		r.wait(j, because.of(j.job(), j.cat))
	}
	for j := r.next(); j != nil; j = r.next() {
		switch {
		case r.excludes(j):
			r.wait(j, r.userLimit(j))
		case len(j.cat.Why) > 0:
			r.wait(j, j.cat.Why)
		default:
			r.wait(j, because.of(j.job(), j.cat))
		}
	}
}

// try tries the next task of a job and says whether the job has more of them to try.
func (r *run) try(j *waiting) (again bool) {
	c := j.cat
	mayReserve := r.mayReserve(c, j.job())
	if c.NoStart && !mayReserve {
		r.wait(j, r.whyNot(j))
		return false
	}
	r.Prepare(c)
	r.HostsMoved, r.LoadChanged = r.LoadChanged, false
	if r.HostsMoved {
		r.SortHosts()
	}
	a := r.NewAttempt(j.cat, j.job(), j.task())
	switch got := r.assign(a, !c.NoStart, mayReserve); got {
	case resource.Fits:
		if a.Category.Count > 1 {
			c.Remember(a.Why)
		}
		r.started(j, a)
		return j.counted > 0
	case resource.NotThen:
		return r.keep(j, a)
	case resource.NeverAny:
		c.NoStart = true
		if mayReserve {
			c.NoReservation = true
			r.memory.Reject(c.Key)
		}
	}
	r.learn(c, a.Why)
	r.wait(j, r.whyNot(j))
	return false
}

// mayReserve reports whether a job of a category can still be reserved for.
func (r *run) mayReserve(c *cluster.Category, j *model.Job) bool {
	return r.reserved < r.MaxReserved() && j.Reserve && !j.Immediate() && !c.NoReservation
}

// assign looks for a place now and, if there is none, for one to reserve.
func (r *run) assign(a *place.Attempt, start, reserve bool) resource.Result {
	if reserve {
		a.Careful = true
		r.OpenClosed()
		r.opened = true
	}
	got := find(a, start, reserve)
	if got != resource.Fits && got != resource.NotThen {
		if reserve && !r.Quirks.ClosedStayOpen { // D4
			r.CloseFull()
		}
		return got
	}
	if !r.brief {
		a.Equals = a.Tied()
	}
	r.book(a, got == resource.Fits)
	r.tidy(a)
	return got
}

// started notes that a task starts.
func (r *run) started(j *waiting, a *place.Attempt) {
	r.decide(j, a, model.Now, nil)
	r.perOwner[j.job().Owner]++
	j.take(false)
}

// keep notes that a task is reserved for and says whether the job has more tasks to try.
func (r *run) keep(j *waiting, a *place.Attempt) (again bool) {
	r.reserved++
	j.cat.NoStart = true
	r.learn(j.cat, a.Why)
	r.decide(j, a, model.Later, j.cat.Why)
	if j.counted < 2 {
		return false
	}
	if r.reserved >= r.MaxReserved() {
		j.take(false)
		r.wait(j, r.whyNot(j))
		return false
	}
	j.take(r.Quirks.ReservationTakesNewTask) // where the reserved task was rescheduled, it is tried again (D38)
	return true
}

func (r *run) decide(j *waiting, a *place.Attempt, v model.Verdict, why []model.Reason) {
	r.placed++
	n := j.task()
	d := model.Decision{Job: j.job().Number, Tasks: []model.Range{{Min: n, Max: n, Step: 1}},
		Verdict: v, Start: utilization.Moment(a.Start),
		Duration: utilization.Lasting(a.Duration), Slots: make([]model.Grant, len(a.Grants)), Tied: a.Equals, Why: why}
	for i, g := range a.Grants {
		d.Slots[i] = model.Grant{Instance: g.Queue.Name, Slots: g.Slots}
	}
	if a.PE != nil {
		d.PE = a.PE.Name
	}
	r.Plan.Decisions = room.Append(r.Plan.Decisions, d)
}

// wait notes that what is left of a job waits.
func (r *run) wait(j *waiting, why []model.Reason) {
	if r.brief {
		return
	}
	r.Plan.Decisions = append(r.Plan.Decisions, model.Decision{Job: j.job().Number, Tasks: j.rest(),
		Verdict: model.Never, Why: why})
}
