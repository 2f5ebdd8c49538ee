package lastrun

import (
	"math"

	"qprism/engine/halves"
)

// An Agreement counts the printed numbers that a view reproduces.
type Agreement struct {
	Agree int
	Of    int // printed numbers
}

// Better reports whether a view fits better than another one. A stale number does not count as agreement.
// Else a number that is wrong for another reason could move the run to a moment at which the number is not
// compared.
func (a Agreement) Better(b Agreement) bool { return a.Agree > b.Agree }

// Whole reports whether the view reproduces every printed number.
func (a Agreement) Whole() bool { return a.Agree == a.Of }

// Agreement compares the view with what the master printed.
func (v *View) Agreement() Agreement {
	first, second := halves.Make(len(v.Snapshot.Jobs), func(from, to int) (a Agreement) {
		for i := from; i < to; i++ {
			j := &v.Snapshot.Jobs[i]
			for k := range j.Tasks {
				if t := &j.Tasks[k]; t.Ended.IsZero() {
					a.add(v.Row(j, t))
				}
			}
		}
		return a
	})
	return Agreement{Agree: first.Agree + second.Agree, Of: first.Of + second.Of}
}

func (a *Agreement) add(r Row) {
	for f, printed := range Reported(r.Job, r.Task) {
		if math.IsNaN(printed) {
			continue
		}
		if a.Of++; r.Agrees(Field(f), printed) {
			a.Agree++
		}
	}
}
