package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A lineGroup has lines of one concept with the same result and note. It is one row of a table.
type lineGroup struct {
	Concept string
	Lines   int
	Where   string   // place of the first line
	Texts   []string // texts to show, without repetition
	Unshown int      // number of other texts
	Into    []string // translation of the first line: parts to show
	Parts   int      // number of other parts
	Note    string
}

// grouped returns the lines with a verdict, by concept. Lines with the same note share a group if they have the
// same translation or the same key.
func (r *Report) grouped(v Verdict) *listing[lineGroup] {
	var list []lineGroup
	type group struct{ concept, note, key, into string } // a group has either an into or a key
	type shown struct {
		in   int
		text string
	}
	told := map[shown]bool{}
	at := map[group]int{}
	for _, e := range r.Ledger {
		if e.Verdict != v {
			continue
		}
		same, alike := group{e.Concept, e.Note, "", e.Into}, group{e.Concept, e.Note, e.Key, ""}
		i, known := at[same]
		if !known && e.Into != "" {
			i, known = at[alike]
		}
		if !known {
			i = len(list)
			at[same], at[alike] = i, i
			list = append(list, lineGroup{Concept: e.Concept, Where: e.Place(), Note: e.Note})
			list[i].became(e.Into)
		}
		list[i].Lines += e.Lines
		if text := squeezed(e.Text); !told[shown{i, text}] {
			told[shown{i, text}] = true
			list[i].add(short(text))
		}
	}
	slices.SortStableFunc(list, func(a, b lineGroup) int {
		return cmp.Compare(r.rankOf(a.Concept), r.rankOf(b.Concept))
	})
	return listed(list, mostLineGroups)
}

// add adds the text of a line.
func (g *lineGroup) add(text string) {
	if len(g.Texts) < mostTexts {
		g.Texts = append(g.Texts, text)
	} else {
		g.Unshown++
	}
}

// became splits the translation of a line into its parts, and keeps the first ones.
func (g *lineGroup) became(into string) {
	g.Into = strings.FieldsFunc(into, func(r rune) bool { return r == '\n' })
	for i := range g.Into {
		g.Into[i] = short(g.Into[i])
	}
	g.Parts = max(0, len(g.Into)-mostParts)
	g.Into = g.Into[:len(g.Into)-g.Parts]
}

// short cuts a text to the length that fits into a table.
func short(text string) string {
	const most = 90
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// squeezed removes the blanks that align a line in its file.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func (r *Report) rankOf(concept string) int {
	return slices.IndexFunc(r.Concepts, func(c Concept) bool { return c.Name == concept })
}

// where returns the place of the first line, and the number of other lines.
func (g *lineGroup) where() string {
	if g.Lines == 1 {
		return code(g.Where)
	}
	return fmt.Sprintf("%s and %d more", code(g.Where), g.Lines-1)
}

// A listing is the part of a list that people see, and the number of other elements.
type listing[T any] struct {
	List []T
	More int
}

// listed returns the beginning of a list. It is nil for an empty list.
func listed[T any](list []T, most int) *listing[T] {
	if len(list) == 0 {
		return nil
	}
	shown := list[:min(len(list), most)]
	return &listing[T]{shown, len(list) - len(shown)}
}

// Limits of the report for people. report.json has everything.
const (
	mostRuns       = 40
	mostInversions = 10
	mostGroups     = 12 // of one kind
	mostLineGroups = 60
	mostParts      = 3 // of one translation
	mostTexts      = 4 // of lines in one group
	mostNames      = 40
	mostUnused     = 5  // snapshots that prove nothing
	mostBlocks     = 12 // in a line of blocks
)

// A placedInversion is an inversion in the snapshot where it is widest. It also has the number of snapshots
// with this inversion.
type placedInversion struct {
	Snapshot string
	In       int
	Inversion
}

// worst returns the worst inversions of all snapshots, each pair of jobs once. It sorts them by the distance of
// the old system's places, then by the old priority.
func (c *Candidate) worst() (list []placedInversion) {
	at := map[[2]string]int{}
	for i := range c.Runs {
		for _, v := range c.Runs[i].Inversions {
			this := placedInversion{c.Runs[i].Snapshot, 1, v}
			pair := [2]string{v.First.Job, v.Second.Job}
			j, known := at[pair]
			if !known {
				at[pair] = len(list)
				list = append(list, this)
				continue
			}
			this.In = list[j].In + 1
			if this.wider(&list[j]) < 0 {
				list[j] = this
			}
			list[j].In = this.In
		}
	}
	slices.SortStableFunc(list, func(a, b placedInversion) int { return a.wider(&b) })
	return list[:min(len(list), mostInversions)]
}

