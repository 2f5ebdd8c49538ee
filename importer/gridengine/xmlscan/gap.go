package xmlscan

import "bytes"

// A Gap remembers the bytes between two elements that a reader wants. In a listing, the same bytes come between them
// for nearly every job: line breaks, and elements that nothing uses. Pass compares them with what comes now. If they are
// the same, it passes over all of them at once, which is several times faster than to read each tag.
//
// A Gap belongs to one place of a reader: it always begins in an element of the same kind, and the reader wants the
// same elements there. It begins after the end of an element or after a start tag. It ends with the start tag of the
// next element that the reader wants. If there is none, it ends with the end tag of the element in which it begins.
type Gap struct {
	text  []byte // empty before the first use
	depth int    // in which it begins
	over  bool   // it ends with an end tag
	name  []byte // in the tag at the end
	attrs []xmlAttribute
}

// largestGap is the most bytes that a Gap remembers. A scanner's buffer has at least 64 KiB.
const largestGap = 8 << 10

// A Mark is a place in a document, for Keep and Same.
type Mark struct {
	depth, pos, fills int
	closed            bool
}

// Mark marks the next byte.
func (s *Scanner) Mark() Mark { return Mark{s.Depth(), s.pos, s.fills, s.closed} }

// Keep remembers the bytes since a mark. Call it right after Child, and only if the reader used no element in these
// bytes. Keep remembers nothing if the buffer no longer has all of them.
func (s *Scanner) Keep(g *Gap, since Mark) {
	g.text = g.text[:0]
	if s.Err != nil || s.fills != since.fills || since.closed || s.closed || s.pos-since.pos > largestGap {
		return
	}
	text := append(g.text, s.buf[since.pos:s.pos]...)
	g.depth, g.over, g.attrs = since.depth, s.Depth() == since.depth-1, g.attrs[:0]
	switch {
	case g.over:
		tag := text[bytes.LastIndexByte(text, '<'):]
		if !bytes.HasPrefix(tag, []byte("</")) { // a name with a "<", which hasBlanks accepts
			return
		}
		g.name = bytes.TrimRight(tag[len("</"):len(tag)-1], " \t\r\n")
	case s.Depth() == since.depth+1:
		body := text[s.tagAt-since.pos+1 : len(text)-1]
		g.name = body[:len(s.Name())]
		_ = s.readAttributes(body[len(g.name):]) // again: they must point into the gap's own bytes
		g.attrs = append(g.attrs, s.attrs...)
	default:
		return
	}
	g.text = text
}

// Same reports whether a gap begins with the bytes since a mark. If the buffer no longer has all of them, nothing shows
// a difference, and Same returns true.
func (s *Scanner) Same(g *Gap, since Mark) bool {
	return s.fills != since.fills || bytes.HasPrefix(g.text, s.buf[since.pos:s.pos])
}

// Pass passes over a gap in the open element of depth d, if the same bytes come again. Then the scanner is in the same
// state as after Child. Otherwise Pass moves nothing, also if the buffer does not have all of these bytes.
func (s *Scanner) Pass(g *Gap, d int) bool {
	switch {
	case len(g.text) == 0 || g.depth != d || s.Depth() != d || s.closed || s.Err != nil:
		return false
	case !bytes.HasPrefix(s.buf[s.pos:s.end], g.text):
		return false
	case g.over && !bytes.Equal(g.name, s.Name()):
		return false
	case g.over:
		s.pop()
	default:
		s.attrs = append(s.attrs[:0], g.attrs...)
		s.starts = append(s.starts, len(s.names))
		s.names = append(s.names, g.name...)
	}
	s.pos += len(g.text)
	return true
}
