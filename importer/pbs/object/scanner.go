package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"qprism/importer"
)

// Limits of a scanner, because a bundle may come from a stranger.
const (
	maxNesting = 64
	maxText    = 1 << 20 // bytes of a string
)

// A scanner reads the JSON that PBS commands print, value by value, from the start to the end.
//
// It is not encoding/json, for two reasons. Several releases print mistakes: bare words such as 005, escapes
// that do not exist, quotes and line breaks inside strings, too many or missing commas. The scanner repairs
// and notes them. And the jobs of a large cluster are hundreds of megabytes: one job at a time is enough.
//
// An error ends the reading: further calls return nothing, and err holds the problem with its file and
// line.
type scanner struct {
	r      io.Reader
	file   string
	err    error
	repair func(line int, text []byte, note string)

	buf      []byte // buf[pos:end] is read but not yet used
	pos, end int
	moved    int // bytes before buf[0]
	lines    int // line breaks before buf[counted]
	counted  int
	ended    bool // r has ended
	nesting  int
	decoded  []byte // a string with escapes, decoded
}

func newScanner(r io.Reader, file string, repair func(line int, text []byte, note string)) *scanner {
	return &scanner{r: r, file: file, repair: repair, buf: make([]byte, 64<<10)}
}

// line returns the line number of the next byte.
func (s *scanner) line() int {
	s.lines += bytes.Count(s.buf[s.counted:s.pos], []byte{'\n'})
	s.counted = s.pos
	return s.lines + 1
}

func (s *scanner) fail(err error) {
	if s.err == nil {
		text := s.buf[s.pos:min(s.end, s.pos+80)]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
		s.err = &importer.Problem{File: s.file, Line: s.line(), Text: string(text), Err: err}
	}
}

var errEnds = errors.New("the file ends in the middle")

// more reads until more than n bytes come after pos. It returns false at the end.
func (s *scanner) more(n int) bool {
	for s.end-s.pos <= n {
		if s.ended || s.err != nil {
			return false
		}
		s.fill()
	}
	return true
}

