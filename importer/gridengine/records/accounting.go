package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// mostEnded is how many records of the accounting file a snapshot keeps: the newest ones.
const mostEnded = 10_000

// Fields of an accounting record, accounting(5), counted from 0. Between exitStatus and ofProject are the
// fields of getrusage(2).
const (
	ofQueue = iota
	ofHost
	ofGroup
	ofOwner
	ofJobName
	ofJobNumber
	ofAccount
	ofPriority
	ofSubmission
	ofStart
	ofEnd
	ofFailed
	ofExitStatus
	ofWallclock
	ofProject    = 31
	ofDepartment = 32
	ofPE         = 33
	ofSlots      = 34
	ofTask       = 35
	ofCPU        = 36
	ofMemory     = 37
	ofIO         = 38
	ofCategory   = 39
	leastFields  = 40
)

// Fields after the category, counted from iow on. Older releases end before the last of them, newer ones add
// others.
const (
	processBehind     = 1 // pe_taskid
	maxVMemBehind     = 2
	reservationBehind = 3 // arid
)

// readAccounting reads the newest records of the accounting file, in the order of the file. There is one record
// for each ended task. Newer releases write accounting.jsonl. If a bundle has both files, this one is newer.
func readAccounting(r *reader) error {
	newest := &endedTasks{reader: r}
	if err := newest.read("accounting", r.endedTask); err != nil {
		return err
	}
	if err := newest.read("accounting.jsonl", r.endedObject); err != nil {
		return err
	}
	if len(newest.tasks) == 0 { // reporting_params can turn the accounting file off
		if err := newest.read(reportingFile, r.reportedTask); err != nil {
			return err
		}
	}
	r.Snap.Ended = newest.inOrder()
	return nil
}

// ReadEnded reads an accounting file outside a bundle, as text or as JSON lines ("….jsonl"). It keeps tasks
// that ended at since or later.
func ReadEnded(folder fs.FS, file string, since time.Time) (list []model.EndedTask, err error) {
	r := &reader{bundle.New(folder, source.Options{})}
	task := r.endedTask
	if strings.HasSuffix(file, ".jsonl") {
		task = r.endedObject
	}
	err = r.EachLine(file, func(number int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 || text[0] == '#' {
			return nil
		}
		t, own, err := task(text)
		if err != nil {
			return r.Problem(file, number, string(text), err)
		}
		if own && !t.Ended.Before(since) {
			list = append(list, t)
		}
		return nil
	})
	return list, err
}

// endedTasks keeps the newest records.
type endedTasks struct {
	*reader
	tasks []model.EndedTask
	next  int // index of the oldest record, after the list is full
}

// read reads a file. task makes a task of a record. Its result own is false for a process of a parallel job.
func (e *endedTasks) read(file string, task func(text []byte) (t model.EndedTask, own bool, err error)) error {
	err := e.EachLine(file, func(number int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 || text[0] == '#' {
			return nil
		}
		if said := unread(text); said != "" {
			e.Unknown(file, number, "line", said)
			return nil
		}
		t, own, err := task(text)
		if err != nil {
			return e.Problem(file, number, string(text), err)
		}
		if own {
			e.add(t)
		}
		return nil
	})
	if source.Absent(err) {
		return nil
	}
	return err
}

func (e *endedTasks) add(t model.EndedTask) {
	if len(e.tasks) < mostEnded {
		e.tasks = append(e.tasks, t)
		return
	}
	e.tasks[e.next] = t
	e.next = (e.next + 1) % mostEnded
}

func (e *endedTasks) inOrder() []model.EndedTask {
	return slices.Concat(e.tasks[e.next:], e.tasks[:e.next])
}

// endedTask reads a line of the accounting file.
func (r *reader) endedTask(text []byte) (t model.EndedTask, own bool, err error) {
	f := strings.Split(string(text), ":")
	if len(f) < leastFields {
		return t, false, fmt.Errorf("too few fields: %w", errSyntax)
	}
	behind := behindCategory(f)
	n := fieldReader{fields: f}
	t = model.EndedTask{
		Job: n.count(ofJobNumber, "job_number"), Task: n.count(ofTask, "task_number"),
		Name: r.keep(f[ofJobName]), Owner: r.keep(f[ofOwner]), Group: r.keep(f[ofGroup]),
		Project:    r.keep(bundle.UnlessNone(f[ofProject])),
		Department: r.keep(bundle.UnlessNone(f[ofDepartment])), Account: r.keep(f[ofAccount]), Queue: r.keep(f[ofQueue]),
		Host: r.keep(f[ofHost]),
		PE:   r.keep(bundle.UnlessNone(f[ofPE])), Slots: int(n.count(ofSlots, "slots")),
		Submitted: n.time(ofSubmission, "submission_time"), Started: n.time(ofStart, "start_time"),
		Ended:  n.time(ofEnd, "end_time"),
		Failed: int(n.count(ofFailed, "failed")), ExitStatus: int(n.count(ofExitStatus, "exit_status")),
		Wallclock: inSeconds(n.amount(ofWallclock, "ru_wallclock")),
		CPU:       n.amount(ofCPU, "cpu"), Memory: n.amount(ofMemory, "mem"), IO: n.amount(ofIO, "io"),
		MaxVMem:     n.amount(behind+maxVMemBehind, "maxvmem"),
		Category:    r.keep(bundle.UnlessNone(strings.Join(f[ofCategory:behind], ":"))),
		Reservation: n.count(behind+reservationBehind, "arid"),
	}
	if t.Array = t.Task > 0; !t.Array {
		t.Task = 1
	}
	own = behind == len(f) || bundle.UnlessNone(f[behind+processBehind]) == ""
	return t, own, n.err
}

