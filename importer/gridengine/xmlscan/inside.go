package xmlscan

import "bytes"

// Inside returns the bytes up to the first end tag with the name of the innermost open element, and this tag. It
// returns nil for more than 8 KiB, or if the buffer does not have them all. The bytes are valid until the next call of
// another method. The tag may belong to an inner element of the same name, or to a comment. So read the element as
// usual the first time: then Ended tells whether these bytes were the whole element.
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

// PassInside passes over the n bytes that Inside returned, and ends the innermost open element. Call it only for bytes
// that you read before. Ended must have returned true then.
func (s *Scanner) PassInside(n int) {
	s.pos += n
	s.pop()
}

// Ended takes the element that was the innermost open one at a mark. It reports whether it ended exactly n bytes later.
func (s *Scanner) Ended(since Mark, n int) bool {
	return s.Err == nil && s.fills == since.fills && s.pos == since.pos+n && s.Depth() == since.depth-1
}
