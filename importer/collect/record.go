package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A capture is a bundle that is being made.
type capture struct {
	ctx    context.Context
	runner Runner
	folder string
	Options
	state  *state
	report Report
	head   strings.Builder // MANIFEST's lines about the cluster
	lines  strings.Builder // and about its commands

	brief bool // only jobs and queues are asked for, the rest was lately

	clockRead time.Time // when the host's clock was read, by this machine's
}

// An answer is what a command printed that is asked for something small.
type answer struct {
	status          int
	out, complaints string
	took            time.Duration
	err             error
}

// mostAnswer bounds what is kept of an answer in memory.
const mostAnswer = 64 << 20

// ask runs a command whose answer is needed here.
func (c *capture) ask(argv ...string) answer {
	var b bytes.Buffer
	a := answer{}
	a.status, a.complaints, a.took, a.err = c.run(argv, &limited{w: &b, left: mostAnswer})
	a.out = b.String()
	return a
}

// run runs a command and counts it.
func (c *capture) run(argv []string, to io.Writer) (status int, complaints string, took time.Duration, err error) {
	counted := &counter{w: to}
	status, complaints, took, err = c.runner.Run(c.ctx, argv, counted)
	cost := &c.report.Cost
	cost.Commands++
	cost.Busy += took
	cost.Bytes += counted.n
	if took >= cost.Longest {
		cost.Longest, cost.Slowest = took, strings.Join(argv, " ")
	}
	return status, complaints, took, err
}

// A recording is a file of a bundle that a command prints.
type recording struct {
	file   string
	named  string // what MANIFEST calls the file; the same if empty
	argv   []string
	filter func(io.Writer) io.WriteCloser // what to leave out; nil for nothing
	// Where a failing command or an empty file means that the release has no such thing, the file is removed.
	removeFailed bool
}

// record runs a command and keeps what it prints. That it fails is noted, and no error.
func (c *capture) record(r recording) (a answer, err error) {
	f, err := os.OpenFile(filepath.Join(c.folder, r.file), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return a, err
	}
	defer f.Close()
	var to io.WriteCloser = f
	if r.filter != nil {
		to = r.filter(f)
	}
	if a.status, a.complaints, a.took, err = c.run(r.argv, to); err != nil {
		return a, err
	}
	if r.filter != nil {
		if err := to.Close(); err != nil {
			return a, err
		}
	}
	c.note(cmp.Or(r.named, r.file), a.status, r.argv)
	return a, c.finish(r, f, a)
}

// finish closes a file that was recorded, and removes it where it says nothing.
func (c *capture) finish(r recording, f *os.File, a answer) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if r.removeFailed && (a.status != 0 || info.Size() == 0) {
		return os.Remove(f.Name())
	}
	return nil
}

// remove takes a file out of the bundle.
func (c *capture) remove(file string) error {
	if err := os.Remove(filepath.Join(c.folder, file)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// take moves the text of a file that may be absent out of the bundle.
func (c *capture) take(file string, to *strings.Builder) error {
	text, err := os.ReadFile(filepath.Join(c.folder, file))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	to.Write(text)
	return errors.Join(err, c.remove(file))
}

// recordOrNote records what a bundle can do without.
func (c *capture) recordOrNote(r recording) error {
	a, err := c.record(r)
	if err != nil {
		return err
	}
	if a.status != 0 && !nothing(a.complaints) {
		c.lacks(r.file, a)
	}
	return nil
}

// require records what is needed.
func (c *capture) require(what string, r recording) error {
	a, err := c.record(r)
	if err == nil && a.status != 0 {
		err = fmt.Errorf("%s: %s", what, oneLine(a.complaints))
	}
	return err
}

// lacks notes that the bundle lacks something.
func (c *capture) lacks(what string, a answer) {
	why := oneLine(a.complaints)
	if why == "" {
		why = fmt.Sprintf("status %d", a.status)
	}
	c.report.Lacking = append(c.report.Lacking, what+" ("+why+")")
}

// nothing reports whether a command complained only that there is nothing to show: "no calendar defined".
func nothing(complaints string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(complaints)), "no ")
}

// note writes the line of a command into MANIFEST. An argument that is not one plain word is quoted there; nobody runs that.
func (c *capture) note(file string, status int, argv []string) {
	c.lines.WriteString(commandLine(file, status, argv) + "\n")
}

func commandLine(file string, status int, argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if word == "" || strings.Trim(word, plainWord) != "" {
			// a newline would end the line, a quote the quoting
			word = "'" + strings.ReplaceAll(strings.ReplaceAll(word, "\n", " "), "'", `'\''`) + "'"
		}
		words[i] = word
	}
	return fmt.Sprintf("command %s rc=%d %s", file, status, strings.Join(words, " "))
}

const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./*-"

// firstLine is the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// oneLine is a text of several lines as one that is not long.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return text
}

var release = regexp.MustCompile(`^[A-Za-z][A-Za-z/ ]* [0-9][0-9A-Za-z._-]*$`)

// isRelease reports whether a line is how qstat -help begins: "SGE 8.1.9".
func isRelease(line string) bool { return len(line) < 100 && release.MatchString(line) }

// named are the names in the output of a command that lists them, one a line.
func named(text string) []string {
	names := strings.Fields(text)
	slices.Sort(names)
	return slices.Compact(names)
}

// A counter counts what is written through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.w.Write(p)
}

// A limited writer takes so many bytes and no more.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.left {
		return 0, fmt.Errorf("an answer of more than %d bytes", mostAnswer)
	}
	l.left -= len(p)
	return l.w.Write(p)
}
