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

// page is the template of REPORT.md. First comes the work for people, then the translation and its quality, the
// proof, and the steps. Every text from a cluster passes through plain, code or block.
var page *template.Template

func init() {
	page = template.Must(template.New("REPORT.md").Funcs(words).Parse(pageText)) // here, because words uses page
}

// words are the functions that the template calls.
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

// Marks in the template's output. No text of a cluster has them, because visible turns control characters into
// escapes.
const (
	cellMark  = "\x1f" // before each cell of a row
	breakMark = "\x1e" // a line break in a block of code
)

// row makes a row of a table. The first row is the head. A name that begins with ">" belongs to a column of
// numbers.
func row(cells ...any) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(cellMark + visible(fmt.Sprint(c)))
	}
	return b.String()
}

// arranged aligns the tables of a text, and leaves one blank line where the template has several.
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

// bold prints a name, in bold if is is true.
func bold(is bool, name string) string {
	if is {
		return "**" + plain(name) + "**"
	}
	return plain(name)
}

// codes prints texts of a cluster one after the other, and how many others there are.
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

// indented indents a block below the step with this number.
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
