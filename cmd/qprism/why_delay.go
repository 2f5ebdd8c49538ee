package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/schedule"
)

// A delay is why a job does not start now.
type delay struct {
	job            *model.Job
	id, asks       string // as people know it, and what it asks for in words
	advice         string // what to do next
	state          string // of PBS: that it runs, in a sentence
	at             time.Time
	maxReservation int
	running        int               // tasks of it that run
	starts         []*model.Decision // about tasks that start in the run
	decision       *model.Decision   // about the first that does not; nil where all do
	others         []*model.Decision // about more of its tasks, which do not for reasons of their own
	awaited        bool              // a job whose end it waits for runs
	local          time.Time         // the moment of the run, in the cluster's time
	slack          time.Duration     // that the scheduler adds to what it books, where that delays a reservation
	general        []reasonGroup     // reasons of the job itself, or that hold everywhere
	gate           *schedule.Gate    // of Grid Engine
	closed         []model.Reason    // queue instances in which no job can start
	taken          map[string]int    // slots of queue instances that run and start
	hosts          []hostGroup
	holders        []holder
	ahead          ahead
}

// A hostGroup is the hosts that do not take the job for the same reason.
type hostGroup struct {
	candidate bool // another time would do
	full      bool // jobs have all its slots
	closed    bool // by its state
	text      string
	names     []string
	rank      int
}

// why finds why a job of Grid Engine does not start.
func (s gridEngine) why(p *model.Plan, j *model.Job, task uint32) *delay {
	r := delayOf(s.Snapshot, p, j, task)
	if r.decision != nil {
		r.advice = r.next()
	}
	return r
}

// delayOf is why a job does not start, or one task of it where that is not 0.
func delayOf(s *model.Snapshot, p *model.Plan, j *model.Job, task uint32) *delay {
	r := &delay{job: j, id: idOf(j, task), local: p.RunAt.In(zoneOf(s)), asks: slotsAsked(j), at: p.RunAt, closed: p.Closed, maxReservation: s.Policy.MaxReservation}
	for k := range j.Tasks {
		if t := &j.Tasks[k]; !t.Started.IsZero() && t.Started.Before(p.RunAt) && concerns(t.IDs, task) {
			r.running++
		}
	}
	first := -1
	for i := range p.Decisions {
		switch d := &p.Decisions[i]; {
		case d.Job != j.Number, !concerns(d.Tasks, task):
		case d.Verdict == model.Now:
			r.starts = append(r.starts, d)
		case r.decision == nil:
			r.decision, first = d, i
		default:
			r.others = append(r.others, d)
		}
	}
	if r.decision == nil {
		return r
	}
	r.awaited = slices.ContainsFunc(s.Jobs, func(o model.Job) bool { return slices.Contains(j.Predecessors, o.Number) && runs(&o) })
	clock := forecast.NewClock(&s.Policy, 0)
	r.taken = takenSlots(s, p)
	r.gate = schedule.NewGate(s)
	r.sortReasons(s)
	offset := schedule.DurationOffset(&s.Policy)
	if r.decision.Verdict == model.Later {
		r.slack = offset
	}
	r.holders = holdersOf(s, booked(atTheirLimits(s, forecast.Booked(s, p), offset, clock), first), r.wanted(s))
	if triedInTurn(r.decision.Why) {
		r.ahead = workAhead(s, p, first, clock)
	}
	return r
}

// idOf names a job, or a task of it.
func idOf(j *model.Job, task uint32) string {
	if task == 0 {
		return number32(j.Number)
	}
	return number32(j.Number) + "." + number32(task)
}

// runs reports whether a task of a job runs.
func runs(j *model.Job) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return !t.Started.IsZero() })
}

// triedInTurn reports whether the job took part in the run: it is not held back.
func triedInTurn(why []model.Reason) bool {
	return !slices.ContainsFunc(why, func(r model.Reason) bool {
		switch r.Kind {
		case model.ReasonHold, model.ReasonError, model.ReasonDependency, model.ReasonExecutionTime, model.ReasonTaskLimit, model.ReasonFilter, model.ReasonStale:
			return true
		}
		return false
	})
}

// sortReasons parts reasons that hold everywhere from those of hosts, and counts hosts by reason.
func (r *delay) sortReasons(s *model.Snapshot) {
	var general []model.Reason
	local := map[string]model.Reason{} // the first reason of each host, queue instance and cluster queue
	for _, w := range r.decision.Why {
		switch w.Level {
		case "H", "Q":
			if _, known := local[w.Object]; !known {
				local[w.Object] = w
			}
		default:
			general = append(general, w)
		}
	}
	r.general = groupReasons(general)
	r.hosts = hostGroups(s, local, r.silence(len(local)))
}

