package explain

import (
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Duel is two waiting jobs, the first of which comes first, in the next run.
type Duel struct {
	Snapshot *model.Snapshot
	Next     time.Time
	First    *model.Job // the one that is to be passed
	Second   *model.Job // the one that is to pass
	Starts   []Start    // that may be supposed, in that order
	Whose    string     // they are
}

// A Contest is a duel by the rules of one system.
type Contest interface {
	Trials() []Trial           // the kinds of changes that its policy knows, in the order of a report
	Present() Sample           // the order as it is
	After(c Change) Sample     // the order after a change
	Cause(at time.Time) string // what puts the second job first at a moment
	Leaps() []time.Time        // the moments after the next run at which numbers do not change evenly
	About() *Duel
}

// About is the duel itself.
func (d *Duel) About() *Duel { return d }

// A Trial is a kind of change that may put the second job first.
type Trial struct {
	Kind       Kind
	From, Most int64  // the amount as it is, and the greatest that is tried
	Guess      int64  // an amount that the flip point should be near; 0 where nothing tells
	Barred     string // why the kind changes nothing; it is not tried then
	Vain       string // why not, where no amount is enough
}

// Settle tries all kinds of changes.
func Settle(c *Comparison, d Contest) {
	for _, t := range d.Trials() {
		if t.Barred != "" {
			c.Never = append(c.Never, Obstacle{t.Kind, t.Barred})
		} else if f, ok := t.find(d); ok {
			c.Flips = append(c.Flips, f)
		} else {
			c.Never = append(c.Never, Obstacle{t.Kind, t.Vain})
		}
	}
}

// find looks for the flip point.
func (t *Trial) find(d Contest) (Flip, bool) {
	amount, ok := int64(0), false
	if t.Kind == ByTime {
		amount, ok = overTime(d)
	} else {
		amount, ok = smallest(d, t)
	}
	f := Flip{Change: Change{t.Kind, amount}, From: t.From}
	switch {
	case !ok:
		return f, false
	case t.Kind == ByTime:
		f.At = d.About().At(f.Change)
		f.Cause = d.Cause(f.At)
	case t.Kind == ByStarts:
		f.Starts, f.Of = Names(d.About().Starts[:amount]), d.About().Whose
	case t.Kind == ByUsed:
		f.Of = d.About().Whose
	}
	return f, true
}

// At is the moment of the run that a change is looked at in.
func (d *Duel) At(c Change) time.Time {
	if c.Kind == ByTime {
		return d.Next.Add(c.Seconds())
	}
	return d.Next
}

// MostShares bounds the shares that are tried.
const MostShares = 1 << 24

// Endless says of a number that there is no end to it.
const Endless = "no number is high enough"

// NotEven says that no number of starts is enough.
func NotEven(n int) string {
	if n == 1 {
		return "not even if the only other job does"
	}
	return fmt.Sprintf("not even if all %d others do", n)
}
