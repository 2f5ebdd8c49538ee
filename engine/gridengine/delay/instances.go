package delay

import (
	"slices"
	"strings"

	"qprism/engine/delay"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
)

// instances are the queue instances of Grid Engine in the state in which a run tries one waiting job.
type instances struct {
	snapshot *model.Snapshot
	job      *model.Job
	decision *model.Decision
	gate     *schedule.Gate
	general  []model.Reason           // those that hold for no place
	said     map[string]*model.Reason // the first reason of each host, queue instance and cluster queue that the run gave
	closed   map[string]*model.Reason // queue instances in which no job can start, where that is not for want of slots
	used     map[string]int           // slots of queue instances that run and start
	short    bool                     // there are too few slots together
	silent   bool                     // there are queue instances that the run did not look at
}

func newInstances(s *model.Snapshot, p *model.Plan, j *model.Job, d *model.Decision) *instances {
	f := &instances{snapshot: s, job: j, decision: d, gate: schedule.NewGate(s), used: slotsUsed(s, p),
		said: map[string]*model.Reason{}, closed: map[string]*model.Reason{}}
	for i := range p.Closed {
		if w := &p.Closed[i]; w.Kind != model.ReasonFull {
			f.closed[w.Object] = w
		}
	}
	f.part()
	return f
}

// part parts the reasons of places from those that hold for the job or everywhere. A run tries nothing on
// queue instances that were closed or full. It looks at none where something is short everywhere, and a
// reservation says what the job waits for.
func (f *instances) part() {
	stopped, everywhere := false, false
	for i := range f.decision.Why {
		w := &f.decision.Why[i]
		switch w.Level {
		case "H", "Q":
			if f.said[w.Object] == nil {
				f.said[w.Object] = w
			}
		default:
			f.general = append(f.general, *w)
		}
		f.short = f.short || w.Kind == model.ReasonPESlots
		stopped = stopped || w.Kind == model.ReasonStopped
		everywhere = everywhere || w.Level == "G" && w.Kind != model.ReasonPESlots
	}
	f.silent = !everywhere && f.decision.Verdict != model.Later && (len(f.said) > 0 || f.short || stopped)
}

// slotsUsed are the slots of each queue instance that run and start.
func slotsUsed(s *model.Snapshot, p *model.Plan) map[string]int {
	used := map[string]int{}
	for _, l := range (forecast.Clock{}).SlotLines(s, p) {
		if l.State != "RESERVING" {
			used[l.Object] += int(l.Amount)
		}
	}
	return used
}

// hosts joins hosts by what that queue instance has against the job which comes nearest to taking it. Hosts
// that the run did not look at are left out.
func (f *instances) hosts() []delay.Group {
	nearest := map[string]delay.Obstacle{}
	var order []string
	for i := range f.snapshot.Instances {
		q := &f.snapshot.Instances[i]
		o, known := f.obstacle(q)
		if !known {
			continue
		}
		best, seen := nearest[q.Host]
		if !seen {
			order = append(order, q.Host)
		}
		if !seen || o.Rank < best.Rank {
			nearest[q.Host] = o
		}
	}
	var g delay.Grouping
	for _, host := range order {
		g.Add(host, nearest[host])
	}
	return g.Nearest()
}

// obstacle is why a queue instance does not accept the job; known is false if that is unknown.
func (f *instances) obstacle(q *model.QueueInstance) (o delay.Obstacle, known bool) {
	for _, name := range []string{q.Name, q.Host, q.Queue} {
		if why := f.said[name]; why != nil {
			return refusal(*why), true
		}
	}
	if !f.silent {
		return o, false
	}
	return f.unstatedReason(q)
}

// unstatedReason is what a queue instance has against the job that the run tried nothing on: it was closed or full,
// or it has something for the job, but with all others too little.
func (f *instances) unstatedReason(q *model.QueueInstance) (o delay.Obstacle, known bool) {
	if why := f.closed[q.Name]; why != nil {
		return refusal(*why), true
	}
	switch {
	case strings.ContainsAny(q.State, closing):
		return refusal(model.Reason{Kind: model.ReasonQueueState, Level: "Q", Object: q.Name, Offered: q.State}), true
	case q.Slots > 0 && f.used[q.Name] >= q.Slots:
		if why, bars := f.gate.Bars(f.job, q.Name); bars {
			return refusal(why), true
		}
		return delay.Obstacle{Bar: delay.Taken, Rank: 1}, true
	case f.short:
		return delay.Obstacle{Bar: delay.Partial}, true
	}
	return o, false
}

// closing are the letters of qstat(1) for queue instances in which nothing starts.
const closing = "uEasAdSDCo"

// wanted are the resources that the job waits for: those that its reasons name, and the slots of hosts that
// are taken or have too few of them, where it could have them.
func (f *instances) wanted(hosts []delay.Group) map[delay.Place]bool {
	wanted := delay.WantedBy(f.snapshot, f.decision)
	taken := map[string]bool{}
	for _, g := range hosts {
		for _, host := range g.Places {
			taken[host] = taken[host] || g.Bar == delay.Taken || g.Bar == delay.Partial
		}
	}
	never := f.neverOpen()
	for i := range f.snapshot.Instances {
		q := &f.snapshot.Instances[i]
		full := q.Slots > 0 && f.used[q.Name] >= q.Slots
		if !taken[q.Host] || !full && !f.short || never[q.Name] || never[q.Host] || never[q.Queue] {
			continue
		}
		if _, bars := f.gate.Bars(f.job, q.Name); !bars {
			wanted[delay.Place{Level: "Q", Object: q.Name, Resource: "slots"}] = true
		}
	}
	return wanted
}

// neverOpen are the hosts, queue instances and cluster queues that no time opens to the job.
func (f *instances) neverOpen() map[string]bool {
	never := map[string]bool{}
	for _, w := range f.decision.Why {
		if (w.Level == "Q" || w.Level == "H") && !w.Later {
			never[w.Object] = true
		}
	}
	return never
}

// refusal is a reason as an obstacle. Its rank is low if a start is near. Slots that are reserved for
// others come first, because they are free. Then come slots in use, which will become free. Among other
// reasons, the scheduler's last checks come first.
func refusal(why model.Reason) delay.Obstacle {
	o := delay.Obstacle{Why: why}
	switch {
	case why.Reserved:
	case why.Later:
		o.Rank = 1
	default:
		o.Rank = 2 + len(checks) - slices.Index(checks, why.Kind)
	}
	return o
}

// checks are the checks of a queue instance, in the scheduler's order.
var checks = []model.ReasonKind{model.ReasonQueueState, model.ReasonLoad, model.ReasonCalendar,
	model.ReasonFull, model.ReasonQueueList, model.ReasonAccess, model.ReasonProject, model.ReasonQueueType,
	model.ReasonPE, model.ReasonCheckpoint, model.ReasonForced, model.ReasonReschedule, model.ReasonNoRequest,
	model.ReasonUnknown, model.ReasonResource, model.ReasonExclusive, model.ReasonQuota, model.ReasonPESlots}
