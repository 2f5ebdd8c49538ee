package listing

import (
	"regexp"
	"strings"
)

// limitsRow is a queue in qstat -q of PBS and Torque: name, limits of memory, processor time, run time and nodes, jobs that run and others,
// the most that may run, whether it takes jobs and starts them.
var limitsRow = regexp.MustCompile(`^\s*(\S+)\s+(\d+\w*|--)\s+([\d:]+|--)\s+([\d:]+|--)\s+(\d+|--)\s+(\d+)\s+(\d+)\s+(\d+|--)\s+([ED]) ([RS])$`)

// countsRow is a queue in qstat -Q: name, the most that may run, all jobs, whether it takes jobs and starts them, jobs by state, type, and
// of Torque those that have ended.
var countsRow = regexp.MustCompile(`^\s*(\S+)\s+(\d+)\s+(\d+)\s+(yes|no)\s+(yes|no)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(E|R|Exec|Rout\w*)(?:\s+(\d+))?$`)

// sumOfQueues stands below the queues of qstat -q: all their jobs that run, and the others.
var sumOfQueues = regexp.MustCompile(`^\s+\d+\s+\d+$`)

// pbsQueues is what qstat -q and qstat -Q of PBS and Torque print.
type pbsQueues struct {
	part
	server string
	torque bool
}

func (q *pbsQueues) end() string {
	out := "}"
	if q.server != "" {
		out += `,"pbs_server":` + quoted(q.server)
	}
	return out + "}\n"
}

func (q *pbsQueues) line(text string) string {
	trimmed := strings.TrimSpace(text)
	server, isServer := strings.CutPrefix(trimmed, "server:")
	switch {
	case isServer:
		q.server = strings.TrimSpace(server)
		return ""
	case strings.HasPrefix(trimmed, "Queue "):
		q.torque = torqueQueues.MatchString(trimmed)
		return ""
	case isRule(text), q.entries > 0 && sumOfQueues.MatchString(text):
		return ""
	}
	if m := limitsRow.FindStringSubmatch(text); m != nil {
		return q.next(m[1], object(append(limits(m), q.marks()...)...))
	}
	if m := countsRow.FindStringSubmatch(text); m != nil {
		return q.next(m[1], object(append(counts(m), q.marks()...)...))
	}
	return q.unknown(trimmed)
}

// torqueQueues is the line of the columns' names where Torque prints it.
var torqueQueues = regexp.MustCompile(`^Queue +(?:Memory CPU Time Walltime Node  Run Que Lm  State|Max +Tot +Ena +Str +Que +Run +Hld +Wat +Trn +Ext T\b.*)$`)

// marks say of which system a queue is, where its table tells.
func (q *pbsQueues) marks() []string {
	if q.torque {
		return []string{"torque_table", quoted("True")}
	}
	return nil
}

func limits(m []string) []string {
	var most []string
	for i, name := range []string{"mem", "cput", "walltime", "nodect"} {
		if value := m[i+2]; value != "--" && !cutClock(value) {
			most = append(most, name, quoted(value))
		}
	}
	pairs := []string{"enabled", truth(m[9] == "E"), "started", truth(m[10] == "R"),
		"state_count", quoted("Queued:" + m[7] + " Running:" + m[6])}
	if m[8] != "--" {
		pairs = append(pairs, "max_running", quoted(m[8]))
	}
	if len(most) > 0 {
		pairs = append(pairs, "resources_max", object(most...))
	}
	return pairs
}

// cutClock reports whether a time lost its end in its column: 240:00:0 of 240:00:00.
func cutClock(text string) bool {
	at := strings.LastIndexByte(text, ':')
	return at >= 0 && len(text)-at < len(":00")
}

func counts(m []string) []string {
	kind := "Execution"
	if strings.HasPrefix(m[12], "R") {
		kind = "Route"
	}
	pairs := []string{"queue_type", quoted(kind), "total_jobs", m[3], "enabled", truth(m[4] == "yes"), "started", truth(m[5] == "yes"),
		"state_count", stateCount(m[6:])}
	if m[2] != "0" {
		pairs = append(pairs, "max_running", quoted(m[2]))
	}
	return pairs
}

// stateCount are the numbers of jobs that are queued, run, are held, wait, are moved and end.
func stateCount(m []string) string {
	return quoted("Transit:" + m[4] + " Queued:" + m[0] + " Held:" + m[2] + " Waiting:" + m[3] + " Running:" + m[1] + " Exiting:" + m[5])
}

func truth(is bool) string {
	if is {
		return quoted("True")
	}
	return quoted("False")
}

// serverRow is the server in qstat -B: name, the most jobs that may run, all of them, those by state, of Torque those that have ended, and
// the server's state.
var serverRow = regexp.MustCompile(`^\s*(\S+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(?:(\d+)\s+)?([A-Z]\w*)$`)

// pbsServers is what qstat -B of PBS and Torque prints.
type pbsServers struct{ part }

func (s *pbsServers) line(text string) string {
	trimmed := strings.TrimSpace(text)
	m := serverRow.FindStringSubmatch(text)
	switch {
	case isRule(text), strings.HasPrefix(trimmed, "Server "):
		return ""
	case m == nil:
		return s.unknown(trimmed)
	}
	pairs := []string{"server_state", quoted(m[11]), "total_jobs", m[3],
		"state_count", stateCount(m[4:])}
	if m[2] != "0" {
		pairs = append(pairs, "max_running", quoted(m[2]))
	}
	return s.next(m[1], object(pairs...))
}

// summaryRow is a vnode in pbsnodes -aS: name, state, system, hardware, host, queue, memory, ncpus, nmics, ngpus and a comment.
var summaryRow = regexp.MustCompile(`^\s*(\S+)\s+([a-z][a-z,-]*)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\d{1,9}[kmgtp]?b)\s+(\d+)\s+(\d+)\s+(\d+)(?:\s+(\S.*))?$`)

// pbsSummary is what pbsnodes -aS prints.
type pbsSummary struct{ part }

func (p *pbsSummary) line(text string) string {
	trimmed := strings.TrimSpace(text)
	m := summaryRow.FindStringSubmatch(text)
	switch {
	case isRule(text), strings.HasPrefix(trimmed, "vnode "):
		return ""
	case m == nil:
		return p.unknown(trimmed)
	}
	all := []string{"ncpus", m[8], "mem", quoted(m[7])}
	for i, name := range []string{"nmics", "ngpus"} {
		if value := m[9+i]; value != "0" {
			all = append(all, name, value)
		}
	}
	if m[5] != "--" {
		all = append(all, "host", quoted(m[5]))
	}
	pairs := []string{"state", quoted(m[2]), "resources_available", object(all...)}
	for i, name := range []string{"queue", "comment"} {
		if value := []string{m[6], m[11]}[i]; value != "--" && value != "" {
			pairs = append(pairs, name, quoted(value))
		}
	}
	return p.next(m[1], object(pairs...))
}
