package xmlscan

import "bytes"

// Inside returns the bytes up to the first end tag with the name of the innermost open element, and this tag. It
// returns nil if the buffer does not have them all, or if they are more than largestGap. They are valid until the next
// call of another method. The tag may belong to an inner element of the same name, or to a comment. Then Ended returns
// false, after the element was read.
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

// PassInside passes over the n bytes that Inside returned, and ends the innermost open element. Call it only if the
// same bytes were read before, and Ended was true after that.
func (s *Scanner) PassInside(n int) {
	s.pos += n
	s.pop()
}

// Ended reports whether the element that was the innermost open one at a mark ended n bytes behind the mark.
func (s *Scanner) Ended(since Mark, n int) bool {
	return s.Err == nil && s.fills == since.fills && s.pos == since.pos+n && s.Depth() == since.depth-1
}
