package report

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed report.md.tmpl
var pageText string

// page is REPORT.md: first what needs a person, then what was translated and how well, the proof, and what to do.
// What comes from a cluster passes through plain, code or block there.
var page *template.Template

func init() {
	page = template.Must(template.New("REPORT.md").Funcs(words).Parse(pageText)) // not above: words names what uses page
}

// words are what the template calls.
var words = template.FuncMap{
	"plain": plain, "code": code, "codes": codes, "fenced": block, "row": row, "bold": bold, "indented": indented,

	"snapshots": func(r *Report) int { return len(r.Snapshots) + len(r.Unused) },
	"unused":    func(r *Report) *listing[Unused] { return listed(r.Unused, mostUnused) },
	"agreement": (*Summary).agreement, "visible": visible,

	"total": (*Report).lines, "files": (*Report).files,
	"heldOut": (*Report).heldOut, "newest": (*Report).newest, "inShort": (*Report).inShort,
	"count": func(r *Report, v Verdict) int { return count(r.Verdicts, v) },
	"lines": func(c *Concept, v Verdict) string { return blankZero(count(c.Counts, v)) }, "lineCount": lineCount,
	"grouped": (*Report).grouped, "where": (*lineGroup).where,
	"renamed": func(r *Report) *listing[Renaming] { return listed(r.Renamed, mostNames) },

	"others": (*Report).others, "layout": (*Candidate).layout, "offs": (*Candidate).offs, "least": (*Candidate).least,
	"between": (*Constant).between, "course": (*Constant).valuesText,
	"summaries": (*Candidate).summaries, "shownRuns": (*Candidate).shownRuns, "held": (*Run).held,
	"worst": (*Candidate).worst, "job": (*Standing).name, "shownGroups": (*Forecast).shownGroups,

	"lower": lower, "squeezed": squeezed, "plural": plural, "moment": moment, "span": span, "tau": tau, "tops": tops,
	"number": number, "percent": percent, "decimals": decimals, "resolution": resolution,
	"number1": func(i int) int { return i + 1 },
	"join":    func(list []string) string { return strings.Join(list, "\n") },
}

// Markdown writes REPORT.md.
func Markdown(w io.Writer, r *Report) error {
	var b strings.Builder
	if err := page.Execute(&b, r); err != nil {
		return err
	}
	_, err := io.WriteString(w, arranged(b.String()))
	return err
}

// Marks of the template's output. No text of a cluster has them: visible shows control characters as escapes.
const (
	cellMark  = "\x1f" // before each cell of a row
	breakMark = "\x1e" // a line break in a block of code
)

// row is a row of a table. The first of several is the head: names that begin with ">" are those of numbers.
func row(cells ...any) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(cellMark + visible(fmt.Sprint(c)))
	}
	return b.String()
}

// arranged is the text with aligned tables, and one blank line where the template has several.
func arranged(text string) string {
	var b strings.Builder
	var t table
	for line := range strings.Lines(text + "\n\n") {
		line = strings.TrimSuffix(line, "\n")
		if cells, is := strings.CutPrefix(line, cellMark); is {
			t.add(strings.Split(cells, cellMark)...)
			continue
		}
		t.write(&b)
		if t = (table{}); line != "" || b.Len() > 0 && !strings.HasSuffix(b.String(), "\n\n") {
			b.WriteString(line + "\n")
		}
	}
	return strings.ReplaceAll(b.String(), breakMark, "\n")
}

// bold is a name, in bold where it is the one.
func bold(is bool, name string) string {
	if is {
		return "**" + plain(name) + "**"
	}
	return plain(name)
}

// codes are texts of a cluster one after the other, and how many more there are.
func codes(list []string, more int) string {
	var parts []string
	for _, text := range list {
		if c := code(text); c != "" {
			parts = append(parts, c)
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// indented is a block below a step with that number.
func indented(number int, block string) string {
	by := strings.Repeat(" ", len(fmt.Sprint(number))+2)
	return by + strings.ReplaceAll(block, breakMark, breakMark+by)
}

func lineCount(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d lines)", n)
}

func blankZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
