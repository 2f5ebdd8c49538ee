package pbs

import (
	"bytes"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// readLogs reads the scheduler's logs and the accounting files of the bundle.
func readLogs(r *reader) error {
	cycles, records := &cycleReader{reader: r}, &recordReader{reader: r}
	if err := r.eachLog("sched_log", cycles.line); err != nil {
		return err
	}
	r.pbs.Cycles, r.pbs.FairReads = cycles.cycles, cycles.reads
	if err := r.eachLog("accounting", records.line); err != nil {
		return err
	}
	return records.end()
}

// A lineReader reads a line of a file.
type lineReader func(file string, number int, line []byte) error

func (r *reader) lines(file string, read lineReader) error {
	return r.EachLine(file, func(number int, line []byte) error { return read(file, number, line) })
}

// eachLog reads the lines of a file, or of a folder with a file for each day.
func (r *reader) eachLog(name string, read lineReader) error {
	file := r.choose(name)
	if !strings.HasSuffix(file, "/") {
		return r.lines(file, read)
	}
	files, err := r.folder(file)
	for _, file := range files {
		if err := r.lines(file, read); err != nil {
			return err
		}
	}
	return err
}

// ReadCycles reads the cycles from a scheduler's log outside a bundle. zone is the zone of its times, nil for
// UTC. It skips lines that do not belong to a log. The error is an *importer.Problem.
func ReadCycles(folder fs.FS, file string, zone *time.Location) ([]model.SchedCycle, error) {
	cycles := &cycleReader{reader: logReader(folder, zone)}
	err := cycles.lines(file, cycles.line)
	return cycles.cycles, err
}

// ReadAccounting reads an accounting file outside a bundle. zone and the error are as in ReadCycles.
func ReadAccounting(folder fs.FS, file string, zone *time.Location) ([]model.AccountingRecord, error) {
	records := &recordReader{reader: logReader(folder, zone)}
	err := records.lines(file, records.line)
	if err == nil {
		err = records.end()
	}
	return records.pbs.Accounting, err
}

func logReader(folder fs.FS, zone *time.Location) *reader {
	r := newReader(folder, source.Options{})
	if zone != nil {
		r.zone = zone
	}
	return r
}

// The events of a log line. Its second field is a sum of events.
const (
	eventSched = 0x0040
	eventFine  = 0x0400 | 0x0800 // only for debugging the scheduler
)

// A logLine is a line of a daemon's log: MM/DD/YYYY HH:MM:SS[.ffffff];EEEE;daemon;class;object;message.
type logLine struct {
	at            time.Time
	event         uint64
	class, object string
	text          string
}

func (r *reader) logLine(line []byte) (l logLine, ok bool) {
	f := bytes.SplitN(line, []byte{';'}, 6)
	if len(f) < 6 || len(f[1]) != 4 {
		return l, false
	}
	at, err1 := r.parseLogTime(string(f[0]))
	event, err2 := strconv.ParseUint(string(f[1]), 16, 32)
	if err1 != nil || err2 != nil {
		return l, false
	}
	get := r.Strings.Get
	return logLine{at, event, get(f[3]), get(f[4]), get(f[5])}, true
}

// A cycleReader makes cycles from the lines of a log.
type cycleReader struct {
	*reader
	cycles []model.SchedCycle
	reads  []model.FairRead
	open   bool
}

// line reads a line of the log. Lines outside of cycles say nothing about the order of jobs.
func (c *cycleReader) line(_ string, _ int, line []byte) error {
	l, ok := c.logLine(line)
	if !ok {
		return nil
	}
	switch {
	case l.text == "Scheduler is reconfiguring": // also after each start
		c.reads = append(c.reads, model.FairRead{At: l.at})
	case l.text == "Creating usage database for fairshare" && len(c.reads) > 0:
		c.reads[len(c.reads)-1].Created = true
	case l.class == "Req" && l.text == "Starting Scheduling Cycle":
		c.cycles = append(c.cycles, model.SchedCycle{Start: l.at})
		c.open = true
	case !c.open:
	case l.class == "Req" && l.text == "Leaving Scheduling Cycle":
		c.cycles[len(c.cycles)-1].End = l.at
		c.open = false
	case l.event&eventFine == 0:
		c.event(l)
	}
	return nil
}

// event adds a line to the open cycle.
func (c *cycleReader) event(l logLine) {
	e := model.CycleEvent{At: l.at, Object: l.object, Text: l.text}
	switch l.class {
	case "Job":
		c.jobEvent(l, &e)
	case "Resv":
		e.Kind = model.EventReservation
	case "Svr":
		e.Kind = serverEvent(l)
	case "Node", "Fil":
		return // lines about single vnodes
	default:
		e.Kind = model.EventOther
	}
	list := &c.cycles[len(c.cycles)-1].Events
	*list = append(*list, e)
}

func serverEvent(l logLine) model.EventKind {
	switch {
	case l.object == "Fairshare":
		return model.EventFairshare
	case strings.HasPrefix(l.text, "It is "):
		return model.EventPrime
	}
	return model.EventOther
}

// jobMessages are messages of the scheduler about a job, with the text before the part that varies.
var jobMessages = []struct {
	prefix string
	kind   model.EventKind
	cut    bool // the text is the rest of the message
}{
	{"Considering job to run", model.EventConsidered, false},
	{"Formula Evaluation = ", model.EventFormula, true},
	{"Formula evaluation for job had an error.  Zero value will be used: ", model.EventFormulaError, true},
	{"Job's formula value ", model.EventThreshold, false},
	{"Estimating the start time for a top job", model.EventEstimate, false},
	{"Job is a top job and will run at ", model.EventTopJob, true},
	{"Error in calculation of start time of top job", model.EventTopJobFailed, false},
	{"Fairshare usage of entity ", model.EventTopJobUsage, true},
	{"Job preempted by ", model.EventPreempted, false},
	{"Simulation: ", model.EventSimulated, false},
	{"Considering shrinking job to duration=", model.EventShrunk, false},
	{"Job will run for duration=", model.EventShrunk, false},
	{"Job will never run with the resources currently configured", model.EventNever, false},
	{"Received qrun request", model.EventQrun, false},
}

// jobEvent finds out what a line says about a job. A line of the event "sched" with no other meaning is the
// reason why a job does not start.
func (c *cycleReader) jobEvent(l logLine, e *model.CycleEvent) {
	e.Kind = model.EventOther
	if l.event&eventSched != 0 {
		e.Kind = model.EventNotRun
	}
	if l.text == "Job run" {
		e.Kind = model.EventRun
	}
	for _, m := range jobMessages {
		rest, ok := strings.CutPrefix(l.text, m.prefix)
		if !ok {
			continue
		}
		e.Kind = m.kind
		if m.cut {
			e.Text = rest
		}
		break
	}
	switch e.Kind {
	case model.EventTopJob:
		e.Start, _ = c.parseTime([]byte(e.Text)) // zero for any other text
	case model.EventTopJobUsage:
		e.Object, e.Text, _ = strings.Cut(e.Text, " increased due to ")
	}
}
