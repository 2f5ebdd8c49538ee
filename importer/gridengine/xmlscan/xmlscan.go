// Package xmlscan reads the XML that Grid Engine's commands print, element by element. It accepts the
// invalid XML that some masters print, and reads large listings fast.
//
// Its files:
//   - xmlscan.go: a Scanner reads a document
//   - gap.go: a Gap passes over bytes that are the same for nearly every job; package qstat uses it
//   - inside.go: the bytes of a whole element, for readers that know what these bytes mean
package xmlscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"qprism/importer"
)

// Limits of a scanner, because a bundle may come from a stranger.
const (
	maxNesting    = 64      // depth of nested elements
	maxText       = 1 << 20 // bytes of a text
	maxTag        = 1 << 16 // bytes of a tag with its attributes
	maxName       = 256     // bytes of the name of an element or attribute
	maxAttributes = 64
)

// A Scanner reads the XML that Grid Engine's commands print, element by element.
//
// It is neither encoding/xml nor xmlquery (compat/xmldoc), for three reasons. Masters print names with
// control characters and bytes that are not UTF-8: an error in XML, but data here. A qstat -xml may have
// more than a hundred megabytes; see BenchmarkScan. Document types, entities, CDATA sections, deep nesting
// and endless names are refused, whatever the options. Comments and instructions between elements are
// passed over: copies of listings have them.
//
// After an error Child and Text return nothing, and Err has file and line. Whatever a loop leaves of an
// element is skipped:
//
//	for d := s.Depth(); s.Child(d); {
//		switch string(s.Name()) {
//		case "JB_owner":
//			job.Owner = string(s.Text())
//		}
//	}
type Scanner struct {
	File string // its name in errors
	Err  error  // the first error; the scanner stops there
	r    io.Reader

	buf      []byte // buf[pos:end] is read but not yet used
	pos, end int
	lines    int  // line breaks before buf[counted]
	counted  int  // buf[:counted] is already counted in lines; at most pos
	fills    int  // how often fill moved bytes of buf
	ended    bool // r has ended

	names  []byte // names of the open elements, one after another
	starts []int  // start of each name in names
	closed bool   // the innermost open element is an empty element <x/>
	tagAt  int    // where the last start tag begins in buf; valid right after Child, while fills is the same
	Last   []byte // name of the element that Text read last
	attrs  []xmlAttribute
	text1  []byte // a text with entities, decoded

	// Only set for Son of Grid Engine, which writes %lt; for "<", a mistake in its escape_string.
	PercentLT bool
	// qrstat writes an "&" in a name without escaping it.
	BareAmpersand bool
}

// An xmlAttribute is an attribute of the last start tag. Its value is not decoded.
type xmlAttribute struct{ name, value []byte }

// New makes a scanner of a document. file is the name in errors.
func New(r io.Reader, file string) *Scanner {
	return &Scanner{r: r, File: file, buf: make([]byte, 64<<10)}
}

// Root reads up to the first start tag and returns its name.
func (s *Scanner) Root() string {
	if s.space(); s.ahead(len(byteOrderMark)) && string(s.buf[s.pos:s.pos+len(byteOrderMark)]) == byteOrderMark {
		s.pos += len(byteOrderMark)
		s.space()
	}
	if s.ahead(5) && string(s.buf[s.pos:s.pos+5]) == "<?xml" {
		s.declaration()
	}
	for s.space(); s.ahead(2) && s.passed(); {
		s.space()
	}
	if s.Err == nil && !s.startTag() {
		return ""
	}
	return string(s.Name())
}

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\xef\xbb\xbf"

// declaration skips <?xml version='1.0'?>. It ignores an encoding there: bytes stay what they are.
func (s *Scanner) declaration() {
	if n := s.tagLength(); n > 0 {
		if tag := s.buf[s.pos : s.pos+n]; !bytes.HasSuffix(tag, []byte("?>")) {
			s.Fail(tag, errors.New("the XML declaration has no end"))
		}
		s.pos += n
	}
}

