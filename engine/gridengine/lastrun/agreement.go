package lastrun

import "math"

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
func (v *View) Agreement() (a Agreement) {
	for i := range v.Snapshot.Jobs {
		j := &v.Snapshot.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; t.Ended.IsZero() {
				a.add(v.Row(j, t))
			}
		}
	}
	return a
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
