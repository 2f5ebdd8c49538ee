package listing

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A span is a part of a text. It ends before the byte to.
type span struct{ from, to int }

// A Line is a line of a file that belongs to no listing.
type Line struct {
	Number int
	Text   string
}

// mostLines limits the lines that are listed one by one.
const mostLines = 100

// leftOf lists the lines of a part of a text, except rules.
func leftOf(text []byte, from, to int) (list []Line) {
	number, more := bytes.Count(text[:from], []byte{'\n'}), 0
	for line := range bytes.Lines(text[from:to]) {
		number++
		switch said := strings.TrimSpace(string(line)); {
		case isRule(said):
		case len(list) < mostLines:
			list = append(list, Line{number, said})
		default:
			more++
		}
	}
	if more > 0 {
		list = append(list, Line{number, fmt.Sprintf("%d lines more", more)})
	}
	return list
}

// withoutRemarks removes remarks.
func withoutRemarks(lines []Line) []Line {
	return slices.DeleteFunc(lines, func(l Line) bool { return strings.HasPrefix(l.Text, "#") })
}

// Parts finds the listings in a file, and the lines that belong to none. It returns nil if the file is one
// listing. Every listing except the first must follow its command. Parts joins listings of one kind, except
// objects of qconf. If a command appears twice, its last listing counts.
func Parts(text []byte, form func(head []byte) string) ([]*Table, []Line) {
	clean, quoted := AsPrinted(text)
	begins := commands(clean)
	if len(begins) == 0 && !strings.HasSuffix(form(clean), "/") {
		return nil, nil
	}
	p := &parts{text: clean, quoted: quoted, form: form}
	if len(begins) == 0 || begins[0] > 0 {
		begins = append([]int{0}, begins...)
	}
	for i, from := range begins {
		to := len(clean)
		if i+1 < len(begins) {
			to = begins[i+1]
		}
		p.part(from, to)
	}
	if len(p.list) == 1 && len(p.left) == 0 && len(p.list[0].own) == 1 || len(p.list) == 0 {
		return nil, nil
	}
	return p.list, p.left
}

// parts are the listings that were found so far in a file.
type parts struct {
	text   []byte
	quoted bool
	form   func(head []byte) string
	list   []*Table
	asked  [][]string // for each listing, the commands that printed its spans
	left   []Line
}

// part adds the text from a command up to the next one.
func (p *parts) part(from, to int) {
	text := p.text[from:to]
	t := Find(text, p.form)
	if t == nil && p.form(text) != "" {
		t = &Table{Name: p.form(text), plain: true}
	}
	if t == nil && from == 0 && remarks.Match(text) {
		return
	}
	if t == nil {
		p.left = append(p.left, leftOf(p.text, from, to)...)
		return
	}
	for _, l := range t.Left {
		p.left = append(p.left, Line{l.Number + bytes.Count(p.text[:from], []byte{'\n'}), l.Text})
	}
	if t.plain {
		t.put = func() putter { return &copied{} }
	}
	t.cut = strings.HasPrefix(t.Name, "qstat_f") && !bytes.Contains(text, []byte("job_state"))
	if !strings.HasSuffix(t.Name, "/") {
		p.take(t, span{from + t.above, to}, commandOf(text))
		return
	}
	begins := objectHead.FindAllIndex(text[t.above:], -1)
	if len(begins) == 0 {
		begins = [][]int{{0, 0}}
	}
	for i, at := range begins {
		object, end := *t, to
		if i+1 < len(begins) {
			end = from + t.above + begins[i+1][0]
		}
		p.take(&object, span{from + t.above + at[0], end}, fmt.Sprint(commandOf(text), i))
	}
}

// objectHead matches the first line of an object of qconf. Several objects stand one below the other.
var objectHead = regexp.MustCompile(
	`(?m)^[ \t]*(?:(?:qname|pe_name|group_name|calendar_name|ckpt_name)[ \t]+\S|hostname[ \t]+\S+[ \t\r]*\n[ \t]*load_scaling|` +
		`name[ \t]+\S+[ \t\r]*\n[ \t]*(?:type|oticket)[ \t]|\{[ \t\r]*\n[ \t]*name[ \t])`)

// remarks matches lines that a person wrote above the first command.
var remarks = regexp.MustCompile(`^(?:[ \t]*(?:#[^\n]*)?\n)*$`)

// take adds a listing.
func (p *parts) take(t *Table, own span, asked string) {
	for i, other := range p.list {
		if other.Name != t.Name {
			continue
		}
		if at := slices.Index(p.asked[i], asked); at >= 0 && asked != "" {
			p.left = append(p.left, Line{bytes.Count(p.text[:other.own[at].from], []byte{'\n'}),
				asked + ", which is printed again below"})
			other.own, p.asked[i] = slices.Delete(other.own, at, at+1), slices.Delete(p.asked[i], at, at+1)
		} else if strings.HasSuffix(t.Name, "/") {
			continue
		}
		other.own, p.asked[i] = append(other.own, own), append(p.asked[i], asked)
		return
	}
	t.own, t.quoted = []span{own}, p.quoted
	p.list, p.asked = append(p.list, t), append(p.asked, []string{asked})
}

// mostCommands is how many commands of a file are examined at most.
const mostCommands = 100

// commands finds lines with a command that may stand above a listing. Most files have none.
func commands(text []byte) (begins []int) {
	for _, word := range commandWords {
		for from := 0; len(begins) < mostCommands; {
			at := bytes.Index(text[from:], []byte(word))
			if at < 0 {
				break
			}
			begin := bytes.LastIndexByte(text[:from+at], '\n') + 1
			from += at + len(word)
			if end := bytes.IndexByte(text[from:], '\n'); end >= 0 && command.Match(text[begin:from+end+1]) {
				begins = append(begins, begin)
				from += end
			}
		}
	}
	begins = append(begins, kinds(text)...)
	slices.Sort(begins)
	return slices.Compact(begins)
}

// kinds finds the first object of each kind in a file with several kinds of PBS or Torque objects. It does not
// need the commands.
func kinds(text []byte) (begins []int) {
	for _, word := range []string{"Job Id: ", "Queue: ", "Server: "} {
		if bytes.HasPrefix(text, []byte(word)) {
			begins = append(begins, 0)
		} else if at := bytes.Index(text, []byte("\n"+word)); at >= 0 {
			begins = append(begins, at+1)
		}
	}
	if len(begins) < 2 {
		return nil
	}
	return begins
}

// commandWords are the commands that may stand above a listing.
var commandWords = []string{"qstat", "qhost", "qconf", "qacct", "pbsnodes", "qnodes", "qmgr", "pbs_rstat"}

// command matches a line with such a command, after a prompt, or alone with its options.
var command = regexp.MustCompile(`^(?:[^\n]*[$%>❯»#]\s*(?:/\S*/)?(?:` + strings.Join(commandWords, "|") + `)\b[^\n]*|` +
	`[ \t]*(?:/\S*/)?(?:` + strings.Join(commandWords, "|") + `)(?:[ \t]+-[^\n]*)?[ \t\r]*)\n`)

// asking matches the command in such a line.
var asking = regexp.MustCompile(`(?:` + strings.Join(commandWords, "|") + `)\b.*`)

// commandOf returns the command at the beginning of a text. It is empty if there is none.
func commandOf(text []byte) string {
	if line := command.Find(text); line != nil {
		return strings.TrimSpace(asking.FindString(string(line)))
	}
	return ""
}