// Finish checks that the root element has ended and nothing follows it.
func (s *Scanner) Finish() error {
	for s.Err == nil && s.Depth() > 0 {
		s.Leave()
	}
	for s.space(); s.Err == nil && s.ahead(2) && s.passed(); {
		s.space()
	}
	if s.Err == nil && s.ahead(1) {
		s.Fail(s.buf[s.pos:s.end], errors.New("more after the end of the document"))
	}
	return s.Err
}

// Depth is the number of open elements.
func (s *Scanner) Depth() int { return len(s.starts) }

// Name returns the name of the innermost open element.
func (s *Scanner) Name() []byte {
	if len(s.starts) == 0 {
		return nil
	}
	return s.names[s.starts[len(s.starts)-1]:]
}

// Parent returns the name of the element around the innermost open element.
func (s *Scanner) Parent() []byte {
	if len(s.starts) < 2 {
		return nil
	}
	return s.names[s.starts[len(s.starts)-2]:s.starts[len(s.starts)-1]]
}

// Line returns the line number of the next byte. It counts only line breaks after its last call.
func (s *Scanner) Line() int {
	s.lines += bytes.Count(s.buf[s.counted:s.pos], newline)
	s.counted = s.pos
	return s.lines + 1
}

var newline = []byte("\n")

// Child moves to the next element inside the open element of depth d. It reports whether there is one. It skips
// the rest of the previous element.
func (s *Scanner) Child(d int) bool {
	for s.Depth() > d && s.Err == nil {
		s.Leave()
	}
	if s.Err != nil || s.Depth() < d {
		return false
	}
	if s.closed {
		s.pop()
		return false
	}
	for again := true; again; again = s.passed() {
		s.space()
		if !s.need(2) {
			return false
		}
		if s.buf[s.pos] != '<' {
			return s.Fail(s.rest(), errors.New("text where an element is expected"))
		}
	}
	if s.Err != nil {
		return false
	}
	if s.buf[s.pos+1] == '/' {
		s.endTag()
		return false
	}
	return s.startTag()
}

// passed skips an instruction or a comment at the next byte, and reports whether there was one. No command
// prints one, but copies from mails and pages have them.
func (s *Scanner) passed() bool {
	switch {
	case s.buf[s.pos] != '<':
		return false
	case s.buf[s.pos+1] == '?':
		return s.passTo("?>")
	case s.buf[s.pos+1] == '!' && s.ahead(4) && string(s.buf[s.pos:s.pos+4]) == "<!--":
		return s.passTo("-->")
	}
	return false
}

// passTo skips everything up to this end.
func (s *Scanner) passTo(end string) bool {
	for n := 2; n < maxTag; n++ {
		if !s.need(n + len(end)) {
			return false
		}
		if string(s.buf[s.pos+n:s.pos+n+len(end)]) == end {
			s.pos += n + len(end)
			return true
		}
	}
	return s.Fail(s.rest(), fmt.Errorf("an instruction or comment of more than %d bytes", maxTag))
}

// Text reads the text of the innermost element to its end tag. The text is valid until the next call.
func (s *Scanner) Text() []byte {
	text, whole := s.Leaf()
	if !whole && s.Err == nil {
		s.Fail(s.rest(), fmt.Errorf("an element inside %s, which holds text", shown(s.Name())))
	}
	return text
}

// Leaf is like Text, but also accepts an element that contains others. Then it returns the text before them,
// and the element stays open.
func (s *Scanner) Leaf() (text []byte, whole bool) {
	if s.Err != nil || s.Depth() == 0 {
		return nil, false
	}
	name := s.Name()
	s.Last = name
	if s.closed {
		s.pop()
		return nil, true
	}
	k := s.textLength()
	if k < 0 || !s.need(k+2) {
		return nil, false
	}
	if s.buf[s.pos+k+1] != '/' {
		text = s.decode(s.buf[s.pos : s.pos+k])
		s.pos += k
		return text, false
	}
	// Read the end tag first, because reading can move the text.
	if !s.need(k + len(name) + 3) {
		return nil, false
	}
	text = s.buf[s.pos : s.pos+k]
	end := s.buf[s.pos+k : s.pos+k+len(name)+3]
	if end[len(end)-1] != '>' || !bytes.Equal(end[2:len(end)-1], name) {
		text = bytes.Clone(text)
		s.pos += k
		s.endTag()
		return s.decode(text), s.Err == nil
	}
	text = s.decode(text)
	s.pos += k + len(end)
	s.pop()
	return text, s.Err == nil
}

