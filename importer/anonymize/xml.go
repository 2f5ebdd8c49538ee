package anonymize

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"qprism/importer"
	"qprism/importer/gridengine"
)

// dropped are elements with private content, on which no number depends.
var dropped = listed("dropped")

// named are elements whose text is a name. The text of any other element is a value. A predecessor may be a
// job's name or number.
var named = listed("named")

// resourced are elements whose attribute "name" is a resource, or a value that every host or queue has.
var resourced = set(`resource resourcevalue hostvalue queuevalue`)

// states are elements whose text is letters of the master.
var states = set(`state qtype`)

// elements are names of elements outside the master's lists. In these lists, a name has a prefix and an
// underscore.
var elements = listed("elements")

// Facts about a job in qhost -j, and those that are names.
var (
	namedValues = set(`qinstance_name queue_name job_name job_owner`)
	jobValues   = union(namedValues, set(`priority job_state start_time pe_master taskid`))
)

var (
	listName  = regexp.MustCompile(`^[A-Z]{1,5}_[A-Za-z_]+$`)
	tagName   = regexp.MustCompile(`^[a-z_:-]+$`)
	stateText = regexp.MustCompile(
		`^([acdhoqrstuwxzABCDEINOPRSTQ]{1,8}|BATCH|INTERACTIVE|PARALLEL|CHECKPOINTING|running|pending|finished|zombie|error|suspended|hold|orphaned| )*$`)
	attribute = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_:-]*)\s*=\s*("[^"]*"|'[^']*')`)
	entity    = regexp.MustCompile(`&(?:amp|lt|gt|quot|apos|#[0-9]+|#[xX][0-9a-fA-F]+);|%lt;`)
)

// An open element.
type open struct {
	tag   string
	named string // its attribute "name"
}

// xml writes a document. It keeps numbers in unknown elements.
func (w *writer) xml(name string, data []byte) ([]byte, error) {
	x := &xmlWriter{writer: w, file: name}
	for len(data) > 0 {
		i := bytes.IndexByte(data, '<')
		if i < 0 {
			i = len(data)
		}
		x.text(string(data[:i]))
		data = data[i:]
		n := tagLength(data)
		if n < 0 {
			return nil, &importer.Problem{File: name, Text: string(data[:min(len(data), 80)]),
				Err: errors.New("a tag without an end")}
		}
		if err := x.tag(string(data[:n])); err != nil {
			return nil, &importer.Problem{File: name, Text: string(data[:n]), Err: err}
		}
		data = data[n:]
	}
	return x.out.Bytes(), nil
}

