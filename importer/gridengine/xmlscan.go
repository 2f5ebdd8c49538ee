package gridengine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"qprism/importer"
)

// Bounds of what a scanner reads, since a bundle may come from a stranger.
const (
	maxNesting    = 64      // elements inside each other
	maxText       = 1 << 20 // bytes of a text
	maxTag        = 1 << 16 // bytes of a tag with its attributes
	maxName       = 256     // bytes of the name of an element or attribute
	maxAttributes = 64
)

// A scanner reads the XML that Grid Engine's commands print, element by element.
//
// It is neither encoding/xml nor xmlquery (compat/xmldoc), for three reasons. Masters print names with
// control characters and bytes that are not UTF-8: an error in XML, but data here. A qstat -xml may have
// more than a hundred megabytes; see BenchmarkScan. Document types, entities, CDATA sections, deep nesting
// and endless names are refused, whatever the options. Comments and instructions between elements are
// passed over: copies of listings have them.
//
// After an error child and text return nothing, and err has file and line. Whatever a loop leaves of an
// element is skipped:
//
//	for d := s.depth(); s.child(d); {
//		switch string(s.name()) {
//		case "JB_owner":
//			job.Owner = string(s.text())
//		}
//	}
type scanner struct {
	r     io.Reader
	file  string
	err   error
	fault *importer.Problem // the first value of the record that could not be read, see takeFault

	buf      []byte // buf[pos:end] is read and not yet used
	pos, end int
	lines    int  // line breaks before buf[0]
	ended    bool // r has no more

	names  []byte // of the open elements, one behind the other
	starts []int  // where each of them starts
	closed bool   // the innermost open element is written <x/>
	last   []byte // name of the element that text read last
	attrs  []xmlAttribute
	text1  []byte // a text with entities, decoded

	// Son of Grid Engine writes %lt; for "<", a slip in its escape_string; only set for a document of such a release.
	percentLT bool
	// qrstat writes names as they are, so that an "&" may be just that.
	bareAmpersand bool
}

// An xmlAttribute is one of the start tag read last. The value is as written.
type xmlAttribute struct{ name, value []byte }

func newScanner(r io.Reader, file string) *scanner {
	return &scanner{r: r, file: file, buf: make([]byte, 64<<10)}
}

// root reads up to the first start tag and returns its name.
func (s *scanner) root() string {
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
	if s.err == nil && !s.startTag() {
		return ""
	}
	return string(s.name())
}

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\xef\xbb\xbf"

// declaration passes over <?xml version='1.0'?>. An encoding that it names is not looked at: bytes stay what they are.
func (s *scanner) declaration() {
	if n := s.tagLength(); n > 0 {
		if tag := s.buf[s.pos : s.pos+n]; !bytes.HasSuffix(tag, []byte("?>")) {
			s.fail(tag, errors.New("the XML declaration has no end"))
		}
		s.pos += n
	}
}

// finish checks that the root element has ended and nothing follows it.
func (s *scanner) finish() error {
	for s.err == nil && s.depth() > 0 {
		s.leave()
	}
	for s.space(); s.err == nil && s.ahead(2) && s.passed(); {
		s.space()
	}
	if s.err == nil && s.ahead(1) {
		s.fail(s.buf[s.pos:s.end], errors.New("more after the end of the document"))
	}
	return s.err
}

// depth is the number of open elements.
func (s *scanner) depth() int { return len(s.starts) }

// name is the name of the innermost open element.
func (s *scanner) name() []byte {
	if len(s.starts) == 0 {
		return nil
	}
	return s.names[s.starts[len(s.starts)-1]:]
}

// parent is the name of the element around the innermost one.
func (s *scanner) parent() []byte {
	if len(s.starts) < 2 {
		return nil
	}
	return s.names[s.starts[len(s.starts)-2]:s.starts[len(s.starts)-1]]
}

// line is the line of the next byte.
func (s *scanner) line() int { return s.lines + bytes.Count(s.buf[:s.pos], newline) + 1 }

var newline = []byte("\n")

