package main

import (
	"bytes"
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

// An output is where a command prints, and how: a terminal gets tables for people, a pipe tabs, unless --format says otherwise.
type output struct {
	w        io.Writer
	terminal bool   // it is read by people
	format   string // "table", "tsv", "csv" or "json"
}

// newOutput is an output in the format of --format, empty where none was given.
func newOutput(w io.Writer, format string) output {
	switch format {
	case "":
		return output{w: w, terminal: isTerminal(w), format: "table"}
	case "table":
		return output{w: w, terminal: true, format: format}
	}
	return output{w: w, terminal: isTerminal(w), format: format}
}

// people reports whether a person reads the output as it is printed.
func (o output) people() bool { return o.terminal && o.format == "table" }

// tabular reports whether a program reads rows of cells.
func (o output) tabular() bool { return o.format == "tsv" || o.format == "csv" }

// isTerminal reports whether a person looks at what is written; a writer that is no file may say so itself.
func isTerminal(w io.Writer) bool {
	if screen, ok := w.(interface{ IsTerminal() bool }); ok {
		return screen.IsTerminal()
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
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

// say prints a line for people; nothing where the output is for programs.
func (o output) say(format string, args ...any) {
	if o.format == "table" && o.terminal {
		fmt.Fprintf(o.w, format+"\n", args...)
	}
}

// more ends a table for people with what it leaves out.
func (o output) more(hidden string) {
	if hidden != "" {
		o.say("… and %s; --all lists them", hidden)
	}
	o.say("")
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
