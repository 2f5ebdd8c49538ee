package explain

import (
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Flip is a point at which one job passes another one: just before it, the order is what it was, and from it on the other.
type Flip struct {
	Change
	From   int64     `json:"from"`             // the amount as it is
	At     time.Time `json:"at,omitzero"`      // of ByTime
	Cause  string    `json:"cause,omitempty"`  // of ByTime: what made most of the difference
	Starts []string  `json:"starts,omitempty"` // of ByStarts: the jobs that start, in that order
	Of     string    `json:"-"`                // of ByStarts: whose they are, an owner or the entity that is charged; of ByUsed that entity
}

// An Obstacle says why a kind of change makes no job pass another one.
type Obstacle struct {
	Kind Kind   `json:"kind"`
	Why  string `json:"why"`
}

// horizon is how far ahead a flip by time is looked for.
const horizon = 30 * 24 * time.Hour

// A duel is two waiting jobs, the first of which comes first, in the next run.
type duel struct {
	s      *model.Snapshot
	next   time.Time
	first  *model.Job // the one that is to be passed
	second *model.Job // the one that is to pass
	starts []start    // that may be supposed, in that order
	whose  string     // they are
}

// A contest is a duel by the rules of one system.
type contest interface {
	trials() []trial           // the kinds of changes that its policy knows, in the order of a report
	present() sample           // the order as it is
	after(c Change) sample     // the order after a change
	cause(at time.Time) string // what puts the second job first at a moment
	about() *duel
}

func (d *duel) about() *duel { return d }

// A trial is a kind of change that may put the second job first.
type trial struct {
	kind       Kind
	from, most int64  // the amount as it is, and the greatest that is tried
	guess      int64  // an amount that the flip point should be near; 0 where nothing tells
	barred     string // why the kind changes nothing; it is not tried then
	vain       string // why not, where no amount is enough
}

// settle tries all kinds of changes.
func settle(c *Comparison, d contest) {
	for _, t := range d.trials() {
		if t.barred != "" {
			c.Never = append(c.Never, Obstacle{t.kind, t.barred})
		} else if f, ok := t.find(d); ok {
			c.Flips = append(c.Flips, f)
		} else {
			c.Never = append(c.Never, Obstacle{t.kind, t.vain})
		}
	}
}

// find looks for the flip point.
func (t *trial) find(d contest) (Flip, bool) {
	amount, ok := int64(0), false
	if t.kind == ByTime {
		amount, ok = overTime(d)
	} else {
		amount, ok = smallest(d, t)
	}
	f := Flip{Change: Change{t.kind, amount}, From: t.from}
	switch {
	case !ok:
		return f, false
	case t.kind == ByTime:
		f.At = d.about().at(f.Change)
		f.Cause = d.cause(f.At)
	case t.kind == ByStarts:
		f.Starts, f.Of = startNames(d.about().starts[:amount]), d.about().whose
	case t.kind == ByUsed:
		f.Of = d.about().whose
	}
	return f, true
}

// at is the moment of the run that a change is looked at in.
func (d *duel) at(c Change) time.Time {
	if c.Kind == ByTime {
		return d.next.Add(c.seconds())
	}
	return d.next
}

// nextRun is the moment from which on changes count: after the last run, when what it started runs.
func (sc *Scene) nextRun() time.Time {
	if sc.lineup != nil || sc.next {
		return sc.At
	}
	return sc.view.NextRun()
}

// mostStarts bounds how many jobs are supposed to start.
const mostStarts = 256

// startNames are the tasks that start, as ids.
func startNames(list []start) []string {
	var names []string
	for _, t := range list {
		switch {
		case t.job.PBS != nil:
			names = append(names, t.job.PBS.ID)
		case t.job.Array:
			names = append(names, utoa(t.job.Number)+"."+utoa(t.task))
		default:
			names = append(names, utoa(t.job.Number))
		}
	}
	return names
}

// notEven says that no number of starts is enough.
func notEven(n int) string {
	if n == 1 {
		return "not even if the only one does"
	}
	return fmt.Sprintf("not even if all %d do", n)
}
