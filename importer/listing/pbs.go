package listing

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// quoted is a text as JSON has it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}

// object is an object of JSON, from names and values in turn; values are JSON already.
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

// A part is the one object of a document that has the entries.
type part struct {
	name    string
	entries int // since it was opened
}

func (p *part) start() string { return "{" + quoted(p.name) + ":{" }
func (p *part) end() string   { return "}}\n" }

// next is a further entry.
func (p *part) next(name, value string) string {
	p.entries++
	if p.entries == 1 {
		return quoted(name) + ":" + value
	}
	return "," + quoted(name) + ":" + value
}

// unknown is a line of no known form: it stands beside the part, which goes on behind it.
func (p *part) unknown(text string) string {
	p.entries = 0
	return "}," + quoted("line "+text) + ":0," + quoted(p.name) + ":{"
}

// vnodeRow is a vnode in pbsnodes -aSj: name, state, its jobs, memory, ncpus, nmics and ngpus as free/all, and the jobs' numbers.
var vnodeRow = regexp.MustCompile(`^\s*(\S+)\s+([a-z][a-z,-]*)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d{1,9} ?[kmgtp]?b)/(\d{1,9} ?[kmgtp]?b)\s+(-?\d+)/(\d+)\s+(-?\d+)/(\d+)\s+(-?\d+)/(\d+)(?:\s+(\S+))?$`)

// pbsnodes is what pbsnodes -aSj prints.
type pbsnodes struct{ part }

func (p *pbsnodes) line(text string) string {
	trimmed := strings.TrimSpace(text)
	if isRule(text) || strings.HasPrefix(trimmed, "mem ") || strings.HasPrefix(trimmed, "vnode ") {
		return ""
	}
	m := vnodeRow.FindStringSubmatch(text)
	if m == nil {
		return p.unknown(trimmed)
	}
	return p.next(m[1], vnode(m))
}

func vnode(m []string) string {
	var all, used []string
	for i, name := range []string{"ncpus", "nmics", "ngpus"} {
		if a, u, ok := FreeOfAll(m[8+2*i] + "/" + m[9+2*i]); ok && (a != "0" || name == "ncpus") {
			all, used = append(all, name, a), append(used, name, u)
		}
	}
	if a, u, ok := FreeOfAll(m[6] + "/" + m[7]); ok {
		all, used = append(all, "mem", quoted(a)), append(used, "mem", quoted(u))
	}
	pairs := []string{"state", quoted(m[2]), "resources_available", object(all...), "resources_assigned", object(used...)}
	if m[14] != "" && m[14] != "--" {
		list, _ := json.Marshal(strings.Split(m[14], ","))
		pairs = append(pairs, "jobs", string(list))
	}
	return object(pairs...)
}

// FreeOfAll reads an amount as pbsnodes -aSj prints it, free/all, such as 27/28 or 160gb/192gb: all of it, and what is assigned.
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

var amount = regexp.MustCompile(`^\d{1,9} ?[kmgtp]?b$`)

// kilobytes is an amount such as 252gb in kilobytes.
func kilobytes(text string) int64 {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, _ := strconv.ParseInt(digits, 10, 32) // digits, by the form of the row
	switch strings.TrimSpace(text[len(digits):]) {
	case "mb":
		return n << 10
	case "gb":
		return n << 20
	case "tb":
		return n << 30
	case "pb":
		return n << 40
	case "kb":
		return n
	}
	return n >> 10
}

// pbsRow is a job in qstat: id, name, owner, processor time, state, queue. A star ends what was too long for its column.
var pbsRow = regexp.MustCompile(`^\s*(\d\S*)\s+(\S.*?)\s+(\S+)\s+([\d:]+\*?|--)\s+([A-Z])\s+(\S+)$`)

// pbsQstat is what qstat of PBS and Torque prints without options.
type pbsQstat struct {
	part
	torque bool
}

func (p *pbsQstat) line(text string) string {
	trimmed := strings.TrimSpace(text)
	if isRule(text) || strings.HasPrefix(strings.ToLower(trimmed), "job id ") {
		p.torque = p.torque || ruleOfTorque.MatchString(trimmed)
		return ""
	}
	m := pbsRow.FindStringSubmatch(text)
	if m == nil {
		return p.unknown(trimmed)
	}
	pairs := []string{"Job_Name", quoted(m[2]), "Job_Owner", quoted(m[3]), "job_state", quoted(m[5]), "queue", quoted(m[6])}
	if strings.Contains(m[4], ":") && !strings.HasSuffix(m[4], "*") {
		pairs = append(pairs, "resources_used", object("cput", quoted(m[4])))
	}
	if strings.Contains(m[1], "[]") {
		pairs = append(pairs, "array", quoted("True"))
	}
	if p.torque {
		pairs = append(pairs, "torque_table", quoted("True"))
	}
	return p.next(wholeID(m[1]), object(pairs...))
}

// wholeID is a job's number without the server: the column cuts its name, after fewer letters the longer the number is.
func wholeID(id string) string {
	number, _, _ := strings.Cut(id, ".")
	return number
}
