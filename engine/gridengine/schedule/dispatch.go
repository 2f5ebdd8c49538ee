package schedule

import (
	"time"

	"qprism/engine/model"
)

// mostPlaced bounds how many tasks are started and reserved for in one run, whatever numbers a bundle prints.
const mostPlaced = 1_000_000

// dispatch tries the pending jobs one by one, in dispatch order, an array task by task.
func (r *run) dispatch() {
	r.lastSearch = searchNone
	r.loadChanged = true
	for _, t := range r.running {
		r.perOwner[t.job.Owner]++
	}
	for j := r.next(); j != nil; j = r.next() {
		if r.excludes(j) {
			r.wait(j, r.userLimit(j))
			continue
		}
		again := r.try(j)
		if r.quirks.StopWhenFull && len(r.world.queues) == 0 {
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
			r.plan.Notes = append(r.plan.Notes, "the run was planned for its first "+itoa(mostPlaced)+" tasks only")
			return
		}
	}
}

// excludes reports whether the owner runs as many tasks as maxujobs allows.
func (r *run) excludes(j *waiting) bool {
	most := r.snapshot.Policy.MaxUserJobs
	return most > 0 && r.perOwner[j.job().Owner] >= most
}

func (r *run) userLimit(j *waiting) []model.Reason {
	return []model.Reason{{Kind: model.ReasonUserLimit, Object: j.job().Owner, Offered: itoa(r.snapshot.Policy.MaxUserJobs)}}
}

// stop ends the run because no queue instance is left, whatever waits (D3).
func (r *run) stop(j *waiting, again bool) {
	because := r.newIdleness()
	if again {
		r.wait(j, because.of(j.job(), j.cat))
	}
	for j := r.next(); j != nil; j = r.next() {
		switch {
		case r.excludes(j):
			r.wait(j, r.userLimit(j))
		case len(j.cat.why) > 0:
			r.wait(j, j.cat.why)
		default:
			r.wait(j, because.of(j.job(), j.cat))
		}
	}
}

// try tries the next task of a job and says whether the job has more of them to try.
func (r *run) try(j *waiting) (again bool) {
	c := j.cat
	mayReserve := r.mayReserve(c, j.job())
	if c.rejected && !mayReserve {
		r.wait(j, r.whyNot(j))
		return false
	}
	r.prepare(c)
	if r.hostsMoved = r.loadChanged; r.loadChanged {
		r.sortHosts()
	}
	r.loadChanged = false
	a := r.newAttempt(j)
	switch got := a.assign(!c.rejected, mayReserve); got {
	case fits:
		if a.cat.count > 1 {
			c.remember(a.why)
		}
		r.started(j, a)
		return j.counted > 0
	case notThen:
		return r.keep(j, a)
	case neverAny:
		c.rejected = true
		if mayReserve {
			c.noReservation = true
			r.memory.reject(c.key)
		}
	}
	r.learn(c, a.why)
	r.wait(j, r.whyNot(j))
	return false
}

// mayReserve reports whether a job of a category can still be reserved for.
func (r *run) mayReserve(c *category, j *model.Job) bool {
	return r.reserved < r.maxReserved && j.Reserve && !j.Immediate() && !c.noReservation
}

func (r *run) newAttempt(j *waiting) *attempt {
	a := &attempt{run: r, cat: j.cat, job: j.job(), taskNumber: j.task(), duration: j.cat.duration, quiet: r.quiet,
		soft: len(j.job().Soft)+len(j.job().SoftQueues) > 0}
	a.advance = r.advanceOf(j.job())
	a.readSoftQueues()
	return a
}

// assign looks for a place now and, if there is none, for one to reserve.
func (a *attempt) assign(start, reserve bool) result {
	r := a.run
	if reserve {
		a.careful = true
		r.openClosed()
	}
	got := a.find(start, reserve)
	if got != fits && got != notThen {
		r.leaveOpen(reserve)
		return got
	}
	a.equals = a.tied()
	a.book(got == fits)
	if got == fits || reserve {
		r.tidy(a)
	}
	return got
}

// find says fits where the task can start, and notThen where there is a place to reserve.
func (a *attempt) find(start, reserve bool) result {
	if a.job.Checkpoint != "" && !a.run.knowsCheckpoint(a.job.Checkpoint) {
		a.note(model.Reason{Kind: model.ReasonCheckpoint, Asked: a.job.Checkpoint})
		return neverAny
	}
	if start {
		if got := a.searchFrom(rightNow); got != notThen {
			return got
		}
	}
	if !reserve {
		return neverAny
	}
	switch got := a.searchFrom(atEnd); {
	case got == fits && len(a.grants) > 0:
		return notThen
	case got == notThen && a.job.PE != "" && a.run.quirks.EmptyReservation: // D69
		a.grants, a.slots = nil, 0
		return notThen
	}
	return neverAny
}

func (a *attempt) searchFrom(start seconds) result {
	a.start, a.reserve = start, start == atEnd
	a.newRound()
	if a.job.PE != "" {
		return a.assignParallel()
	}
	return a.assignSequential()
}

// leaveOpen ends an attempt that found nothing: closed instances that it looked at stay among the open ones (D4).
func (r *run) leaveOpen(opened bool) {
	if opened && !r.quirks.ClosedStayOpen {
		r.closeFull()
	}
}

func (r *run) knowsCheckpoint(name string) bool {
	for i := range r.snapshot.Checkpoints {
		if r.snapshot.Checkpoints[i].Name == name {
			return true
		}
	}
	return false
}

// started notes that a task starts.
func (r *run) started(j *waiting, a *attempt) {
	r.decide(j, a, model.Now, nil)
	r.perOwner[j.job().Owner]++
	j.take(false)
}

// keep notes that a task is reserved for and says whether the job has more tasks to try.
func (r *run) keep(j *waiting, a *attempt) (again bool) {
	r.reserved++
	j.cat.rejected = true
	r.learn(j.cat, a.why)
	r.decide(j, a, model.Later, j.cat.why)
	if j.counted < 2 {
		return false
	}
	if r.reserved >= r.maxReserved {
		j.take(false)
		r.wait(j, r.whyNot(j))
		return false
	}
	j.take(r.quirks.ReservedTakesNew) // where the reserved task was rescheduled, it is tried again (D38)
	return true
}

func (r *run) decide(j *waiting, a *attempt, v model.Verdict, why []model.Reason) {
	r.placed++
	n := j.task()
	d := model.Decision{Job: j.job().Number, Tasks: []model.Range{{Min: n, Max: n, Step: 1}}, Verdict: v, Start: moment(a.start),
		Duration: lasting(a.duration), Slots: make([]model.Grant, len(a.grants)), Tied: a.equals, Why: why}
	for i, g := range a.grants {
		d.Slots[i] = model.Grant{Instance: g.queue.Name, Slots: g.slots}
	}
	if a.pe != nil {
		d.PE = a.pe.Name
	}
	r.plan.Decisions = append(r.plan.Decisions, d)
}

// lasting is a duration of the scheduler's seconds.
func lasting(d seconds) time.Duration {
	if d == forever {
		return model.Forever
	}
	return time.Duration(d) * time.Second
}

// wait notes that what is left of a job waits.
func (r *run) wait(j *waiting, why []model.Reason) {
	if r.brief {
		return
	}
	r.plan.Decisions = append(r.plan.Decisions, model.Decision{Job: j.job().Number, Tasks: j.rest(), Verdict: model.Never, Why: why})
}
