package listing

import (
	"regexp"
	"strconv"
	"strings"
)

// vnodes is for pbsnodes -aSj, whose amounts are free/all.
var vnodes = pbsForm{
	part: "nodes",
	head: regexp.MustCompile(`^(?:mem|vnode) `),
	rows: []row{rowOf(name, col("state", `[a-z][a-z,-]*`), skip(`\d+`), skip(`\d+`), skip(`\d+`),
		freeOfAll("mem", size+"/"+size),
		freeOfAll("ncpus", `-?\d+/\d+`), freeOfAll("nmics", `-?\d+/\d+`), freeOfAll("ngpus", `-?\d+/\d+`),
		col("jobs", `?\S+`, "--"))},
	order: "state resources_available resources_assigned jobs ncpus nmics ngpus mem",
}

// size matches an amount of memory.
const size = `\d{1,9} ?[kmgtp]?b`

func freeOfAll(resource, form string) column {
	return column{form, func(t *pbsTable, cell string) {
		if all, used, ok := FreeOfAll(cell); ok && (all != "0" || resource == "ncpus") {
			t.set("resources_available."+resource, all)
			t.set("resources_assigned."+resource, used)
		}
	}}
}

// FreeOfAll reads an amount of pbsnodes -aSj, free/all, such as 27/28 or 160gb/192gb, and returns the total
// and the assigned amount.
func FreeOfAll(text string) (all, used string, ok bool) {
	free, total, cut := strings.Cut(text, "/")
	f, errFree := strconv.ParseInt(free, 10, 32)
	t, errAll := strconv.ParseInt(total, 10, 32)
	switch {
	case errFree == nil && errAll == nil:
		return total, strconv.FormatInt(t-f, 10), true
	case !cut || !amount.MatchString(free) || !amount.MatchString(total):
		return "", "", false
	}
	t = kilobytes(total)
	return strconv.FormatInt(t, 10) + "kb", strconv.FormatInt(max(0, t-kilobytes(free)), 10) + "kb", true
}

var amount = regexp.MustCompile(`^` + size + `$`)

// kilobytes turns an amount such as 252gb into kilobytes.
func kilobytes(text string) int64 {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, _ := strconv.ParseInt(digits, 10, 32) // the form of the row has checked the digits
	unit := strings.TrimSpace(text[len(digits):])
	if power := strings.Index("kmgtp", unit[:1]); power >= 0 {
		return n << (10 * power)
	}
	return n >> 10
}

// vnodesForPeople is for pbsnodes -aS.
var vnodesForPeople = pbsForm{
	part: "nodes",
	head: regexp.MustCompile(`^vnode `),
	rows: []row{rowOf(name, col("state", `[a-z][a-z,-]*`), skip(`\S+`), skip(`\S+`),
		col("resources_available.host", `\S+`, "--"),
		col("queue", `\S+`, "--"), col("resources_available.mem", `\d{1,9}[kmgtp]?b`),
		col("resources_available.ncpus", `\d+`),
		col("resources_available.nmics", `\d+`, "0"), col("resources_available.ngpus", `\d+`, "0"),
		col("comment", `?\S.*`, "--"))},
	order: "state resources_available queue comment ncpus mem nmics ngpus host",
}

// pbsJobs is for qstat without options. A star ends a text that was too long for its column.
var pbsJobs = pbsForm{
	part: "Jobs",
	head: regexp.MustCompile(`^(?i:job id )`),
	rows: []row{rowOf(job, col("Job_Name", `\S.*?`), col("Job_Owner", `\S+`),
		column{`[\d:]+\*?|--`, func(t *pbsTable, cell string) {
			if strings.Contains(cell, ":") && !strings.HasSuffix(cell, "*") {
				t.set("resources_used.cput", cell)
			}
		}},
		col("job_state", `[A-Z]`), col("queue", `\S+`))},
	torque: regexp.MustCompile(`^-{25} -{16} -{15} -{8} - -{5}$`),
}

// pbsQueues is for qstat -q, with the limits of queues, and for qstat -Q, with the numbers of jobs by state.
var pbsQueues = pbsForm{
	part: "Queue",
	head: regexp.MustCompile(`^Queue `),
	rows: []row{
		rowOf(name, limit("mem", `\d+\w*|--`), limit("cput", `[\d:]+|--`), limit("walltime", `[\d:]+|--`),
			limit("nodect", `\d+|--`),
			column{`\d+\s+\d+`, func(t *pbsTable, cell string) {
				n := strings.Fields(cell)
				t.set("state_count", "Queued:"+n[1]+" Running:"+n[0])
			}},
			col("max_running", `\d+|--`, "--"),
			column{`[ED] [RS]`, func(t *pbsTable, cell string) { t.takes(cell[0] == 'E', cell[2] == 'R') }}),
		rowOf(name, col("max_running", `\d+`, "0"), col("total_jobs", `\d+`),
			column{`(?:yes|no)\s+(?:yes|no)`, func(t *pbsTable, cell string) {
				t.takes(strings.HasPrefix(cell, "yes"), strings.HasSuffix(cell, "yes"))
			}},
			stateCount, column{`E|R|Exec|Rout\w*`, func(t *pbsTable, cell string) {
				kind := "Execution"
				if cell[0] == 'R' {
					kind = "Route"
				}
				t.set("queue_type", kind)
			}}, skip(`?\d+`)),
	},
	order: "queue_type total_jobs enabled started state_count max_running resources_max torque_table",
	torque: regexp.MustCompile(
		`^Queue +(?:Memory CPU Time Walltime Node  Run Que Lm  State|Max +Tot +Ena +Str +Que +Run +Hld +Wat +Trn +Ext T\b.*)$`),
	above: func(t *pbsTable, text string) bool {
		server, isServer := strings.CutPrefix(strings.TrimSpace(text), "server:")
		if isServer {
			t.server = strings.TrimSpace(server)
		}
		return isServer || t.entries > 0 && sumOfQueues.MatchString(text)
	},
}

