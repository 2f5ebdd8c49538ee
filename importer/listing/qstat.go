package listing

import (
	"regexp"
	"slices"
	"strings"
)

// jobs makes elements from rows. The element of a job stays open for the lines of -r below it.
type jobs struct {
	rows
	open bool
	over bool   // the rows are ended jobs
	list string // the element for further lines of a list of requests
}

// stateOf returns the kind of a row, by the letters of its state.
func (j *jobs) stateOf(letters string) string {
	switch {
	case j.over:
		return "zombie"
	case strings.ContainsAny(letters, "qw"):
		return "pending"
	}
	return "running"
}

// banner reads a line above rows of one kind. It returns false for any other line.
func (j *jobs) banner(text string) bool {
	text = strings.Trim(text, " -")
	ended := strings.HasPrefix(text, "FINISHED JOBS") || strings.HasPrefix(text, "RETAINED FINISHED JOBS") ||
		strings.HasPrefix(text, "JOBS WAITING FOR ACCOUNTING")
	if !ended && !strings.HasPrefix(text, "PENDING JOBS") && !strings.HasPrefix(text, "ERROR JOBS") {
		return false
	}
	j.over = ended
	return true
}

// row reads a job's row. It returns false for a line of another form.
func (j *jobs) row(text string) (string, bool) {
	if !j.read(text) {
		return "", false
	}
	state := j.stateOf(j.values["state"])
	out := j.close() + begin("job_list", "state", state) + j.elements(state)
	j.open = true
	return out, true
}

func (j *jobs) close() string {
	j.list = ""
	if !j.open {
		return ""
	}
	j.open = false
	return "</job_list>"
}

var (
	detail   = regexp.MustCompile(`^\s+([A-Z][A-Za-z ()-]+?)\.?:\s*(.*)$`)
	request  = regexp.MustCompile(`^\s*([^\s=]+)=(\S*)(?:\s+\((-?[\d.,]+)\))?$`)
	standard = regexp.MustCompile(`^\s*[^\s=]+=.* \(default\)$`) // a default request of a queue instance
)

// requestLists are the elements for the request lists of -r.
var requestLists = map[string]string{"Hard Resources": "hard_request", "Soft Resources": "soft_request",
	"Master Hard Resources": "master_hard_request", "Master Soft Resources": "master_soft_request",
	"Slave Hard Resources": "slave_hard_request", "Slave Soft Resources": "slave_soft_request"}

// names are the elements for the name lists of -r.
var names = map[string]string{"Hard requested queues": "hard_req_queue", "Soft requested queues": "soft_req_queue",
	"Master task hard requested queues": "master_hard_req_queue",
	"Predecessor Jobs":                  "predecessor_jobs",
	"Predecessor Jobs (request)":        "predecessor_jobs_req",
	"Predecessor Array Jobs":            "ad_predecessor_jobs"}

// spoken are lines of -r that repeat other lines, or that say how a job runs.
var spoken = map[string]bool{"Master Queue": true, "Checkpoint Env": true, "Predecessor Array Jobs (request)": true}

// detail reads a line of -r below a job. It returns false for a line of another form.
func (j *jobs) detail(text string) (string, bool) {
	if !j.open {
		return "", false
	}
	m := detail.FindStringSubmatch(text)
	if m == nil {
		return j.request(text)
	}
	j.list = requestLists[m[1]]
	switch {
	case j.list != "":
		out, ok := j.request(m[2])
		return out, ok || m[2] == ""
	case m[1] == "Full jobname":
		return element("full_job_name", m[2]), true
	case m[1] == "Binding":
		return element("binding", m[2]), true
	case m[1] == "Requested PE" || m[1] == "Granted PE":
		return grantedPE(m[1], m[2])
	case names[m[1]] != "":
		return each(names[m[1]], m[2]), true
	}
	return "", spoken[m[1]]
}

// grantedPE makes elements for a parallel environment and its slots.
func grantedPE(what, text string) (string, bool) {
	name, slots, _ := strings.Cut(text, " ")
	tag := map[string]string{"Requested PE": "requested_pe", "Granted PE": "granted_pe"}[what]
	return element(tag, strings.TrimSpace(slots), "name", name), slots != ""
}

