package report

import (
	_ "embed"
	"html/template"
	"io"
	"reflect"
	"strings"
)

//go:embed report.html.tmpl
var pageText string

// page is parsed once; html/template escapes whatever goes into it by its place.
var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"tau": tau, "percent": percent, "number": number, "span": span, "moment": moment, "plural": plural, "tops": tops,
	"decimals": decimals, "lower": lower, "resolution": resolution, "squeezed": squeezed, "count": count, "inWords": inWords,
	"lineCount": lineCount, "blankZero": blankZero,
}).Parse(pageText))

// HTML writes REPORT.html: one file, without scripts and without anything from elsewhere, to read, send and print.
func HTML(w io.Writer, r *Report) error {
	shown := visibleCopy(r)
	lines, files := shown.lines()
	return page.Execute(w, &view{Report: shown, Lines: lines, FromFiles: files, Title: shown.title(), History: shown.history(), In: shown.Sentences(),
		Verdict: Verdicts, Order: shown.Chosen(), Bar: bar(shown.Verdicts)})
}

// A view is what the page is made of.
type view struct {
	*Report
	Title, History   string
	Lines, FromFiles int
	In               []string // short
	Verdict          []Verdict
	Order            *Candidate // the chosen one; nil for none
	Bar              []stretch
}

// A stretch is a verdict's part of the lines that have an effect.
type stretch struct {
	Verdict Verdict
	Class   string
	Lines   int
	X, Wide float64 // in parts of 1000
}

// bar leaves out lines without effect, of which there are mostly so many that nothing else would be seen.
func bar(counts []Count) (list []stretch) {
	lines := 0
	for _, c := range counts {
		if c.Verdict != NoEffect {
			lines += c.Lines
		}
	}
	x := 0.0
	for _, c := range counts {
		wide := 1000 * float64(c.Lines) / float64(max(lines, 1))
		if c.Verdict == NoEffect {
			wide = 0
		}
		list = append(list, stretch{c.Verdict, class(c.Verdict), c.Lines, x, wide})
		x += wide
	}
	return list
}

// class is the name of a verdict's colour.
func class(v Verdict) string { return "v-" + strings.ReplaceAll(string(v), " ", "-") }

// NoRules are the lines that nothing handles.
func (v *view) NoRules() (list []Entry) {
	for _, e := range v.Ledger {
		if e.Verdict == NoRule {
			list = append(list, e)
		}
	}
	return list
}

// A listing is the lines with a verdict, as far as they are shown.
type listing struct {
	Title, Note string
	List        []gathered
	Hidden      int
}

// A gathered is a gathering as the page shows it.
type gathered struct {
	gathering
	More string
}

// Listings are what was lost and what is approximate.
func (v *view) Listings() (all []listing) {
	for _, l := range []struct {
		verdict     Verdict
		title, note string
	}{{Lost, "Lost, and what to do instead", "instead"}, {Approximate, "Approximate, and how far off", "how"}} {
		list := v.gathered(l.verdict)
		shown := listing{Title: l.title, Note: l.note, Hidden: max(0, len(list)-mostGathered)}
		for _, g := range list[:min(len(list), mostGathered)] {
			shown.List = append(shown.List, gathered{g, g.more()})
		}
		if len(list) > 0 {
			all = append(all, shown)
		}
	}
	return all
}

// Offs says how far the terms of the chosen candidate are off.
func (v *view) Offs() string { return v.Order.offs() }

// Layout is the formula of the chosen candidate.
func (v *view) Layout() string { return v.Order.layout() }

// NotChosen are the other candidates with a formula.
func (v *view) NotChosen() []*Candidate { return v.others() }

// Class is the colour of a verdict.
func (v *view) Class(of Verdict) string { return class(of) }

// Summaries are those of the chosen candidate that are over any snapshot.
func (v *view) Summaries() (list []struct {
	Name string
	Summary
}) {
	all := Summary{}
	if v.Order.Installed != nil {
		all = *v.Order.Installed
	}
	for _, s := range []struct {
		Name string
		Summary
	}{{"seen", v.Order.Seen}, {"held out", v.Order.HeldOut}, {"all, as installed", all}} {
		if s.Snapshots > 0 {
			s.Worst = s.worstName()
			list = append(list, s)
		}
	}
	return list
}

// Runs are the snapshots that a table shows.
func (v *view) Runs() []Run {
	list, _ := v.Order.shownRuns()
	return list
}

// HiddenRuns is how many it does not show.
func (v *view) HiddenRuns() int {
	_, hidden := v.Order.shownRuns()
	return hidden
}

// A ranked inversion is one as the page shows it.
type rankedInversion struct {
	Snapshot, First, Second, Because, Why string
	Places, In                            int
}

// Worst are the worst inversions.
func (v *view) Worst() (list []rankedInversion) {
	for _, w := range v.Order.worst() {
		list = append(list, rankedInversion{w.Snapshot, w.First.name(), w.Second.name(), w.because(), w.Why, w.Places, w.In})
	}
	return list
}

// Groups are those of the forecast that a table shows.
func (v *view) Groups() []Group {
	list, _ := v.Order.Forecast.shownGroups()
	return list
}

// Chart is the picture of tau-b over the snapshots, nil for fewer than two of them.
func (v *view) Chart() *chart { return newChart(v.Order.Runs) }

// Least is the least tau-b of a candidate.
func (v *view) Least(c Candidate) string { return tau(c.least()) }

// Between is what a constant would have been over the history.
func (v *view) Between(c Constant) string { return c.between() }

// Course is the same, snapshot by snapshot.
func (v *view) Course(c Constant) string { return c.course() }

// FirstNames are the names that a table shows.
func (v *view) FirstNames() []Renaming { return v.Renamed[:min(len(v.Renamed), mostNames)] }

// HiddenNames is how many it does not show.
func (v *view) HiddenNames() int { return max(0, len(v.Renamed)-mostNames) }

// visibleCopy is a report in which every text can be shown: control characters are escapes, but for line breaks.
func visibleCopy(r *Report) *Report {
	return deep(reflect.ValueOf(r)).Interface().(*Report)
}

// deep copies a value, and makes its texts visible.
func deep(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		lines := strings.Split(v.String(), "\n")
		for i := range lines {
			lines[i] = visible(strings.ReplaceAll(lines[i], "\t", "    "))
		}
		out.SetString(strings.Join(lines, "\n"))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deep(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(deep(v.Index(i)))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(deep(v.Index(i)))
		}
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(deep(v.Field(i)))
			}
		}
	default:
		out.Set(v)
	}
	return out
}
