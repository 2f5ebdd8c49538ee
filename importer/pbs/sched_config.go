package pbs

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
	"qprism/importer"
	"qprism/importer/source"
)

// maxConfig limits the files of the scheduler.
const maxConfig = 16 << 20

// readSchedConfig reads sched_config (pbs_sched(8B)) as the scheduler does. A line with an error counts as far
// as it counts for the scheduler. It is listed with the scheduler's message.
func readSchedConfig(r *reader) error {
	x := schedconfig.New()
	if file := r.choose("sched_config"); file != "" {
		text, err := r.ReadAll(file, maxConfig)
		if err != nil {
			return err
		}
		x.Config.Present = true
		parseSchedConfig(x, text)
	}
	r.applyPreemption(x.Config.Lines)
	r.pbs.SchedConfig, r.pbs.Fairshare.Policy = x.Config, x.Fairshare
	return nil
}

// applyPreemption sets the options of preemption that releases before 20 read from sched_config. Later releases
// have attributes for them.
func (r *reader) applyPreemption(lines []model.SchedLine) {
	for i := range lines {
		l := &lines[i]
		if l.Error != "" || !strings.HasPrefix(l.Name, "preempt_") || !schedconfig.Find(
			l.Name).ObeyedBy(r.Snap.Release) {
			continue
		}
		if len(r.pbs.Schedulers) == 0 {
			r.pbs.Schedulers = []model.PBSScheduler{*r.pbs.Scheduler()}
		}
		switch s := r.pbs.Scheduler(); l.Name {
		case "preempt_queue_prio":
			n, err := strconv.Atoi(l.Value)
			if err != nil {
				continue
			}
			s.PreemptQueuePrio = n
		case "preempt_prio":
			s.PreemptPrio = l.Value
		case "preempt_order":
			s.PreemptOrder = l.Value
		case "preempt_sort":
			s.PreemptSort = l.Value
		}
		l.Used = true
	}
}

// ReadSchedConfig reads a sched_config outside a bundle, with its fairshare options. The error is an
// *importer.Problem.
func ReadSchedConfig(folder fs.FS, file string) (model.SchedConfig, model.FairsharePolicy, error) {
	r := newReader(folder, source.Options{})
	x := schedconfig.New()
	text, err := fs.ReadFile(folder, file)
	if err != nil {
		return x.Config, x.Fairshare, &importer.Problem{File: file, Err: err}
	}
	if len(text) > maxConfig {
		return x.Config, x.Fairshare, r.Problem(file, 0, "", fmt.Errorf("longer than %d bytes", maxConfig))
	}
	x.Config.Present = true
	parseSchedConfig(x, text)
	return x.Config, x.Fairshare, nil
}

// parseSchedConfig reads all lines of a text.
func parseSchedConfig(x *schedconfig.Reading, text []byte) {
	for number := 1; len(text) > 0; {
		var line string
		var taken int
		line, taken, text = configLine(text)
		if !isComment(line) {
			x.Line(schedLine(number, line))
		}
		number += taken
	}
	x.End()
}

// configLine removes a logical line from a text, and counts its physical lines. A line that ends in a backslash
// continues in the next one.
func configLine(text []byte) (line string, taken int, rest []byte) {
	var b strings.Builder
	for rest = text; len(rest) > 0; {
		var physical []byte
		physical, rest, _ = bytes.Cut(rest, []byte{'\n'})
		taken++
		b.Write(physical)
		trimmed := strings.TrimRight(b.String(), whiteSpace)
		head, more := strings.CutSuffix(trimmed, `\`)
		if !more {
			break
		}
		b.Reset()
		b.WriteString(head)
	}
	return b.String(), taken, rest
}

// whiteSpace has the characters of isspace(3).
const whiteSpace = " \t\n\v\f\r"

// isComment reports whether the scheduler ignores a line of one of its files.
func isComment(line string) bool {
	line = strings.TrimLeft(line, whiteSpace)
	return line == "" || line[0] == '#' || line[0] == '*'
}

// scan removes a word, or the text between quotes, from a text. A word ends at white space or at the target.
func scan(text string, target byte) (word, rest string, ok bool) {
	text = strings.TrimLeft(text, whiteSpace+string(target))
	if text == "" {
		return "", "", false
	}
	ends := whiteSpace + string(target)
	if text[0] == '"' || text[0] == '\'' {
		ends, text = text[:1], text[1:]
	}
	i := strings.IndexAny(text, ends)
	if i < 0 {
		return text, "", true
	}
	return text[:i], text[i+1:], true
}

// schedLine splits a line into its parts.
func schedLine(number int, line string) model.SchedLine {
	name, rest, hasName := scan(line, ':')
	value, rest, hasValue := scan(rest, ' ')
	prime, _, _ := scan(rest, ' ')
	l := model.SchedLine{Line: number, Name: name, Value: value, Prime: prime}
	if !hasName || !hasValue {
		l.Error = "Config line invalid"
	}
	return l
}

// fields splits a value at blanks and tabs.
func fields(value string) []string {
	return strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == '\t' })
}