// each makes an element for each name of a list.
func each(tag, list string) (out string) {
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		out += element(tag, name)
	}
	return out
}

// request makes an element for a request in a list of -r.
func (j *jobs) request(text string) (string, bool) {
	m := request.FindStringSubmatch(text)
	if m == nil || j.list == "" {
		return "", j.open && standard.MatchString(text)
	}
	attributes := []string{"name", m[1]}
	if m[3] != "" {
		attributes = append(attributes, "resource_contribution", strings.ReplaceAll(m[3], ",", "."))
	}
	return element(j.list, m[2], attributes...), true
}

// shortQstat is for qstat and qstat -r.
type shortQstat struct{ jobs }

func (q *shortQstat) start() string { return "<job_info><queue_info>" }
func (q *shortQstat) end() string   { return q.close() + "</queue_info></job_info>\n" }

func (q *shortQstat) line(text string) string {
	switch trimmed := strings.TrimSpace(text); {
	case isRule(text):
		return ""
	case strings.HasPrefix(trimmed, "job-ID "):
		q.header(trimmed)
		return ""
	case q.banner(trimmed):
		return q.close()
	}
	if out, ok := q.row(text); ok {
		return out
	}
	if out, ok := q.detail(text); ok {
		return out
	}
	return q.close() + unknownLine(text)
}

// queueRow matches a queue instance in qstat -f: name, type, slots (reserved, used, total), load, architecture,
// state.
var queueRow = regexp.MustCompile(
	`^\s*([^\s@]+@\S+)\s+(?:([A-Z]+)\s+)?(?:(\d+)/)?(\d+)/(\d+)\s+(\S+)\s+(\S+)(?:\s+([A-Za-z]+))?$`)

// loadAlone matches such a row without architecture, in two parts: up to the load, and the rest.
var loadAlone = regexp.MustCompile(`^(\s*[^\s@]+@\S+\s+(?:[A-Z]+\s+)?(?:\d+/){1,2}\d+\s+\S+)((?:\s+[A-Za-z]+)?)$`)

var resourceLine = regexp.MustCompile(`^\s+([A-Za-z]{2}):([^\s=]+)=(.*)$`)

// fullQstat is for qstat -f and qstat -F.
type fullQstat struct {
	jobs
	inQueue, pending bool
	noArch           bool // the site's table does not have this column
}

func (q *fullQstat) start() string { return "<job_info><queue_info>" }

func (q *fullQstat) end() string {
	if q.pending {
		return q.close() + "</job_info></job_info>\n"
	}
	return q.closeQueue() + "</queue_info></job_info>\n"
}

func (q *fullQstat) closeQueue() string {
	out := q.close()
	if q.inQueue {
		out += "</Queue-List>"
	}
	q.inQueue = false
	return out
}

func (q *fullQstat) line(text string) string {
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, "queuename "):
		q.noArch = !slices.Contains(strings.Fields(trimmed), "arch")
		return ""
	case isRule(text):
		return ""
	case q.banner(trimmed) && !q.pending:
		q.pending = true
		return q.closeQueue() + "</queue_info><job_info>"
	case q.banner(trimmed):
		return q.close()
	}
	if q.noArch {
		text = loadAlone.ReplaceAllString(text, "$1 -NA-$2")
	}
	if m := queueRow.FindStringSubmatch(text); m != nil && !q.pending {
		return q.queue(m)
	}
	if out, ok := q.row(text); ok {
		return out
	}
	if m := resourceLine.FindStringSubmatch(text); m != nil && q.inQueue && !q.open {
		return element("resource", m[3], "name", m[2], "type", m[1])
	}
	if out, ok := q.detail(text); ok {
		return out
	}
	return q.close() + unknownLine(text)
}

func (q *fullQstat) queue(m []string) string {
	out := q.closeQueue() + "<Queue-List>" + element("name", m[1]) + element("qtype", m[2])
	q.inQueue = true
	if m[3] != "" {
		out += element("slots_resv", m[3])
	}
	out += element("slots_used", m[4]) + element("slots_total", m[5])
	if m[6] != "-NA-" {
		out += element("load_avg", m[6])
	}
	if m[7] != "-NA-" {
		out += element("arch", m[7])
	}
	if m[8] != "" && m[8] != "NA" {
		out += element("state", m[8])
	}
	return out
}
