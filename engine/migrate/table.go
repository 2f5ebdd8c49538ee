package migrate

import (
	_ "embed"
	"strings"

	"qprism/engine/model"
)

// A Rule is the translation of a line.
type Rule struct {
	Verdict    Verdict
	Into, Note string
}

// A Table has the rules for lines that no step of a translation handles. The file pbs.txt explains the format
// of a table.
type Table struct {
	concepts map[string]string       // what lines are about, by kind
	rules    map[[2]string]tableRule // by kind and key
}

// A tableRule is a rule for all values of a key but the usual ones, which have no effect.
type tableRule struct {
	usual  []string
	why    string
	other  Rule
	record bool // it does not hold for lines of a record that cannot be read
}

//go:embed pbs.txt
var pbsText string

var pbsTable = ReadTable(pbsText)

// ReadTable reads a table.
func ReadTable(text string) Table {
	t := Table{map[string]string{}, map[[2]string]tableRule{}}
	kind := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name, concept, _ := strings.Cut(strings.Trim(line, "[]"), ": ")
			kind, t.concepts[name] = name, concept
		default:
			keys, rule, _ := strings.Cut(line, " | ")
			for _, key := range strings.Fields(keys) {
				r := readRule(rule)
				if key != "*" {
					key, r.record = strings.CutSuffix(key, "*")
				}
				t.rules[[2]string{kind, key}] = r
			}
		}
	}
	return t
}

func readRule(text string) (r tableRule) {
	if values, rest, found := strings.Cut(text, " | "); found {
		usual, why, _ := strings.Cut(values, " = ")
		r.usual, r.why, text = strings.Split(usual, ";"), why, rest
	}
	verdict, words, _ := strings.Cut(text, ":")
	into, note, found := strings.Cut(words, " =>")
	if !found {
		into, note = "", words
	}
	into = strings.ReplaceAll(strings.TrimSpace(into), `\n`, "\n")
	r.other = Rule{Verdict: Verdict(verdict), Into: into, Note: strings.TrimSpace(note)}
	return r
}

// Rule finds the rule for a value of a key.
func (t Table) Rule(kind, key, value string) (Rule, bool) {
	r, known := t.rules[[2]string{kind, key}]
	for _, usual := range r.usual {
		if strings.EqualFold(usual, value) {
			return Rule{NoEffect, "", r.why}, true
		}
	}
	return r.other, known
}

// Fill replaces names such as "{object}" by words.
func (r Rule) Fill(namesAndWords ...string) Rule {
	x := strings.NewReplacer(namesAndWords...)
	r.Into, r.Note = x.Replace(r.Into), x.Replace(r.Note)
	return r
}

// ruleFor is the table's rule for a line; read says that the records of its file can be read.
func ruleFor(l model.Line, read bool) (Rule, bool) {
	switch {
	case l.Key == model.LineBlank:
		return Rule{NoEffect, "", "blank, or a comment"}, true
	case l.Kind == "conf" && pbsTable.concepts[l.Key] != "":
		return paramsRule(l), true
	case !read && pbsTable.rules[[2]string{l.Kind, l.Key}].record:
		return Rule{}, false
	}
	r, known := pbsTable.Rule(l.Kind, l.Key, l.Value)
	return r.Fill("{object}", l.Object), known
}

const unknownParameter = "nothing handles this parameter"

// paramsRule is the gravest of the rules for the parameters of a daemon on a line (sge_conf(5)). One that
// is not in the table may change anything.
func paramsRule(l model.Line) Rule {
	all := Rule{Verdict: NoEffect}
	var notes []string
	for _, word := range strings.FieldsFunc(l.Value, func(c rune) bool { return strings.ContainsRune(",; \t\r", c) }) {
		name, value, _ := strings.Cut(word, "=")
		r, known := pbsTable.Rule(l.Key, strings.ToUpper(name), "")
		switch {
		case strings.EqualFold(word, "none"):
			r = Rule{NoEffect, "", "none"}
		case !known:
			r = Rule{NoRule, "", unknownParameter}
		case strings.EqualFold(value, "false") || value == "0":
			r = Rule{NoEffect, "", "off"}
		}
		if r.Verdict.severity() > all.Verdict.severity() {
			all.Verdict = r.Verdict
		}
		notes = appendNew(notes, name+": "+r.Note)
	}
	all.Note = strings.Join(notes, "; ")
	return all
}

// tell notes what became of a line, by the table's rule for its key in a case that a step found: "rerun/off".
func (t *Translation) tell(p place, found string, namesAndWords ...string) {
	rule, known := pbsTable.Rule(p.kind, p.key+"/"+found, "")
	if !known {
		rule, known = pbsTable.Rule(p.kind, "any/"+found, "")
	}
	if !known {
		rule = Rule{NoRule, "", "nothing handles the case " + found}
	}
	rule = rule.Fill(namesAndWords...)
	t.say(p, rule.Verdict, rule.Into, rule.Note)
}
