package listing

import (
	"regexp"
	"strings"
)

// wideHeader begins what qstat -a, -n, -s, -i and -r of PBS and Torque print, below the name of the server.
var wideHeader = regexp.MustCompile(`(?i)^(?:\s*\S+:(?:[ \t][^\n]*)?\n)?(?:\s*\n)*(?:[ \t]*est[ \t\r]*\n)?(?:[ \t]*(?:req'?d[ \t]+){1,3}(?:elap'?d?|est|start)[^\n]*\n)?` +
	`\s*job id\s+user(?:name)?\s+queue\s+jobname\s+sess(?:id)?\s+nds\s+tsk\s`)

// wideRow is a job there: id, owner, queue, name, session, nodes, tasks, memory, run time, state, elapsed time, and with
// -1 its hosts, of -n, or what the scheduler says of it, of -s. A star ends what was too long for its column.
var wideRow = regexp.MustCompile(`^\s*(\d\S*)\s+(\S+)\s+(\S+)\s+(\S.*?)\s+(\d+\*?|--)\s+(\d+\*?|--)\s+(\d+\*?|--)\s+(\S+)\s+([\d:]+\*?|--)\s+` +
	`([A-Z])\s+([\d:]+\*?|--|\?|[A-Z][a-z] \d\d|[A-Z][a-z]{2}|>\S+)(?:\s+(\S.*))?$`)

// hostList is a part of the hosts of a job, with -n in lines of their own.
var hostList = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(?:\[\d+\])?/[\d*,+/\w.\[\]-]*$`)

// wideQstat is what qstat of PBS and Torque prints with those options.
type wideQstat struct {
	part
	open    bool
	begun   bool // the columns' names were read
	server  string
	torque  bool
	guessed bool // the last column is a start that the scheduler expects, with -T
	hosts   string
	comment []string
}

func (q *wideQstat) end() string { return q.close() + q.part.end() }

// close ends the job whose lines were read.
func (q *wideQstat) close() (out string) {
	if !q.open {
		return ""
	}
	if q.hosts != "" {
		out += `,"exec_host":` + quoted(q.hosts)
	}
	if len(q.comment) > 0 {
		out += `,"comment":` + quoted(strings.Join(q.comment, " "))
	}
	q.open, q.hosts, q.comment = false, "", nil
	return out + "}"
}

func (q *wideQstat) line(text string) string {
	trimmed := strings.TrimSpace(text)
	lower := strings.ToLower(trimmed)
	switch {
	case isRule(text):
		q.torque = q.torque || wideRuleOfTorque.MatchString(trimmed)
		return ""
	case strings.HasPrefix(lower, "job id "), trimmed == "--":
		q.begun = true
		return ""
	case strings.HasPrefix(lower, "req'd "), lower == "est":
		q.guessed = q.guessed || !strings.Contains(lower, "elap")
		return ""
	case serverLine.MatchString(text) && (!q.begun || strings.HasSuffix(trimmed, ":")):
		q.server, _, _ = strings.Cut(trimmed, ":") // what follows is the server's comment
		return ""
	}
	if m := wideRow.FindStringSubmatch(text); m != nil {
		return q.close() + q.job(m)
	}
	if q.open && indentOf(text) > 0 {
		q.below(trimmed)
		return ""
	}
	return q.close() + q.unknown(trimmed)
}

// below notes what stands below a job, or behind its columns.
func (q *wideQstat) below(text string) {
	if hostList.MatchString(text) {
		q.hosts += text
	} else {
		q.comment = append(q.comment, text)
	}
}

// isSaid reports whether a column says its value, and all of it.
func isSaid(text string) bool { return text != "--" && !strings.HasSuffix(text, "*") }

// Torque's columns are wider than those of PBS: what parts its tables from their heads.
var (
	ruleOfTorque     = regexp.MustCompile(`^-{25} -{16} -{15} -{8} - -{5}$`)
	wideRuleOfTorque = regexp.MustCompile(`^-{20} -{8,12} -{8} -{10,16} -{6} -{5} `)
)

var serverLine = regexp.MustCompile(`^\S+:(?:\s|$)`)

// job is a job whose object stays open for further lines.
func (q *wideQstat) job(m []string) string {
	var asked []string
	for i, name := range []string{"nodect", "ncpus"} {
		if isSaid(m[6+i]) {
			asked = append(asked, name, m[6+i])
		}
	}
	if isSaid(m[8]) {
		asked = append(asked, "mem", quoted(m[8]))
	}
	if isSaid(m[9]) && strings.Contains(m[9], ":") {
		asked = append(asked, "walltime", quoted(clock(m[9])))
	}
	pairs := []string{"Job_Name", quoted(m[4]), "Job_Owner", quoted(m[2]), "job_state", quoted(m[10]), "queue", quoted(m[3]),
		"Resource_List", object(asked...)}
	if q.server != "" {
		pairs = append(pairs, "server", quoted(q.server))
	}
	if isSaid(m[11]) && strings.Contains(m[11], ":") && !q.guessed {
		pairs = append(pairs, "resources_used", object("walltime", quoted(clock(m[11]))))
	}
	if strings.Contains(m[1], "[]") {
		pairs = append(pairs, "array", quoted("True"))
	}
	if q.torque {
		pairs = append(pairs, "torque_table", quoted("True"))
	}
	q.open = true
	if hosts := strings.TrimPrefix(m[12], "--"); hosts != "" {
		q.below(hosts)
	}
	return q.next(wholeID(m[1]), strings.TrimSuffix(object(pairs...), "}"))
}

// clock is a time with seconds: PBS prints hours and minutes there.
func clock(text string) string {
	if strings.Count(text, ":") == 1 {
		return text + ":00"
	}
	return text
}
