package explain

import (
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Pair has two waiting jobs in the next run. First comes before Second.
type Pair struct {
	Snapshot *model.Snapshot
	Next     time.Time
	First    *model.Job // to be passed
	Second   *model.Job // to pass
	Starts   []Start    // possible starts, in that order
	Whose    string     // the owner or entity of these jobs
}

// PairRules apply the rules of one batch system to a Pair.
type PairRules interface {
	Trials() []Trial           // the changes of its policy, in the order of reports
	Present() Sample           // the present order
	After(c Change) Sample     // the order after a change
	Cause(at time.Time) string // the reason that Second comes first at a moment
	ChangeTimes() []time.Time  // moments after the next run at which numbers jump
	About() *Pair
}

// About is the Pair itself.
func (d *Pair) About() *Pair { return d }

// A Trial is a kind of change that may put Second first.
type Trial struct {
	Kind       Kind
	From, Most int64  // the present amount, and the greatest to try
	Guess      int64  // an estimate of the flip point; 0 for none
	Barred     string // why this kind changes nothing; then it is not tried
	NotEnough  string // the explanation if no amount is enough
}

// Settle tries all kinds of changes.
func Settle(c *Comparison, d PairRules) {
	for _, t := range d.Trials() {
		if t.Barred != "" {
			c.Never = append(c.Never, Obstacle{t.Kind, t.Barred})
		} else if f, ok := t.find(d); ok {
			c.Flips = append(c.Flips, f)
		} else {
			c.Never = append(c.Never, Obstacle{t.Kind, t.NotEnough})
		}
	}
}

// find looks for the flip point.
func (t *Trial) find(d PairRules) (Flip, bool) {
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

// At is the moment of the run in which a change is tried.
func (d *Pair) At(c Change) time.Time {
	if c.Kind == ByTime {
		return d.Next.Add(c.Seconds())
	}
	return d.Next
}

// MostShares is the most shares that are tried.
const MostShares = 1 << 24

// Endless is the explanation if no number is high enough.
const Endless = "no number is high enough"

// NotEven is the explanation if no number of starts is enough.
func NotEven(n int) string {
	if n == 1 {
		return "the start of the only other job is not enough"
	}
	return fmt.Sprintf("the starts of all %d other jobs are not enough", n)
}