// sumOfQueues matches the line below the queues of qstat -q: running jobs and other jobs.
var sumOfQueues = regexp.MustCompile(`^\s+\d+\s+\d+$`)

// limit makes a column for a limit of a queue. The column may have cut the end of a time: 240:00:0 for
// 240:00:00.
func limit(resource, form string) column {
	return column{form, func(t *pbsTable, cell string) {
		at := strings.LastIndexByte(cell, ':')
		if cell != "--" && (at < 0 || len(cell)-at >= len(":00")) {
			t.set("resources_max."+resource, cell)
		}
	}}
}

// takes notes whether a queue accepts jobs, and starts them.
func (t *pbsTable) takes(enabled, started bool) {
	words := map[bool]string{true: "True", false: "False"}
	t.set("enabled", words[enabled])
	t.set("started", words[started])
}

// stateCount has the numbers of jobs that are queued, running, held, waiting, moving and exiting.
var stateCount = column{`\d+(?:\s+\d+){5}`, func(t *pbsTable, cell string) {
	n := strings.Fields(cell)
	t.set("state_count", "Transit:"+n[4]+" Queued:"+n[0]+" Held:"+n[2]+" Waiting:"+n[3]+" Running:"+n[1]+" Exiting:"+n[5])
}}

// pbsServers is for qstat -B. Torque has one more column, for completed jobs.
var pbsServers = pbsForm{
	part: "Server",
	head: regexp.MustCompile(`^Server `),
	rows: []row{rowOf(name, col("max_running", `\d+`, "0"), col("total_jobs", `\d+`), stateCount, skip(`?\d+`),
		col("server_state", `[A-Z]\w*`))},
	order: "server_state total_jobs state_count max_running",
}

// wideHeader matches the beginning of the output of qstat -a, -n, -s, -i and -r, below the name of the server.
var wideHeader = regexp.MustCompile(`(?i)^(?:\s*\S+:(?:[ \t][^\n]*)?\n)?(?:\s*\n)*(?:[ \t]*est[ \t\r]*\n)?` +
	`(?:[ \t]*(?:req'?d[ \t]+){1,3}(?:elap'?d?|est|start)[^\n]*\n)?` +
	`\s*job id\s+user(?:name)?\s+queue\s+jobname\s+sess(?:id)?\s+nds\s+tsk\s`)

// wideJobs is for qstat with these options. With -1, the last column has the hosts of -n, or the scheduler's
// comment of -s. Without -1, these are below the row.
var wideJobs = pbsForm{
	part: "Jobs",
	head: regexp.MustCompile(`^(?i:job id )`),
	rows: []row{rowOf(job, col("Job_Owner", `\S+`), col("queue", `\S+`), col("Job_Name", `\S.*?`), skip(`\d+\*?|--`),
		uncut("nodect", `\d+\*?|--`), uncut("ncpus", `\d+\*?|--`), uncut("mem", `\S+`),
		column{`[\d:]+\*?|--`, func(t *pbsTable, cell string) { t.clock("Resource_List.walltime", cell) }},
		col("job_state", `[A-Z]`),
		column{`[\d:]+\*?|--|\?|[A-Z][a-z] \d\d|[A-Z][a-z]{2}|>\S+`, func(t *pbsTable, cell string) {
			if !t.guessed {
				t.clock("resources_used.walltime", cell)
			}
		}},
		column{`?\S.*`, func(t *pbsTable, cell string) {
			if text := strings.TrimPrefix(cell, "--"); text != "" {
				belowJob(t, text)
			}
			if t.server != "" {
				t.set("server", t.server)
			}
		}})},
	torque: regexp.MustCompile(`^-{20} -{8,12} -{8} -{10,16} -{6} -{5} `),
	above: func(t *pbsTable, text string) bool {
		trimmed := strings.TrimSpace(text)
		lower := strings.ToLower(trimmed)
		switch {
		case strings.HasPrefix(lower, "req'd "), lower == "est":
			t.guessed = t.guessed || !strings.Contains(lower, "elap")
		case serverLine.MatchString(text) && (!t.begun || strings.HasSuffix(trimmed, ":")):
			t.server, _, _ = strings.Cut(trimmed, ":") // the server's comment follows
		default:
			return false
		}
		return true
	},
	below: belowJob,
}

var serverLine = regexp.MustCompile(`^\S+:(?:\s|$)`)

// hostList matches a part of the hosts of a job.
var hostList = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(?:\[\d+\])?/[\d*,+/\w.\[\]-]*$`)

// belowJob reads a line below a job, or the text after its columns.
func belowJob(t *pbsTable, text string) {
	if hostList.MatchString(text) {
		t.hosts += text
	} else {
		t.comment = append(t.comment, text)
	}
}

// uncut makes a column for a request. A cell that ends with a star was cut, so it is not used.
func uncut(resource, form string) column {
	return column{form, func(t *pbsTable, cell string) {
		if cell != "--" && !strings.HasSuffix(cell, "*") {
			t.set("Resource_List."+resource, cell)
		}
	}}
}

// clock sets a time. PBS prints hours and minutes in such a cell.
func (t *pbsTable) clock(name, cell string) {
	switch {
	case strings.HasSuffix(cell, "*") || !strings.Contains(cell, ":"):
	case strings.Count(cell, ":") == 1:
		t.set(name, cell+":00")
	default:
		t.set(name, cell)
	}
}
