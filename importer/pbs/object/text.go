package object

import (
	"bytes"
	"errors"
	"regexp"
)

// Commands print the attributes of objects as lines "name = value" below a line with the name of the object.
// Long values are wrapped: a line that begins with a tab continues the previous value. A line break inside a
// value is printed unchanged. So a line of any other form continues the value, too.

// A Text says how a command prints its objects.
type Text struct {
	Heads  []string // text before an object's name; if empty, a line without blanks is a name
	Indent int      // blanks before an attribute
	Apart  bool     // an object's name is on the first line, or after an empty line
}

// listForm is the form of qmgr's list command for a kind of objects, "Queue".
func listForm(kind string) Text { return Text{Heads: []string{kind + " "}, Indent: 4, Apart: true} }

// head recognizes a line that names an object.
func (t Text) head(line []byte) (id string, ok bool) {
	if len(t.Heads) == 0 {
		ok := len(line) > 0 && line[0] != ' ' && line[0] != '\t' && bytes.IndexByte(line, ' ') < 0
		return string(line), ok
	}
	for _, before := range t.Heads {
		if rest, ok := bytes.CutPrefix(line, []byte(before)); ok {
			return string(bytes.TrimSpace(rest)), true
		}
	}
	return "", false
}

var errNoObject = errors.New("no attribute of an object")

// eachText reads a file of one of the forms, one object at a time.
func (r *Reader) eachText(file string, form Text, skip map[string]bool, each func(*Record)) error {
	x := &textFile{reader: r, file: file, form: form, skips: skip, each: each}
	if err := r.EachLine(file, x.read); err != nil {
		return err
	}
	return x.end()
}

// A textFile reads one such file of a bundle.
type textFile struct {
	reader *Reader
	file   string
	form   Text
	skips  map[string]bool
	each   func(*Record)

	copy    copied
	record  Record
	open    bool // the record has an object
	skipped bool // the last attribute is skipped
	empty   int  // empty lines since the last other line
	below   bool // a prompt or remark came after an object: the rest may be something else
}

// read takes one line.
func (x *textFile) read(number int, line []byte) error {
	line = x.copy.original(bytes.TrimSuffix(line, []byte{'\r'}), x)
	if len(bytes.TrimRight(line, " ")) == 0 {
		x.empty++
		return nil
	}
	id, ok := x.form.head(line)
	if ok && (!x.form.Apart || x.empty > 0 || !x.open) {
		if err := x.end(); err != nil {
			return err
		}
		x.record.begin(id, number)
		x.open, x.skipped, x.empty = true, false, 0
		return nil
	}
	if !x.open && x.below {
		x.unknownLine(number, line)
		return nil
	}
	if !x.open {
		if line[0] == '#' || isNotice(line) {
			return nil
		}
		return x.reader.Problem(x.file, number, string(line), errNoObject)
	}
	return x.line(number, line)
}

// isNotice reports whether a line is a message for people, before or instead of a listing.
func isNotice(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Max open servers:")) || bytes.HasPrefix(line, []byte("No Nodes"))
}

// line reads a line inside an object.
func (x *textFile) line(number int, line []byte) error {
	if leftOutHere.Match(line) {
		x.unknownLine(number, line)
		return nil
	}
	x.copy.learnIndent(line, x)
	if line[0] == '\t' && x.empty == 0 && !x.copy.indented {
		x.continueValue(line[1:])
		return nil
	}
	name, value, ok := x.cut(line)
	switch {
	case !ok && (promptBelow.Match(line) || line[0] == '#' && x.empty > 0):
		x.unknownLine(number, line)
		x.below = true
		return x.end()
	case !ok && x.copy.indented && (line[0] == ' ' || line[0] == '\t') && x.empty == 0:
		x.continueValue(bytes.TrimLeft(line, " \t"))
		return nil
	case !ok:
		return x.broken(number, line)
	}
	x.empty = 0
	attr, resource := x.reader.cutLabel(name)
	if x.skipped = x.skips[attr]; !x.skipped {
		x.record.add(attr, resource, number, value)
	}
	return nil
}

// leftOutHere matches the marks of people for omitted lines.
var leftOutHere = regexp.MustCompile(`^[ \t]*(?:\.\.\.|…|\[\.\.\.\]|<snip>)[ \t]*$`)

// unknownLine lists a line that belongs to no object.
func (x *textFile) unknownLine(number int, line []byte) {
	x.reader.Unknown(x.file, number, "line", string(line))
}

// promptBelow matches the text below a listing from a terminal: the prompt, and the next command.
var promptBelow = regexp.MustCompile(`^(?:\[[^\]]+@[^\]]+\][$#%]|[\w.-]+@[\w.-]+:\S*[$#%>]|[$%#>])(?: .*)?$`)

// cut splits a line "    name = value".
func (x *textFile) cut(line []byte) (name, value []byte, ok bool) {
	n := x.form.Indent
	if x.copy.indented {
		n = x.copy.indent
	}
	if len(line) <= n || len(leading(line)) != n || !x.copy.indented && bytes.IndexByte(line[:n], '\t') >= 0 {
		return nil, nil, false
	}
	line = line[n:]
	i := bytes.Index(line, []byte(" ="))
	if i < 1 || bytes.IndexByte(line[:i], ' ') >= 0 || !isWordByte(line[0]) {
		return nil, nil, false
	}
	return line[:i], bytes.TrimPrefix(line[i+2:], []byte{' '}), true
}

// broken reads a line that continues a value after a line break.
func (x *textFile) broken(number int, line []byte) error {
	if len(x.record.Attrs) == 0 && !x.skipped {
		x.empty = 0
		if x.below { // the line only looked like the name of an object
			x.unknownLine(x.record.Line, []byte(x.record.ID))
			x.unknownLine(number, line)
			x.open = false
			return nil
		}
		return x.reader.Problem(x.file, number, string(line), errNoObject)
	}
	for range x.empty + 1 {
		x.continueValue([]byte{'\n'})
	}
	x.empty = 0
	x.continueValue(line)
	return nil
}

// continueValue adds to the last value, unless it is skipped.
func (x *textFile) continueValue(text []byte) {
	if !x.skipped && len(x.record.text) < maxRecord {
		x.record.extend(text)
	}
}

// end hands on the record.
func (x *textFile) end() error {
	if !x.open {
		return nil
	}
	x.open = false
	x.each(&x.record)
	return nil
}
