package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	blocks "qprism/exporter/chart"
)

// inShort returns the report as sentences.
func (r *Report) inShort() []string { return append(r.sentences("lines"), r.Sentences()...) }

// Sentences says briefly how jobs are ordered, and how well this is proven.
func (r *Report) Sentences() []string { return r.sentences("sentences") }

// sentences returns the sentences of a part of the template, one a line.
func (r *Report) sentences(part string) (list []string) {
	var b strings.Builder
	if err := page.ExecuteTemplate(&b, part, r); err != nil {
		return []string{err.Error()}
	}
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// agreement prints the tau-b of the snapshots.
func (s *Summary) agreement() string {
	if s.Snapshots == 1 {
		return tau(s.Median)
	}
	return fmt.Sprintf("%s (median), %s (lowest)", tau(s.Median), tau(s.Least))
}

// least returns the least tau-b of all snapshots.
func (c *Candidate) least() Number {
	least := Number(math.NaN())
	for _, s := range []Summary{c.Seen, c.HeldOut} {
		if s.Snapshots > 0 && s.Least.known() && !(least <= s.Least) {
			least = s.Least
		}
	}
	return least
}

// Because names the term that causes an inversion. If no term does, it names the kind of cause.
func (v *Inversion) Because() string {
	if v.Term != "" {
		return v.Term
	}
	return v.Cause
}

// between prints the range of a constant over the history.
func (c *Constant) between() string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, d := range c.Drift {
		if d.known() {
			low, high = min(low, float64(d)), max(high, float64(d))
		}
	}
	switch {
	case low > high:
		return "–"
	case low == high:
		return number(Number(low))
	}
	return number(Number(low)) + " to " + number(Number(high))
}

// valuesText prints the values of a constant in each snapshot as a line of blocks.
func (c *Constant) valuesText() string {
	l := blocks.Line{}
	for _, d := range c.Drift {
		l.Values = append(l.Values, float64(d))
	}
	return blocks.Spark(&l, mostBlocks)
}

// offs prints the greatest error of each term. It is empty if the errors are unknown.
func (c *Candidate) offs() string {
	var parts []string
	for _, t := range c.Terms {
		if t.Off.known() {
			parts = append(parts, Bound(float64(t.Off))+" in "+t.Policy)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Over all snapshots, the distance of two priorities has an error of at most " +
		strings.Join(parts, ", ") + "."
}

// Bound formats a bound with two digits, rounded up.
func Bound(x float64) string {
	if x < 1e-9 {
		return "0"
	}
	scale := math.Pow(10, math.Floor(math.Log10(x))-1)
	return strconv.FormatFloat(math.Ceil(x/scale-1e-9)*scale, 'g', 2, 64)
}

// lower makes the first letter of a title small, unless the first word is a name.
func lower(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	second, _ := utf8.DecodeRuneInString(title[size:])
	if size == 0 || !unicode.IsUpper(first) || unicode.IsUpper(second) {
		return strings.TrimSuffix(title, ".")
	}
	for _, name := range []string{"Grid Engine", "Kendall", "Slurm"} {
		if strings.HasPrefix(title, name) {
			return strings.TrimSuffix(title, ".")
		}
	}
	return string(unicode.ToLower(first)) + strings.TrimSuffix(title[size:], ".")
}

func decimals(n Number) string {
	if !n.known() {
		return "–"
	}
	return strconv.FormatFloat(float64(n), 'f', 2, 64)
}

// WorstName returns the snapshot with the least tau-b, if this tau-b is less than 1.
func (s *Summary) WorstName() string {
	if s.Least == 1 {
		return ""
	}
	return s.Worst
}

// layout prints a formula with a line for each policy, if that says more than the formula alone.
func (c *Candidate) layout() string {
	if len(c.Terms) < 2 {
		return c.Formula
	}
	wide := 0
	for _, t := range c.Terms {
		wide = max(wide, utf8.RuneCountInString(t.Policy))
	}
	var b strings.Builder
	for i, t := range c.Terms {
		sign := "+"
		if i == 0 {
			sign = " "
		}
		fmt.Fprintf(&b, "%-*s %s %s\n", wide, t.Policy, sign, t.Text)
	}
	return b.String()
}

// others returns the candidates with a formula that were not chosen.
func (r *Report) others() (list []*Candidate) {
	for i := range r.Candidates {
		if c := &r.Candidates[i]; !c.Chosen && c.Formula != "" {
			list = append(list, c)
		}
	}
	return list
}

func resolution(n Number) string {
	if n == 0 {
		return "–"
	}
	return strconv.FormatFloat(float64(n), 'g', 3, 64)
}
