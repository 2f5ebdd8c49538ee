// Package listing translates tables for people into formats for programs. The output of qstat, qstat -j and
// qhost of Grid Engine becomes XML. The output of qacct -j becomes accounting records. Tables of PBS and
// Torque become JSON.
//
// A table has less information than XML: columns cut names, and amounts are rounded. Line n of a table
// becomes line n of the result, so error messages name the right line. An unknown line becomes an element
// <line>, or a name "line". The package that reads the result reports this element or name as not used.
//
// Its files:
//   - listing.go: the kinds of tables; how one is found below its command
//   - copy.go: removes what pages and mails put around a listing
//   - parts.go: several listings in one file
//   - dates.go: numeric dates, day or month first
//   - qstat.go: qstat, -r, -f and -F of Grid Engine; qstat_rows.go: the rows of -ext, -urg, -pri, -g t and -t
//   - qstat_j.go, qstat_gc.go: qstat -j; qstat -g c
//   - qhost.go: qhost, -q, -F and -j
//   - qacct.go: qacct -j
//   - json.go: JSON of Open Cluster Scheduler; its documents in json_qstat.go, json_qstat_j.go, json_qrstat.go, json_qconf.go
//   - pbs.go: tables of PBS and Torque; pbs_tables.go: their columns
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
	Name   string // name of the result in a bundle
	header *regexp.Regexp
	put    func() putter
	json   *jsonForm // of a document that is translated as a whole
	qconf  qconfForm // of documents that become text
	plain  bool      // the text is already in the form for programs
	cut    bool      // the text lacks lines that each such listing has
	quoted bool      // the text was copied from a page, a mail or a comment
	above  int       // where the table begins in the original file
	own    []span    // its parts, if the file has other tables; empty for the whole file
	Left   []Line    // lines above the table that belong to no listing
}

// A putter translates a table line by line.
type putter interface {
	start() string           // the text before the first line
	line(text string) string // one line, without a line break
	end() string             // the text after the last line
}

// tables are the kinds of tables, by their first line. Patterns are compiled when they are needed.
var tables = sync.OnceValue(func() []Table {
	return append(qconfTables(), []Table{
		{Name: "qstat.xml", header: jsonHead(`ocs-qstat-reduced`, `jobs_(?:running|pending|error|finished)`),
			json: &jsonQstat},
		{Name: "qstat-f.xml", header: jsonHead(`ocs-qstat-full`, `queues"\s*:\s*\[\s*\{\s*"name"\s*:\s*"[^"]*@`),
			json: &jsonQstat},
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
		{Name: "qstat-f.xml", header: regexp.MustCompile(
			`^\s*(?:queuename\s+qtype\s+(?:resv/)?used/(?:free/)?tot|[\w.-]+@[\w.-]+\s+[BIPCTN]+\s+\d+/\d+(?:/\d+)?\s)`),
			put: func() putter { return &fullQstat{} }},
		{Name: "qstat.xml", header: regexp.MustCompile(`^\s*(?:job-ID\s+prior\s+(?:\w+\s+){0,9}?name\s+user\s|` +
			rowAlone + `)`),
			put: func() putter { return &shortQstat{} }},
		{Name: "qstat-j.xml", header: regexp.MustCompile(`^(={10,}\s*\n)?\s*job_number: +\d+\s*\n`),
			put: func() putter { return &detailedQstat{} }},
		{Name: "qhost.xml", header: regexp.MustCompile(`^\s*HOSTNAME\s+ARCH\s+NCPU\s`),
			put: func() putter { return &qhost{} }},
		{Name: "pbsnodes_av.json", header: regexp.MustCompile(
			`^(\s*mem\s+ncpus\s+nmics\s+ngpus\s*\n)?\s*vnode\s+state\s+njobs\s+run\s+susp\s`),
			put: func() putter { return &pbsTable{pbsForm: vnodes} }},
		{Name: "qstat_f.json", header: regexp.MustCompile(
			`^\s*(?:(?i:job id\s+name\s+user(?:name)?\s+(?:time use|% done)\s+s\s+queue)|` + pbsRowAlone + `)`),
			put: func() putter { return &pbsTable{pbsForm: pbsJobs} }},
		{Name: "pbsnodes_av.json", header: regexp.MustCompile(`^\s*vnode\s+state\s+OS\s+hardware\s+host\s`),
			put: func() putter { return &pbsTable{pbsForm: vnodesForPeople} }},
		{Name: "qstat_Qf.json", header: regexp.MustCompile(
			`^(?:\s*server:[^\n]*\n)?\s*Queue\s+(?:Memory\s+CPU Time\s+Walltime|Max\s+Tot\s+Ena\s+Str)\s`),
			put: func() putter { return &pbsTable{pbsForm: pbsQueues} }},
		{Name: "qstat_Bf.json", header: regexp.MustCompile(`^\s*Server\s+Max\s+Tot\s+Que\s+Run\s`),
			put: func() putter { return &pbsTable{pbsForm: pbsServers} }},
		{Name: "qstat_f.json", header: wideHeader,
			put: func() putter { return &pbsTable{pbsForm: wideJobs} }},
		{Name: "accounting.jsonl", header: regexp.MustCompile(`^(?:={20,}\s*\n)?\s*qname\s+\S+\s*\n\s*hostname\s`),
			put: func() putter { return &qacct{} }},
	}...)
})