// Attr returns an attribute of the last start tag, or an empty value. The value is valid until the next call of
// Text, Child or Attr.
func (s *Scanner) Attr(name string) []byte {
	for _, a := range s.attrs {
		if string(a.name) == name {
			return s.decode(a.value)
		}
	}
	return nil
}

// Leave skips the rest of the innermost open element.
func (s *Scanner) Leave() {
	for d := s.Depth(); s.Err == nil && s.Depth() >= d; {
		if s.closed {
			s.pop()
			continue
		}
		k := s.textLength()
		if k < 0 || !s.need(k+2) {
			return
		}
		s.pos += k
		if s.buf[s.pos+1] == '/' {
			s.endTag()
		} else if !s.passed() {
			s.startTag()
		}
	}
}

// hasBlanks reports whether a tag is a name with blanks in it. qstat -j of 8.1.9 prints two: <job ids>,
// sometimes around the jobs of a message, and <JATASK:       1.> around tasks that the master read from its
// spool.
func hasBlanks(body []byte) bool {
	kind, key, spooled := bytes.Cut(body, []byte(":"))
	return bytes.Equal(body, []byte("job ids")) || spooled && bytes.HasSuffix(kind, []byte("TASK")) &&
		len(bytes.Trim(key, " .0123456789")) == 0
}

// plainTag reads a start tag without attributes, as nearly all are. It returns false for any other tag.
func (s *Scanner) plainTag() bool {
	b := s.buf[s.pos:s.end]
	n := 1
	for n < len(b) && !notInNames[b[n]] {
		n++
	}
	if n == 1 || n >= len(b) || n > maxName || b[0] != '<' || b[n] != '>' || b[1] == '!' ||
		b[1] == '?' || len(s.starts) == maxNesting {
		return false
	}
	s.attrs = s.attrs[:0]
	s.starts = append(s.starts, len(s.names))
	s.names = append(s.names, b[1:n]...)
	s.closed, s.tagAt = false, s.pos
	s.pos += n + 1
	return true
}

// startTag reads a start tag.
func (s *Scanner) startTag() bool {
	if s.plainTag() {
		return true
	}
	n := s.tagLength()
	if n == 0 {
		return false
	}
	tag := s.buf[s.pos : s.pos+n]
	switch tag[1] {
	case '!':
		return s.Fail(tag, errors.New("document types, entities, comments and CDATA sections are refused"))
	case '?':
		return s.Fail(tag, errors.New("processing instructions are refused"))
	}
	body := tag[1 : n-1]
	closed := len(body) > 0 && body[len(body)-1] == '/'
	if closed {
		body = body[:len(body)-1]
	}
	name := body
	for k, c := range body {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			name = body[:k]
			break
		}
	}
	if why := badName(name); why != nil {
		return s.Fail(tag, why)
	}
	if hasBlanks(body) && len(body) <= maxName {
		name = body
	}
	if why := s.readAttributes(body[len(name):]); why != nil {
		return s.Fail(tag, why)
	}
	if len(s.starts) == maxNesting {
		return s.Fail(tag, fmt.Errorf("more than %d elements inside each other", maxNesting))
	}
	s.starts = append(s.starts, len(s.names))
	s.names = append(s.names, name...)
	s.closed, s.tagAt = closed, s.pos
	s.pos += n
	return true
}

