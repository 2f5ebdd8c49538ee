package records

import (
	"bytes"
	"strings"
	"unicode"

	"qprism/engine/model"
	"qprism/importer/source"
)

// A recordForm is a file with events and state, not configuration, and the form of its lines.
type recordForm struct {
	kind string
	is   func(text []byte) bool
}

// recordForms are the forms of the files in a bundle. For XML, the snapshot lists the unknown elements.
var recordForms = map[string]recordForm{
	"qstat.xml":         {"jobs", isXML},
	"qstat-j.xml":       {"jobs", isXML},
	"qstat-f.xml":       {"state", isXML},
	"qhost.xml":         {"state", isXML},
	"qrstat.xml":        {"reservations", isXML},
	"qrstat-ar.xml":     {"reservations", isXML},
	"qstat-j.txt":       {"print", isJobText},
	"qstat-pri.txt":     {"print", isTable},
	"qstat-urg.txt":     {"print", isTable},
	"qstat-ext.txt":     {"print", isTable},
	"qquota.txt":        {"print", isTable},
	"categories.txt":    {"print", isTable},
	"qstat-help.txt":    {"release", isHelp},
	"event_clients.txt": {"state", isTable},
	"sge_share_mon.txt": {"usage", isShares},
	"schedule":          {"log", has(8, ':')},
	"messages":          {"log", has(4, '|')},
	"accounting":        {"log", has(30, ':')},
	"reporting":         {"log", has(2, ':')},
	"accounting.jsonl":  {"log", isJSON},
	"reporting.jsonl":   {"log", isJSON},
}

// has reports whether a line is a comment, or has this number of separators.
func has(separators int, c byte) func([]byte) bool {
	return func(text []byte) bool { return text[0] == '#' || bytes.Count(text, []byte{c}) >= separators }
}

func isShares(text []byte) bool { return bytes.Count(text, []byte{'\t'}) >= len(shareFields)-1 }

// isJobText reports whether a line belongs to qstat -j: a rule, a word and a colon, or a continuation after
// blanks.
func isJobText(text []byte) bool {
	label, _, ok := bytes.Cut(text, []byte{':'})
	return ok && len(bytes.Fields(label)) <= 4 || startsWith(text, "==") || text[0] == ' '
}

// isXML accepts every line, because elements have names and texts may have several lines.
func isXML([]byte) bool { return true }

func isJSON(text []byte) bool { return text[0] == '{' }

func startsWith(text []byte, mark string) bool { return bytes.HasPrefix(text, []byte(mark)) }

// isTable reports whether a line belongs to a table: its heading, dashes, a row that begins with a number, or
// details after blanks.
func isTable(text []byte) bool {
	word := bytes.TrimLeft(text, " \t\r")
	return len(word) == 0 || len(word) < len(text) || unicode.IsDigit(rune(word[0])) || startsWith(word, "--") ||
		startsWith(word, "job-ID") ||
		startsWith(word, "resource quota rule")
}

// isHelp reports whether a line belongs to qstat -help: the release, "usage:", or an indented text.
func isHelp(text []byte) bool {
	words := bytes.Fields(text)
	last := words[len(words)-1]
	return unicode.IsDigit(rune(last[0])) && len(words) > 1 || text[0] == ' ' || text[0] == '\t' ||
		startsWith(text, "usage:")
}

// Lines makes one Line for each record of a file, and one for each line that is not a record. A file of unknown
// form becomes one Line.
func Lines(r *source.Reader, name string) ([]model.Line, error) {
	f := recordForms[name]
	all := model.Line{File: name, Number: 1, Kind: f.kind}
	if f.kind != "" {
		all.Key = model.LineRecords
	}
	var odd []model.Line
	err := r.EachLine(name, func(number int, text []byte) error {
		text = bytes.TrimRight(text, "\r")
		switch {
		case len(bytes.TrimSpace(text)) == 0 || f.is == nil || f.is(text):
			if all.Count++; all.Text == "" {
				all.Text = shortened(bytes.TrimSpace(text))
			}
		case len(odd) == maxOdd:
			odd[maxOdd-1].Count++
		default:
			odd = append(odd, model.Line{File: name, Number: number, Count: 1, Kind: f.kind,
				Text: shortened(bytes.TrimSpace(text))})
		}
		return nil
	})
	return append([]model.Line{all}, odd...), err
}

// maxOdd limits the lines of a record file that are listed one by one. The last entry counts the rest.
const maxOdd = 1000

func shortened(text []byte) string {
	return strings.ToValidUTF8(string(text[:min(len(text), source.MaxKept)]), "�")
}
