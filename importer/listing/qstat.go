package listing

import (
	"regexp"
	"strings"
)

// jobRow is a job in qstat, qstat -f and qstat -r: number, prio, name, owner, state, date, clock, and what stands behind.
var jobRow = regexp.MustCompile(`^\s*(\d+)\s+(\d+\.\d+|-?nan)\s+(\S.*?)\s+(\S+)\s+([A-Za-z]{1,6})\s+(\d\d/\d\d/\d{4}|\d{4}-\d\d-\d\d)\s+(\d\d:\d\d:\d\d(?:\.\d+)?)\s+(\S.*)$`)

// behindDate are the columns behind the date: the queue instance of a running task, the job's class, slots and tasks.
var behindDate = regexp.MustCompile(`^(?:(\S*[^\s\d]\S*)\s+)?(?:\S*[^\s\d]\S*\s+)?(\d+)(?:\s+(\d[\d,:-]*))?$`)

// jobs puts the rows of jobs into elements. The element of a job stays open for the lines of -r below it.
type jobs struct {
	open bool
	list string // the element of further lines of a list of requests
}

// extRow is a job in qstat -ext: number, prio, ntckts, name, owner, project, department, state, usage of a running task, override tickets
// and the policies' tickets, share, and what stands behind.
var extRow = regexp.MustCompile(`^\s*(\d+)\s+(\d+\.\d+|-?nan)\s+(\d+\.\d+|-?nan)\s+(\S.*?)\s+(\S+)\s+(\S+)\s+(\S+)\s+([A-Za-z]{1,6})\s+` +
	`(?:(\S+)\s+(\S+)\s+(\S+)\s+)?(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+(\S.*)$`)

// extElements are the elements of the columns of -ext, by their places in extRow.
var extElements = []string{1: "JB_job_number", 2: "JAT_prio", 3: "JAT_ntix", 4: "JB_name", 5: "JB_owner", 6: "JB_project",
	7: "JB_department", 8: "state",
	12: "tickets", 13: "JB_override_tickets", 14: "otickets", 15: "ftickets", 16: "stickets", 17: "JAT_share"}

// ext is a job's row with tickets; false for a line of another form.
func (j *jobs) ext(text string) (string, bool) {
	m := extRow.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	rest := behindDate.FindStringSubmatch(m[18])
	if rest == nil {
		return "", false
	}
	state := stateOf(m[8])
	out := j.close() + `<job_list state="` + state + `">` + placeOf(rest, state)
	for i, name := range extElements {
		if name != "" && m[i] != "NA" {
			out += element(name, m[i])
		}
	}
	j.open = true
	return out, true
}

// stateOf is the kind of a row by the letters of its state.
func stateOf(letters string) string {
	if strings.ContainsAny(letters, "qw") {
		return "pending"
	}
	return "running"
}

// placeOf are the elements of what stands behind the date.
func placeOf(rest []string, state string) string {
	out := element("slots", rest[2])
	if rest[1] != "" && state == "running" {
		out += element("queue_name", rest[1])
	}
	if rest[3] != "" {
		out += element("tasks", rest[3])
	}
	return out
}

// row is a job's row; false for a line of another form.
func (j *jobs) row(text string) (string, bool) {
	m := jobRow.FindStringSubmatch(text)
	if m == nil {
		return j.ext(text)
	}
	rest := behindDate.FindStringSubmatch(m[8])
	if rest == nil {
		return "", false
	}
	closed := j.close()
	state, when := stateOf(m[5]), "JAT_start_time"
	if state == "pending" {
		when = "JB_submission_time"
	}
	j.open = true
	return closed + `<job_list state="` + state + `">` + element("JB_job_number", m[1]) + element("JAT_prio", m[2]) +
		element("JB_name", m[3]) +
		element("JB_owner", m[4]) + element("state", m[5]) + element(when, m[6]+" "+m[7]) + placeOf(rest, state), true
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
	detail  = regexp.MustCompile(`^\s+([A-Z][A-Za-z -]+):\s*(.*)$`)
	request = regexp.MustCompile(`^\s*([^\s=]+)=(\S*)(?:\s+\((-?[\d.]+)\))?$`)
)

