package listing

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// PBS and Torque print most things as tables: the names of columns, a rule, and a row for each object. A row
// becomes an object of the JSON form.

// A pbsForm is a table of PBS or Torque.
type pbsForm struct {
	part   string // the part of the document with the rows
	head   *regexp.Regexp
	rows   []row
	order  string                              // order of attributes and resources, if it is not the order of columns
	torque *regexp.Regexp                      // a line that only Torque prints
	above  func(t *pbsTable, text string) bool // reads a line that is no row
	below  func(t *pbsTable, text string)      // reads a line below a row, with blanks before it
}

// A row describes the columns of a row.
type row struct {
	form    *regexp.Regexp
	columns []column
}

// A column has the form of a cell, and what the cell becomes. A form that begins with "?" may be missing.
type column struct {
	form string
	put  func(t *pbsTable, cell string)
}

// col makes a column for an attribute, "queue", or a resource, "Resource_List.mem". Cells with one of the texts
// in none are ignored.
func col(name, form string, none ...string) column {
	return column{form, func(t *pbsTable, cell string) {
		if cell != "" && !slices.Contains(none, cell) {
			t.set(name, cell)
		}
	}}
}

// skip makes a column that is not used.
func skip(form string) column { return column{form, func(*pbsTable, string) {}} }

// name is the column of the object's name.
var name = column{`\S+`, func(t *pbsTable, cell string) { t.name = cell }}

// job is the column of a job's id, without the server. The column cuts the server's name. The longer the number
// is, the fewer letters remain.
var job = column{`\d\S*`, func(t *pbsTable, cell string) {
	t.name, _, _ = strings.Cut(cell, ".")
	if strings.Contains(cell, "[]") {
		t.set("array", "True")
	}
}}

func rowOf(columns ...column) row {
	form := `^`
	for i, c := range columns {
		cell, maybe := strings.CutPrefix(c.form, "?")
		switch {
		case i == 0:
			form += `\s*(` + cell + `)`
		case maybe:
			form += `(?:\s+(` + cell + `))?`
		default:
			form += `\s+(` + cell + `)`
		}
	}
	return row{regexp.MustCompile(form + `$`), columns}
}

// A setting is an attribute of an object.
type setting struct{ name, value string }

// A pbsTable translates a table into JSON. The object of a row stays open for the lines below it.
type pbsTable struct {
	pbsForm
	entries int // number of entries in the open part
	name    string
	attrs   []setting // attributes of the current row
	open    bool

	isTorque bool
	server   string
	begun    bool // the heading was read
	guessed  bool // the last column is an expected start, with -T
	hosts    string
	comment  []string
}

func (t *pbsTable) set(name, value string) { t.attrs = append(t.attrs, setting{name, value}) }

func (t *pbsTable) start() string { return "{" + quoted(t.part) + ":{" }

func (t *pbsTable) end() string {
	out := t.close() + "}"
	if t.server != "" && t.part == "Queue" {
		out += `,"pbs_server":` + quoted(t.server)
	}
	return out + "}\n"
}

func (t *pbsTable) line(text string) string {
	trimmed := strings.TrimSpace(text)
	t.isTorque = t.isTorque || t.torque != nil && t.torque.MatchString(trimmed)
	switch {
	case isRule(text):
		return ""
	case t.head.MatchString(trimmed):
		t.begun = true
		return ""
	case t.above != nil && t.above(t, text):
		return ""
	}
	for _, r := range t.rows {
		if m := r.form.FindStringSubmatch(text); m != nil {
			return t.close() + t.row(r, m[1:])
		}
	}
	if t.below != nil && t.open && indentOf(text) > 0 {
		t.below(t, trimmed)
		return ""
	}
	// A line of unknown form ends the part. The part begins again after it.
	t.entries = 0
	return t.close() + "}," + quoted("line "+trimmed) + ":0," + quoted(t.part) + ":{"
}

// row writes an object without its last brace.
func (t *pbsTable) row(r row, cells []string) string {
	t.attrs, t.open = nil, true
	for i, c := range r.columns {
		c.put(t, cells[i])
	}
	if t.isTorque {
		t.set("torque_table", "True")
	}
	out := ""
	if t.entries++; t.entries > 1 {
		out = ","
	}
	return out + quoted(t.name) + ":{" + t.members()
}

// members writes the attributes of a row. Resources of one attribute form an object.
func (t *pbsTable) members() string {
	order := strings.Fields(t.order)
	place := func(s setting) int {
		name, resource, _ := strings.Cut(s.name, ".")
		return slices.Index(order, name)*len(order) + slices.Index(order, resource)
	}
	slices.SortStableFunc(t.attrs, func(a, b setting) int { return place(a) - place(b) })
	var b strings.Builder
	inside := ""
	for i, s := range t.attrs {
		name, resource, of := strings.Cut(s.name, ".")
		if inside != "" && inside != name {
			b.WriteByte('}')
		}
		if i > 0 {
			b.WriteByte(',')
		}
		if of && inside != name {
			b.WriteString(quoted(name) + ":{")
		}
		if inside = ""; of {
			inside, name = name, resource
		}
		b.WriteString(quoted(name) + ":" + quoted(s.value))
	}
	if inside != "" {
		b.WriteByte('}')
	}
	return b.String()
}

// close ends the object of the last row, with the lines below it.
func (t *pbsTable) close() (out string) {
	if !t.open {
		return ""
	}
	if t.hosts != "" {
		out += `,"exec_host":` + quoted(t.hosts)
	}
	if len(t.comment) > 0 {
		out += `,"comment":` + quoted(strings.Join(t.comment, " "))
	}
	t.open, t.hosts, t.comment = false, "", nil
	return out + "}"
}

// quoted writes a text in JSON.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}
