package listing

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Open Cluster Scheduler prints JSON since 9.2 (-fmt json). A document has a few lists. Their entries become
// elements of the XML form. qstat -r prints invalid JSON, with words in braces and with commas after opening
// braces. So the reader accepts braces, brackets and words in any order.

// A value is a word, or a list in braces or brackets.
type value struct {
	key     string
	text    string
	isWord  bool
	members []value
}

// get returns the member with a name. It is empty if there is none.
func (v value) get(key string) value {
	if i := slices.IndexFunc(v.members, func(m value) bool { return m.key == key }); i >= 0 {
		return v.members[i]
	}
	return value{}
}

// words returns the texts of the members that are words, without repetition.
func (v value) words() (list []string) {
	for _, m := range v.members {
		if m.isWord && !slices.Contains(list, m.text) {
			list = append(list, m.text)
		}
	}
	return list
}

// deepestJSON limits the depth of nested values.
const deepestJSON = 40

// A jsonText is JSON while it is read.
type jsonText struct {
	rest []byte
	line int  // of rest, from 0
	cut  bool // the text ended within a value
}

// peek returns the next byte that is neither blank nor comma. It is 0 at the end.
func (t *jsonText) peek() byte {
	for i, c := range t.rest {
		switch c {
		case '\n':
			t.line++
		case ' ', '\t', '\r', ',':
		default:
			t.rest = t.rest[i:]
			return c
		}
	}
	t.rest = nil
	return 0
}

var (
	jsonString = regexp.MustCompile(`^"(?:[^"\\\n]|\\.)*"?`)
	jsonWord   = regexp.MustCompile(`^[^\s{}\[\]:,"]+|^.`)
)

// word reads a string, a number or another word.
func (t *jsonText) word() (text string) {
	form := jsonWord
	if t.rest[0] == '"' {
		form = jsonString
	}
	token := form.Find(t.rest)
	t.rest = t.rest[len(token):]
	if json.Unmarshal(token, &text) != nil {
		text = string(token)
	}
	return text
}

// member reads a value and the name before it, if there is one.
func (t *jsonText) member(depth int) (v value) {
	switch c := t.peek(); {
	case c == 0 || depth > deepestJSON:
		t.cut = true
	case c == '{' || c == '[':
		t.rest = t.rest[1:]
		v.members = t.members(depth + 1)
	default:
		v.text, v.isWord = t.word(), true
		if t.peek() == ':' {
			t.rest = t.rest[1:]
			name := v.text
			v = t.member(depth + 1)
			v.key = name
		}
	}
	return v
}

func (t *jsonText) members(depth int) (list []value) {
	for !t.cut {
		if c := t.peek(); c == '}' || c == ']' {
			t.rest = t.rest[1:]
			return list
		}
		list = append(list, t.member(depth))
	}
	return list
}

// A jsonForm has the XML elements for the lists of a document and for their entries.
type jsonForm struct {
	root  string            // the outermost element
	lists map[string]string // an element around the entries of a list; empty for none
	entry func(list string, entry value) string
}

// put turns a document into XML. An entry stays in the line in which it begins.
func (f *jsonForm) put(text []byte) []byte {
	var out strings.Builder
	before, rest, _ := bytes.Cut(text, []byte{'{'}) // a notice may stand before the document
	t, lines := &jsonText{rest: rest, line: bytes.Count(before, []byte{'\n'})}, 0
	say := func(text string) {
		out.WriteString(strings.Repeat("\n", max(t.line-lines, 0)))
		lines = max(t.line, lines)
		out.WriteString(strings.ReplaceAll(text, "\n", " "))
	}
	say("<" + f.root + ">")
	for c := t.peek(); c != '}' && c != 0 && !t.cut; c = t.peek() {
		f.list(t, t.word(), say)
	}
	if t.cut || len(t.rest) == 0 {
		return []byte(out.String()) // without an end; the reader will report this
	}
	say("</" + f.root + ">\n")
	return []byte(out.String())
}

// list reads a member of the document.
func (f *jsonForm) list(t *jsonText, name string, say func(string)) {
	if t.peek() == ':' {
		t.rest = t.rest[1:]
	}
	around, known := f.lists[name]
	if c := t.peek(); !known || c != '[' && c != '{' {
		if v := t.member(0); !strings.HasPrefix(name, "$") {
			say(element("line", name+" "+v.text))
		}
		return
	}
	t.rest = t.rest[1:]
	begin, end := "", ""
	if around != "" {
		begin, end = "<"+around+">", "</"+around+">"
	}
	say(begin)
	for c := t.peek(); c != ']' && c != '}' && !t.cut; c = t.peek() {
		line := t.line
		v := t.member(1)
		if t.cut {
			return
		}
		line, t.line = t.line, line
		say(f.entry(name, v))
		t.line = line
	}
	if len(t.rest) > 0 {
		t.rest = t.rest[1:]
	}
	say(end)
}

// worded makes an element for a word, by its name in XML. It returns false for an unknown name.
func worded(names map[string]string, m value) (string, bool) {
	name, known := names[m.key]
	if !known || name == "" {
		return "", known
	}
	return element(name, m.text), true
}

// strange makes a line for an unknown member.
func strange(m value) string { return element("line", strings.TrimSpace(m.key+" "+m.text)) }
