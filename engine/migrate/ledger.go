package migrate

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A Verdict says how exact the translation of a line is.
type Verdict string

// The verdicts. NoRule needs attention: no rule handles the line, so a person must look at it.
const (
	Exact       Verdict = "exact"
	Approximate Verdict = "approximate"
	Lost        Verdict = "lost"
	NoEffect    Verdict = "no effect"
	NoRule      Verdict = "no rule"
)

// Verdicts are all verdicts, in the order of reports.
var Verdicts = []Verdict{Exact, Approximate, Lost, NoEffect, NoRule}

// severity orders verdicts: of a line with several parts the gravest counts.
func (v Verdict) severity() int {
	return slices.Index([]Verdict{NoEffect, Exact, Approximate, Lost, NoRule}, v)
}

// An Entry is the result for one line.
type Entry struct {
	model.Line
	Concept string // the topic, for headings of a report: "resource quota sets"
	Verdict Verdict
	Into    string // its translation: "set server max_run = [u:PBS_GENERIC=4]"; empty for none
	Note    string // approximate: how, and a bound of the error; lost: what to do instead; no effect: why
}

// Tally counts the lines by verdict, if they configure something or have no rule. others are comments, jobs
// and logs.
func Tally(ledger []Entry) (lines map[Verdict]int, others int) {
	lines = map[Verdict]int{}
	for _, e := range ledger {
		if e.Verdict == NoEffect && (e.Key == model.LineBlank || e.Key == model.LineRecords) {
			others += e.Count
			continue
		}
		lines[e.Verdict] += max(1, e.Count)
	}
	return lines, others
}

// NeedsAttention reports whether there are lines without a rule.
func (t *Translation) NeedsAttention() bool {
	return slices.ContainsFunc(t.Ledger, func(e Entry) bool { return e.Verdict == NoRule })
}

// A place is what a line is about.
type place struct {
	kind, object, key string
	index             int
}

// A saying is what was said of a place, part by part.
type saying struct {
	verdict     Verdict
	into, notes []string
}

// say notes what became of a line, or of a part of it.
func (t *Translation) say(p place, v Verdict, into, note string) {
	said := t.said[p]
	if said == nil {
		said = &saying{verdict: v}
	}
	t.said[p] = said.with(saying{v, []string{into}, []string{note}})
}

// with is a saying, and another one of the same line.
func (s *saying) with(more saying) *saying {
	all := saying{s.verdict, slices.Clone(s.into), slices.Clone(s.notes)}
	if more.verdict.severity() > all.verdict.severity() {
		all.verdict = more.verdict
	}
	for _, text := range more.into {
		all.into = appendNew(all.into, text)
	}
	for _, text := range more.notes {
		all.notes = appendNew(all.notes, text)
	}
	return &all
}

// mostParts bounds what is kept of one line: a list of hosts can be as long as a cluster.
const mostParts = 40

func appendNew(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) || len(list) >= mostParts {
		return list
	}
	return append(list, text)
}

// A spot is a line of a file.
type spot struct {
	file string
	line int
}

// account makes the ledger: what was said of each line, else what the table says of its key and value.
func (t *Translation) account() {
	t.Ledger = make([]Entry, 0, len(t.lines))
	reasons, unread := map[spot]string{}, map[string]bool{}
	for _, l := range t.From.LeftOut {
		reasons[spot{l.File, l.Line}], unread[l.File] = l.Reason, true
	}
	for _, l := range t.lines {
		e := t.entry(l, !unread[l.File])
		if reason, out := reasons[spot{l.File, l.Number}]; out {
			e.Verdict, e.Into, e.Note = NoRule, "", "cannot be read: "+reason
		}
		t.Ledger = append(t.Ledger, e)
	}
	t.unknownElements()
	slices.SortStableFunc(t.Ledger, byPlace)
}

func byPlace(a, b Entry) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Number, b.Number))
}

// entry is what became of one line; read says that the records of its file can be read.
func (t *Translation) entry(l model.Line, read bool) Entry {
	e := Entry{Line: l, Concept: conceptOf(l), Verdict: NoRule, Note: "nothing handles this line"}
	p := place{l.Kind, l.Object, l.Key, l.Index}
	s := t.said[p]
	if s != nil && t.made.urgent[p] {
		s = s.with(t.made.urgency)
	}
	if key := t.made.members[p]; key != "" {
		s = cmp.Or(s, &saying{verdict: Exact}).with(t.made.belong[key])
	}
	switch {
	case l.Kind == "":
		e.Note = "no parser knows this file"
	case l.Key == "":
		e.Note = "no line of this kind of file"
	case s != nil:
		e.Verdict, e.Into, e.Note = s.verdict, strings.Join(s.into, "\n"), strings.Join(s.notes, "; ")
	default:
		if r, known := ruleFor(l, read); known {
			e.Verdict, e.Into, e.Note = r.Verdict, r.Into, r.Note
		}
	}
	return e
}

// unknownElements adds what the importer met and does not know in files that are not told of line by line.
func (t *Translation) unknownElements() {
	configured, told := map[string]bool{}, map[spot]bool{}
	for _, l := range t.lines {
		switch l.Key {
		case "":
			told[spot{l.File, l.Number}] = true
		case model.LineRecords:
		default:
			configured[l.File] = true
		}
	}
	for _, u := range t.From.Unknown {
		if configured[u.File] || told[spot{u.File, u.Line}] || u.Name == "file" {
			continue
		}
		t.Ledger = append(t.Ledger, Entry{
			Line: model.Line{File: u.File, Number: u.Line, Kind: "element", Key: u.Name, Value: u.Value,
				Text: strings.TrimSpace(u.Name + " " + u.Value)},
			Concept: "jobs and state", Verdict: NoRule, Note: "no parser knows this element",
		})
	}
}

func conceptOf(l model.Line) string { return cmp.Or(pbsTable.concepts[l.Kind], "unknown files") }
