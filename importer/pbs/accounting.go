package pbs

import (
	"bytes"
	"errors"
	"strings"

	"qprism/engine/model"
)

var errRecord = errors.New("no accounting record: date and time, type, id and text with semicolons between them")

// accountingLine reads a record: MM/DD/YYYY HH:MM:SS;T;id;key=value key=value …
func (r *reader) accountingLine(file string, number int, line []byte) error {
	f := bytes.SplitN(line, []byte{';'}, 4)
	if len(f) < 4 {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return r.Problem(file, number, string(line), errRecord)
	}
	at, err := r.parseLogTime(string(f[0]))
	if err != nil {
		return r.Problem(file, number, string(line), errRecord)
	}
	rec := model.AccountingRecord{At: at, Type: r.Strings.Get(f[1]), ID: r.Strings.Get(f[2])}
	if rec.Fields = r.accountingFields(string(f[3])); rec.Fields == nil {
		rec.Text = string(f[3])
	}
	r.pbs.Accounting = append(r.pbs.Accounting, rec)
	return nil
}

// accountingFields reads "key=value key="a b"": a blank outside quotes ends a value. A word without a key goes on with
// the value before it. Nil where the text does not begin with a key.
func (r *reader) accountingFields(text string) []model.Setting {
	var list []model.Setting
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		end := wordEnd(text)
		word := text[:end]
		text = text[end:]
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

// wordEnd is where the first blank outside double quotes is.
func wordEnd(text string) int {
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

// unquoteWhole takes the quotes off a value that is quoted from end to end.
func unquoteWhole(value string) string {
	if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' && !strings.Contains(value[1:n-1], `"`) {
		return value[1 : n-1]
	}
	return value
}