// fill reads once into free space.
func (s *scanner) fill() {
	if s.pos > 0 && s.end == len(s.buf) {
		s.line()
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.moved += s.pos
		s.pos, s.counted = 0, 0
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	switch {
	case err == io.EOF:
		s.ended = true
	case err != nil:
		s.fail(err)
	}
}

// peek returns the next byte that is not white space. It is 0 at the end.
func (s *scanner) peek() byte {
	for s.err == nil && s.more(0) {
		switch c := s.buf[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// take skips the next byte if it is c.
func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.err != nil {
		return false
	}
	s.pos++
	return true
}

// object reads an object. It calls each for every key, and each must read the value. The key is valid until
// then.
func (s *scanner) object(each func(key []byte)) { s.members('{', '}', func() { s.member(each) }) }

// array reads an array. It calls each for every element, and each must read the element.
func (s *scanner) array(each func()) { s.members('[', ']', each) }

// members reads everything between two brackets.
func (s *scanner) members(left, right byte, each func()) {
	if !s.take(left) {
		s.fail(fmt.Errorf("%q expected", left))
		return
	}
	if s.nesting++; s.nesting > maxNesting {
		s.fail(errors.New("nested too deep"))
	}
	for first := true; s.err == nil; first = false {
		if s.close(right) {
			break
		}
		comma := s.comma(first)
		if s.close(right) {
			if comma {
				s.repair(s.line(), []byte{','}, "a comma too many")
			}
			break
		}
		before := s.moved + s.pos
		each()
		if s.err == nil && s.moved+s.pos == before {
			s.fail(errors.New("no JSON value"))
		}
	}
	s.nesting--
}

func (s *scanner) close(right byte) bool {
	if s.take(right) {
		return true
	}
	if s.peek() == 0 {
		s.fail(errEnds)
	}
	return false
}

// comma skips the comma before a member, or several.
func (s *scanner) comma(first bool) (taken bool) {
	for s.take(',') {
		if taken || first {
			s.repair(s.line(), []byte{','}, "a comma too many")
		}
		taken = true
	}
	if !taken && !first && s.err == nil {
		s.repair(s.line(), s.buf[s.pos:min(s.pos+20, s.end)], "a comma is missing")
	}
	return taken
}

// member reads a key and its colon. each reads the value.
func (s *scanner) member(each func(key []byte)) {
	if s.peek() != '"' {
		s.fail(errors.New("a key expected"))
		return
	}
	key := s.str()
	if s.err != nil {
		return
	}
	if s.pos < s.end && s.buf[s.pos] == ':' {
		s.pos++
	} else {
		s.decoded = append(s.decoded[:0], key...) // later reads may move the buffer
		key = s.decoded
		if !s.take(':') {
			s.fail(errors.New("a colon expected"))
			return
		}
	}
	each(key)
}

// scalar reads a string, or a number, true, false or null as printed. The text is valid until the next call.
func (s *scanner) scalar() []byte {
	switch c := s.peek(); c {
	case '"':
		return s.str()
	case 0:
		s.fail(errEnds)
		return nil
	case '{', '[', '}', ']', ',', ':':
		s.fail(errors.New("a value expected"))
		return nil
	}
	return s.bare()
}

// bare reads a word without quotes. If it is no JSON, it counts as a string.
func (s *scanner) bare() []byte {
	n := 0
	for s.more(n) && !bytes.ContainsRune([]byte(",}]\n\r\t"), rune(s.buf[s.pos+n])) && s.buf[s.pos+n] < utf8.RuneSelf {
		if n++; n > maxText {
			s.fail(fmt.Errorf("a value of more than %d bytes", maxText))
			return nil
		}
	}
	text := bytes.TrimRight(s.buf[s.pos:s.pos+n], " ")
	if !json.Valid(text) {
		s.repair(s.line(), text, "a string without quotes")
	}
	s.pos += n
	return text
}

// str reads a string. Its text is valid until the next call.
func (s *scanner) str() []byte {
	n, plain := s.stringLength()
	if s.err != nil {
		return nil
	}
	text := s.buf[s.pos+1 : s.pos+n]
	if !plain {
		text = s.decode(text)
	}
	s.pos += n + 1
	return text
}

// stringLength finds the quote that ends the string at pos. plain is false if there are escapes or mistakes.
func (s *scanner) stringLength() (n int, plain bool) {
	plain = true
	for n = 1; s.more(n); {
		rest := s.buf[s.pos+n : s.end]
		i := 0
		for i < len(rest) && rest[i] != '"' && rest[i] != '\\' && rest[i] >= ' ' {
			i++
		}
		if n += i; n > maxText {
			s.fail(fmt.Errorf("a string of more than %d bytes", maxText))
			return 0, false
		}
		if i == len(rest) {
			continue
		}
		switch c := rest[i]; { // the next calls may move the rest
		case c == '"' && s.endsString(n):
			return n, plain
		case c == '\\':
			plain = false
			if n += 2; !s.more(n - 1) {
				n = s.end - s.pos
			}
		default: // a quote or control character inside
			plain = false
			n++
		}
	}
	s.fail(errEnds)
	return 0, false
}

// endsString reports whether the quote at n ends a string, by the text after it.
func (s *scanner) endsString(n int) bool {
	for n++; n <= maxText && s.more(n); n++ {
		switch s.buf[s.pos+n] {
		case ' ', '\t', '\r', '\n':
		case ',', ':', '}', ']':
			return true
		case '"': // a missing comma, if there is a line break
			return bytes.IndexByte(s.buf[s.pos:s.pos+n], '\n') >= 0
		default:
			return false
		}
	}
	return true
}

// decode replaces the escapes of a string, and repairs mistakes.
func (s *scanner) decode(text []byte) []byte {
	out := s.decoded[:0]
	for len(text) > 0 {
		i := bytes.IndexFunc(text, func(c rune) bool { return c == '\\' || c == '"' || c < ' ' })
		if i < 0 {
			out = append(out, text...)
			break
		}
		out = append(out, text[:i]...)
		c := text[i]
		text = text[i:]
		switch {
		case c == '\\' && len(text) > 1:
			out, text = s.unescape(out, text)
			continue
		case c == '"':
			s.repair(s.line(), text, "a quote inside a string")
		case c == '\\':
			s.repair(s.line(), text, "an escape without a character")
		default:
			s.repair(s.line(), text, fmt.Sprintf("the control character %q inside a string", c))
		}
		out = append(out, c)
		text = text[1:]
	}
	s.decoded = out
	return out
}

// simpleEscapes are the escapes of one letter.
var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape decodes the escape at the beginning of a text. A backslash without an escape stays.
func (s *scanner) unescape(out, text []byte) (longer, rest []byte) {
	if c := simpleEscapes[text[1]]; c != 0 {
		return append(out, c), text[2:]
	}
	if r, n := unicodeEscape(text); n > 0 {
		return utf8.AppendRune(out, r), text[n:]
	}
	s.repair(s.line(), text, "a backslash that begins no escape")
	return append(out, '\\'), text[1:]
}

// unicodeEscape reads \u and four digits, or two of them as a surrogate pair.
func unicodeEscape(text []byte) (r rune, n int) {
	hex := func(t []byte) (rune, bool) {
		if len(t) < 6 || t[0] != '\\' || t[1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(string(t[2:6]), 16, 16)
		return rune(v), err == nil
	}
	high, ok := hex(text)
	if !ok {
		return 0, 0
	}
	if high >= 0xD800 && high < 0xDC00 {
		if low, ok := hex(text[6:]); ok && low >= 0xDC00 && low < 0xE000 {
			return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
		}
	}
	return high, 6
}

// skip passes over a value.
func (s *scanner) skip() {
	switch s.peek() {
	case '{':
		s.object(func([]byte) { s.skip() })
	case '[':
		s.array(s.skip)
	default:
		s.scalar()
	}
}