// Rows without a heading, for example of qstat through grep or tail: a job of Grid Engine, a job of PBS.
const (
	rowAlone    = `\d+ +[01]\.\d{5} +\S[^\n]* [A-Za-z]{1,5} +` + moments19 + `(?: |\n|$)`
	pbsRowAlone = `\d+(?:\[\d*\])?\.[\w.*-]+ +\S[^\n]* (?:\d+:\d\d:\d[\d:]*|0) [A-Z] [\w-]+[ \t\r]*(?:\n|$)`
)

// Whole reports whether the listing has all information of the form for programs.
func (t *Table) Whole() bool { return t.plain && !t.cut || t.json != nil || t.qconf != nil }

// Find finds the table at the beginning of a file, or nil. The command and a few other lines may come before
// the table. form recognizes forms for programs.
func Find(head []byte, form func(head []byte) string) *Table {
	clean, quoted := AsPrinted(head)
	text := WithoutPrompt(clean)
	known := form(text) != ""
	if table := begins(text, known); table != nil {
		found := *table
		found.quoted, found.above = quoted, len(clean)-len(text)
		return &found
	}
	if len(text) == len(clean) && !quoted && known {
		return nil
	}
	return below(clean, text, quoted, form)
}

// below finds a listing in the form for programs. It may be quoted, or below its command and a few other lines.
func below(clean, text []byte, quoted bool, form func(head []byte) string) *Table {
	command := len(clean) - len(text)
	said := command // the command above text, if any
	for skipped := range notices + 1 {
		above := clean[:len(clean)-len(text)]
		if name := form(text); name != "" && (skipped == 0 || !slices.Contains(Records, name)) {
			prompt := bytes.Count(above, []byte{'\n'})
			return &Table{Name: name, plain: true, quoted: quoted, above: len(above),
				Left: withoutRemarks(leftOf(clean, command, said)),
				put:  func() putter { return &copied{prompt: prompt} }}
		}
		_, rest, more := bytes.Cut(text, []byte{'\n'})
		if !more {
			break
		}
		text, said = WithoutPrompt(rest), len(clean)-len(rest)
	}
	return nil
}

// Records are the names of files of records, which may be large.
var Records = []string{"schedule", "messages", "accounting", "accounting.txt", "accounting.jsonl", "sched_log.txt"}

// notices is the most lines of warnings and remarks above a table.
const notices = 20

