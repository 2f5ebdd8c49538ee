package listing

import (
	"regexp"
	"strings"
)

// hostColumns are the names of a host's values, by column.
var hostColumns = map[string]string{"ARCH": "arch_string", "NCPU": "num_proc", "NSOC": "m_socket",
	"NCOR": "m_core", "NTHR": "m_thread",
	"LOAD":  "load_avg",
	"NLOAD": "np_load_avg", "MEMTOT": "mem_total", "MEMUSE": "mem_used", "SWAPTO": "swap_total", "SWAPUS": "swap_used"}

// hostQueue matches a queue instance below its host: queue, type, slots (reserved, used, total), state.
var hostQueue = regexp.MustCompile(`^\s+(\S+)\s+(?:([A-Z]+)\s+)?(?:(\d+)/)?(\d+)/(\d+)(?:\s+([A-Za-z]+))?$`)

// qhost is for qhost, with -q, -F and -j or without.
type qhost struct {
	columns     []string
	indent      int // of the header and of hosts
	open        bool
	host, queue string
	jobs        rows
}

func (q *qhost) start() string { return "<qhost>" }

func (q *qhost) end() string { return q.close() + "</qhost>\n" }

func (q *qhost) close() string {
	if !q.open {
		return ""
	}
	q.open = false
	return "</host>"
}

func (q *qhost) line(text string) string {
	text = strings.Replace(text, "Host Resource(s):", "", 1) // stands before the first resource of a host, with -F
	fields := strings.Fields(text)
	switch {
	case isRule(text):
		return ""
	case fields[0] == "HOSTNAME":
		q.columns, q.indent = fields, indentOf(text)
		return ""
	case len(fields) == len(q.columns) && indentOf(text) == q.indent:
		q.host, q.queue = fields[0], ""
		return q.hostLine(fields)
	case fields[0] == "job-ID":
		return ""
	}
	if m := hostQueue.FindStringSubmatch(text); m != nil && q.open {
		q.queue = m[1]
		return queueOfHost(m)
	}
	if q.open && q.jobs.read(text) && q.jobs.values["master"] != "" {
		return q.task(q.jobs.values)
	}
	if m := resourceLine.FindStringSubmatch(text); m != nil && q.open {
		return element("resourcevalue", m[3], "name", m[2], "dominance", m[1])
	}
	return unknownLine(text)
}

func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

func (q *qhost) hostLine(fields []string) string {
	out := q.close() + begin("host", "name", fields[0])
	q.open = true
	for i, name := range q.columns[1:] {
		if value := fields[i+1]; hostColumns[name] != "" && value != "-" {
			out += element("hostvalue", value, "name", hostColumns[name])
		}
	}
	return out
}

func queueOfHost(m []string) string {
	out := begin("queue", "name", m[1])
	for i, name := range []string{"qtype_string", "slots_resv", "slots_used", "slots", "state_string"} {
		if value := m[i+2]; value != "" {
			out += element("queuevalue", value, "name", name)
		}
	}
	return out + "</queue>"
}

// task makes a slot of the job whose row was read last.
func (q *qhost) task(row map[string]string) string {
	queue := q.queue
	if queue == "" { // the column has cut the name of the queue instance
		queue, _, _ = strings.Cut(row["queue"], "@")
	}
	out := begin("job", "name", row["JB_job_number"])
	for _, v := range [][2]string{{"qinstance_name", queue + "@" + q.host}, {"job_name", row["JB_name"]},
		{"job_owner", row["JB_owner"]},
		{"job_state", row["state"]}, {"pe_master", row["master"]}, {"taskid", row["tasks"]}} {
		if v[1] != "" {
			out += element("jobvalue", v[1], "name", v[0])
		}
	}
	return out + "</job>"
}