// child goes on to the next element inside the d-th open one, and reports whether there is one. What is left of an
// element between is skipped.
func (s *scanner) child(d int) bool {
	for s.depth() > d && s.err == nil {
		s.leave()
	}
	if s.err != nil || s.depth() < d {
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
			return s.fail(s.rest(), errors.New("text where an element is expected"))
		}
	}
	if s.err != nil {
		return false
	}
	if s.buf[s.pos+1] == '/' {
		s.endTag()
		return false
	}
	return s.startTag()
}

// passed reports whether an instruction or a comment stands at the next byte, and passes over it: no
// command prints one, but copies of listings from mails and pages have them.
func (s *scanner) passed() bool {
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

// passTo passes over what ends so.
func (s *scanner) passTo(end string) bool {
	for n := 2; n < maxTag; n++ {
		if !s.need(n + len(end)) {
			return false
		}
		if string(s.buf[s.pos+n:s.pos+n+len(end)]) == end {
			s.pos += n + len(end)
			return true
		}
	}
	return s.fail(s.rest(), fmt.Errorf("an instruction or comment of more than %d bytes", maxTag))
}

// text is the text of the innermost element, which ends with it. It holds until the next call.
func (s *scanner) text() []byte {
	text, whole := s.leaf()
	if !whole && s.err == nil {
		s.fail(s.rest(), fmt.Errorf("an element inside %s, which holds text", shown(s.name())))
	}
	return text
}

// leaf is like text, but where the element holds others it returns the text before them, and the element stays open.
func (s *scanner) leaf() (text []byte, whole bool) {
	if s.err != nil || s.depth() == 0 {
		return nil, false
	}
	name := s.name()
	s.last = name
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
	// The end tag is read before the text is returned, so that reading it cannot move the text.
	if !s.need(k + len(name) + 3) {
		return nil, false
	}
	text = s.buf[s.pos : s.pos+k]
	end := s.buf[s.pos+k : s.pos+k+len(name)+3]
	if end[len(end)-1] != '>' || !bytes.Equal(end[2:len(end)-1], name) {
		text = bytes.Clone(text)
		s.pos += k
		s.endTag()
		return s.decode(text), s.err == nil
	}
	text = s.decode(text)
	s.pos += k + len(end)
	s.pop()
	return text, s.err == nil
}

// attr is the value of an attribute of the start tag read last, empty where there is none. It holds until text or child
// is called, or another attribute is asked for.
func (s *scanner) attr(name string) []byte {
	for _, a := range s.attrs {
		if string(a.name) == name {
			return s.decode(a.value)
		}
	}
	return nil
}

// leave skips the rest of the innermost open element.
func (s *scanner) leave() {
	for d := s.depth(); s.err == nil && s.depth() >= d; {
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

// hasBlanks reports whether a tag is a name with blanks in it. qstat -j of 8.1.9 prints two: <job ids>, now and then
// around the jobs of a message, and <JATASK:       1.> around tasks that the master read back from its spool.
func hasBlanks(body []byte) bool {
	kind, key, spooled := bytes.Cut(body, []byte(":"))
	return bytes.Equal(body, []byte("job ids")) || spooled && bytes.HasSuffix(kind, []byte("TASK")) &&
		len(bytes.Trim(key, " .0123456789")) == 0
}

// plainTag reads a start tag that is a name and nothing else, as nearly all are; false where the next tag
// is another one.
func (s *scanner) plainTag() bool {
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
	s.closed = false
	s.pos += n + 1
	return true
}

// startTag reads a start tag.
func (s *scanner) startTag() bool {
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
		return s.fail(tag, errors.New("document types, entities, comments and CDATA sections are refused"))
	case '?':
		return s.fail(tag, errors.New("processing instructions are refused"))
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
		return s.fail(tag, why)
	}
	if hasBlanks(body) && len(body) <= maxName {
		name = body
	}
	if why := s.readAttributes(body[len(name):]); why != nil {
		return s.fail(tag, why)
	}
	if len(s.starts) == maxNesting {
		return s.fail(tag, fmt.Errorf("more than %d elements inside each other", maxNesting))
	}
	s.starts = append(s.starts, len(s.names))
	s.names = append(s.names, name...)
	s.closed = closed
	s.pos += n
	return true
}

// endTag reads the end tag of the innermost open element.
func (s *scanner) endTag() {
	name := s.name()
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
		s.fail(tag, fmt.Errorf("the end of %s is expected", shown(name)))
		return
	}
	s.pos += n
	s.pop()
}

// pop ends the innermost open element.
func (s *scanner) pop() {
	top := len(s.starts) - 1
	s.names = s.names[:s.starts[top]]
	s.starts = s.starts[:top]
	s.closed = false
}

// readAttributes takes apart what stands behind the name in a start tag.
func (s *scanner) readAttributes(list []byte) error {
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

// badName says why a text is no name of an element or attribute.
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

// notInNames are the bytes that end a name or stand in none.
var notInNames = func() (no [256]bool) {
	for c := range ' ' + 1 {
		no[c] = true
	}
	for _, c := range `<>&"'=/` {
		no[c] = true
	}
	return no
}()

// space passes over white space.
func (s *scanner) space() {
	for s.err == nil {
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

// textLength is the length of the text before the next tag, negative where there is none.
func (s *scanner) textLength() int {
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
	s.fail(s.rest(), fmt.Errorf("a text of more than %d bytes", maxText))
	return -1
}

// tagLength is the length of the tag at the next byte, with both its brackets; 0 where it is no tag.
func (s *scanner) tagLength() int {
	if !s.need(1) {
		return 0
	}
	if s.buf[s.pos] != '<' {
		s.fail(s.rest(), errors.New("a tag is expected"))
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
				s.fail(b[:n+1], errors.New("a tag without a name"))
				return 0
			}
			return n + 1
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			s.fail(b[:n+1], errors.New("a tag without an end"))
			return 0
		}
	}
	s.fail(s.rest(), fmt.Errorf("a tag of more than %d bytes", maxTag))
	return 0
}

// ahead reports whether n more bytes are there.
func (s *scanner) ahead(n int) bool {
	for s.err == nil && s.end-s.pos < n {
		if !s.fill() {
			return false
		}
	}
	return s.err == nil
}

// need is like ahead, and without the bytes the document is cut off.
func (s *scanner) need(n int) bool {
	if s.ahead(n) {
		return true
	}
	s.cutOff()
	return false
}

func (s *scanner) cutOff() {
	if name := s.name(); name != nil {
		s.fail(nil, fmt.Errorf("cut off inside %s: %w", shown(name), io.ErrUnexpectedEOF))
		return
	}
	s.fail(nil, fmt.Errorf("no document: %w", io.ErrUnexpectedEOF))
}

// fill reads more bytes. It moves those that are not yet used to the front of the buffer, and grows it where it must.
func (s *scanner) fill() bool {
	if s.ended || s.err != nil {
		return false
	}
	s.lines += bytes.Count(s.buf[:s.pos], newline)
	s.end = copy(s.buf, s.buf[s.pos:s.end])
	s.pos = 0
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 { // as bufio does: a reader may return nothing now and then
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err == io.EOF {
			s.ended = true
			return n > 0
		}
		if err != nil {
			return s.fail(nil, err)
		}
		if n > 0 {
			return true
		}
	}
	return s.fail(nil, io.ErrNoProgress)
}

// decode is a text with its entities resolved, in a buffer of its own where there are any.
func (s *scanner) decode(text []byte) []byte {
	if bytes.IndexByte(text, '&') < 0 && (!s.percentLT || bytes.IndexByte(text, '%') < 0) {
		return text
	}
	s.text1 = s.text1[:0]
	for len(text) > 0 {
		switch {
		case text[0] == '&':
			c, n := entity(text)
			if n == 0 && s.bareAmpersand {
				c, n = '&', 1
			}
			if n == 0 {
				s.fail(text, errors.New("an unknown entity"))
				return nil
			}
			s.text1 = utf8.AppendRune(s.text1, c)
			text = text[n:]
		case s.percentLT && bytes.HasPrefix(text, []byte("%lt;")):
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
func (s *scanner) rest() []byte { return s.buf[s.pos:min(s.end, s.pos+200)] }

// fail ends the reading with a problem at this line; it returns false.
func (s *scanner) fail(text []byte, why error) bool {
	if s.err == nil {
		s.err = &importer.Problem{File: s.file, Line: s.line(), Text: string(text[:min(len(text), 200)]), Err: why}
	}
	return false
}

// shown is a name as an error shows it.
func shown(name []byte) string { return "<" + string(name) + ">" }