// wider is negative if v is worse than w.
func (v *placedInversion) wider(w *placedInversion) int {
	return cmp.Or(cmp.Compare(w.Places, v.Places), cmp.Compare(w.gap(), v.gap()))
}

func (v *placedInversion) gap() float64 {
	return math.Abs(float64(v.First.Prio) - float64(v.Second.Prio))
}

// shownRuns returns the snapshots of a table that count, in their order. If there are too many, it returns only
// the worst ones.
func (c *Candidate) shownRuns() *listing[Run] {
	var list []Run
	for _, run := range c.Runs {
		if run.TauB.known() {
			list = append(list, run)
		}
	}
	slices.SortStableFunc(list, func(a, b Run) int { return cmp.Compare(a.TauB, b.TauB) })
	shown := listed(list, mostRuns)
	if shown != nil {
		slices.SortStableFunc(shown.List, func(a, b Run) int { return a.At.Compare(b.At) })
	}
	return shown
}

func (r *Run) held() string {
	if r.HeldOut {
		return "held out"
	}
	return ""
}

// A namedSummary is a row of the proof's summary.
type namedSummary struct {
	Name string
	Summary
}

// summaries returns the summaries that have any snapshots.
func (c *Candidate) summaries() []namedSummary {
	list := []namedSummary{{"seen", c.Seen}, {"held out", c.HeldOut}}
	if c.Installed != nil {
		list = append(list, namedSummary{"all, as installed", *c.Installed})
	}
	return slices.DeleteFunc(list, func(s namedSummary) bool { return s.Snapshots == 0 })
}

// shownGroups returns the groups of a kind with the most jobs. If there is only one project or user, it returns
// none, because the row of all jobs says the same.
func (f *Forecast) shownGroups() *listing[Group] {
	kinds := map[string]int{}
	var list listing[Group]
	for _, g := range f.Groups {
		if kinds[g.Kind]++; kinds[g.Kind] <= mostGroups {
			list.List = append(list.List, g)
		} else {
			list.More++
		}
	}
	return &list
}

// name returns a job with its owner.
func (s *Standing) name() string {
	if s.Owner == "" {
		return s.Job
	}
	return s.Job + " of " + s.Owner
}

// files counts the files with lines that configure something.
func (r *Report) files() int {
	seen := map[string]bool{}
	for _, e := range r.Ledger {
		if !e.Other {
			seen[e.File] = true
		}
	}
	return len(seen)
}

// heldOut counts the snapshots that are held out.
func (r *Report) heldOut() (n int) {
	for _, s := range r.Snapshots {
		if s.HeldOut {
			n++
		}
	}
	return n
}

// newest returns the last snapshot of the history.
func (r *Report) newest() Snapshot { return r.Snapshots[len(r.Snapshots)-1] }

// lines counts the lines that configure something.
func (r *Report) lines() (n int) {
	for _, c := range r.Verdicts {
		n += c.Lines
	}
	return n
}

// tau prints a tau-b. It never prints 1 for a smaller number.
func tau(n Number) string {
	switch text := strconv.FormatFloat(float64(n), 'f', 3, 64); {
	case !n.known():
		return "–"
	case n == 1:
		return "1"
	case text == "1.000":
		return ">0.999"
	default:
		return text
	}
}

func percent(n Number) string {
	switch {
	case !n.known():
		return "–"
	case n != 0 && math.Abs(float64(n)) < 0.0005:
		return "<0.1 %"
	case n < 1 && n > 0.9995:
		return ">99.9 %"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)*100, 'f', 1, 64), ".0") + " %"
}

func number(n Number) string {
	if !n.known() {
		return "–"
	}
	if n == Number(math.Trunc(float64(n))) && math.Abs(float64(n)) < 1e15 {
		return strconv.FormatFloat(float64(n), 'f', 0, 64)
	}
	return strconv.FormatFloat(float64(n), 'g', 6, 64)
}

// span prints seconds in the form of a clock: 2:24:00.
func span(n Number) string {
	if !n.known() {
		return "–"
	}
	s := int64(math.Round(float64(n)))
	sign := ""
	if s < 0 {
		sign, s = "-", -s
	}
	if s == 0 {
		return "0"
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, s/3600, s/60%60, s%60)
}

func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// tops prints how many of the first jobs are the same: "1, 3: all, 10: 90 %".
func tops(list []Top) string {
	var parts, all []string
	for _, t := range list {
		if t.Overlap == 1 {
			all = append(all, strconv.Itoa(t.K))
		} else {
			parts = append(parts, fmt.Sprintf("%d: %s", t.K, percent(t.Overlap)))
		}
	}
	if len(all) > 0 {
		parts = append([]string{strings.Join(all, ", ") + ": all"}, parts...)
	}
	return strings.Join(parts, ", ")
}
