package records

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/compat"
	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// Read reads the files that the master writes: schedule, messages and accounting.
func Read(b *bundle.Reader) error {
	r := &reader{b}
	s := &scheduleReader{reader: r}
	if err := r.EachLine("schedule", s.line); err != nil {
		return err
	}
	s.finish()
	if err := readMessagesFile(r); err != nil {
		return err
	}
	return readAccounting(r)
}

// A scheduleReader reads the schedule file, schedule(5). It has a section for every run, and separator lines of
// colons. Up to 9.0.5 the separator begins a run. Since 9.0.6 of Open Cluster Scheduler it ends a run. This
// shows which section is complete.
type scheduleReader struct {
	*reader
	sections [][]rawLine // the lines between separators; sections[0] is before the first one
	micro    bool        // times are in microseconds
}

// A rawLine is a line whose times have no known unit yet.
type rawLine struct {
	model.ScheduleLine
	start, duration uint64
}

func (s *scheduleReader) line(number int, text []byte) error {
	if len(s.sections) == 0 {
		s.sections = [][]rawLine{nil}
	}
	if len(bytes.Trim(text, ":")) == 0 {
		if len(text) > 0 {
			s.sections = append(s.sections, nil)
		}
		return nil
	}
	l, err := s.record(string(text))
	if err != nil {
		return s.Problem("schedule", number, string(text), err)
	}
	s.micro = s.micro || l.start >= bundle.MicroTimes
	last := len(s.sections) - 1
	s.sections[last] = append(s.sections[last], l)
	return nil
}

// record reads job:task:state:start:duration:level:object:resource:amount. Only the object may have colons in it.
func (s *scheduleReader) record(text string) (l rawLine, err error) {
	f := strings.SplitN(text, ":", 7)
	if len(f) < 7 {
		return l, fmt.Errorf("too few fields: %w", errSyntax)
	}
	object, amount, ok := cutLast(f[6])
	object, resource, ok2 := cutLast(object)
	if !ok || !ok2 {
		return l, fmt.Errorf("too few fields: %w", errSyntax)
	}
	intern := func(s2 string) string { return s.Strings.Get([]byte(s2)) }
	l.State, l.Level, l.Object, l.Resource = intern(f[2]), intern(f[5]), intern(object), intern(resource)
	for _, n := range []struct {
		name, text string
		into       *uint64
		bits       int
	}{
		{"start", f[3], &l.start, 63}, {"duration", f[4], &l.duration, 63},
	} {
		if *n.into, err = strconv.ParseUint(n.text, 10, n.bits); err != nil {
			return l, fmt.Errorf("%s: %w", n.name, errSyntax)
		}
	}
	if l.Job, err = parseCount(f[0]); err != nil {
		return l, fmt.Errorf("job: %w", err)
	}
	if l.Task, err = parseCount(f[1]); err != nil {
		return l, fmt.Errorf("task: %w", err)
	}
	if l.Amount, err = strconv.ParseFloat(amount, 64); err != nil || math.IsNaN(l.Amount) || math.IsInf(l.Amount, 0) {
		return l, fmt.Errorf("amount: %w", errSyntax)
	}
	return l, nil
}

// cutLast splits a text at its last colon.
func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// finish makes runs from the sections.
func (s *scheduleReader) finish() {
	if len(s.sections) == 0 {
		return
	}
	if !s.closes() {
		// Lines before the first separator are the rest of a run. The file does not have its beginning.
		if len(s.sections[0]) == 0 {
			s.sections = s.sections[1:]
		}
		for i, lines := range s.sections {
			s.run(lines, i < len(s.sections)-1)
		}
		return
	}
	last := len(s.sections) - 1
	for _, lines := range s.sections[:last] {
		s.run(lines, true)
	}
	if len(s.sections[last]) > 0 {
		s.run(s.sections[last], false)
	}
}

func (s *scheduleReader) run(raw []rawLine, complete bool) {
	run := model.RunRecord{Complete: complete}
	for _, l := range raw {
		l.Start, l.Duration = s.moment(l.start), s.length(l.duration)
		run.Lines = append(run.Lines, l.ScheduleLine)
	}
	own := ownLines(run.Lines)
	run.Lines, run.Advance = run.Lines[:own:own], run.Lines[own:]
	if len(run.Advance) == 0 {
		run.Advance = nil
	}
	s.Snap.Runs = append(s.Snap.Runs, run)
}

// ownLines counts the lines of a section that the run wrote: each running task once, then starts and
// reservations. Each qrsub in between writes the running tasks again, and its own bookings as job 0 (D37).
func ownLines(lines []model.ScheduleLine) int {
	type task struct{ job, number uint32 }
	first := map[task]*model.ScheduleLine{} // of each running task
	decided := false
	for i := range lines {
		l := &lines[i]
		runs := l.State == "RUNNING" || l.State == "SUSPENDED"
		known := first[task{l.Job, l.Task}]
		switch {
		case l.Job == 0 && !decided:
			return 0 // qrsub wrote these lines; the run would have written them twice
		case l.Job == 0, runs && decided, runs && known != nil && known.Level == l.Level && known.Object == l.Object &&
			known.Resource == l.Resource:
			return i
		case runs && known == nil:
			first[task{l.Job, l.Task}] = l
		}
		decided = decided || !runs
	}
	return len(lines)
}

// moment returns a time of the file. Time zero is valid: some releases make reservations there.
func (s *scheduleReader) moment(n uint64) time.Time {
	if s.micro || s.releaseHasMicroseconds() {
		return time.UnixMicro(int64(n)).UTC()
	}
	return time.Unix(int64(n), 0).UTC()
}

// length returns a duration of the file. It is Forever if it does not fit into a time.Duration.
func (s *scheduleReader) length(n uint64) time.Duration {
	unit := time.Second
	if s.micro || s.releaseHasMicroseconds() {
		unit = time.Microsecond
	}
	if n > uint64(math.MaxInt64/unit) {
		return model.Forever
	}
	return time.Duration(n) * unit
}

func (s *scheduleReader) releaseHasMicroseconds() bool {
	return compat.FormatOf(s.Snap.Release).Microseconds
}

// closes reports whether separators end the runs. If the release is unknown, the file shows it: its first line
// is part of a run, or its times are those of such a release.
func (s *scheduleReader) closes() bool {
	if s.Snap.Release.Version != "" {
		return compat.FormatOf(s.Snap.Release).SeparatorAfter
	}
	last := len(s.sections) - 1
	return len(s.sections[0]) > 0 && len(s.sections[last]) == 0
}
