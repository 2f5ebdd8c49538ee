package records

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

const reportingFile = "reporting"

// ReadReporting reads a reporting file, reporting(5). Each line is "time:type:fields". The error is an
// *importer.Problem.
func ReadReporting(folder fs.FS, file string, opts source.Options) (*model.Reporting, error) {
	r := &reportingReader{reader: &reader{bundle.New(folder, opts)}, file: file,
		out: &model.Reporting{Others: map[string]int{}}}
	r.shares = newUsageReader(r.reader)
	if err := r.EachLine(file, r.line); err != nil {
		return nil, err
	}
	return r.out, nil
}

type reportingReader struct {
	*reader
	file   string
	out    *model.Reporting
	shares *usageReader
}

func (r *reportingReader) line(number int, text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 || text[0] == '#' {
		return nil
	}
	head := bytes.SplitN(text, []byte(":"), 3)
	if len(head) < 3 {
		return r.Problem(r.file, number, string(text), errSyntax)
	}
	if _, err := strconv.ParseInt(string(head[0]), 10, 64); err != nil { // of another file, such as accounting
		return r.Problem(r.file, number, string(text), fmt.Errorf("time: %w", errSyntax))
	}
	if err := r.record(string(head[1]), head[2]); err != nil {
		return r.Problem(r.file, number, string(text), fmt.Errorf("%s: %w", head[1], err))
	}
	return nil
}

// record reads the fields after the time and the type. Records of types without jobs or shares are only
// counted.
func (r *reportingReader) record(kind string, text []byte) error {
	switch kind {
	case "new_job":
		return r.event(string(text), newJobFields)
	case "job_log":
		return r.event(string(text), jobLogFields)
	case "acct":
		t, own, err := r.endedTask(text)
		if own && err == nil {
			r.out.Ended = append(r.out.Ended, t)
		}
		return err
	case "sharelog":
		return r.share(string(text))
	}
	r.out.Others[r.keep(kind)]++
	return nil
}

// reportedTask reads an acct record. Lines of other types are not ended tasks.
func (r *reader) reportedTask(text []byte) (t model.EndedTask, own bool, err error) {
	head := bytes.SplitN(text, []byte(":"), 3)
	if len(head) < 3 || string(head[1]) != "acct" {
		return t, false, nil
	}
	return r.endedTask(head[2])
}

// Fields of events, in their order. In the manual page, the priority of a job_log record is the last but one.
// The master writes it before the time of submission. The last field is the rest of the line.
var (
	newJobFields = []string{"submission_time", "job_number", "task_number", "pe_taskid", "job_name",
		"owner", "group", "project", "department",
		"account", "priority"}
	jobLogFields = []string{"event_time", "event", "job_number", "task_number", "pe_taskid",
		"state", "user", "host", "state_time", "priority",
		"submission_time", "job_name", "owner", "group", "project", "department", "account", "message"}
)

func (r *reportingReader) event(text string, fields []string) error {
	values := strings.SplitN(text, ":", len(fields))
	if len(values) < len(fields) {
		return fmt.Errorf("too few fields: %w", errSyntax)
	}
	e := model.JobEvent{Event: "new"}
	for i, name := range fields {
		if err := r.eventField(&e, name, values[i]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if e.At.IsZero() {
		e.At = e.Submitted
	}
	r.out.Events = append(r.out.Events, e)
	return nil
}

func (r *reportingReader) eventField(e *model.JobEvent, name, value string) error {
	texts := map[string]*string{"event": &e.Event, "pe_taskid": &e.Process, "state": &e.State,
		"user": &e.User, "host": &e.Host,
		"job_name": &e.Name,
		"owner":    &e.Owner, "group": &e.Group, "project": &e.Project, "department": &e.Department,
		"account": &e.Account, "message": &e.Message}
	if into := texts[name]; into != nil {
		if *into = r.keep(value); strings.EqualFold(value, "none") && name != "message" {
			*into = ""
		}
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return errSyntax
	}
	switch name {
	case "event_time":
		e.At = recordTime(n)
	case "submission_time":
		e.Submitted = recordTime(n)
	case "priority":
		e.Priority = int(n) - bundle.BasePriority // the master stores -p with this offset
	case "job_number", "task_number":
		if n < -1 || n > maxCount {
			return errSyntax
		}
		if into := map[string]*uint32{"job_number": &e.Job, "task_number": &e.Task}[name]; n > 0 {
			*into = uint32(n)
		}
	}
	return nil
}

const maxCount = 1<<32 - 1

// share reads a sharelog record: the fields of sge_share_mon, without their names.
func (r *reportingReader) share(text string) error {
	values := strings.Split(text, ":")
	if len(values) != len(shareFields) {
		return fmt.Errorf("%d fields, not %d: %w", len(values), len(shareFields), errSyntax)
	}
	n, err := r.shares.node(0, values)
	if err == nil {
		r.out.Shares = append(r.out.Shares, n)
	}
	return err
}
