package delay

import (
	"cmp"
	"slices"

	"qprism/engine/model"
)

// A Group has places (hosts or queue instances) that refuse the job for the same reason.
type Group struct {
	Bar    Bar
	Why    model.Reason // for Refuses: that of the first place
	Places []string
	rank   int // how far they are from taking the job
}

// A Bar is the kind of obstacle in a place.
type Bar string

// The kinds of obstacles.
const (
	Refuses Bar = "refuses" // it refuses the job for a reason
	Taken   Bar = "taken"   // running jobs, or jobs before it, have all its slots
	Partial Bar = "partial" // it has room for a part of the job, but all places together have too little
	Kept    Bar = "kept"    // PBS: it has room, but a reservation or a top job needs it before the job would end
)

// TimeHelps reports whether the obstacle can go away with time.
func (g *Group) TimeHelps() bool { return g.Bar != Refuses || g.Why.Later }

// Closed reports whether the state of the places closes them.
func (g *Group) Closed() bool { return g.Bar == Refuses && g.Why.Kind == model.ReasonQueueState }

// Refusing groups the places that never accept a job, by their reason on an idle cluster.
func Refusing(why []model.Reason) []Group {
	var g Grouping
	seen := map[string]bool{}
	for _, w := range why {
		if at := w.Level + w.Object; (w.Level == "H" || w.Level == "Q") && !seen[at] {
			seen[at] = true
			w.Later = false
			g.Add(w.Object, Obstacle{Why: w})
		}
	}
	return g.Nearest()
}

// An Obstacle is why one place does not accept the job.
type Obstacle struct {
	Bar  Bar // empty means Refuses
	Why  model.Reason
	Rank int
}

// A Grouping groups places with the same obstacle, in the order of the first place of each group.
type Grouping struct {
	Groups []Group
	index  map[Obstacle]int
}

func (g *Grouping) Add(place string, o Obstacle) {
	key := Obstacle{Bar: o.Bar, Why: withoutPlace(o.Why)}
	i, known := g.index[key]
	if !known {
		if g.index == nil {
			g.index = map[Obstacle]int{}
		}
		i = len(g.Groups)
		g.index[key] = i
		g.Groups = append(g.Groups, Group{Bar: cmp.Or(o.Bar, Refuses), Why: o.Why, rank: o.Rank})
	}
	g.Groups[i].Places = append(g.Groups[i].Places, place)
}

// Nearest are the groups sorted by how near they are to accepting the job, then by size, the largest first.
func (g *Grouping) Nearest() []Group {
	slices.SortStableFunc(g.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(b.Places), len(a.Places)))
	})
	g.index = nil
	return g.Groups
}

// withoutPlace is what a reason of a place says but for the place: without what the place would offer to others,
// such as its own access lists, and without amounts where those do not matter.
func withoutPlace(w model.Reason) model.Reason {
	e := model.Reason{Kind: w.Kind, Later: w.Later, Reserved: w.Reserved}
	switch w.Kind {
	case model.ReasonFull, model.ReasonReschedule:
	case model.ReasonForced, model.ReasonUnknown, model.ReasonNoRequest, model.ReasonExclusive:
		e.Resource = w.Resource
	case model.ReasonQueueState, model.ReasonQueueType:
		e.Offered = w.Offered
	case model.ReasonQueueList, model.ReasonAccess, model.ReasonProject, model.ReasonPE, model.ReasonCheckpoint,
		model.ReasonCalendar,
		model.ReasonAdvance:
		e.Asked = w.Asked
	default:
		if e.Resource = w.Resource; !w.Reserved {
			e.Asked, e.Offered = w.Asked, w.Offered
		}
	}
	e.Failure, e.Who, e.Differs, e.Scope = w.Failure, w.Who, w.Differs, w.Scope
	return e
}