// endTag reads the end tag of the innermost open element.
func (s *Scanner) endTag() {
	name := s.Name()
	if b, n := s.buf[s.pos:s.end], len(name)+2; n < len(b) && b[n] == '>' && bytes.Equal(b[2:n], name) {
		s.pos += n + 1
		s.pop()
		return
	}
	n := s.tagLength()
	if n == 0 {
		return
	}
	tag := s.buf[s.pos : s.pos+n]
	if got := bytes.TrimRight(tag[2:n-1], " \t\r\n"); !bytes.Equal(got, name) {
		s.Fail(tag, fmt.Errorf("the end of %s is expected", shown(name)))
		return
	}
	s.pos += n
	s.pop()
}

// pop ends the innermost open element.
func (s *Scanner) pop() {
	top := len(s.starts) - 1
	s.names = s.names[:s.starts[top]]
	s.starts = s.starts[:top]
	s.closed = false
}

// readAttributes reads the attributes after the name in a start tag.
func (s *Scanner) readAttributes(list []byte) error {
	s.attrs = s.attrs[:0]
	for {
		list = bytes.TrimLeft(list, " \t\r\n")
		if len(list) == 0 {
			return nil
		}
		name, value, ok := bytes.Cut(list, []byte("="))
		name, value = bytes.TrimRight(name, " \t\r\n"), bytes.TrimLeft(value, " \t\r\n")
		if !ok || len(value) == 0 || value[0] != '"' && value[0] != '\'' {
			return errors.New("an attribute without a quoted value")
		}
		if why := badName(name); why != nil {
			return why
		}
		end := bytes.IndexByte(value[1:], value[0]) + 1
		if end == 0 {
			return errors.New("an attribute without an end")
		}
		if len(s.attrs) == maxAttributes {
			return fmt.Errorf("more than %d attributes", maxAttributes)
		}
		s.attrs = append(s.attrs, xmlAttribute{name, value[1:end]})
		list = value[end+1:]
	}
}

// badName says why a text is not a valid name.
func badName(name []byte) error {
	switch {
	case len(name) == 0:
		return errors.New("a tag without a name")
	case len(name) > maxName:
		return fmt.Errorf("a name of more than %d bytes", maxName)
	}
	for _, c := range name {
		if notInNames[c] {
			return errors.New("a name with a character that none has")
		}
	}
	return nil
}

// notInNames are the bytes that end a name or that no name has.
var notInNames = func() (no [256]bool) {
	for c := range ' ' + 1 {
		no[c] = true
	}
	for _, c := range `<>&"'=/` {
		no[c] = true
	}
	return no
}()

// space skips white space.
func (s *Scanner) space() {
	for s.Err == nil {
		for s.pos < s.end {
			switch s.buf[s.pos] {
			case ' ', '\t', '\r', '\n':
				s.pos++
			default:
				return
			}
		}
		if !s.fill() {
			return
		}
	}
}

// textLength returns the length of the text before the next tag. It is negative if there is no tag.
func (s *Scanner) textLength() int {
	seen := 0
	for {
		if k := bytes.IndexByte(s.buf[s.pos+seen:s.end], '<'); k >= 0 {
			if seen+k > maxText {
				break
			}
			return seen + k
		}
		if seen = s.end - s.pos; seen > maxText {
			break
		}
		if !s.fill() {
			s.cutOff()
			return -1
		}
	}
	s.Fail(s.rest(), fmt.Errorf("a text of more than %d bytes", maxText))
	return -1
}

// tagLength returns the length of the tag at the next byte, with both brackets. It is 0 if there is no tag.
func (s *Scanner) tagLength() int {
	if !s.need(1) {
		return 0
	}
	if s.buf[s.pos] != '<' {
		s.Fail(s.rest(), errors.New("a tag is expected"))
		return 0
	}
	var quote byte
	b := s.buf[s.pos:s.end]
	for n := 1; n < maxTag; n++ {
		if n >= len(b) {
			if !s.need(n + 1) {
				return 0
			}
			b = s.buf[s.pos:s.end]
		}
		switch c := b[n]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			if n < 2 {
				s.Fail(b[:n+1], errors.New("a tag without a name"))
				return 0
			}
			return n + 1
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			s.Fail(b[:n+1], errors.New("a tag without an end"))
			return 0
		}
	}
	s.Fail(s.rest(), fmt.Errorf("a tag of more than %d bytes", maxTag))
	return 0
}