// tagLength is the length of the tag at the start of a text. It is 0 for an empty text, and negative if the
// tag has no end.
func tagLength(data []byte) int {
	var quote byte
	for i, c := range data {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -min(len(data), 1)
}

type xmlWriter struct {
	*writer
	file  string
	out   bytes.Buffer
	stack []open
	drop  int // depth of the element that is left out; 0 for none
}

func (x *xmlWriter) tag(tag string) error {
	switch {
	case tag == "":
		return nil
	case strings.HasPrefix(tag, "<?xml"):
		x.out.WriteString("<?xml version='1.0'?>")
		return nil
	case strings.HasPrefix(tag, "<!") || strings.HasPrefix(tag, "<?"):
		return errors.New("neither an element nor its end")
	case strings.HasPrefix(tag, "</"):
		return x.end()
	}
	return x.start(strings.TrimSuffix(strings.TrimSuffix(tag[1:], ">"), "/"), strings.HasSuffix(tag, "/>"))
}

func (x *xmlWriter) start(inside string, closed bool) error {
	name, rest := inside, ""
	if i := strings.IndexAny(inside, " \t\r\n"); i >= 0 {
		name, rest = inside[:i], inside[i:]
	}
	x.stack = append(x.stack, open{tag: name})
	if x.drop == 0 && (dropped[name] || !x.knows(name) || x.file == "qhost.xml" && name == "job" && x.listsJobs()) {
		x.drop = len(x.stack)
	}
	if x.drop == 0 {
		x.out.WriteString("<" + name + x.attributes(name, rest) + ">")
	}
	if closed {
		return x.end()
	}
	return nil
}

// listsJobs reports whether another file has the jobs of qhost -j, with more facts.
func (x *xmlWriter) listsJobs() bool {
	return slices.ContainsFunc([]string{"qstat.xml", "qstat-f.xml", "qstat-j.xml"}, func(name string) bool {
		return !absent(x.bundle, name)
	})
}

// knows reports whether the name of an element may be written.
func (x *xmlWriter) knows(name string) bool {
	switch {
	case elements[name]:
	case name == "line": // of a table in an unknown form
		x.leave(x.file, "lines of no known form", unruled)
		return false
	case listName.MatchString(name):
		x.isFormat(name)
	case tagName.MatchString(name): // the final check finds names of the cluster
	default:
		x.leave(x.file, "element "+name, "no rule says what it holds")
		return false
	}
	return true
}

func (x *xmlWriter) end() error {
	last := len(x.stack) - 1
	if last < 0 {
		return errors.New("the end of no element")
	}
	if x.drop == 0 {
		x.out.WriteString("</" + x.stack[last].tag + ">")
	}
	if x.drop == len(x.stack) {
		x.drop = 0
	}
	x.stack = x.stack[:last]
	return nil
}

// attributes writes the attributes of a tag. Of name spaces it keeps only the web site of a known product: it
// shows the release, and how "<" is written.
func (x *xmlWriter) attributes(tag, text string) string {
	var b strings.Builder
	for _, m := range attribute.FindAllStringSubmatch(text, -1) {
		key, value := m[1], m[2][1:len(m[2])-1]
		if strings.HasPrefix(key, "xmlns") {
			if home := gridengine.HomeOf(value); key == "xmlns:xsd" && home != "" {
				x.isFormat(home)
				b.WriteString(` xmlns:xsd="` + home + `"`)
			}
			continue
		}
		if key == "name" {
			x.stack[len(x.stack)-1].named = value
		}
		fmt.Fprintf(&b, ` %s="%s"`, key, strings.ReplaceAll(x.attributeValue(tag, key, value), `"`, "&quot;"))
	}
	return b.String()
}

var letters = regexp.MustCompile(`^[a-z]{1,2}$`)

func (x *xmlWriter) attributeValue(tag, key, value string) string {
	switch {
	case key == "name" && tag == "jobvalue" && jobValues[value]:
		return value
	case key == "name" && (resourced[tag] || strings.HasSuffix(tag, "_request")):
		return x.escaped(value, x.Value)
	case key == "name" && tag == "job": // its number
		return x.escaped(value, x.Value)
	case key == "name" || key == "qname" || key == "queue_instance" || key == "user" || key == "host":
		return x.escaped(value, x.Name)
	case key == "state":
		return x.escaped(value, x.state)
	case (key == "type" && tag == "resource" || key == "dominance") && letters.MatchString(value):
		return value // shows where the value of the resource comes from
	}
	return x.escaped(value, x.Value)
}

// text writes the text of the innermost open element.
func (x *xmlWriter) text(text string) {
	if x.drop != 0 {
		return
	}
	if strings.TrimSpace(text) == "" || len(x.stack) == 0 {
		x.out.WriteString(text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))])
		return
	}
	x.out.WriteString(x.escaped(text, x.mode(x.stack[len(x.stack)-1])))
}

// mode chooses how to write the text of an element.
func (x *xmlWriter) mode(e open) func(string) string {
	switch {
	case e.tag == "jobvalue" && e.named == "job_state":
		return x.state
	case e.tag == "jobvalue" && namedValues[e.named]:
		return x.Name
	case states[e.tag] || e.tag == "queuevalue" && (e.named == "qtype_string" || e.named == "state_string"):
		return x.state
	case named[e.tag]:
		return x.Name
	case e.tag == "MES_message" || e.tag == "message":
		return x.Free
	case e.tag == "UA_name":
		return func(text string) string { return x.ValueOf(text, usageNames) }
	}
	return x.Value
}

var usageNames = set("cpu mem io iow vmem maxvmem submission_time start_time end_time priority " +
	"exit_status signal wallclock finished_jobs")

// state writes the letters of a state, or a word for a state.
func (w *writer) state(text string) string {
	if stateText.MatchString(text) {
		return text
	}
	return w.Name(text)
}

// escaped writes a text of a document. Escapes stay, unless they stand for a letter.
func (x *xmlWriter) escaped(text string, write func(string) string) string {
	if !strings.ContainsAny(text, "&%") {
		return write(text)
	}
	text = entity.ReplaceAllStringFunc(text, func(e string) string {
		if plain := html.UnescapeString(e); plain != e && isWord(plain) {
			return plain
		}
		return e
	})
	var b strings.Builder
	last := 0
	for _, at := range entity.FindAllStringIndex(text, -1) {
		b.WriteString(write(text[last:at[0]]))
		b.WriteString(text[at[0]:at[1]])
		last = at[1]
	}
	return b.String() + write(text[last:])
}
