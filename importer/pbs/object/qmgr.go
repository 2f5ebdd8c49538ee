package object

import (
	"bytes"
	"errors"
)

// eachPrinted reads the commands that print of qmgr prints, which would make the objects again. It takes the
// objects of one kind: server, sched, queue, node, resource or hook.
//
//	create queue workq
//	set queue workq Priority = 50
//	set queue workq acl_users = alice
//	set queue workq acl_users += bob@*
//
// Values with blanks or commas are quoted, and may then go on over several lines.
func (r *Reader) eachPrinted(file, kind string, each func(*Record)) error {
	x := &printFile{reader: r, file: file, kind: kind, each: each}
	if err := r.EachLine(file, x.read); err != nil {
		return err
	}
	return x.end()
}

// A printFile reads one such file of a bundle.
type printFile struct {
	reader *Reader
	file   string
	kind   string
	each   func(*Record)

	record   Record
	open     bool
	name     string // the last named object
	quoted   byte   // the quotes of an unfinished value
	passed   bool   // the object has another kind
	contents bool   // the next lines are contents of a hook
}

var (
	errCommand = errors.New("no qmgr command")
	errQuote   = errors.New("a quoted value has no end")
)

// read reads one line.
func (x *printFile) read(number int, line []byte) error {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	text := bytes.TrimSpace(line)
	switch {
	case x.quoted != 0:
		x.continueValue(line)
		return nil
	case len(text) == 0 || text[0] == '#':
		return nil
	}
	verb, rest := cutWord(text)
	switch string(verb) {
	case "create", "set", "import":
		x.contents = false
		return x.command(number, string(verb), rest)
	}
	if x.contents { // base64 after an import
		return nil
	}
	return x.reader.Problem(x.file, number, string(line), errCommand)
}

// command reads a line "set queue workq Priority = 50".
func (x *printFile) command(number int, verb string, rest []byte) error {
	kind, rest := cutWord(rest)
	name := []byte(x.name)
	if !isNameless(rest) {
		name, rest = cutWord(rest)
	}
	if string(kind) == "server" { // printed without a name, after the queues and nodes
		name = nil
	}
	x.name = string(name)
	x.contents = verb == "import"
	mine := string(kind) == x.kind
	if mine && (!x.open || x.record.ID != string(name)) {
		if err := x.begin(number, string(name)); err != nil {
			return err
		}
	}
	if verb == "import" || len(rest) == 0 {
		return nil
	}
	if verb == "create" { // create node n1 Port=15110
		rest = bytes.Replace(rest, []byte{'='}, []byte(" = "), 1)
	}
	return x.assign(number, mine, rest)
}

// isNameless reports whether an attribute comes instead of a name. This is so for the server, and in some
// releases for a scheduler. The attribute belongs to the object that was named last.
func isNameless(rest []byte) bool {
	_, behind := cutWord(rest)
	return bytes.HasPrefix(behind, []byte("=")) || bytes.HasPrefix(behind, []byte("+="))
}

func (x *printFile) begin(number int, name string) error {
	if err := x.end(); err != nil {
		return err
	}
	x.record.begin(name, number)
	x.open = true
	return nil
}

// assign reads "Priority = 50" or "acl_users += bob".
func (x *printFile) assign(number int, mine bool, rest []byte) error {
	label, rest := cutWord(rest)
	sign, value := cutWord(rest)
	if string(sign) != "=" && string(sign) != "+=" {
		return x.reader.Problem(x.file, number, string(label), errCommand)
	}
	value, x.quoted = unquote(value)
	x.passed = !mine
	if !mine {
		return nil
	}
	n := len(x.record.Attrs)
	if string(sign) == "+=" && n > 0 && x.record.Attrs[n-1].Label() == string(label) {
		x.record.extend([]byte{','})
		x.record.extend(value)
		return nil
	}
	name, resource := x.reader.cutLabel(label)
	x.record.add(name, resource, number, value)
	return nil
}

// unquote removes the quotes of a value. quote is not 0 if the value continues in the next line.
func unquote(value []byte) (text []byte, quote byte) {
	if len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return value, 0
	}
	q := value[0]
	if i := bytes.LastIndexByte(value[1:], q); i >= 0 {
		return value[1 : 1+i], 0
	}
	return value[1:], q
}

// continueValue reads another line of a quoted value.
func (x *printFile) continueValue(line []byte) {
	if i := bytes.LastIndexByte(line, x.quoted); i >= 0 {
		line, x.quoted = line[:i], 0
	}
	if !x.passed && len(x.record.text) < maxRecord {
		x.record.extend([]byte{'\n'})
		x.record.extend(line)
	}
}

// end passes the record on.
func (x *printFile) end() error {
	if x.quoted != 0 {
		x.quoted = 0
		if err := x.reader.Problem(x.file, x.record.Line, x.record.ID, errQuote); err != nil {
			return err
		}
	}
	if !x.open {
		return nil
	}
	x.open = false
	x.each(&x.record)
	return nil
}

// cutWord removes the first word from a text.
func cutWord(text []byte) (word, rest []byte) {
	i := bytes.IndexAny(text, " \t")
	if i < 0 {
		return text, nil
	}
	return text[:i], bytes.TrimLeft(text[i:], " \t")
}
