package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// An output is where a command prints: a terminal gets tables, a pipe tabs.
type output struct {
	w        io.Writer
	terminal bool
	format   string // "table", "json" or "csv"
}

func newOutput(w io.Writer, format string) output {
	return output{w: w, terminal: isTerminal(w), format: format}
}

// isTerminal reports whether a person looks at what is written; a writer that is no file may say so itself.
func isTerminal(w io.Writer) bool {
	if screen, ok := w.(interface{ IsTerminal() bool }); ok {
		return screen.IsTerminal()
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A sheet is a table to print.
type sheet struct {
	columns []column
	rows    [][]string
}

// A column is one column of a sheet; numbers stand on its right.
type column struct {
	name  string
	right bool
}

// columns makes columns of their names; those that begin with ">" hold numbers.
func columns(names ...string) []column {
	list := make([]column, 0, len(names))
	for _, name := range names {
		plain := strings.TrimPrefix(name, ">")
		list = append(list, column{name: plain, right: plain != name})
	}
	return list
}

func (s *sheet) add(cells ...string) { s.rows = append(s.rows, cells) }

// sheet prints a table: aligned on a terminal, with tabs into a pipe, or as CSV.
func (o output) sheet(s sheet) error {
	switch {
	case o.format == "csv":
		return s.csv(o.w)
	case o.terminal:
		return s.aligned(o.w)
	}
	return s.tabs(o.w)
}

// rows prints a table and a blank line; for people nothing where it has no rows.
func (o output) rows(s sheet) error {
	if len(s.rows) == 0 && o.people() {
		return nil
	}
	err := o.sheet(s)
	o.say("")
	return err
}

func (s sheet) csv(w io.Writer) error {
	c := csv.NewWriter(w)
	header := make([]string, len(s.columns))
	for i, col := range s.columns {
		header[i] = col.name
	}
	if err := c.Write(header); err != nil {
		return err
	}
	for _, row := range s.rows {
		for i := range row {
			row[i] = printable(row[i]) // it may be looked at in a terminal
		}
	}
	return c.WriteAll(s.rows)
}

func (s sheet) tabs(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, col := range s.columns {
		if i > 0 {
			out.WriteByte('\t')
		}
		out.WriteString(col.name)
	}
	out.WriteByte('\n')
	for _, row := range s.rows {
		for i, cell := range row {
			if i > 0 {
				out.WriteByte('\t')
			}
			out.WriteString(printable(cell))
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (s sheet) aligned(w io.Writer) error {
	out := bufio.NewWriter(w)
	header := make([]string, len(s.columns))
	width := make([]int, len(s.columns))
	for i, col := range s.columns {
		header[i] = col.name
		width[i] = utf8.RuneCountInString(col.name)
	}
	for _, row := range s.rows {
		for i := range row {
			row[i] = printable(row[i])
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range append([][]string{header}, s.rows...) {
		out.WriteString(s.line(row, width))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// line puts the cells of a row at their places.
func (s sheet) line(row []string, width []int) string {
	var b strings.Builder
	for i, cell := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		gap := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		if s.columns[i].right {
			b.WriteString(gap + cell)
		} else {
			b.WriteString(cell + gap)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// printable makes a text of a stranger safe to show: control characters and broken UTF-8 become escapes.
func printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) < 0 {
		return text
	}
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func (o output) json(v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	if o.terminal {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := o.w.Write(withoutC1(text.Bytes()))
	return err
}

// withoutC1 escapes the control characters that JSON leaves as they are and some terminals obey: U+007F to U+009F.
func withoutC1(text []byte) []byte {
	if bytes.IndexFunc(text, isC1) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if isC1(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

func isC1(r rune) bool { return r >= 0x7f && r <= 0x9f }

// say prints a line for people; nothing where the output is for programs: into a pipe, as JSON or as CSV.
func (o output) say(format string, args ...any) {
	if o.format == "table" && o.terminal {
		fmt.Fprintf(o.w, format+"\n", args...)
	}
}

// A number is a float64 that is null in JSON where it is not known.
type number float64

// MarshalJSON prints the shortest form that reads back to the same bits.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// moment prints a time: for people on a terminal, RFC 3339 elsewhere.
func (o output) moment(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case o.terminal && o.format == "table":
		return t.UTC().Format("2006-01-02 15:04:05")
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// plural prints a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
