package gridengine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"qprism/engine/model"
)

// A jsonRecord is a record of accounting.jsonl: what accounting(5) has, less what is empty. Its times are in microseconds.
type jsonRecord struct {
	Job         uint32       `json:"job_number"`
	Task        uint32       `json:"task_number"`
	Started     recordMoment `json:"start_time"`
	Ended       recordMoment `json:"end_time"`
	Submitted   recordMoment `json:"submission_time"`
	Owner       string       `json:"owner"`
	Group       string       `json:"group"`
	Account     string       `json:"account"`
	Queue       string       `json:"qname"`
	Host        string       `json:"hostname"`
	Project     string       `json:"project"`
	Department  string       `json:"department"`
	PE          string       `json:"granted_pe"`
	Slots       uint32       `json:"slots"`
	Reservation uint32       `json:"arid"`
	Name        string       `json:"job_name"`
	Process     string       `json:"pe_taskid"`
	Category    string       `json:"category"`
	Failed      uint32       `json:"failed"`
	ExitStatus  uint32       `json:"exit_status"`
	Usage       struct {
		Resources struct {
			Wallclock float64 `json:"ru_wallclock"`
		} `json:"rusage"`
		Engine struct {
			CPU     float64 `json:"cpu"`
			Memory  float64 `json:"mem"`
			IO      float64 `json:"io"`
			MaxVMem float64 `json:"maxvmem"`
		} `json:"eusage"`
	} `json:"usage"`
}

// A recordMoment is a time of a record: microseconds, or as qacct -j prints it.
type recordMoment struct {
	micros int64
	text   string
}

func (m *recordMoment) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &m.text)
	}
	return json.Unmarshal(b, &m.micros)
}

// momentOf is the zero time for what is none, such as "-/-" of a task that never started.
func (r *reader) momentOf(m recordMoment) time.Time {
	if t, err := r.parseTime(m.text); err == nil && m.text != "" {
		return t
	}
	return recordTime(m.micros)
}

// unread is a line of qacct -j that is of no known form; empty for a record.
func unread(text []byte) string {
	var o struct {
		Line string `json:"line"`
	}
	if !bytes.HasPrefix(text, []byte(`{"line":`)) || json.Unmarshal(text, &o) != nil {
		return ""
	}
	return o.Line
}

// endedObject reads a line of accounting.jsonl.
func (r *reader) endedObject(text []byte) (t model.EndedTask, own bool, err error) {
	var o jsonRecord
	if err := json.Unmarshal(text, &o); err != nil {
		return t, false, fmt.Errorf("%w: %w", errSyntax, err)
	}
	usage := o.Usage.Engine
	if o.Job == 0 {
		return t, false, fmt.Errorf("job_number: %w", errMissing)
	}
	for _, amount := range []float64{o.Usage.Resources.Wallclock, usage.CPU, usage.Memory, usage.IO, usage.MaxVMem} {
		if amount < 0 || amount > math.MaxUint64 {
			return t, false, fmt.Errorf("usage: %w", errSyntax)
		}
	}
	t = model.EndedTask{
		Job: o.Job, Task: max(o.Task, 1), Array: o.Task > 0,
		Name: r.keep(o.Name), Owner: r.keep(o.Owner), Group: r.keep(o.Group), Project: r.keep(unlessNone(o.Project)),
		Department: r.keep(unlessNone(o.Department)), Account: r.keep(o.Account), Queue: r.keep(o.Queue), Host: r.keep(o.Host),
		PE: r.keep(unlessNone(o.PE)), Slots: int(o.Slots),
		Submitted: r.momentOf(o.Submitted), Started: r.momentOf(o.Started), Ended: r.momentOf(o.Ended),
		Failed: int(o.Failed), ExitStatus: int(o.ExitStatus), Wallclock: inSeconds(o.Usage.Resources.Wallclock),
		CPU: usage.CPU, Memory: usage.Memory, IO: usage.IO, MaxVMem: usage.MaxVMem, Reservation: o.Reservation,
	}
	if o.Category != "-" {
		t.Category = r.keep(unlessNone(o.Category))
	}
	return t, unlessNone(o.Process) == "", nil
}
