package swf

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Log is a file in the Standard Workload Format.
type Log struct {
	Header []Comment
	Jobs   []Job // in file order, which is the order of submission
}

// A Comment is a line of the header; Key is empty for plain text.
type Comment struct{ Key, Value string }

// Value returns the value of the first comment with a key. It is empty if there is none.
func (l *Log) Value(key string) string {
	for _, c := range l.Header {
		if strings.EqualFold(c.Key, key) {
			return c.Value
		}
	}
	return ""
}

// unknown is the value of an unknown field.
const unknown = -1

// A Job is one line. Times are in seconds; Submit counts from the header's UnixStartTime. Memory is in
// kilobytes per processor.
type Job struct {
	Number          int64
	Submit          float64
	Wait            float64
	Run             float64 // wallclock
	Processors      int64   // average per processor
	CPU             float64 // average per processor
	Memory          float64 // average per processor
	AskedProcessors int64
	AskedTime       float64
	AskedMemory     float64
	Status          Status
	User, Group     int64
	Executable      int64
	Queue           int64
	Partition       int64
	Preceding       int64 // the job that this one depends on
	Think           float64
}

// A Status is how a job ended.
type Status int64

// The statuses of whole jobs. Other values are for parts of jobs.
const (
	Failed    Status = 0
	Completed Status = 1
	Cancelled Status = 5
)

// fields are the numbers of a line, in their order: whole and other numbers.
func (j *Job) fields() []any {
	return []any{&j.Number, &j.Submit, &j.Wait, &j.Run, &j.Processors, &j.CPU, &j.Memory, &j.AskedProcessors,
		&j.AskedTime, &j.AskedMemory,
		(*int64)(&j.Status), &j.User, &j.Group, &j.Executable, &j.Queue, &j.Partition, &j.Preceding, &j.Think}
}

// longestLine is the greatest length of a line in bytes.
const longestLine = 1 << 20

// A lineError is a line that cannot be read.
type lineError struct {
	Line int
	Text string
	Err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %q: %v", e.Line, e.Text, e.Err) }
func (e *lineError) Unwrap() error { return e.Err }

// Read reads a log. An error is a *lineError.
func Read(r io.Reader) (*Log, error) {
	l := &Log{}
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, longestLine)
	number := 0
	for scan.Scan() {
		number++
		if err := l.line(strings.TrimSpace(scan.Text())); err != nil {
			return nil, &lineError{number, scan.Text()[:min(len(scan.Text()), 200)], err}
		}
	}
	if err := scan.Err(); err != nil {
		return nil, &lineError{number + 1, "", err}
	}
	return l, nil
}

func (l *Log) line(text string) error {
	if text == "" {
		return nil
	}
	if comment, is := strings.CutPrefix(text, ";"); is {
		l.comment(strings.TrimSpace(comment))
		return nil
	}
	values := strings.Fields(text)
	var j Job
	into := j.fields()
	if len(values) != len(into) {
		return fmt.Errorf("%d fields, not %d", len(values), len(into))
	}
	for i, v := range values {
		if err := set(into[i], v); err != nil {
			return fmt.Errorf("field %d: %w", i+1, err)
		}
	}
	l.Jobs = append(l.Jobs, j)
	return nil
}

// comment keeps a line of the header. A key is a word before a colon.
func (l *Log) comment(text string) {
	key, value, found := strings.Cut(text, ":")
	if !found || strings.ContainsAny(key, " \t") {
		key, value = "", text
	}
	if text != "" {
		l.Header = append(l.Header, Comment{key, strings.TrimSpace(value)})
	}
}

var errNumber = errors.New("no number in the range of the format")

func set(into any, text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= -1<<53 && n <= 1<<53) {
		return errNumber
	}
	switch p := into.(type) {
	case *float64:
		*p = n
	case *int64:
		if *p = int64(n); float64(*p) != n {
			return errNumber
		}
	}
	return nil
}

// Write writes a log. Line breaks in the header become blanks.
func Write(w io.Writer, l *Log) error {
	out := bufio.NewWriter(w)
	for _, c := range l.Header {
		text := strings.NewReplacer("\n", " ", "\r", " ").Replace(c.Value)
		if c.Key != "" {
			text = c.Key + ": " + text
		}
		fmt.Fprintf(out, "; %s\n", text)
	}
	for i := range l.Jobs {
		for k, f := range l.Jobs[i].fields() {
			if k > 0 {
				out.WriteByte(' ')
			}
			switch p := f.(type) {
			case *float64:
				out.WriteString(strconv.FormatFloat(*p, 'f', -1, 64))
			case *int64:
				out.WriteString(strconv.FormatInt(*p, 10))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}
