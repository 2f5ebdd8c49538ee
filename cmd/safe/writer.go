package safe

import (
	"cmp"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// Marks for colors in text for people. They are Unicode noncharacters. No text of a cluster can have them,
// because Text and Cell escape them. On a terminal, a Writer replaces them by escape sequences. Elsewhere it
// removes them.
const (
	Strong = "\ufdd0"
	Faint  = "\ufdd1"
	Plain  = "\ufdd2"
	Good   = "\ufdd3" // green
	Fair   = "\ufdd4" // yellow
	Bad    = "\ufdd5" // red
)

var sequences = map[rune]string{'\ufdd0': "\x1b[1m", '\ufdd1': "\x1b[2m", '\ufdd2': "\x1b[0m",
	'\ufdd3': "\x1b[32m", '\ufdd4': "\x1b[33m", '\ufdd5': "\x1b[31m"}

// A Writer writes text to a person or a pipe. It escapes like Text, except line breaks and tabs. It does not
// change output of Cell or JSON. Several goroutines may use it.
type Writer struct {
	w       io.Writer
	err     error // first error of the writer below
	mutex   sync.Mutex
	pending []byte // the beginning of a character; the next Write may have its end
}

// NewWriter makes a Writer for w. If w is already a Writer, NewWriter returns w.
func NewWriter(w io.Writer) *Writer {
	if safe, ok := w.(*Writer); ok {
		return safe
	}
	return &Writer{w: w}
}

// Write writes text. The last character may be incomplete.
func (s *Writer) Write(text []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	whole := text
	if len(s.pending) > 0 {
		whole = append(s.pending, text...)
		s.pending = nil
	}
	if cut := cutAt(whole); cut < len(whole) {
		s.pending = append([]byte(nil), whole[cut:]...)
		whole = whole[:cut]
	}
	if err := s.write(whole); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Close writes an incomplete last character. It does not close the writer below.
func (s *Writer) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rest := s.pending
	s.pending = nil
	return s.write(rest)
}

// Err returns the first error of the writer below. A caller that writes many times asks once at the end.
func (s *Writer) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

func (s *Writer) write(text []byte) error {
	if !plainASCII(text) {
		text = s.escape(text)
	}
	_, err := s.w.Write(text)
	s.err = cmp.Or(s.err, err)
	return err
}

// escape escapes a text and puts sequences for marks.
func (s *Writer) escape(text []byte) []byte {
	b := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch mark, known := sequences[r]; {
		case broken(r, n):
			b = append(b, `\x`+hexDigits(text[0])...)
		case known && s.IsTerminal():
			b = append(b, mark...)
		case known:
		case r != '\n' && r != '\t' && hidden(r):
			b = appendEscape(b, r)
		default:
			b = append(b, text[:n]...)
		}
		text = text[n:]
	}
	return b
}

// plainASCII reports whether a text needs no escape, as nearly all does.
func plainASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf || c == 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// cutAt returns where an incomplete last character begins, or else the length of the text.
func cutAt(text []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		at := len(text) - back
		if utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// IsTerminal reports whether a person reads the output. If the writer below is no file, it may have its own
// method for this.
func (s *Writer) IsTerminal() bool {
	switch w := s.w.(type) {
	case interface{ IsTerminal() bool }:
		return w.IsTerminal()
	case *os.File:
		return term.IsTerminal(int(w.Fd()))
	}
	return false
}

// Columns returns the width that the writer below reports. It is 0 if that writer reports none.
func (s *Writer) Columns() int {
	if c, ok := s.w.(interface{ Columns() int }); ok {
		return c.Columns()
	}
	return 0
}

// Fd returns the descriptor of the file below, to find a terminal's width.
func (s *Writer) Fd() uintptr {
	if f, ok := s.w.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}
