package listing

import (
	"fmt"
	"strings"
	"time"
)

// qconf prints JSON since Open Cluster Scheduler 9.2 (-fmt json), with a document for each object. A document
// becomes the output of qconf without -fmt. The schemas of the release show the values of each type.

// A qconfForm says how a document becomes text.
type qconfForm func(out *strings.Builder, object value)

// qconfForms are the types of documents that qprism reads, by the name of their schema.
var qconfForms = []struct {
	schema, name string // name is the name of the text in a bundle
	put          qconfForm
}{
	{"sched_conf", "sched_conf.txt", attributes},
	{"config", "conf.txt", configuration},
	{"complex_entry", "complex.txt", complexes},
	{"sharetree", "share_tree.txt", shareTree},
	{"cqueue", "queues/", clusterQueue},
	{"exechost", "hosts/", attributes},
	{"hostgroup", "hostgroups/", attributes},
	{"pe", "pes/", attributes},
	{"calendar", "calendars/", attributes},
	{"ckpt", "ckpts/", attributes},
	{"user", "users/", attributes},
	{"userset", "usersets/", attributes},
	{"project", "projects/", attributes},
	{"rqs", "rqs/", quotaSets},
	{"manager-list", "managers.txt", nameLines},
	{"operator-list", "operators.txt", nameLines},
	{"adminhost-list", "admin_hosts.txt", nameLines},
	{"submithost-list", "submit_hosts.txt", nameLines},
}

func qconfTables() (list []Table) {
	for _, f := range qconfForms {
		list = append(list, Table{Name: f.name, header: jsonHead("ocs-qconf-"+f.schema, ""), qconf: f.put})
	}
	return list
}

// text translates one document after another. The text of each begins in the line of its document.
func (f qconfForm) text(text []byte) []byte {
	var out strings.Builder
	t := &jsonText{rest: text}
	for t.peek() != 0 && !t.cut {
		missing := t.line - strings.Count(out.String(), "\n")
		out.WriteString(strings.Repeat("\n", max(missing, 0)))
		object := t.member(0)
		if t.cut {
			fmt.Fprintf(&out, "the document is cut off in line %d\n", t.line+1)
			break
		}
		f(&out, object)
	}
	return []byte(out.String())
}

// attributes writes lines of name and value, as most objects have them.
func attributes(out *strings.Builder, object value) {
	for _, m := range object.members {
		switch {
		case strings.HasPrefix(m.key, "$"):
		case m.key == "delete_time":
			fmt.Fprintf(out, "%s %d\n", m.key, sinceEpoch(m.text))
		default:
			fmt.Fprintf(out, "%s %s\n", m.key, plainValue(m))
		}
	}
}

// sinceEpoch turns a moment such as 2026-03-28T18:16:36 into seconds since 1970. It is 0 for any other text.
func sinceEpoch(moment string) int64 {
	at, err := time.Parse("2006-01-02T15:04:05", moment)
	if err != nil {
		return 0
	}
	return at.Unix()
}

func configuration(out *strings.Builder, object value) {
	out.WriteString("#global:\n")
	attributes(out, object)
}

// nameLines writes the names of a list, one a line.
func nameLines(out *strings.Builder, object value) {
	for _, m := range object.members {
		for _, name := range m.words() {
			out.WriteString(name + "\n")
		}
	}
}

// plainValue writes a value as text: NONE for nothing, a list of names, or of names with values.
func plainValue(v value) string {
	if v.isWord {
		return orNone(v.text)
	}
	var list []string
	between := ","
	for _, m := range v.members {
		switch {
		case m.isWord:
			list, between = append(list, m.text), " "
		default:
			list = append(list, m.get("name").text+"="+plainValue(m.get("value")))
		}
	}
	return orNone(strings.Join(list, between))
}

func orNone(text string) string {
	if text == "" {
		return "NONE"
	}
	return text
}

// clusterQueue writes a default for each attribute, and values for hosts and host groups: "1,[@big=8]".
func clusterQueue(out *strings.Builder, object value) {
	for _, m := range object.members {
		if strings.HasPrefix(m.key, "$") {
			continue
		}
		text, others := plainValue(m), ""
		if m.key != "qname" && m.key != "hostlist" && !m.isWord {
			text = "NONE"
			for _, o := range m.members {
				if name := o.get("name").text; name == "default" {
					text = plainValue(o.get("value"))
				} else {
					others += ",[" + name + "=" + plainValue(o.get("value")) + "]"
				}
			}
		}
		fmt.Fprintf(out, "%s %s%s\n", m.key, text, others)
	}
}

const complexColumns = "name shortcut type relop requestable consumable default urgency"

func complexes(out *strings.Builder, object value) {
	out.WriteString("#" + complexColumns + "\n")
	for _, c := range object.get("complex_entry").members {
		for _, column := range strings.Fields(complexColumns) {
			out.WriteString(orNone(c.get(column).text) + " ")
		}
		out.WriteString("\n")
	}
}

// shareTree numbers the nodes, because the text names children by number.
func shareTree(out *strings.Builder, root value) {
	nodes := []value{root}
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		var children []string
		for _, c := range n.get("childnodes").members {
			children = append(children, fmt.Sprint(len(nodes)))
			nodes = append(nodes, c)
		}
		kind := "0"
		if n.get("type").text == "PROJECT" {
			kind = "1"
		}
		fmt.Fprintf(out, "id=%d\nname=%s\ntype=%s\nshares=%s\nchildnodes=%s\n", i, n.get("name").text, kind,
			n.get("shares").text, orNone(strings.Join(children, ",")))
	}
}

func quotaSets(out *strings.Builder, object value) {
	for _, set := range object.get("rqs").members {
		fmt.Fprintf(out, "{\n name %s\n description %s\n enabled %s\n", set.get("name").text,
			orNone(set.get("description").text), set.get("enabled").text)
		for _, rule := range set.get("limit").members {
			out.WriteString(" limit")
			if name := rule.get("name").text; name != "" {
				out.WriteString(" name " + name)
			}
			for _, filter := range []string{"users", "projects", "pes", "queues", "hosts"} {
				out.WriteString(quotaFilter(filter, rule.get(filter)))
			}
			fmt.Fprintf(out, " to %s\n", plainValue(rule.get("to")))
		}
		out.WriteString("}\n")
	}
}

// quotaFilter writes a filter of a rule. It is empty if it matches everything. Braces mean a limit for each
// name.
func quotaFilter(name string, f value) string {
	names := f.get("scope").words()
	for _, x := range f.get("xscope").words() {
		names = append(names, "!"+x)
	}
	if len(names) == 0 {
		return ""
	}
	list := strings.Join(names, ",")
	if f.get("expand").text == "true" {
		list = "{" + list + "}"
	}
	return " " + name + " " + list
}