// ahead reports whether n more bytes exist.
func (s *Scanner) ahead(n int) bool {
	for s.Err == nil && s.end-s.pos < n {
		if !s.fill() {
			return false
		}
	}
	return s.Err == nil
}

// need is like ahead, but reports a document that is cut off.
func (s *Scanner) need(n int) bool {
	if s.ahead(n) {
		return true
	}
	s.cutOff()
	return false
}

func (s *Scanner) cutOff() {
	if name := s.Name(); name != nil {
		s.Fail(nil, fmt.Errorf("cut off inside %s: %w", shown(name), io.ErrUnexpectedEOF))
		return
	}
	s.Fail(nil, fmt.Errorf("no document: %w", io.ErrUnexpectedEOF))
}

// fill reads more bytes. It moves the unused ones to the front of the buffer. If necessary, it grows the
// buffer.
func (s *Scanner) fill() bool {
	if s.ended || s.Err != nil {
		return false
	}
	s.lines += bytes.Count(s.buf[s.counted:s.pos], newline)
	s.end = copy(s.buf, s.buf[s.pos:s.end])
	s.pos, s.counted = 0, 0
	s.fills++
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 { // as in bufio: a reader may return nothing from time to time
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err == io.EOF {
			s.ended = true
			return n > 0
		}
		if err != nil {
			return s.Fail(nil, err)
		}
		if n > 0 {
			return true
		}
	}
	return s.Fail(nil, io.ErrNoProgress)
}

// decode is a text with its entities resolved, in a buffer of its own where there are any.
func (s *Scanner) decode(text []byte) []byte {
	if bytes.IndexByte(text, '&') < 0 && (!s.PercentLT || bytes.IndexByte(text, '%') < 0) {
		return text
	}
	s.text1 = s.text1[:0]
	for len(text) > 0 {
		switch {
		case text[0] == '&':
			c, n := entity(text)
			if n == 0 && s.BareAmpersand {
				c, n = '&', 1
			}
			if n == 0 {
				s.Fail(text, errors.New("an unknown entity"))
				return nil
			}
			s.text1 = utf8.AppendRune(s.text1, c)
			text = text[n:]
		case s.PercentLT && bytes.HasPrefix(text, []byte("%lt;")):
			s.text1 = append(s.text1, '<')
			text = text[len("%lt;"):]
		default:
			s.text1 = append(s.text1, text[0])
			text = text[1:]
		}
	}
	return s.text1
}

// entity reads the entity at the front of a text: a character and the length of what stands for it, 0 for none. There
// are five names, and numbers.
func entity(text []byte) (rune, int) {
	const longest = len("&#x10FFFF;")
	n := bytes.IndexByte(text[:min(len(text), longest)], ';')
	if n < 0 {
		return 0, 0
	}
	body := string(text[1:n])
	switch body {
	case "lt":
		return '<', n + 1
	case "gt":
		return '>', n + 1
	case "amp":
		return '&', n + 1
	case "apos":
		return '\'', n + 1
	case "quot":
		return '"', n + 1
	}
	if len(body) < 2 || body[0] != '#' {
		return 0, 0
	}
	digits, base := body[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if c := rune(code); err == nil && code > 0 && code <= utf8.MaxRune && utf8.ValidRune(c) {
		return c, n + 1
	}
	return 0, 0
}

// rest is what is read and not yet used, for an error.
func (s *Scanner) rest() []byte { return s.buf[s.pos:min(s.end, s.pos+200)] }

// Fail stops the scanner with a problem at this line. It returns false.
func (s *Scanner) Fail(text []byte, why error) bool {
	if s.Err == nil {
		s.Err = &importer.Problem{File: s.File, Line: s.Line(), Text: string(text[:min(len(text), 200)]), Err: why}
	}
	return false
}

// shown is a name as an error shows it.
func shown(name []byte) string { return "<" + string(name) + ">" }
