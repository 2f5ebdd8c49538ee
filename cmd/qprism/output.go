package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"qprism/cmd/safe"
)

// An output is where a command prints, and how: a terminal gets tables for people, a pipe tabs, unless --format says otherwise.
type output struct {
	w        io.Writer
	terminal bool   // it is read by people
	format   string // "table", "tsv", "csv" or "json"
	exact    bool   // CSV is for a program: no cell is changed for the sake of a spreadsheet
}

// output is a command's output to a writer, as the flags that all commands share say.
func (d *deps) output(w io.Writer) output {
	out := newOutput(w, d.format)
	out.exact = d.csvExact
	return out
}

// newOutput is an output in the format of --format, empty where none was given.
func newOutput(to io.Writer, format string) output {
	w := safe.NewWriter(to)
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
func isTerminal(w io.Writer) bool { return safe.NewWriter(w).IsTerminal() }

// printable makes a text of a stranger safe to show: what a terminal obeys, what nobody sees and broken UTF-8 become escapes.
func printable(text string) string { return safe.Text(text) }

func (o output) json(v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	if o.terminal {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := o.w.Write(safe.JSON(text.Bytes()))
	return err
}

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
