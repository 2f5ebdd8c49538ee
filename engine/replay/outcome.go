package replay

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/batch"
	"qprism/engine/gridengine"
	"qprism/engine/halves"
	"qprism/engine/history"
	"qprism/engine/model"
	"qprism/engine/usage"
	"qprism/engine/whatif"
)

// An Outcome is the result of a period.
type Outcome struct {
	Groups []Group // all, projects, departments and users, by name
	Waited []Waited
}

// A Group has the tasks of a user, project or department. Unknown values are NaN.
type Group struct {
	Kind, Name string // the kind for all tasks is empty
	Tasks      int    // tasks that waited at any time
	Started    int
	Median     time.Duration // from submission to start, or to the end of the period
	Got        float64       // its usage, as a fraction of all slots and time
	Target     float64       // its target, as a fraction
}

// Waited is the total waiting time for a cause.
type Waited struct {
	Cause model.Cause
	For   time.Duration
}

// Off is the distance of the usage of projects from their targets, from 0 to 1. If no project has a target,
// it is the distance of users. If no user has a target either, it is NaN.
func (o *Outcome) Off() float64 {
	for _, kind := range []string{batch.ByProject, batch.ByUser, batch.ByDepartment} {
		off, known := 0.0, false
		for i := range o.Groups {
			if g := &o.Groups[i]; g.Kind == kind && !math.IsNaN(g.Target) && !math.IsNaN(g.Got) {
				off, known = off+math.Abs(g.Got-g.Target)/2, true
			}
		}
		if known {
			return off
		}
	}
	return math.NaN()
}

// Recorded is the recorded outcome of the period, without causes of waits.
func (r *Record) Recorded() *Outcome { return outcome(r, r.Last, r.lives()) }

// Play plays the period under each policy (a case of the first snapshot), several at once. Outcomes of
// stopped plays are nil.
func (r *Record) Play(cases []*whatif.Case, atOnce int, stop func() bool) []*Outcome {
	g := r.common()
	outcomes := make([]*Outcome, len(cases))
	var all halves.Group
	turn := make(chan struct{}, max(atOnce, 1))
	for i, c := range cases {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			outcomes[i] = g.play(c, stop)
		})
	}
	all.Wait()
	return outcomes
}

// outcome is that of a play.
func (p *play) outcome() *Outcome {
	end := *p.cluster.Snapshot
	end.TakenAt = p.Last.TakenAt
	o := outcome(p.Record, &end, p.lives)
	for _, c := range history.Causes {
		if d := p.waited[c]; d > 0 {
			o.Waited = append(o.Waited, Waited{c, d})
		}
	}
	slices.SortStableFunc(o.Waited, func(a, b Waited) int { return cmp.Compare(b.For, a.For) })
	return o
}

// outcome adds up what started, and what waits at the end.
func outcome(r *Record, end *model.Snapshot, lives []*life) *Outcome {
	t := tallies{}
	from := r.moments[0].at
	for _, l := range lives {
		if l.start.After(from) {
			t.add(l.job, l.start, 1, true)
		}
	}
	for i := range end.Jobs {
		j := &end.Jobs[i]
		for k := range j.Tasks {
			if j.Tasks[k].Started.IsZero() {
				t.add(j, end.TakenAt, max(model.CountOf(j.Tasks[k].IDs), 1), false)
			}
		}
	}
	t.share(end, ended(lives, end.TakenAt), from)
	return &Outcome{Groups: t.groups()}
}

// A tally is a group that is added up.
type tally struct {
	Group
	waits []wait
}

// A wait is that of some tasks.
type wait struct {
	length time.Duration
	tasks  int
}

type tallies map[[2]string]*tally

func (t tallies) at(kind, name string) *tally {
	key := [2]string{kind, name}
	if t[key] == nil {
		t[key] = &tally{Group: Group{Kind: kind, Name: name, Got: math.NaN(), Target: math.NaN()}}
	}
	return t[key]
}

// add adds tasks of a job that waited until a moment.
func (t tallies) add(j *model.Job, until time.Time, tasks int, started bool) {
	p := batch.Party{User: j.Owner, Project: j.Project, Department: j.Department}
	for _, kind := range kinds {
		name := ""
		if kind != "" {
			name = p.Name(kind)
		}
		g := t.at(kind, name)
		g.Tasks += tasks
		if started {
			g.Started += tasks
		}
		g.waits = append(g.waits, wait{max(until.Sub(j.Submitted), 0), tasks})
	}
}

// share computes usage and target of each user, project or department.
func (t tallies) share(end *model.Snapshot, ended []model.EndedTask, from time.Time) {
	for _, kind := range kinds[1:] {
		used := usage.Of(end, ended, usage.Query{By: kind, From: from, To: end.TakenAt,
			Due: func(by string, active []batch.Party) batch.Due { return gridengine.Due(end, by, active) }})
		for _, row := range used.Rows {
			g := t.at(kind, row.Name)
			g.Got, g.Target = row.Got, row.Target
		}
	}
}

// kinds are those of groups, in their order; that of all is empty.
var kinds = []string{"", batch.ByProject, batch.ByDepartment, batch.ByUser}

func (t tallies) groups() (list []Group) {
	for _, x := range t {
		x.Median = median(x.waits)
		list = append(list, x.Group)
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), strings.Compare(a.Name, b.Name))
	})
	return list
}

// median is the middle wait of all tasks: of two, the longer.
func median(waits []wait) time.Duration {
	slices.SortFunc(waits, func(a, b wait) int { return cmp.Compare(a.length, b.length) })
	tasks := 0
	for _, w := range waits {
		tasks += w.tasks
	}
	before := 0
	for _, w := range waits {
		if before += w.tasks; before > tasks/2 {
			return w.length
		}
	}
	return 0
}
