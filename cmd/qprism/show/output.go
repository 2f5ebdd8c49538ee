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

// An Output is where a command prints, and how: a terminal gets tables for people, a pipe tabs, unless --format says otherwise.
type Output struct {
	W        io.Writer
	Terminal bool           // it is read by people
	Format   string         // "table", "tsv", "csv" or "json"
	Exact    bool           // CSV is for a program: no cell is changed for the sake of a spreadsheet
	Columns  int            // how wide the page is; 0 for that of the terminal
	Wide     bool           // tables and lines are as wide as they are, on a terminal too
	Zone     *time.Location // of the times that people read; nil for UTC, as files have it
}

// Out is an output in the format of --format, empty where none was given.
func Out(to io.Writer, format string) Output {
	w := safe.NewWriter(to)
	switch format {
	case "":
		return Output{W: w, Terminal: isTerminal(w), Format: "table"}
	case "table":
		return Output{W: w, Terminal: true, Format: format}
	}
	return Output{W: w, Terminal: isTerminal(w), Format: format}
}

// People reports whether a person reads the output as it is printed.
func (o Output) People() bool { return o.Terminal && o.Format == "table" }

// Tabular reports whether a program reads rows of cells.
func (o Output) Tabular() bool { return o.Format == "tsv" || o.Format == "csv" }

// isTerminal reports whether a person looks at what is written; a writer that is no file may say so itself.
func isTerminal(w io.Writer) bool { return safe.NewWriter(w).IsTerminal() }

// Printable makes a text of a stranger safe to show: what a terminal obeys, what nobody sees and broken UTF-8 become escapes.
func Printable(text string) string { return safe.Text(text) }

// JSONVersion is the version of what commands print in JSON: docs/reference/versions.md says what raises it.
const JSONVersion = 1

// JSON prints an answer as Marshal has it, on a terminal with a line for each value. An object begins with the version.
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

// withVersion puts the version in front of the fields of an object; a list stays as it is.
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

// Say prints a line for people; nothing where the output is for programs.
func (o Output) Say(format string, args ...any) {
	if o.Format == "table" && o.Terminal {
		o.lines(fmt.Sprintf(format, args...))
	}
}

// lines prints lines, each broken so that it fits the terminal; but a line with commands to copy stays whole, since a terminal that breaks
// it puts it together again.
func (o Output) lines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "Next: ") {
			line = Folded(line, o.Width())
		}
		fmt.Fprintln(o.W, line)
	}
}

// More ends a table for people with what it leaves out.
func (o Output) More(hidden string) {
	if hidden != "" {
		o.Say("… and %s; --all lists them", hidden)
	}
	o.Say("")
}

// Moment prints a time: for people on a terminal, RFC 3339 elsewhere.
func (o Output) Moment(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case o.Terminal && o.Format == "table":
		return o.local(t).Format(time.DateTime)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Zoned is the same with the zone, for people.
func (o Output) Zoned(t time.Time) string {
	if t.IsZero() || !o.People() {
		return o.Moment(t)
	}
	return o.local(t).Format("2006-01-02 15:04:05 MST")
}

// Short is a time for people, with its day where that is not the one of another moment.
func (o Output) Short(t, other time.Time) string {
	if o.local(t).Format(time.DateOnly) == o.local(other).Format(time.DateOnly) {
		return o.local(t).Format(time.TimeOnly)
	}
	return o.local(t).Format(time.DateTime)
}

// ZoneOf is the name of the zone that times near a moment are in.
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
