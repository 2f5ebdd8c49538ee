package explain

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// A Comparison says which of two jobs comes first, by what, and what would change that.
type Comparison struct {
	A, B     *Explanation `json:"-"`
	First    int          `json:"-"`          // -1 where A comes first, 1 where B does, 0 where they are not both waiting
	Decided  string       `json:"decided_by"` // the criterion that decides
	Rows     []Row        `json:"-"`
	Next     time.Time    `json:"flips_from"` // from when on the flip points count
	NextSame bool         `json:"-"`          // the order in the next run is that of this one
	Passer   *Explanation `json:"-"`
	Flips    []Flip       `json:"-"`
	Never    []Obstacle   `json:"never"` // changes that do not make the passer pass
	Rates    []string     `json:"rates"` // what one thing is worth in another, in words
	Notes    []string     `json:"notes"`
}

// A Row is one term of both jobs.
type Row struct {
	Name  string  `json:"name"`
	Depth int     `json:"depth"`
	A     string  `json:"a"` // the raw value of the first job
	B     string  `json:"b"`
	Gain  float64 `json:"gain"` // of A over B, in the unit of what is compared; NaN where that says nothing
	Wins  int     `json:"-"`    // -1 A, 1 B, 0 none
}

// Both explains two jobs that are to be compared.
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

// Of is a comparison of two jobs, as far as their explanations tell it. Flip points count from next on.
func Of(a, b *Explanation, next time.Time) *Comparison {
	c := &Comparison{A: a, B: b, Next: next}
	if a.Place > 0 && b.Place > 0 {
		c.First = cmp.Compare(a.Place, b.Place)
	}
	return c
}

// SpanOf prints seconds as Span does, and what no duration holds, or nobody waits for, in years.
func SpanOf(seconds float64) string {
	const year = 365.25 * 24 * 3600
	if seconds < 10*year {
		return Span(time.Duration(seconds * float64(time.Second)))
	}
	years, _ := strconv.ParseFloat(fmt.Sprintf("%.4g", seconds/year), 64)
	return Number(years) + " years"
}

// Span prints a length of time in the unit that fits.
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

// Winner is who gains by a difference in priority: -1 the first job, 1 the second, 0 neither.
func Winner(gain float64) int {
	switch {
	case gain > 0:
		return -1
	case gain < 0:
		return 1
	}
	return 0
}
