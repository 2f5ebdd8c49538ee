package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/split"
)

// An explanation is why a job does not start now.
type explanation struct {
	job            *model.Job
	id, asks       string // as people know it, and what it asks for in words
	advice         string // what to do next
	state          string // of PBS: that it runs, in a sentence
	at             time.Time
	maxReservation int
	running        int               // tasks of it that run
	starts         []*model.Decision // about tasks that start in the run
	decision       *model.Decision   // about the first that does not; nil where all do
	general        []reasonGroup     // reasons of the job itself, or that hold everywhere
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

// A holder is a booking of something that the job waits for.
type holder struct {
	what      string
	job, task uint32
	id        string // of PBS: the job's id
	state     string // in words
	owner     string
	amount    float64
	until     time.Time // zero for no end
	free      float64   // amount that is free once it has ended, NaN where that is not known
}

// ahead is the work that comes before the job.
type ahead struct {
	known                   bool
	unit                    string // of work, slot-hours
	jobs, tasks             int
	hours, running          float64 // slot-hours
	endless, runningEndless int     // tasks
}

// explain explains why a job of Grid Engine does not start.
func (s gridEngine) explain(p *model.Plan, j *model.Job) *explanation {
	r := explain(s.Snapshot, p, j)
	if r.decision != nil {
		r.advice = r.next()
	}
	return r
}

func explain(s *model.Snapshot, p *model.Plan, j *model.Job) *explanation {
	r := &explanation{job: j, id: number32(j.Number), asks: slotsAsked(j), at: p.RunAt, closed: p.Closed, maxReservation: s.Policy.MaxReservation}
	for k := range j.Tasks {
		if t := &j.Tasks[k]; !t.Started.IsZero() && t.Started.Before(p.RunAt) {
			r.running++
		}
	}
	first := -1
	for i := range p.Decisions {
		switch d := &p.Decisions[i]; {
		case d.Job != j.Number:
		case d.Verdict == model.Now:
			r.starts = append(r.starts, d)
		case r.decision == nil:
			r.decision, first = d, i
		}
	}
	if r.decision == nil {
		return r
	}
	clock := forecast.NewClock(&s.Policy, 0)
	r.taken = takenSlots(s, p)
	r.sortReasons(s)
	r.holders = holdersOf(s, booked(pictured(s, p), first), r.wanted(s))
	if triedInTurn(r.decision.Why) {
		r.ahead = workAhead(s, p, first, clock)
	}
	return r
}

// triedInTurn reports whether the job took part in the run: it is not held back.
func triedInTurn(why []model.Reason) bool {
	return !slices.ContainsFunc(why, func(r model.Reason) bool {
		switch r.Kind {
		case model.ReasonHold, model.ReasonError, model.ReasonDependency, model.ReasonExecutionTime, model.ReasonTaskLimit, model.ReasonStale:
			return true
		}
		return false
	})
}

// sortReasons parts reasons that hold everywhere from those of hosts, and counts hosts by reason.
func (r *explanation) sortReasons(s *model.Snapshot) {
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
func (r *explanation) silence(places int) func(*model.QueueInstance) (hostGroup, bool) {
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
			return hostGroup{candidate: true, full: true, text: "no slot is left by jobs that run or come before it", rank: 1}, true
		case short:
			return hostGroup{candidate: true, text: "has something for it, but all together have too little", rank: 0}, true
		}
		return hostGroup{}, false
	}
}