// silence gives a reason to queue instances that the run tried nothing on, because they were closed or full, or that have
// something for the job, but with all others too little. Where something is short everywhere, the run looked at none.
func (r *delay) silence(places int) func(*model.QueueInstance) (hostGroup, bool) {
	why := r.decision.Why
	has := func(kind model.ReasonKind) bool {
		return slices.ContainsFunc(why, func(w model.Reason) bool { return w.Kind == kind })
	}
	everywhere := slices.ContainsFunc(why, func(w model.Reason) bool { return w.Level == "G" && w.Kind != model.ReasonPESlots })
	short := has(model.ReasonPESlots)
	if everywhere || r.decision.Verdict == model.Later || places == 0 && !short && !has(model.ReasonStopped) {
		return func(*model.QueueInstance) (hostGroup, bool) { return hostGroup{}, false }
	}
	shut := r.closedPlaces()
	return func(q *model.QueueInstance) (hostGroup, bool) {
		closed := model.Reason{Kind: model.ReasonQueueState, Offered: q.State}
		if why := shut[q.Name]; why != nil {
			return hostGroup{candidate: why.Later, closed: why.Kind == model.ReasonQueueState, text: reasonText(why), rank: reasonRank(why)}, true
		}
		switch {
		case strings.ContainsAny(q.State, "uEasAdSDCo"):
			return hostGroup{closed: true, text: reasonText(&closed), rank: reasonRank(&closed)}, true
		case q.Slots > 0 && r.taken[q.Name] >= q.Slots:
			if bar, bars := r.bars(q.Name); bars {
				return hostGroup{text: reasonText(&bar), rank: reasonRank(&bar)}, true
			}
			return hostGroup{candidate: true, full: true, text: "no slot is left by jobs that run or come before it", rank: 1}, true
		case short:
			return hostGroup{candidate: true, text: "has something for it, but all together have too little", rank: 0}, true
		}
		return hostGroup{}, false
	}
}

// bars says why a queue instance would never take the job; of PBS none is asked.
func (r *delay) bars(instance string) (why model.Reason, bars bool) {
	if r.gate == nil {
		return why, false
	}
	return r.gate.Bars(r.job, instance)
}

// takenSlots are the slots of each queue instance that run and start.
func takenSlots(s *model.Snapshot, p *model.Plan) map[string]int {
	taken := map[string]int{}
	for _, l := range (forecast.Clock{}).SlotLines(s, p) {
		if l.State != "RESERVING" {
			taken[l.Object] += int(l.Amount)
		}
	}
	return taken
}

// hostGroups counts hosts by the reason of that queue instance which comes nearest to taking the job. Hosts without a reason
// are left out: the run did not look at them.
func hostGroups(s *model.Snapshot, local map[string]model.Reason, silence func(*model.QueueInstance) (hostGroup, bool)) []hostGroup {
	nearest := map[string]hostGroup{}
	var order []string
	for i := range s.Instances {
		q := &s.Instances[i]
		g, known := silence(q)
		if why, said := firstOf(local, q.Name, q.Host, q.Queue); said {
			g, known = hostGroup{candidate: why.Later, closed: why.Kind == model.ReasonQueueState, text: reasonText(&why), rank: reasonRank(&why)}, true
		}
		if !known {
			continue
		}
		best, seen := nearest[q.Host]
		if !seen {
			order = append(order, q.Host)
		}
		if !seen || g.rank < best.rank {
			nearest[q.Host] = g
		}
	}
	return groupHosts(order, nearest)
}

// groupHosts joins hosts with the same reason, those that come nearest first.
func groupHosts(order []string, reasons map[string]hostGroup) []hostGroup {
	var groups []hostGroup
	places := map[string]int{}
	for _, host := range order {
		g := reasons[host]
		i, known := places[g.text]
		if !known {
			i = len(groups)
			places[g.text] = i
			groups = append(groups, g)
		}
		groups[i].names = append(groups[i].names, host)
	}
	slices.SortStableFunc(groups, func(a, b hostGroup) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(b.names), len(a.names)))
	})
	return groups
}

func firstOf(local map[string]model.Reason, objects ...string) (model.Reason, bool) {
	for _, o := range objects {
		if why, known := local[o]; known {
			return why, true
		}
	}
	return model.Reason{}, false
}

// reasonRank says how far a place is from taking the job: what is reserved for others is free at least, what is in use will
// be free, and of the others those that the scheduler looks at last are nearest.
func reasonRank(r *model.Reason) int {
	switch {
	case r.Reserved:
		return 0
	case r.Later:
		return 1
	}
	return 2 + len(checks) - slices.Index(checks, r.Kind)
}

// checks are the checks of a queue instance, in the order in which they are made.
var checks = []model.ReasonKind{model.ReasonQueueState, model.ReasonLoad, model.ReasonCalendar, model.ReasonFull, model.ReasonQueueList, model.ReasonAccess,
	model.ReasonProject, model.ReasonQueueType, model.ReasonPE, model.ReasonCheckpoint, model.ReasonForced, model.ReasonReschedule, model.ReasonNoRequest,
	model.ReasonUnknown, model.ReasonResource, model.ReasonExclusive, model.ReasonQuota, model.ReasonPESlots}
