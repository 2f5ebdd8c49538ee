package pbs

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/source"
)

var errRecord = errors.New("no accounting record: date and time, type, id and text with semicolons between them")

// A recordReader reads accounting files: MM/DD/YYYY HH:MM:SS;T;id;key=value key=value …
//
// The server escapes nothing. Any user can put a line break into an account, a project or a resource; it splits
// the record. So a line of another form continues the previous record.
type recordReader struct {
	*reader
	file   string
	record model.AccountingRecord
	text   strings.Builder // text of the record
	open   bool
	early  error // error of the lines before the first record of a file
}

// withoutLabel removes the file name or program that grep or a system log put before a date.
func withoutLabel(when []byte) []byte {
	const long = len("01/02/2006 15:04:05")
	if at := len(when) - long; at > 0 && (when[at-1] == ':' || when[at-1] == ' ') {
		return when[at:]
	}
	return when
}

func (a *recordReader) line(file string, number int, line []byte) error {
	if file != a.file {
		if err := a.end(); err != nil {
			return err
		}
		a.file = file
	}
	f := bytes.SplitN(line, []byte{';'}, 4)
	if at, err := a.parseLogTime(string(withoutLabel(f[0]))); err == nil && len(f) == 4 {
		a.begin(at, f)
		return nil
	}
	switch {
	case len(bytes.TrimSpace(line)) == 0:
	case a.open:
		a.Repair(file, number, line, "goes on with the record before it, a value of which has a line break")
		a.text.WriteByte('\n')
		a.text.Write(line)
	case a.early == nil:
		a.early = &importer.Problem{File: file, Line: number, Text: strings.Clone(
			string(line[:min(len(line), source.MaxKept)])), Err: errRecord}
	}
	return nil
}

// begin begins a record. Lines before the first record belong to a record that the file does not have: it is
// the end of a longer file.
func (a *recordReader) begin(at time.Time, f [][]byte) {
	a.finish()
	if p := (*importer.Problem)(nil); errors.As(a.early, &p) {
		a.Repair(p.File, p.Line, []byte(p.Text), "is the rest of a record that is not there")
		a.early = nil
	}
	a.record = model.AccountingRecord{At: at, Type: a.Strings.Get(f[1]), ID: a.Strings.Get(f[2])}
	a.text.Reset()
	a.text.Write(f[3])
	a.open = true
}

// finish stores the open record.
func (a *recordReader) finish() {
	if !a.open {
		return
	}
	text := a.text.String()
	if a.record.Fields = a.accountingFields(text); a.record.Fields == nil {
		a.record.Text = text
	}
	a.pbs.Accounting = append(a.pbs.Accounting, a.record)
	a.open = false
}

// end ends a file. A file with lines and without a record is no accounting file.
func (a *recordReader) end() error {
	a.finish()
	var p *importer.Problem
	if errors.As(a.early, &p) {
		a.early = nil
		return a.Problem(p.File, p.Line, p.Text, errRecord)
	}
	return nil
}

// accountingFields reads key=value key="a b" key='a "b'. A blank outside quotes ends a value. A word without a
// key continues the previous value. It is nil if the text does not begin with a key.
func (r *reader) accountingFields(text string) []model.Setting {
	var list []model.Setting
	words := recordWords{rest: text}
	for word := words.next(); word != ""; word = words.next() {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case ok && !strings.ContainsAny(key, `"'`):
			list = append(list, model.Setting{Name: r.Strings.Get([]byte(key)), Value: unquoteWhole(value)})
		case len(list) == 0:
			return nil
		default:
			list[len(list)-1].Value += " " + word
		}
	}
	return list
}

// recordWords splits a record into words.
type recordWords struct {
	rest     string
	unclosed string // kinds of quotes that have no end in the rest
}

// next returns the next word. It is empty at the end.
func (w *recordWords) next() (word string) {
	w.rest = strings.TrimLeft(w.rest, " ")
	end := w.quotedEnd()
	if end == 0 {
		end = blankOutsideQuotes(w.rest)
	}
	word, w.rest = w.rest[:end], w.rest[end:]
	return word
}

// quotedEnd finds the end of a word key="…". It is 0 if the next word has another form.
func (w *recordWords) quotedEnd() int {
	at := strings.IndexAny(w.rest, "= ") + 1
	if at == 0 || at == len(w.rest) || w.rest[at-1] == ' ' {
		return 0
	}
	quote := w.rest[at : at+1]
	if quote != `"` && quote != "'" || strings.Contains(w.unclosed, quote) {
		return 0
	}
	end := closingQuote(w.rest, at)
	if end == 0 {
		w.unclosed += quote
	}
	return end
}

// blankOutsideQuotes finds the first blank outside double quotes. Without one it returns the end.
func blankOutsideQuotes(text string) int {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ' ' && !quoted:
			return i
		}
	}
	return len(text)
}

// closingQuote finds the quote that ends a quoted value, and returns the place after it. It is 0 if no quoted
// value begins there. The value itself may have such a quote, because the server writes account="a"b". After
// the last quote there is another key, or nothing.
func closingQuote(text string, from int) int {
	for i := from + 1; i < len(text); i++ {
		if text[i] != text[from] {
			continue
		}
		if rest := strings.TrimLeft(text[i+1:], " "); rest == "" || text[i+1] == ' ' && beginsWithKey(rest) {
			return i + 1
		}
	}
	return 0
}

// wordBytes are the bytes of names.
const wordBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// beginsWithKey reports whether a text begins with key=.
func beginsWithKey(text string) bool {
	name := strings.TrimLeft(text, wordBytes+".-")
	return len(name) < len(text) && name != "" && name[0] == '='
}

// unquoteWhole removes quotes around a whole value.
func unquoteWhole(value string) string {
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}