// behindCategory returns the index of the first field after the category, because the category may have colons.
// This field is iow, a number. The next one is pe_taskid, which is NONE or like "1.node01".
func behindCategory(f []string) int {
	for i := ofCategory + 1; i+processBehind < len(f); i++ {
		number, _, numbered := strings.Cut(f[i+processBehind], ".")
		isProcess := numbered && number != "" && strings.Trim(number, "0123456789") == ""
		_, err := strconv.ParseFloat(f[i], 64)
		if err == nil && (isProcess || f[i+processBehind] == "NONE") {
			return i
		}
	}
	return len(f)
}

// inSeconds returns a duration from a number of seconds.
func inSeconds(n float64) time.Duration {
	if n >= float64(model.Forever/time.Second) {
		return model.Forever
	}
	return time.Duration(n * float64(time.Second))
}

func (r *reader) keep(text string) string { return r.Strings.Get([]byte(text)) }

// A fieldReader reads numbers of a record, and keeps the first error.
type fieldReader struct {
	fields []string
	err    error
}

func (f *fieldReader) fail(name string, err error) {
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%s: %w", name, errSyntax)
	}
}

// count returns a whole number. It is 0 if the record is too short.
func (f *fieldReader) count(i int, name string) uint32 {
	if i >= len(f.fields) {
		return 0
	}
	n, err := strconv.ParseUint(f.fields[i], 10, 32)
	f.fail(name, err)
	return uint32(n)
}

// amount returns a number that is neither negative nor infinite. It is 0 if the record is too short.
func (f *fieldReader) amount(i int, name string) float64 {
	if i >= len(f.fields) {
		return 0
	}
	n, err := strconv.ParseFloat(f.fields[i], 64)
	if err == nil && (math.IsNaN(n) || n < 0 || n > math.MaxUint64) {
		err = errSyntax
	}
	f.fail(name, err)
	return n
}

func (f *fieldReader) time(i int, name string) time.Time {
	n, err := strconv.ParseInt(f.fields[i], 10, 64)
	f.fail(name, err)
	return recordTime(n)
}

// recordTime returns a moment from any unit. 0 is the zero time.
func recordTime(n int64) time.Time {
	if n <= 0 {
		return time.Time{}
	}
	return bundle.UnixTime(n)
}

// A jsonRecord is a record of accounting.jsonl. It has the fields of accounting(5), but no empty ones. Its
// times are in microseconds.
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

// A recordMoment is a time of a record, in microseconds or in the form of qacct -j.
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

// momentOf returns a moment. It is the zero time for other texts, such as "-/-" of a task that never started.
func (r *reader) momentOf(m recordMoment) time.Time {
	if t, err := r.ParseTime(m.text); err == nil && m.text != "" {
		return t
	}
	return recordTime(m.micros)
}

// unread returns a line of qacct -j that has no known form. It is empty for a record.
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
		Name: r.keep(o.Name), Owner: r.keep(o.Owner), Group: r.keep(o.Group), Project: r.keep(bundle.UnlessNone(o.Project)),
		Department: r.keep(bundle.UnlessNone(o.Department)), Account: r.keep(o.Account), Queue: r.keep(o.Queue),
		Host: r.keep(o.Host),
		PE:   r.keep(bundle.UnlessNone(o.PE)), Slots: int(o.Slots),
		Submitted: r.momentOf(o.Submitted), Started: r.momentOf(o.Started), Ended: r.momentOf(o.Ended),
		Failed: int(o.Failed), ExitStatus: int(o.ExitStatus), Wallclock: inSeconds(o.Usage.Resources.Wallclock),
		CPU: usage.CPU, Memory: usage.Memory, IO: usage.IO, MaxVMem: usage.MaxVMem, Reservation: o.Reservation,
	}
	if o.Category != "-" {
		t.Category = r.keep(bundle.UnlessNone(o.Category))
	}
	return t, bundle.UnlessNone(o.Process) == "", nil
}
