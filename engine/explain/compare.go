package explain

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// A Comparison says which of two jobs comes first, why, and what would change that.
type Comparison struct {
	A, B     *Explanation `json:"-"`
	First    int          `json:"-"`          // -1 if A comes first, 1 if B does, 0 unless both wait
	Decided  string       `json:"decided_by"` // the criterion that decides
	Rows     []Row        `json:"-"`
	Next     time.Time    `json:"flips_from"` // the moment from which flip points count
	NextSame bool         `json:"-"`          // the next run has the same order
	Passer   *Explanation `json:"-"`
	Flips    []Flip       `json:"-"`
	Never    []Obstacle   `json:"never"` // changes that never reverse the order
	Rates    []string     `json:"rates"` // exchange rates in words: what one unit is worth in another
	Notes    []string     `json:"notes"`
}

// A Row is one term of both jobs.
type Row struct {
	Name  string  `json:"name"`
	Depth int     `json:"depth"`
	A     string  `json:"a"` // the first job's raw value
	B     string  `json:"b"`
	Gain  float64 `json:"gain"` // of A over B, in the compared unit; NaN if there is none
	Wins  int     `json:"-"`    // -1 A, 1 B, 0 none
}

// Both explains two jobs for a comparison.
func Both(sc Scene, idA, idB string) (a, b *Explanation, err error) {
	if a, err = sc.Explain(idA); err != nil {
		return nil, nil, err
	}
	if b, err = sc.Explain(idB); err != nil {
		return nil, nil, err
	}
	if a.Job.Same(b.Job) {
		return nil, nil, ErrSameJob
	}
	return a, b, nil
}

// Of compares two jobs by their explanations. Flip points count from next.
func Of(a, b *Explanation, next time.Time) *Comparison {
	c := &Comparison{A: a, B: b, Next: next}
	if a.Place > 0 && b.Place > 0 {
		c.First = cmp.Compare(a.Place, b.Place)
	}
	return c
}

// SpanOf formats seconds as Span does. Too long for a duration, or for a person, it is in years.
func SpanOf(seconds float64) string {
	const year = 365.25 * 24 * 3600
	if seconds < 10*year {
		return Span(time.Duration(seconds * float64(time.Second)))
	}
	years, _ := strconv.ParseFloat(fmt.Sprintf("%.4g", seconds/year), 64)
	return Number(years) + " years"
}

// Span formats a duration in the unit that fits.
func Span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int64(d/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%.1f days", d.Hours()/24)
}

// Winner is the job that gains by a difference in priority: -1 the first, 1 the second, 0 neither.
func Winner(gain float64) int {
	switch {
	case gain > 0:
		return -1
	case gain < 0:
		return 1
	}
	return 0
}
