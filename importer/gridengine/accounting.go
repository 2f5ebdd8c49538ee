package gridengine

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// mostEnded bounds the records of the accounting file that a snapshot keeps: the newest ones.
const mostEnded = 10_000

// Fields of a record of the accounting file, accounting(5), counted from 0. Between exitStatus and ofProject are those of
// getrusage(2); the category may hold colons, and newer releases add fields behind it.
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
	fieldsBehind = 5 // the category: iow, pe_taskid, maxvmem, arid, ar_submission_time
)

// readAccounting reads the newest records of the accounting file, one a task that ended, in the order in which the master
// heard of the ends. Records of the single tasks of a parallel job (pe_taskid) are no tasks of their own.
func readAccounting(r *reader) error {
	ring := make([]model.EndedTask, 0, 64)
	next := 0
	err := r.eachLine("accounting", func(number int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 || text[0] == '#' {
			return nil
		}
		t, own, err := r.endedTask(string(text))
		switch {
		case err != nil:
			return r.problem("accounting", number, string(text), err)
		case !own:
		case len(ring) < mostEnded:
			ring = append(ring, t)
		default:
			ring[next] = t
			next = (next + 1) % mostEnded
		}
		return nil
	})
	if absent(err) {
		return nil
	}
	if len(ring) > 0 {
		r.snap.Ended = append(ring[next:len(ring):len(ring)], ring[:next]...)
	}
	return err
}

// endedTask reads one record; own says that it is of a task, not of one of a parallel job's processes.
func (r *reader) endedTask(text string) (t model.EndedTask, own bool, err error) {
	f := strings.Split(text, ":")
	if len(f) < leastFields {
		return t, false, fmt.Errorf("too few fields: %w", errSyntax)
	}
	category, behind := f[ofCategory:], []string(nil)
	if len(category) > fieldsBehind {
		category, behind = category[:len(category)-fieldsBehind], category[len(category)-fieldsBehind:]
	}
	n := fieldReader{fields: f}
	t = model.EndedTask{
		Job: n.count(ofJobNumber, "job_number"), Task: n.count(ofTask, "task_number"),
		Name: r.keep(f[ofJobName]), Owner: r.keep(f[ofOwner]), Group: r.keep(f[ofGroup]), Project: r.keep(unlessNone(f[ofProject])),
		Department: r.keep(unlessNone(f[ofDepartment])), Account: r.keep(f[ofAccount]), Queue: r.keep(f[ofQueue]), Host: r.keep(f[ofHost]),
		PE: r.keep(unlessNone(f[ofPE])), Slots: int(n.count(ofSlots, "slots")),
		Submitted: n.time(ofSubmission, "submission_time"), Started: n.time(ofStart, "start_time"), Ended: n.time(ofEnd, "end_time"),
		Failed: int(n.count(ofFailed, "failed")), ExitStatus: int(n.count(ofExitStatus, "exit_status")),
		Wallclock: time.Duration(n.amount(ofWallclock, "ru_wallclock")) * time.Second,
		CPU:       n.amount(ofCPU, "cpu"), Memory: n.amount(ofMemory, "mem"), IO: n.amount(ofIO, "io"),
		Category: r.keep(unlessNone(strings.Join(category, ":"))),
	}
	if t.Array = t.Task > 0; !t.Array {
		t.Task = 1
	}
	if len(behind) == fieldsBehind {
		b := fieldReader{fields: behind, err: n.err}
		t.MaxVMem = b.amount(2, "maxvmem")
		t.Reservation = b.count(3, "arid")
		return t, unlessNone(behind[1]) == "", b.err
	}
	return t, true, n.err
}

// unlessNone is a text, empty where it is NONE.
func unlessNone(text string) string {
	if text == "NONE" {
		return ""
	}
	return text
}

func (r *reader) keep(text string) string { return r.strings.get([]byte(text)) }

// A fieldReader reads numbers of a record and keeps the first error.
type fieldReader struct {
	fields []string
	err    error
}

func (f *fieldReader) fail(name string, err error) {
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%s: %w", name, errSyntax)
	}
}

func (f *fieldReader) count(i int, name string) uint32 {
	n, err := strconv.ParseUint(f.fields[i], 10, 32)
	f.fail(name, err)
	return uint32(n)
}

// amount is a number that is neither negative nor infinite.
func (f *fieldReader) amount(i int, name string) float64 {
	n, err := strconv.ParseFloat(f.fields[i], 64)
	if err == nil && (math.IsNaN(n) || n < 0 || n > math.MaxUint64) {
		err = errSyntax
	}
	f.fail(name, err)
	return n
}

// time is a moment in seconds, or in milli- or microseconds as newer releases write; the zero time for 0.
func (f *fieldReader) time(i int, name string) time.Time {
	n, err := strconv.ParseInt(f.fields[i], 10, 64)
	f.fail(name, err)
	switch {
	case n <= 0:
		return time.Time{}
	case n >= microTimes:
		return time.UnixMicro(n).UTC()
	case n >= milliTimes:
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// milliTimes is more than any time in seconds, and less than one of our days in milliseconds.
const milliTimes = 100_000_000_000