// begins returns the table at the beginning of a text. A few other lines may stand before it. It is nil if
// there is none. If known is true, the text is something else, and no lines are skipped.
func begins(text []byte, known bool) *Table {
	for i := range notices + 1 {
		if i > 0 && known {
			return nil
		}
		text = bytes.TrimLeft(text, "\n\r")
		kinds := tables()
		for k := range kinds {
			if kinds[k].header.Match(text) {
				return &kinds[k]
			}
		}
		_, rest, more := bytes.Cut(text, []byte{'\n'})
		if start := bytes.TrimLeft(text, " \t"); !more || bytes.HasPrefix(start, []byte("<")) ||
			bytes.HasPrefix(start, []byte("{")) {
			return nil
		}
		text = rest
	}
	return nil
}

// prompt matches the lines above a listing that was copied from a terminal: the command, behind a prompt, or
// alone with its options.
var prompt = regexp.MustCompile(`^(?:\s*(?:#[^\n]*)?\n){0,4}(?:` +
	`(?:[^\n]*[$%>❯»#]|Qmgr:)\s*(?:/\S*/)?(?:qstat|qhost|qconf|qacct|qselect|pbsnodes|qnodes|qmgr|pbs_rstat|p s|print |list |l s)\b[^\n]*|` +
	`[ \t]*(?:/\S*/)?(?:qstat|qhost|qconf|qacct|pbsnodes|qnodes|qmgr)(?:[ \t]+-[^\n]*)?[ \t\r]*)\n`)

// WithoutPrompt removes the prompt and command that were copied with the output.
func WithoutPrompt(text []byte) []byte {
	if head := text[:min(len(text), 2048)]; prompt.Match(head) {
		return text[len(prompt.Find(head)):]
	}
	return text
}

// within adds the surrounding elements to a copied part of an XML document.
type within struct{ before, behind string }

func (w within) start() string           { return w.before }
func (w within) line(text string) string { return text }
func (w within) end() string             { return w.behind }

// copied removes the lines above a listing.
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

// jsonHead matches the beginning of a document that names its form, or that begins with such a list.
func jsonHead(form, list string) *regexp.Regexp {
	if list != "" {
		list = "|" + list
	}
	return regexp.MustCompile(`^\s*\{(?:\s*"\$schema"\s*:\s*"[^"]*"\s*,)?\s*"(?:\$id"\s*:\s*"[^"]*/?` +
		form + `\.schema\.json"` + list + `)`)
}

// Own empties the lines of a file that do not belong to the table.
func (t *Table) Own(text []byte) []byte {
	if t.quoted {
		text, _ = AsPrinted(text)
	}
	if t.own == nil {
		return text
	}
	out, at := make([]byte, 0, len(text)), 0
	for _, s := range t.own {
		from, to := min(s.from, len(text)), min(s.to, len(text))
		out = append(out, bytes.Repeat([]byte{'\n'}, bytes.Count(text[at:from], []byte{'\n'}))...)
		out, at = append(out, text[from:to]...), to
	}
	return out
}

// Put translates the text of a table.
func (t *Table) Put(text []byte) []byte {
	text = t.Own(text)
	if t.json != nil {
		return t.json.put(text)
	}
	if t.qconf != nil {
		return t.qconf.text(text)
	}
	p := t.put()
	var out bytes.Buffer
	out.WriteString(p.start())
	if _, is := p.(dated); is {
		text = datesOf(text, &out)
	}
	table := len(WithoutPrompt(text))
	for line := range bytes.Lines(text[:len(text)-table]) { // empty lines in place of the command
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

// element makes an XML element with a text. attributes has names and values in turn.
func element(name, text string, attributes ...string) string {
	return begin(name, attributes...) + escapes.Replace(text) + "</" + name + ">"
}

// begin makes the beginning of an element.
func begin(name string, attributes ...string) string {
	var b strings.Builder
	b.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		b.WriteString(" " + attributes[i] + `="` + escapes.Replace(attributes[i+1]) + `"`)
	}
	return b.String() + ">"
}

// around makes an element with other elements in it.
func around(name, inside string) string { return "<" + name + ">" + inside + "</" + name + ">" }

// unknownLine makes an element for a line of unknown form.
func unknownLine(text string) string { return element("line", strings.TrimSpace(text)) }

// isRule reports whether a line is empty or only separates other lines.
func isRule(text string) bool { return strings.Trim(text, "-=# \t") == "" }
