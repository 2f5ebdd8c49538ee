package shell

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// frames splits one stream of a shell. The output of a command goes to a writer. The answer after the output
// (an empty line, the mark and the status) goes to answers.
type frames struct {
	mark    []byte // how an answer begins
	answers chan int

	mu   sync.Mutex
	held []byte // may be the beginning of an answer
	to   io.Writer
}

func newFrames(mark string) *frames {
	return &frames{mark: []byte("\n" + mark + " "), answers: make(chan int, 1), to: io.Discard}
}

// expect says where the output of the next command goes.
func (f *frames) expect(to io.Writer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.to = to
}

// Write takes the next part of the stream.
func (f *frames) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = append(f.held, p...)
	at := bytes.Index(f.held, f.mark)
	if at < 0 {
		f.pass(len(f.held) - partial(f.held, f.mark))
		return len(p), nil
	}
	f.pass(at)
	return len(p), f.answer()
}

// pass hands on the first n bytes. These writers cannot fail, see latched.
func (f *frames) pass(n int) {
	_, _ = f.to.Write(f.held[:n])
	f.held = append(f.held[:0], f.held[n:]...)
}

// answer reads the answer, if all of it has arrived.
func (f *frames) answer() error {
	const most = len("255\n")
	text := f.held[len(f.mark):]
	end := bytes.IndexByte(text, '\n')
	if end < 0 && len(text) < most {
		return nil // the rest has not arrived
	}
	status, err := strconv.Atoi(string(text[:max(end, 0)]))
	if err != nil || end+1 < len(text) {
		return fmt.Errorf("the shell's answer cannot be read: %.20q", text)
	}
	f.held = f.held[:0]
	select {
	case f.answers <- status:
		return nil
	default:
		return fmt.Errorf("the shell answered twice")
	}
}

// partial returns the length of the longest end of b that is a beginning of the mark.
func partial(b, mark []byte) int {
	for n := min(len(b), len(mark)-1); n > 0; n-- {
		if bytes.HasSuffix(b, mark[:n]) {
			return n
		}
	}
	return 0
}

// latched writes until a write fails. Then it drops the rest, so that a full disk does not block the sender.
type latched struct {
	w   io.Writer
	err error
}

func (o *latched) Write(p []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.w.Write(p)
	}
	return len(p), nil
}

// mostComplaints is how much of a command's error output is kept.
const mostComplaints = 64 << 10

// A tail keeps the last 64 KiB of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 2*mostComplaints {
		t.text = append(t.text[:0], t.text[len(t.text)-mostComplaints:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.text[max(0, len(t.text)-mostComplaints):]) }

// after returns the text after a separator. It is empty if the text has no separator.
func (t *tail) after(separator string) string {
	if text := bytes.TrimSpace(t.text); len(text) > 0 {
		return separator + string(text[max(0, len(text)-300):])
	}
	return ""
}
