package listing

import (
	"regexp"
	"strconv"
	"strings"
)

// recordLine matches a line of qacct -j: a name and a value, which may be missing.
var recordLine = regexp.MustCompile(`^([a-z][a-z_]*)(?:\s+(\S.*))?$`)

// recordTexts and recordNumbers are names in accounting.jsonl. recordMoments are the names of dates.
var (
	recordTexts = map[string]string{"qname": "qname", "hostname": "hostname", "group": "group",
		"owner": "owner", "project": "project",
		"department": "department", "jobname": "job_name", "account": "account", "granted_pe": "granted_pe",
		"pe_taskid": "pe_taskid",
		"category":  "category"}
	recordNumbers = map[string]string{"jobnumber": "job_number", "taskid": "task_number", "slots": "slots",
		"failed":      "failed",
		"exit_status": "exit_status", "arid": "arid"}
	recordMoments = map[string]string{"qsub_time": "submission_time", "submission_time": "submission_time",
		"start_time": "start_time",
		"end_time":   "end_time"}
	recordUsage = map[string]string{"cpu": "cpu", "mem": "mem", "io": "io", "maxvmem": "maxvmem"}
)

// qacct is for qacct -j, which prints a record for each task, between rules. A record becomes an object in the
// line in which it ends.
type qacct struct {
	pairs, usage []string
	wallclock    string
	total        bool // the sums after the records have begun
}

func (q *qacct) start() string { return "" }

func (q *qacct) end() string { return q.close() + "\n" }

func (q *qacct) close() string {
	if len(q.pairs) == 0 {
		return ""
	}
	out := object(append(q.pairs, "usage", object("rusage", object("ru_wallclock", q.wallclock),
		"eusage", object(q.usage...)))...)
	*q = qacct{}
	return out
}

func (q *qacct) line(text string) string {
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "": // a page that omits lines of a record may split it
		return ""
	case isRule(text):
		return q.close()
	}
	if strings.HasPrefix(text, "Total System Usage") {
		out := q.close()
		q.total = true
		return out
	}
	m := recordLine.FindStringSubmatch(strings.TrimLeft(text, " "))
	switch {
	case q.total, m != nil && m[2] == "":
		return ""
	case m == nil:
		return object("line", quoted(text))
	}
	var before string
	if m[1] == "qname" { // the first line of a record
		before = q.close()
	}
	q.put(m[1], strings.TrimSpace(m[2]))
	return before
}

// put adds one line of a record.
func (q *qacct) put(name, text string) {
	if q.wallclock == "" {
		q.wallclock = "0"
	}
	number, _, _ := strings.Cut(text, " ") // "100 : assumedly after job"
	switch {
	case recordTexts[name] != "":
		q.pairs = append(q.pairs, recordTexts[name], quoted(text))
	case recordMoments[name] != "":
		q.pairs = append(q.pairs, recordMoments[name], quoted(moment(text)))
	case recordNumbers[name] != "" && isNumber(number):
		q.pairs = append(q.pairs, recordNumbers[name], number)
	case name == "ru_wallclock":
		q.wallclock = quantity(name, text)
	case recordUsage[name] != "":
		q.usage = append(q.usage, recordUsage[name], quantity(name, text))
	}
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	return err == nil
}

// measured matches an amount with its unit: 3600s, 4.2GB, 100.0GBs.
var measured = regexp.MustCompile(`^(\d+(?:\.\d+)?)([KMGTP]?)B?s?$`)

// sizes are the bytes of units of memory.
var sizes = map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}

// quantity returns an amount in the units of accounting(5): seconds, gigabytes, gigabyte seconds, and bytes for
// maxvmem.
func quantity(name, text string) string {
	m := measured.FindStringSubmatch(text)
	if m == nil {
		return "0"
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return "0"
	}
	if size := sizes[m[2]]; name == "maxvmem" {
		n *= size
	} else if m[2] != "" {
		n *= size / sizes["G"]
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// object makes a JSON object from names and values in turn. The values must be JSON.
func object(pairs ...string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(pairs[i]) + ":" + pairs[i+1])
	}
	return b.String() + "}"
}
