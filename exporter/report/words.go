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

// Sentences say in short how jobs are ordered, and how well that is proven.
func (r *Report) Sentences() (list []string) {
	list = r.historySentences()
	c := r.Chosen()
	if c == nil {
		return list
	}
	list = append(list, fmt.Sprintf("Jobs are ordered by the candidate \"%s\": %s. It needs %s, and has %s to install.", c.Name,
		lower(c.Title), c.Needs, plural(c.Lines, "line")))
	if s := c.HeldOut; s.Snapshots > 0 {
		list = append(list, fmt.Sprintf("On %s that it was not made from, the order agrees with tau-b %s (median; %s at the least).",
			plural(s.Snapshots, "snapshot"), tau(s.Median), tau(s.Least)))
	} else if s := c.Seen; s.Snapshots > 0 {
		list = append(list, fmt.Sprintf("On %s that it was made from, the order agrees with tau-b %s (median; %s at the least). None was held out: give more of the history to know better.",
			plural(s.Snapshots, "snapshot"), tau(s.Median), tau(s.Least)))
	}
	if s := c.Installed; s != nil {
		list = append(list, fmt.Sprintf("That was proved with constants of the older snapshots alone. It is installed with constants of all of them, and orders all %s with tau-b %s (median; %s at the least).",
			plural(s.Snapshots, "snapshot"), tau(s.Median), tau(s.Least)))
	}
	if len(c.Runs) > 0 && c.Seen.Snapshots+c.HeldOut.Snapshots == 0 {
		list = append(list, "No snapshot has two waiting jobs that the policy tells apart, so nothing is proven: give bundles of a busier time.")
	}
	if c.Resolution.known() && c.Resolution > 0 {
		list = append(list, fmt.Sprintf("Priorities less than %s apart are equal to it (%s).", resolution(c.Resolution),
			resolutionOf(r.To.System)))
	}
	if len(r.Constants) > 0 {
		list = append(list, plural(len(r.Constants), "constant")+" of it are frozen: see Frozen constants.")
		if len(r.Constants) == 1 {
			list[len(list)-1] = "One constant of it is frozen: see Frozen constants."
		}
	}
	return list
}

// historySentences say what of the history does not count.
func (r *Report) historySentences() (list []string) {
	if r.Stored > 0 {
		list = append(list, fmt.Sprintf("The history is %s of %d that are stored, evenly chosen.",
			plural(len(r.Snapshots)+len(r.Unused), "snapshot"), r.Stored))
	}
	for i, u := range r.Unused {
		if i == mostUnused {
			list = append(list, fmt.Sprintf("So do %d more: see report.json.", len(r.Unused)-i))
			break
		}
		list = append(list, fmt.Sprintf("%s proves nothing: %s.", u.Name, u.Why))
	}
	return list
}

// inWords is a verdict behind a number.
func inWords(v Verdict) string {
	if v == NoRule {
		return "without a rule"
	}
	return string(v)
}

// resolutionOf says why a system does not tell all values apart.
func resolutionOf(system string) string {
	switch system {
	case "PBS":
		return "PBS keeps 24 bits of a formula's value"
	case "Slurm":
		return "Slurm keeps priorities as whole numbers"
	}
	return "numbers are rounded"
}

// least is the least tau-b of all snapshots.
func (c *Candidate) least() Number {
	switch {
	case !c.Seen.Least.known() || c.Seen.Snapshots == 0:
		if c.HeldOut.Snapshots == 0 {
			return Number(math.NaN())
		}
		return c.HeldOut.Least
	case !c.HeldOut.Least.known() || c.HeldOut.Snapshots == 0:
		return c.Seen.Least
	}
	return min(c.Seen.Least, c.HeldOut.Least)
}

// because names the term that an inversion comes from, or else its kind.
func (v *Inversion) because() string {
	if v.Term != "" {
		return v.Term
	}
	return v.Cause
}

// between is what a constant would have been over the history.
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

// course is what a constant would have been, snapshot by snapshot, as a line of blocks.
func (c *Constant) course() string {
	l := blocks.Line{}
	for _, d := range c.Drift {
		l.Values = append(l.Values, float64(d))
	}
	return blocks.Spark(&l, mostBlocks)
}

// offs says how far each term is off, at the most; empty where that is not known.
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
	return "The distance of two jobs in priority is off, at the most over all snapshots, by " + strings.Join(parts, ", ") + "."
}

// Bound prints a bound with two digits, rounded up.
func Bound(x float64) string {
	if x < 1e-9 {
		return "0"
	}
	scale := math.Pow(10, math.Floor(math.Log10(x))-1)
	return strconv.FormatFloat(math.Ceil(x/scale-1e-9)*scale, 'g', 2, 64)
}

// lower begins a title with a small letter, where its first word is no name.
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

// worstName is the snapshot with the least tau-b, where that is less than it could be.
func (s *Summary) worstName() string {
	if s.Least == 1 {
		return ""
	}
	return s.Worst
}

// layout is a formula with a line for each policy, where that says more.
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

// others are the candidates with a formula that were not chosen.
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
