package delay

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// A Holder is a booking of a resource that the job waits for.
type Holder struct {
	Of        Place
	Job, Task uint32
	ID        string // PBS: the job's id
	Owner     string // empty if the snapshot does not have the job
	State     State
	Amount    float64
	Until     time.Time // zero for no end
	Free      float64   // amount that is free after its end, NaN if not known
}

// A Place is one resource at one level, as in schedule(5): level P, G, H, Q or L, object, resource.
type Place struct{ Level, Object, Resource string }

// compare sorts by resource, quotas among them by that word, and then by object.
func (p Place) compare(o Place) int {
	return cmp.Or(strings.Compare(p.sort(), o.sort()), cmp.Compare(p.wide(), o.wide()),
		strings.Compare(p.Object, o.Object),
		strings.Compare(p.Resource, o.Resource), strings.Compare(p.Level, o.Level))
}

func (p Place) sort() string {
	if p.Level == "L" {
		return "quota"
	}
	return p.Resource
}

// wide is 0 for what all hosts have together, 1 for the rest.
func (p Place) wide() int {
	if p.Level == "G" {
		return 0
	}
	return 1
}

// A State is the kind of a booking, in the words of schedule(5).
type State string

// The states.
const (
	Running   State = "RUNNING"
	Suspended State = "SUSPENDED"
	Migrating State = "MIGRATING"
	Starting  State = "STARTING"
	Reserving State = "RESERVING"
)

// Holders are the bookings of wanted resources, the first to end first. Each says how much is free after its
// end.
func Holders(s *model.Snapshot, p *model.Plan, wanted map[Place]bool) (list []Holder) {
	owners := map[uint32]string{}
	for i := range s.Jobs {
		owners[s.Jobs[i].Number] = s.Jobs[i].Owner
	}
	for _, u := range usesOf(p, wanted) {
		for _, l := range u.lines {
			h := Holder{Of: placeOf(l), Job: l.Job, Task: l.Task, State: State(l.State), Owner: owners[l.Job],
				Amount: l.Amount, Free: math.NaN()}
			if l.Duration != model.Forever {
				h.Until = l.Start.Add(l.Duration)
				h.Free = u.freeAt(h.Until)
			}
			list = append(list, h)
		}
	}
	slices.SortFunc(list, func(a, b Holder) int {
		return cmp.Or(compareEnds(a.Until, b.Until), a.Of.compare(b.Of), cmp.Compare(a.Job, b.Job),
			cmp.Compare(a.Task, b.Task),
			strings.Compare(string(a.State), string(b.State)), cmp.Compare(a.Amount, b.Amount))
	})
	return list
}

// compareEnds sorts ends, none last.
func compareEnds(a, b time.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	return a.Compare(b)
}

// placeOf is what a line books.
func placeOf(l *model.ScheduleLine) Place { return Place{l.Level, l.Object, l.Resource} }

// A use is what books one resource at one place.
type use struct {
	total float64 // NaN where it is not known
	lines []*model.ScheduleLine
}

func usesOf(p *model.Plan, wanted map[Place]bool) map[Place]*use {
	uses := map[Place]*use{}
	for i := range p.Lines {
		if place := placeOf(&p.Lines[i]); wanted[place] {
			if uses[place] == nil {
				uses[place] = &use{total: math.NaN()}
			}
			uses[place].lines = append(uses[place].lines, &p.Lines[i])
		}
	}
	for _, u := range p.Utilization {
		if of := uses[Place{u.Level, u.Object, u.Resource}]; of != nil {
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
