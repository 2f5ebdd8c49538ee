package show

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/safe"
)

// An Output says where and how a command prints. By default a terminal gets tables, and a pipe gets tabs.
type Output struct {
	W        io.Writer
	Terminal bool           // a person reads it
	Format   string         // "table", "tsv", "csv" or "json"
	Exact    bool           // CSV for a program: spreadsheets need no changes of cells
	Columns  int            // width; 0 for the width of the terminal
	Wide     bool           // do not shorten lines to the width of the terminal
	Zone     *time.Location // time zone for people; nil for UTC, as in files
}

// Out makes an Output in a format. An empty format is the default.
func Out(to io.Writer, format string) Output {
	w := safe.NewWriter(to)
	return Output{W: w, Terminal: format == "table" || w.IsTerminal(), Format: cmp.Or(format, "table")}
}

// People reports whether a person reads the output.
func (o Output) People() bool { return o.Terminal && o.Format == "table" }

// Tabular reports whether a program reads the output as rows of cells.
func (o Output) Tabular() bool { return o.Format == "tsv" || o.Format == "csv" }

// Printable makes text of a cluster safe: control characters, invisible characters and invalid UTF-8 become
// escapes.
func Printable(text string) string { return safe.Text(text) }

// JSONVersion is the version of the JSON output. docs/reference/versions.md says when it changes.
const JSONVersion = 1

// JSON prints an answer by Marshal. A terminal gets one line for each value. An object begins with the version.
func (o Output) JSON(v any) error {
	text, err := Marshal(v)
	if err != nil {
		return err
	}
	text = withVersion(text)
	var lines bytes.Buffer
	if lines.Write(text); o.Terminal {
		lines.Reset()
		err = json.Indent(&lines, text, "", "  ")
	}
	lines.WriteByte('\n')
	return cmp.Or(err, o.write(safe.JSON(lines.Bytes())))
}

// Form prints an answer in the output's format: as JSON, as rows for a program, or for people.
func Form[T any](o Output, document func() T, rows func() Sheet, people func()) error {
	switch {
	case o.Format == "json":
		return o.JSON(document())
	case o.Tabular():
		return o.Sheet(rows())
	}
	people()
	return nil
}

// withVersion puts the version before the fields of an object. A list stays the same.
func withVersion(text []byte) []byte {
	fields, object := bytes.CutPrefix(text, []byte("{"))
	if !object {
		return text
	}
	head := fmt.Appendf(nil, `{"json_version":%d`, JSONVersion)
	if !bytes.HasPrefix(fields, []byte("}")) {
		head = append(head, ',')
	}
	return append(head, fields...)
}

func (o Output) write(text []byte) error {
	_, err := o.W.Write(text)
	return err
}

// Say prints a line for people. Programs get nothing.
func (o Output) Say(format string, args ...any) {
	if o.People() {
		o.lines(fmt.Sprintf(format, args...))
	}
}

// lines prints lines, each broken so that it fits the terminal. But the command of a Step stays on one line, so that
// it can be copied.
func (o Output) lines(text string) {
	fmt.Fprintln(o.W, FoldedLines(text, o.Width()))
}

// Step is a purpose ("see the policy warnings") and, on a line of its own, the command for it.
func Step(purpose, command string) string {
	return purpose + "\n" + stepIndent + command
}

// stepIndent marks the command of a Step.
const stepIndent = "    "

// FoldedLines breaks each line at most characters, but not the command of a Step.
func FoldedLines(text string, most int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		command := i > 0 && strings.HasPrefix(line, stepIndent) && stepPurpose(lines[i-1])
		if !command {
			lines[i] = Folded(line, most)
		}
	}
	return strings.Join(lines, "\n")
}

func stepPurpose(line string) bool {
	return strings.HasPrefix(line, "Next: ") || strings.HasPrefix(line, "Or: ")
}

// More prints the last line of a table for people, about hidden rows.
func (o Output) More(hidden string) {
	if hidden != "" {
		o.Say("… and %s; --all lists them", hidden)
	}
	o.Say("")
}

// Moment prints a time. A person on a terminal gets an easy form, everyone else gets RFC 3339.
func (o Output) Moment(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case o.People():
		return o.local(t).Format(time.DateTime)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Zoned is Moment with the time zone for people.
func (o Output) Zoned(t time.Time) string {
	if t.IsZero() || !o.People() {
		return o.Moment(t)
	}
	return o.local(t).Format("2006-01-02 15:04:05 MST")
}

// Short prints a time for people. It adds the day if it is not the day of the other moment.
func (o Output) Short(t, other time.Time) string {
	if o.local(t).Format(time.DateOnly) == o.local(other).Format(time.DateOnly) {
		return o.local(t).Format(time.TimeOnly)
	}
	return o.local(t).Format(time.DateTime)
}

// ZoneOf returns the name of the time zone at a moment.
func (o Output) ZoneOf(t time.Time) string { return o.local(t).Format("MST") }

func (o Output) local(t time.Time) time.Time {
	if o.Zone == nil {
		return t.UTC()
	}
	return t.In(o.Zone)
}

// Plural prints a number with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// LabelWidth is the width of the labels of answers.
const LabelWidth = len("Not running:  ")

// Answer prints an answer after its label, in lines that fit a page. Without a label, all lines begin at the
// left.
func Answer(out Output, label, text string) {
	indent := LabelWidth
	if label == "" {
		indent = len(text) - len(strings.TrimLeft(text, " "))
	}
	if out.Wide {
		out.Say("%-*s%s", indent, label, text)
		return
	}
	out.Wide = true
	out.Say("%-*s%s", indent, label, Wrapped(text, strings.Repeat(" ", max(indent, 2)), Page-max(indent, 2)))
}