// requestLists are the elements of the requests in lists of -r.
var requestLists = map[string]string{"Hard Resources": "hard_request", "Soft Resources": "soft_request"}

// names are the elements of names in lists of -r.
var names = map[string]string{"Hard requested queues": "hard_req_queue", "Soft requested queues": "soft_req_queue",
	"Predecessor Jobs":           "predecessor_jobs",
	"Predecessor Jobs (request)": "predecessor_jobs_req"}

// detail is a line of -r below a job; false for a line of another form.
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
	case m[1] == "Requested PE" || m[1] == "Granted PE":
		return grantedPE(m[1], m[2])
	case names[m[1]] != "":
		return each(names[m[1]], m[2]), true
	}
	return "", m[1] == "Master Queue" // the row has it, or the queue instance above it
}

// grantedPE is a parallel environment and its slots.
func grantedPE(what, text string) (string, bool) {
	name, slots, _ := strings.Cut(text, " ")
	tag := map[string]string{"Requested PE": "requested_pe", "Granted PE": "granted_pe"}[what]
	return "<" + tag + ` name="` + escapes.Replace(name) + `">` + escapes.Replace(strings.TrimSpace(slots)) + "</" + tag + ">", slots != ""
}

// each is an element for each name of a list.
func each(tag, list string) (out string) {
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		out += element(tag, name)
	}
	return out
}

// request is a request in a list of -r.
func (j *jobs) request(text string) (string, bool) {
	m := request.FindStringSubmatch(text)
	if m == nil || j.list == "" {
		return "", false
	}
	contribution := ""
	if m[3] != "" {
		contribution = ` resource_contribution="` + m[3] + `"`
	}
	return "<" + j.list + ` name="` + escapes.Replace(m[1]) + `"` + contribution + ">" + escapes.Replace(m[2]) + "</" + j.list + ">", true
}

// shortQstat is what qstat and qstat -r print.
type shortQstat struct{ jobs }

func (q *shortQstat) start() string { return "<job_info><queue_info>" }
func (q *shortQstat) end() string   { return q.close() + "</queue_info></job_info>\n" }

func (q *shortQstat) line(text string) string {
	if isRule(text) || strings.HasPrefix(strings.TrimSpace(text), "job-ID ") {
		return ""
	}
	if out, ok := q.row(text); ok {
		return out
	}
	if out, ok := q.detail(text); ok {
		return out
	}
	return q.close() + unknownLine(text)
}

// queueRow is a queue instance in qstat -f: name, type, slots reserved, used and in all, load, architecture, state.
var queueRow = regexp.MustCompile(`^\s*([^\s@]+@\S+)\s+([A-Z]+)\s+(?:(\d+)/)?(\d+)/(\d+)\s+(\S+)\s+(\S+)(?:\s+([A-Za-z]+))?$`)

var resourceLine = regexp.MustCompile(`^\s+([a-z]{2}):([^\s=]+)=(.*)$`)

// fullQstat is what qstat -f and qstat -F print.
type fullQstat struct {
	jobs
	inQueue, pending bool
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
	case strings.HasPrefix(trimmed, "- PENDING JOBS") && !q.pending:
		out := q.closeQueue() + "</queue_info><job_info>"
		q.pending = true
		return out
	case isRule(text), strings.HasPrefix(trimmed, "queuename "), strings.HasPrefix(trimmed, "- PENDING JOBS"):
		return ""
	}
	if m := queueRow.FindStringSubmatch(text); m != nil && !q.pending {
		return q.queue(m)
	}
	if out, ok := q.row(text); ok {
		return out
	}
	if m := resourceLine.FindStringSubmatch(text); m != nil && q.inQueue && !q.open {
		return `<resource name="` + escapes.Replace(m[2]) + `" type="` + m[1] + `">` + escapes.Replace(m[3]) + "</resource>"
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
	if m[8] != "" {
		out += element("state", m[8])
	}
	return out
}
