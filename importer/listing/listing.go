// Package listing puts what commands print for people into the forms that they print for programs: the tables of qstat, qstat -f, qstat -j
// and qhost of Grid Engine into their XML, qacct -j into records, those of qstat and pbsnodes -aSj of PBS into JSON.
//
// A table says less than the form for programs: names are cut to the width of their column, and amounts are rounded. Line n of a
// table becomes line n of the result, so that a message about one names the right line of the other. A line of no known form becomes an
// element <line>, or a name "line", which the reader then reports as not used.
//
// Start with listing.go: which tables there are, how one is found, and the lines of a command above it. qstat.go (qstat, -r, -f, -F), whose
// rows are in qstat_rows.go (-ext, -urg, -pri, -g t, -t), qstat_j.go, qstat_gc.go, qhost.go and qacct.go have those of Grid Engine, json.go
// and what begins with it the JSON of Open Cluster Scheduler, pbs.go, pbs_wide.go
// (qstat -a, -n, -s, -T) and pbs_queues.go (qstat -q, -Q, -B, pbsnodes -aS) those of PBS.
package listing

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Table is a kind of listing for people.
type Table struct {
	Name   string // that the result has in a bundle
	header *regexp.Regexp
	put    func() putter
	json   *jsonForm // of a document that is put whole
	from   int       // where it begins in its file
	to     int       // where it ends, 0 for with the file
}

// A putter puts a table into its other form, line by line.
type putter interface {
	start() string           // what stands before the first line
	line(text string) string // one line, without a line break
	end() string             // what stands behind the last line
}

// tables are the kinds of table, by their first line. Commands that read none do not wait until all patterns are compiled.
var tables = sync.OnceValue(func() []Table {
	return []Table{
		{Name: "qstat.xml", header: jsonHead(`ocs-qstat-reduced`, `jobs_(?:running|pending|error|finished)`), json: &jsonQstat},
		{Name: "qstat-f.xml", header: jsonHead(`ocs-qstat-full`, `queues"\s*:\s*\[\s*\{\s*"name"\s*:\s*"[^"]*@`), json: &jsonQstat},
		{Name: "qstat-gc.xml", header: jsonHead(`ocs-qstat-cqueue`, `queues`), json: &jsonQueues},
		{Name: "qstat-j.xml", header: jsonHead(`ocs-qstat-job`, `jobs`), json: &jsonDetails},
		{Name: "qrstat.xml", header: jsonHead(`ocs-qrstat-root`, `ars`), json: &jsonReservations},
		{Name: "qhost.xml", header: jsonHead(`ocs-qhost-root`, `hosts`), json: &jsonHosts},
		{Name: "qstat.xml", header: regexp.MustCompile(`^\s*<job_list[\s>]`),
			put: func() putter { return within{"<job_info><queue_info>", "</queue_info></job_info>"} }},
		{Name: "qstat-f.xml", header: regexp.MustCompile(`^\s*<Queue-List[\s>]`),
			put: func() putter { return within{"<job_info><queue_info>", "</queue_info></job_info>"} }},
		{Name: "qstat-f.xml", header: regexp.MustCompile(`^\s*<queue_info[\s>][^<]*<Queue-List[\s>]`),
			put: func() putter { return within{"<job_info>", "</job_info>"} }},
		{Name: "qstat.xml", header: regexp.MustCompile(`^\s*<queue_info[\s>]`),
			put: func() putter { return within{"<job_info>", "</job_info>"} }},
		{Name: "qstat-gc.xml", header: regexp.MustCompile(`^\s*CLUSTER QUEUE\s+CQLOAD\s+USED\s`),
			put: func() putter { return &clusterQueues{} }},
		{Name: "qstat-f.xml", header: regexp.MustCompile(`^\s*queuename\s+qtype\s+(resv/)?used/(free/)?tot`),
			put: func() putter { return &fullQstat{} }},
		{Name: "qstat.xml", header: regexp.MustCompile(`^\s*job-ID\s+prior\s+(?:\w+\s+){0,9}?name\s+user\s`),
			put: func() putter { return &shortQstat{} }},
		{Name: "qstat-j.xml", header: regexp.MustCompile(`^(={10,}\s*\n)?\s*job_number: +\d+\s*\n`),
			put: func() putter { return &detailedQstat{} }},
		{Name: "qhost.xml", header: regexp.MustCompile(`^\s*HOSTNAME\s+ARCH\s+NCPU\s`),
			put: func() putter { return &qhost{} }},
		{Name: "pbsnodes_av.json", header: regexp.MustCompile(`^(\s*mem\s+ncpus\s+nmics\s+ngpus\s*\n)?\s*vnode\s+state\s+njobs\s+run\s+susp\s`),
			put: func() putter { return &pbsnodes{part{name: "nodes"}} }},
		{Name: "qstat_f.json", header: regexp.MustCompile(`(?i)^\s*job id\s+name\s+user(name)?\s+(?:time use|% done)\s+s\s+queue`),
			put: func() putter { return &pbsQstat{part: part{name: "Jobs"}} }},
		{Name: "pbsnodes_av.json", header: regexp.MustCompile(`^\s*vnode\s+state\s+OS\s+hardware\s+host\s`),
			put: func() putter { return &pbsSummary{part{name: "nodes"}} }},
		{Name: "qstat_Qf.json", header: regexp.MustCompile(`^(?:\s*server:[^\n]*\n)?\s*Queue\s+(?:Memory\s+CPU Time\s+Walltime|Max\s+Tot\s+Ena\s+Str)\s`),
			put: func() putter { return &pbsQueues{part: part{name: "Queue"}} }},
		{Name: "qstat_Bf.json", header: regexp.MustCompile(`^\s*Server\s+Max\s+Tot\s+Que\s+Run\s`),
			put: func() putter { return &pbsServers{part{name: "Server"}} }},
		{Name: "qstat_f.json", header: wideHeader,
			put: func() putter { return &wideQstat{part: part{name: "Jobs"}} }},
		{Name: "accounting.jsonl", header: regexp.MustCompile(`^(?:={20,}\s*\n)?\s*qname\s+\S+\s*\n\s*hostname\s`),
			put: func() putter { return &qacct{} }},
	}
})

