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

// A capture is a bundle while it is made.
type capture struct {
	ctx    context.Context
	runner Runner
	folder string
	Options
	state  *state
	report Report
	head   strings.Builder // lines of MANIFEST about the cluster
	lines  strings.Builder // lines of MANIFEST about commands

	err   error // the first error; after it the capture runs and writes nothing
	brief bool  // capture only jobs and queues, because the rest is recent

	clockRead time.Time // when the host's clock was read, by this machine's clock
}

// An answer is the output of a small command.
type answer struct {
	status          int
	out, complaints string
	took            time.Duration
}

// mostAnswer limits the part of an answer that stays in memory.
const mostAnswer = 64 << 20

// ask runs a command and returns its output.
func (c *capture) ask(argv ...string) (a answer) {
	var b bytes.Buffer
	a = c.run(argv, &limited{w: &b, left: mostAnswer})
	a.out = b.String()
	return a
}

// fail notes an error, if it is the first.
func (c *capture) fail(err error) { c.err = cmp.Or(c.err, err) }

// run runs a command and counts it.
func (c *capture) run(argv []string, to io.Writer) (a answer) {
	if c.err != nil {
		return a
	}
	counted := &counter{w: to}
	var err error
	a.status, a.complaints, a.took, err = c.runner.Run(c.ctx, argv, counted)
	c.fail(err)
	cost := &c.report.Cost
	cost.Commands++
	cost.Busy += a.took
	cost.Bytes += counted.n
	if a.took >= cost.Longest {
		cost.Longest, cost.Slowest = a.took, strings.Join(argv, " ")
	}
	return a
}

// A recording is a file of a bundle that a command prints.
type recording struct {
	file   string
	named  string // name of the file in MANIFEST; empty for the same name
	argv   []string
	filter func(io.Writer) io.WriteCloser // removes parts of the output; nil to keep everything
	// Remove the file if the command fails or prints nothing, because then the release does not have the
	// feature.
	removeFailed bool
}

// record runs a command and keeps its output in a file. If the command fails, record notes it; this is no
// error.
func (c *capture) record(r recording) (a answer) {
	if c.err != nil {
		return a
	}
	f, err := os.OpenFile(filepath.Join(c.folder, r.file), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		c.fail(err)
		return a
	}
	defer f.Close()
	var to io.WriteCloser = f
	if r.filter != nil {
		to = r.filter(f)
	}
	if a = c.run(r.argv, to); c.err != nil {
		return a
	}
	if r.filter != nil {
		c.fail(to.Close())
	}
	c.note(cmp.Or(r.named, r.file), a.status, r.argv)
	c.fail(c.finish(r, f, a))
	return a
}

// finish closes a recorded file. If the file is useless, finish removes it.
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

// remove removes a file from the bundle.
func (c *capture) remove(file string) {
	if err := os.Remove(filepath.Join(c.folder, file)); !errors.Is(err, os.ErrNotExist) {
		c.fail(err)
	}
}

// recordOrNote records a file that is not required.
func (c *capture) recordOrNote(r recording) {
	if a := c.record(r); a.status != 0 && !nothing(a.complaints) {
		c.noteLacking(r.file, a)
	}
}

// require records a file that is required.
func (c *capture) require(what string, r recording) time.Duration {
	a := c.record(r)
	if a.status != 0 {
		c.fail(fmt.Errorf("%s: %s", what, oneLine(a.complaints)))
	}
	return a.took
}

// noteLacking notes that the bundle lacks a part.
func (c *capture) noteLacking(what string, a answer) {
	why := oneLine(a.complaints)
	if why == "" {
		why = fmt.Sprintf("status %d", a.status)
	}
	c.report.Lacking = append(c.report.Lacking, what+" ("+why+")")
}

// nothing reports whether a command only complained that there is nothing to show: "no calendar defined".
func nothing(complaints string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(complaints)), "no ")
}

// note writes the line of a command into MANIFEST. It quotes an argument that is not one plain word. Nobody
// runs these lines.
func (c *capture) note(file string, status int, argv []string) {
	c.lines.WriteString(commandLine(file, status, argv) + "\n")
}

func commandLine(file string, status int, argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if word == "" || strings.Trim(word, plainWord) != "" {
			// a newline would end the line, and a quote would end the quotes
			word = "'" + strings.ReplaceAll(strings.ReplaceAll(word, "\n", " "), "'", `'\''`) + "'"
		}
		words[i] = word
	}
	return fmt.Sprintf("command %s rc=%d %s", file, status, strings.Join(words, " "))
}

const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./*-"

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// oneLine joins the lines of a text, and shortens it.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return text
}

var release = regexp.MustCompile(`^[A-Za-z][A-Za-z/ ]* [0-9][0-9A-Za-z._-]*$`)

// isRelease reports whether a line is the first line of qstat -help: "SGE 8.1.9".
func isRelease(line string) bool { return len(line) < 100 && release.MatchString(line) }

// named returns the names that a command lists, one a line.
func named(text string) []string {
	names := strings.Fields(text)
	slices.Sort(names)
	return slices.Compact(names)
}

// A counter counts the bytes that are written through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.w.Write(p)
}

// A limited writer accepts a limited number of bytes.
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
