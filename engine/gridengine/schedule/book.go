package schedule

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/place"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// book gives the task what the search found: at once, or from a later moment on.
func (r *run) book(a *place.Attempt, now bool) {
	d := r.NewDebit(a.Job, a.Category, a.Grants, a.PE)
	d.Task = a.TaskNumber
	d.State = "RESERVING"
	if now {
		if a.Start == utilization.RightNow {
			a.Start = r.Now
		}
		d.State = "STARTING"
		r.loadHosts(a)
		r.suspendSubordinates(a)
		d.Now()
		r.rankGranted(a)
	}
	d.Start, d.Duration = a.Start, a.Duration
	d.Book()
}

// loadHosts counts the new task on its hosts until their load shows it.
func (r *run) loadHosts(a *place.Attempt) {
	if !r.Adjusts() {
		return
	}
	for _, g := range a.Grants {
		g.Queue.ExecHost.AddCorrection(float64(g.Slots))
	}
}

// rankGranted computes the load of the task's hosts anew.
func (r *run) rankGranted(a *place.Attempt) {
	for _, g := range a.Grants {
		h := g.Queue.ExecHost
		before := h.SortLoad
		r.ComputeLoad(h)
		if h.SortLoad != before {
			r.LoadChanged = true
		}
		r.MoveHost(h)
	}
}

// suspendSubordinates takes out the queue instances that the new task suspends, queue_conf(5) subordinate_list.
func (r *run) suspendSubordinates(a *place.Attempt) {
	for _, g := range a.Grants {
		before, after := g.Queue.SlotsUse.Now, g.Queue.SlotsUse.Now+float64(g.Slots)
		for _, s := range g.Queue.Subordinates {
			if !g.Queue.Suspends(s, before) && g.Queue.Suspends(s, after) {
				if q := r.InstanceNames[s.Queue+"@"+g.Queue.Host]; q != nil {
					if g.Queue.SlotwiseSum == 0 {
						r.noteSuspension(a, q)
					}
					q.Subordinated, q.SuspendedBy, r.subordinated = true, a.Job.Number, true
				}
			}
		}
	}
}

// mostSuspensions is how many suspensions a plan tells of one by one.
const mostSuspensions = 20

// noteSuspension tells whom a start suspends: what runs in a queue instance, and what started there earlier
// in this run.
func (r *run) noteSuspension(a *place.Attempt, q *cluster.Instance) {
	if q.Subordinated || q.Suspended {
		return
	}
	r.suspensions++
	if r.suspensions > mostSuspensions {
		return
	}
	var who []string
	for _, t := range r.Running {
		if slices.ContainsFunc(t.Grants, func(g cluster.Grant) bool { return g.Queue == q }) {
			who = append(who, fmt.Sprintf("job %d", t.Job.Number))
		}
	}
	for i := range r.Plan.Decisions {
		d := &r.Plan.Decisions[i]
		if d.Verdict == model.Now && slices.ContainsFunc(d.Slots, func(g model.Grant) bool { return g.Instance == q.Name }) {
			who = append(who, fmt.Sprintf("job %d, which has just started", d.Job))
		}
	}
	text := fmt.Sprintf("the start of job %d suspends %s immediately", a.Job.Number, q.Name)
	if len(who) > 0 {
		text += ", and with it " + strings.Join(who[:min(len(who), mostSuspensions)], "; ")
	}
	r.Plan.Notes = append(r.Plan.Notes, text)
}

// tidy takes out what the task has filled, suspended or overloaded.
func (r *run) tidy(a *place.Attempt) {
	adjusts := len(r.Snapshot.Policy.LoadAdjustments) > 0
	load := adjusts && !a.Unadjusted
	light := func(q *cluster.Instance) bool { return !r.overloaded(a, q) }
	if !r.opened && !r.subordinated && !(adjusts && (r.MastersLowered || r.globalLoad || r.watches)) {
		r.CloseFullOn(a.Grants)
		if load {
			r.CloseOn(a.Grants, light)
		}
		return
	}
	if r.opened || r.subordinated {
		r.Close(func(q *cluster.Instance) bool { return !q.Subordinated && !q.CalendarOff && !q.CalendarSuspended })
	}
	r.opened, r.subordinated = false, false
	r.CloseFull()
	if load {
		r.Close(light)
		r.MastersLowered = false
	}
}

// overloaded reports whether a queue instance has to be left out because of the load that the task will bring.
func (r *run) overloaded(a *place.Attempt, q *cluster.Instance) bool {
	if q.Master == 1 && r.Quirks.LeftoverMaster {
		q.Master = 0
		return true
	}
	if q.Alarmed && !r.Quirks.LoadAlarmForgotten {
		return true
	}
	if !r.globalLoad && !uses(a.Grants, q.ExecHost) && !q.Watched {
		return false
	}
	q.Excluded, q.Alarmed = r.Alarm(q, q.LoadLimits, true)
	return q.Alarmed
}

func uses(grants []cluster.Grant, h *cluster.Host) bool {
	for _, g := range grants {
		if g.Queue.ExecHost == h {
			return true
		}
	}
	return false
}
