package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

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

// atTheirLimits is a plan whose bookings end when what they are for does at the latest: the scheduler books all for an allowance
// longer, and does not know the limits of queues.
func atTheirLimits(s *model.Snapshot, p *model.Plan, allowance time.Duration, clock forecast.Clock) *model.Plan {
	lengths := map[[2]uint32]time.Duration{}
	for _, l := range clock.SlotLines(s, p) {
		if l.State == "RUNNING" {
			lengths[[2]uint32{l.Job, l.Task}] = l.Duration
		}
	}
	own := *p
	own.Lines = slices.Clone(p.Lines)
	for i := range own.Lines {
		l := &own.Lines[i]
		if length, runs := lengths[[2]uint32{l.Job, l.Task}]; runs {
			l.Duration = length
			continue
		}
		if l.State == "RESERVING" { // where something else is booked until then
			l.Start = l.Start.Add(-allowance)
		}
		if l.Duration != model.Forever {
			l.Duration = max(l.Duration-allowance, 0)
		}
	}
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
func (r *delay) wanted(s *model.Snapshot) map[[3]string]bool {
	wanted := wantedBy(s, r.decision)
	full := map[string]bool{}
	never := map[string]bool{} // places that no time opens to the job
	for _, w := range r.decision.Why {
		if (w.Level == "Q" || w.Level == "H") && !w.Later {
			never[w.Object] = true
		}
	}
	for _, g := range r.hosts {
		for _, host := range g.names {
			full[host] = full[host] || g.full
		}
	}
	for i := range s.Instances {
		q := &s.Instances[i]
		if !full[q.Host] || q.Slots <= 0 || r.taken[q.Name] < q.Slots || never[q.Name] || never[q.Host] || never[q.Queue] {
			continue
		}
		if _, bars := r.bars(q.Name); !bars {
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
