package xmlscan

import "bytes"

// Inside returns the bytes from here to the end tag of the innermost open element, with this tag. It returns nil if the
// buffer does not have them all, or if they are more than largestGap. They are valid until the next call of another
// method. If the element has another one of its own name inside, they end with the tag of that one: Ended tells.
func (s *Scanner) Inside() []byte {
	if s.closed || s.Err != nil || s.Depth() == 0 {
		return nil
	}
	tag := append(append(append(make([]byte, 0, maxName+len("</>")), "</"...), s.Name()...), '>')
	text := s.buf[s.pos:min(s.end, s.pos+largestGap)]
	if n := bytes.Index(text, tag); n >= 0 {
		return text[:n+len(tag)]
	}
	return nil
}

// PassInside passes over the bytes that Inside returned, if they are the same as before, and Ended was true then. The
// innermost open element ends with them.
func (s *Scanner) PassInside(n int) {
	s.pos += n
	s.pop()
}

// Ended reports whether the element that was the innermost open one at a mark ended n bytes behind the mark.
func (s *Scanner) Ended(since Mark, n int) bool {
	return s.Err == nil && s.fills == since.fills && s.pos == since.pos+n && s.Depth() == since.depth-1
}