// Whole reports whether the listing says all that the form for programs does: JSON does.
func (t *Table) Whole() bool { return t.json != nil }

// Find is the kind of table that a file begins with, or of a copy that begins with the command that printed it; nil for neither. name says
// what such a copy is, by its content.
func Find(head []byte, name func(head []byte) string) *Table {
	text := WithoutPrompt(head)
	if table := begins(text); table != nil {
		return table
	}
	if len(text) == len(head) || name(text) == "" {
		return nil
	}
	return &Table{Name: name(text),
		put: func() putter { return &copied{prompt: bytes.Count(head[:len(head)-len(text)], []byte{'\n'})} }}
}

// Parts are the listings of different kinds that a file holds one below the other, each behind the first below the command that printed it;
// nil where there are not several. A second listing of one kind belongs to the part before it.
func Parts(text []byte, name func(head []byte) string) (list []*Table) {
	begins := commands(text)
	if len(begins) == 0 {
		return nil
	}
	begins = append([]int{0}, begins...)
	has := map[string]bool{}
	for i, from := range begins {
		t := Find(text[from:], name)
		if i == 0 && t == nil && name(text) != "" {
			t = &Table{Name: name(text), put: func() putter { return &copied{} }}
		}
		if t == nil || has[t.Name] {
			continue
		}
		if last := len(list) - 1; last >= 0 {
			list[last].to = from
		}
		has[t.Name] = true
		part := *t
		part.from = from
		list = append(list, &part)
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// mostCommands bounds the commands that are looked at in a file.
const mostCommands = 100

// commands are where the lines begin, behind the first, with a command that may stand above a listing. Most files have none.
func commands(text []byte) (begins []int) {
	for _, word := range commandWords {
		for from := 0; len(begins) < mostCommands; {
			at := bytes.Index(text[from:], []byte(word))
			if at < 0 {
				break
			}
			begin := bytes.LastIndexByte(text[:from+at], '\n') + 1
			from += at + len(word)
			if end := bytes.IndexByte(text[from:], '\n'); end >= 0 && begin > 0 && command.Match(text[begin:from+end+1]) {
				begins = append(begins, begin)
				from += end
			}
		}
	}
	slices.Sort(begins)
	return slices.Compact(begins)
}

// commandWords are the commands that may stand above a listing.
var commandWords = []string{"qstat", "qhost", "qconf", "qacct", "pbsnodes", "qnodes", "pbs_rstat"}

// notices bounds the lines that other programs, or a warning, may leave above a table.
const notices = 3

// begins is the kind of table that a text begins with, below a few lines that are none; nil for none.
func begins(text []byte) *Table {
	for range notices + 1 {
		text = bytes.TrimLeft(text, "\n\r")
		kinds := tables()
		for i := range kinds {
			if kinds[i].header.Match(text) {
				return &kinds[i]
			}
		}
		_, rest, more := bytes.Cut(text, []byte{'\n'})
		if start := bytes.TrimLeft(text, " \t"); !more || bytes.HasPrefix(start, []byte("<")) || bytes.HasPrefix(start, []byte("{")) {
			return nil
		}
		text = rest
	}
	return nil
}

// prompt is what stands above a listing that was copied from a terminal: the command, behind a prompt, or alone with its options.
var prompt = regexp.MustCompile(`^(?:\s*(?:#[^\n]*)?\n){0,4}(?:` +
	`(?:[^\n]*[$%>❯#]|Qmgr:)\s*(?:/\S*/)?(?:qstat|qhost|qconf|qacct|qselect|pbsnodes|qnodes|qmgr|pbs_rstat|p s|print |list |l s)\b[^\n]*|` +
	`[ \t]*(?:/\S*/)?(?:qstat|qhost|qconf|qacct|pbsnodes|qnodes)(?:[ \t]+-[^\n]*)?[ \t\r]*)\n`)

// command is a line with such a command.
var command = regexp.MustCompile(`^[^\n]*[$%>❯#]\s*(?:/\S*/)?(?:` + strings.Join(commandWords, "|") + `)\b[^\n]*\n`)

// WithoutPrompt is the text behind the command that was copied with it; all of it where there is none.
func WithoutPrompt(text []byte) []byte {
	if head := text[:min(len(text), 2048)]; prompt.Match(head) {
		return text[len(prompt.Find(head)):]
	}
	return text
}

// within is a part of an XML document, as one copies it, within the elements that stand around it.
type within struct{ before, behind string }

func (w within) start() string           { return w.before }
func (w within) line(text string) string { return text }
func (w within) end() string             { return w.behind }

// copied is a listing below the command that printed it: the lines down to that are left out.
type copied struct{ prompt int }

func (c *copied) start() string { return "" }
func (c *copied) end() string   { return "" }

func (c *copied) line(text string) string {
	c.prompt--
	if c.prompt >= 0 {
		return ""
	}
	return text
}

// jsonHead is how a document begins that names its form, or has such a list first.
func jsonHead(form, list string) *regexp.Regexp {
	return regexp.MustCompile(`^\s*\{(?:\s*"\$schema"\s*:\s*"[^"]*"\s*,)?\s*"(?:\$id"\s*:\s*"[^"]*/?` + form + `\.schema\.json"|` + list + `)`)
}

// Own is the part of a file's text that is the table's.
func (t *Table) Own(text []byte) []byte {
	if t.to > 0 {
		text = text[:min(t.to, len(text))]
	}
	return text[min(t.from, len(text)):]
}

// Put puts a table into its other form.
func (t *Table) Put(text []byte) []byte {
	above := bytes.Count(text[:min(t.from, len(text))], []byte{'\n'})
	text = t.Own(text)
	if t.json != nil {
		return t.json.put(text)
	}
	p := t.put()
	var out bytes.Buffer
	out.WriteString(p.start())
	if _, is := p.(dated); is {
		text = datesOf(text, &out)
	}
	out.WriteString(strings.Repeat("\n", above)) // what stands in the file before it
	table := len(WithoutPrompt(text))
	for line := range bytes.Lines(text[:len(text)-table]) { // the command, of which a table has no line
		out.WriteString(p.line(""))
		out.Write(line[len(bytes.TrimRight(line, "\n")):])
	}
	for line := range bytes.Lines(text[len(text)-table:]) {
		out.WriteString(p.line(strings.TrimRight(string(line), " \t\r\n")))
		out.WriteByte('\n')
	}
	out.WriteString(p.end())
	return out.Bytes()
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// element is an XML element with a text.
func element(name, text string) string {
	return "<" + name + ">" + escapes.Replace(text) + "</" + name + ">"
}

// unknownLine is an element for a line of no known form.
func unknownLine(text string) string { return element("line", strings.TrimSpace(text)) }

// isRule reports whether a line only parts others.
func isRule(text string) bool { return strings.Trim(text, "-=# \t") == "" }
