package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// book gives the task what the search found: at once, or from a later moment on.
func (a *attempt) book(now bool) {
	d := a.run.newDebit(a.job, a.grants, a.pe)
	d.task = a.taskNumber
	d.state = "RESERVING"
	if now {
		if a.start == rightNow {
			a.start = a.run.now
		}
		d.state = "STARTING"
		a.run.loadHosts(a)
		a.run.suspendSubordinates(a)
		d.now()
		a.run.rankGranted(a)
	}
	d.start, d.duration = a.start, a.duration
	d.book()
}

// loadHosts counts the new task on its hosts until their load shows it.
func (r *run) loadHosts(a *attempt) {
	if !r.adjusts() {
		return
	}
	for _, g := range a.grants {
		g.queue.host.addCorrection(float64(g.slots))
	}
}

// rankGranted computes the load of the task's hosts anew.
func (r *run) rankGranted(a *attempt) {
	for _, g := range a.grants {
		h := g.queue.host
		before := h.sort
		r.computeLoad(h)
		if h.sort != before {
			r.loadChanged = true
		}
		r.moveHost(h)
	}
}

// suspendSubordinates takes out the queue instances that the new task suspends, queue_conf(5) subordinate_list.
func (r *run) suspendSubordinates(a *attempt) {
	for _, g := range a.grants {
		before, after := g.queue.slotsUse.now, g.queue.slotsUse.now+float64(g.slots)
		for _, s := range g.queue.Subordinates {
			if !g.queue.Suspends(s, before) && g.queue.Suspends(s, after) {
				if q := r.world.instanceNames[s.Queue+"@"+g.queue.Host()]; q != nil {
					if g.queue.SlotwiseSum == 0 {
						r.noteSuspension(a, q)
					}
					q.subordinated, q.suspendedBy, r.subordinated = true, a.job.Number, true
				}
			}
		}
	}
}

// mostSuspensions is how many suspensions a plan tells of one by one.
const mostSuspensions = 20

// noteSuspension tells whom a start suspends: what runs in a queue instance, and what started there earlier in this run.
func (r *run) noteSuspension(a *attempt, q *instance) {
	if q.subordinated || q.suspended {
		return
	}
	r.suspensions++
	if r.suspensions > mostSuspensions {
		return
	}
	var who []string
	for _, t := range r.running {
		if slices.ContainsFunc(t.grants, func(g grant) bool { return g.queue == q }) {
			who = append(who, fmt.Sprintf("job %d", t.job.Number))
		}
	}
	for i := range r.plan.Decisions {
		d := &r.plan.Decisions[i]
		if d.Verdict == model.Now && slices.ContainsFunc(d.Slots, func(g model.Grant) bool { return g.Instance == q.Name }) {
			who = append(who, fmt.Sprintf("job %d, which has just started", d.Job))
		}
	}
	text := fmt.Sprintf("the start of job %d suspends %s right away", a.job.Number, q.Name)
	if len(who) > 0 {
		text += ": " + strings.Join(who[:min(len(who), mostSuspensions)], "; ")
	}
	r.plan.Notes = append(r.plan.Notes, text)
}

// tidy takes out what the task has filled, suspended or overloaded.
func (r *run) tidy(a *attempt) {
	if !r.needsTidy(a) {
		return
	}
	if r.opened || r.subordinated {
		r.close(func(q *instance) bool { return !q.subordinated && !q.calendarOff && !q.calendarSuspended })
	}
	r.opened, r.subordinated = false, false
	r.closeFull()
	if len(r.snapshot.Policy.LoadAdjustments) > 0 && !a.unadjusted {
		r.close(func(q *instance) bool { return !r.overloaded(a, q) })
		r.mastersLowered = false
	}
}

// needsTidy reports whether anything can have changed for any queue instance.
func (r *run) needsTidy(a *attempt) bool {
	adjusts := len(r.snapshot.Policy.LoadAdjustments) > 0
	if r.opened || r.subordinated || adjusts && (r.mastersLowered || r.globalLoad || r.watches) {
		return true
	}
	for _, g := range a.grants {
		for _, q := range g.queue.host.instances {
			if q.isFull() || adjusts && r.overloaded(a, q) {
				return true
			}
		}
	}
	return false
}

// closeFull takes out the queue instances without a free slot: those that were full before, then the others.
func (r *run) closeFull() {
	r.close(func(q *instance) bool { return !q.full })
	r.close(func(q *instance) bool {
		q.full = q.isFull()
		return !q.full
	})
}

// overloaded reports whether a queue instance has to be left out because of the load that the task will bring.
func (r *run) overloaded(a *attempt, q *instance) bool {
	if q.master == 1 && r.quirks.LeftoverMaster {
		q.master = 0
		return true
	}
	if q.alarmed && !r.quirks.AlarmForgotten {
		return true
	}
	if !r.globalLoad && !a.uses(q.host) && !q.watched {
		return false
	}
	q.out, q.alarmed = r.alarm(q, q.loadThresholds, true)
	return q.alarmed
}

func (a *attempt) uses(h *host) bool {
	for _, g := range a.grants {
		if g.queue.host == h {
			return true
		}
	}
	return false
}

// lastingLine is how long it lasts in a line of the schedule file: what has no end, until the end of time.
func (d *debit) lastingLine() time.Duration {
	length := d.duration
	if later(d.start, length) == forever {
		length = endOf32 - d.start
	}
	return time.Duration(length) * time.Second
}