// takenSlots are the slots of each queue instance that run and start.
func takenSlots(s *model.Snapshot, p *model.Plan) map[string]int {
	taken := map[string]int{}
	for _, l := range slotLines(s, p, forecast.Clock{}) {
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

// booked is a plan with the bookings that stand in the way of one of its decisions: what runs and starts, and what is reserved
// for others before it.
func booked(p *model.Plan, decision int) *model.Plan {
	before := map[[2]uint32]bool{}
	for _, d := range p.Decisions[:decision] {
		if d.Verdict == model.Later {
			before[[2]uint32{d.Job, d.Tasks[0].Min}] = true
		}
	}
	own := *p
	own.Lines = slices.DeleteFunc(slices.Clone(p.Lines), func(l model.ScheduleLine) bool {
		over := l.Duration != model.Forever && !l.Start.Add(l.Duration).After(p.RunAt)
		return l.State == "RESERVING" && (over || !before[[2]uint32{l.Job, l.Task}])
	})
	return &own
}

// holdersOf are the bookings of what is wanted, those first that end first. Each says how much is free once it has ended.
func holdersOf(s *model.Snapshot, p *model.Plan, wanted map[[3]string]bool) []holder {
	jobs, uses := jobsOf(s), usesOf(p, wanted)
	var list []holder
	for _, u := range uses {
		for _, l := range u.lines {
			h := holder{what: whatText(*l), job: l.Job, task: l.Task, state: lineStates[l.State], owner: ownerOf(jobs, l.Job), amount: l.Amount, free: math.NaN()}
			if l.Duration != model.Forever {
				h.until = l.Start.Add(l.Duration)
				h.free = u.freeAt(h.until)
			}
			list = append(list, h)
		}
	}
	slices.SortFunc(list, func(a, b holder) int {
		return cmp.Or(compareEnds(a.until, b.until), strings.Compare(a.what, b.what), cmp.Compare(a.job, b.job), cmp.Compare(a.task, b.task),
			strings.Compare(a.state, b.state), cmp.Compare(a.amount, b.amount))
	})
	return list
}

// placeOf is the resource that a line books: level, object and name.
func placeOf(l *model.ScheduleLine) [3]string { return [3]string{l.Level, l.Object, l.Resource} }

// A use is what books one resource at one place.
type use struct {
	total float64 // NaN where it is not known
	lines []*model.ScheduleLine
}

func usesOf(p *model.Plan, wanted map[[3]string]bool) map[[3]string]*use {
	uses := map[[3]string]*use{}
	for i := range p.Lines {
		if place := placeOf(&p.Lines[i]); wanted[place] {
			if uses[place] == nil {
				uses[place] = &use{total: math.NaN()}
			}
			uses[place].lines = append(uses[place].lines, &p.Lines[i])
		}
	}
	for _, u := range p.Utilization {
		if of := uses[[3]string{u.Level, u.Object, u.Resource}]; of != nil {
			of.total = u.Total
		}
	}
	return uses
}

// freeAt is how much is free at a moment: NaN where the capacity is not known.
func (u *use) freeAt(at time.Time) float64 {
	free := u.total
	for _, l := range u.lines {
		if !l.Start.After(at) && (l.Duration == model.Forever || l.Start.Add(l.Duration).After(at)) {
			free -= l.Amount
		}
	}
	return free
}

// lineStates are the states of the schedule file in words.
var lineStates = map[string]string{"RUNNING": "runs", "SUSPENDED": "is suspended", "STARTING": "starts now", "RESERVING": "is reserved for", "MIGRATING": "migrates"}

// wanted are the resources that the job waits for: with the slots of hosts that are full.
func (r *explanation) wanted(s *model.Snapshot) map[[3]string]bool {
	wanted := wantedBy(s, r.decision)
	full := map[string]bool{}
	for _, g := range r.hosts {
		for _, host := range g.names {
			full[host] = full[host] || g.full
		}
	}
	for i := range s.Instances {
		if q := &s.Instances[i]; full[q.Host] && q.Slots > 0 && r.taken[q.Name] >= q.Slots {
			wanted[[3]string{"Q", q.Name, "slots"}] = true
		}
	}
	return wanted
}

// wantedBy are the resources that a decision waits for: those that its reasons say time can mend. Where it has a reservation,
// what other places lack does not matter; if no reason tells what its own place lacks, it is slots.
func wantedBy(s *model.Snapshot, d *model.Decision) map[[3]string]bool {
	wanted := map[[3]string]bool{}
	own := map[string]bool{}
	instances := instancesOf(s)
	for _, g := range d.Slots {
		own[g.Instance] = true
		if q := instances[g.Instance]; q != nil {
			own[q.Host], own[q.Queue] = true, true
		}
	}
	for _, w := range d.Why {
		if local := w.Level == "Q" || w.Level == "H"; w.Later && w.Kind != model.ReasonPESlots && (d.Verdict != model.Later || !local || own[w.Object]) {
			wanted[wants(&w)] = true
		}
	}
	if d.Verdict == model.Later && !slices.ContainsFunc(d.Why, func(w model.Reason) bool { return w.Later && w.Kind != model.ReasonPESlots }) {
		for _, g := range d.Slots {
			wanted[[3]string{"Q", g.Instance, "slots"}] = true
		}
	}
	return wanted
}

// wants is the resource that a reason says is short, as the schedule file names it.
func wants(w *model.Reason) [3]string {
	switch {
	case w.Kind == model.ReasonFull:
		return [3]string{"Q", w.Object, "slots"}
	case w.Level == "L":
		set, _, _ := strings.Cut(w.Object, "/")
		return [3]string{"L", set, w.Resource}
	}
	return [3]string{w.Level, w.Object, w.Resource}
}

func whatText(l model.ScheduleLine) string {
	switch l.Level {
	case "G":
		return l.Resource
	case "L":
		return "quota " + l.Object + usageKey(l.Resource)
	}
	return l.Resource + " of " + l.Object
}

// compareEnds sorts ends, none last.
func compareEnds(a, b time.Time) int {
	if a.IsZero() || b.IsZero() {
		return map[bool]int{true: 1}[a.IsZero()] - map[bool]int{true: 1}[b.IsZero()]
	}
	return a.Compare(b)
}

// workAhead adds up what is decided before a decision, and what runs.
func workAhead(s *model.Snapshot, p *model.Plan, decision int, clock forecast.Clock) ahead {
	a := ahead{known: true, unit: "slot-hours"}
	jobs := jobsOf(s)
	seen := map[uint32]bool{}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || d.Job == p.Decisions[decision].Job || !triedInTurn(d.Why) {
			continue
		}
		if !seen[d.Job] {
			seen[d.Job] = true
			a.jobs++
		}
		tasks := split.Count(d.Tasks)
		a.tasks += tasks
		if length := clock.Length(j, nil); length == model.Forever {
			a.endless += tasks
		} else {
			a.hours += float64(tasks) * float64(slotsOf(j, d)) * length.Hours()
		}
	}
	a.addRunning(s, p.RunAt, clock)
	return a
}

// slotsOf is how many slots a decision grants, else the least that the job asks for.
func slotsOf(j *model.Job, d *model.Decision) int {
	sum := 0
	for _, g := range d.Slots {
		sum += g.Slots
	}
	if sum == 0 && j.PE != "" && len(j.PERange) > 0 {
		sum = int(j.PERange[0].Min)
	}
	return max(sum, 1)
}

func (a *ahead) addRunning(s *model.Snapshot, at time.Time, clock forecast.Clock) {
	instances := instancesOf(s)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if t.Started.IsZero() || !t.Started.Before(at) {
				continue
			}
			if length := clock.Length(j, named(instances, t.Granted)); length == model.Forever {
				a.runningEndless++
			} else {
				a.running += float64(max(t.Slots, 1)) * max(t.Started.Add(length).Sub(at), 0).Hours()
			}
		}
	}
}
