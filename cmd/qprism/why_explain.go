package main

import (
	"cmp"
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
	at             time.Time
	maxReservation int
	running        int               // tasks of it that run
	starts         []*model.Decision // about tasks that start in the run
	decision       *model.Decision   // about the first that does not; nil where all do
	general        []reasonGroup     // reasons of the job itself, or that hold everywhere
	hosts          []hostGroup
	holders        []holder
	ahead          ahead
}

// A hostGroup is the hosts that do not take the job for the same reason.
type hostGroup struct {
	candidate bool // another time would do
	text      string
	names     []string
	rank      int
}

// A holder is a booking of something that the job waits for.
type holder struct {
	what      string
	job, task uint32
	state     string // in words
	owner     string
	amount    float64
	until     time.Time // zero for no end
}

// ahead is the work that comes before the job.
type ahead struct {
	known                   bool
	jobs, tasks             int
	hours, running          float64 // slot-hours
	endless, runningEndless int     // tasks
}

func explain(s *model.Snapshot, p *model.Plan, j *model.Job) *explanation {
	r := &explanation{job: j, at: p.RunAt, maxReservation: s.Policy.MaxReservation}
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
	r.sortReasons(s)
	r.holders = holdersOf(s, p, r.decision)
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
	r.hosts = hostGroups(s, local)
}

// hostGroups counts hosts by the reason of that queue instance which comes nearest to taking the job. Hosts without a reason
// are left out: the run did not look at them, or they have something for the job, but not enough.
func hostGroups(s *model.Snapshot, local map[string]model.Reason) []hostGroup {
	nearest := map[string]model.Reason{}
	var order []string
	for i := range s.Instances {
		q := &s.Instances[i]
		why, known := firstOf(local, q.Name, q.Host, q.Queue)
		if !known {
			continue
		}
		best, seen := nearest[q.Host]
		if !seen {
			order = append(order, q.Host)
		}
		if !seen || reasonRank(&why) < reasonRank(&best) {
			nearest[q.Host] = why
		}
	}
	var groups []hostGroup
	places := map[string]int{}
	for _, host := range order {
		why := nearest[host]
		g := hostGroup{candidate: why.Later, text: reasonText(&why), rank: reasonRank(&why)}
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

// holdersOf are the bookings of what a decision waits for, those first that end first: of what its reasons say is short, and
// where it is reserved for, of the slots there.
func holdersOf(s *model.Snapshot, p *model.Plan, d *model.Decision) []holder {
	wanted := wantedBy(d)
	jobs := jobsOf(s)
	var list []holder
	for _, l := range pictured(s, p).Lines {
		want, known := wanted[[3]string{l.Level, l.Object, l.Resource}]
		if !known || l.Job == d.Job || l.State == "RESERVING" && !want.Reserved {
			continue
		}
		h := holder{what: whatText(l), job: l.Job, task: l.Task, state: lineStates[l.State], amount: l.Amount}
		if j := jobs[l.Job]; j != nil {
			h.owner = j.Owner
		}
		if l.Duration != model.Forever {
			h.until = l.Start.Add(l.Duration)
		}
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b holder) int {
		return cmp.Or(compareEnds(a.until, b.until), strings.Compare(a.what, b.what), cmp.Compare(a.job, b.job), cmp.Compare(a.task, b.task))
	})
	return list
}

// lineStates are the states of the schedule file in words.
var lineStates = map[string]string{"RUNNING": "runs", "SUSPENDED": "is suspended", "STARTING": "starts now", "RESERVING": "is reserved for", "MIGRATING": "migrates"}

// wantedBy are the resources that a decision waits for. Where it has a reservation, what other places lack does not matter.
func wantedBy(d *model.Decision) map[[3]string]model.Reason {
	wanted := map[[3]string]model.Reason{}
	for _, w := range d.Why {
		if local := w.Level == "Q" || w.Level == "H"; w.Later && !(local && d.Verdict == model.Later) {
			wanted[wants(&w)] = w
		}
	}
	if d.Verdict == model.Later {
		for _, g := range d.Slots {
			wanted[[3]string{"Q", g.Instance, "slots"}] = model.Reason{}
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
	a := ahead{known: true}
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
