package match

import (
	"strings"

	"qprism/engine/model"
)

// Results of an expression. The scheduler applies the relational operators of string resources to these
// numbers.
const (
	Matches   = 0
	Differs   = 1
	Malformed = -1
)

// longest is the length from which on the master takes neither an expression nor a value.
const longest = 2048

// Expression compares a value of a string type with an expression: Matches, Differs or Malformed. It combines
// New and Match, for expressions that are used once.
func Expression(t model.ResourceType, pattern, value string) int {
	return New(t, pattern).Match(value)
}

// A Pattern is a parsed expression. The zero Pattern matches the empty string.
type Pattern struct {
	kind  model.ResourceType
	plain string // compared as a whole where node is nil
	node  node
	bad   bool
}

// New parses an expression of wildcards and the operators & | ! ( ), "!(node[1-4]|gpu*)". Without these
// characters the text is a plain word, and its blanks count.
func New(t model.ResourceType, text string) Pattern {
	if len(text) >= longest {
		return Pattern{kind: t, bad: true}
	}
	if !strings.ContainsAny(text, "*?[]&|!()") {
		return Pattern{kind: t, plain: fold(t, text)}
	}
	p := parser{rest: text, kind: t}
	n, ok := p.parse()
	return Pattern{kind: t, node: n, bad: !ok}
}

// Match compares a value: Matches, Differs or Malformed.
func (p Pattern) Match(value string) int {
	switch {
	case p.bad, len(value) >= longest:
		return Malformed
	case p.holds(fold(p.kind, value)):
		return Matches
	}
	return Differs
}

func (p Pattern) holds(folded string) bool {
	if p.node == nil {
		return p.plain == folded
	}
	return p.node.holds(folded)
}

// fold brings texts that are equal to a type into one form.
func fold(t model.ResourceType, text string) string {
	switch t {
	case model.TypeCString:
		return lower(text)
	case model.TypeHost:
		return Host(text)
	}
	return text
}

// Host is the form of a host name for comparisons: lower case, without domain. Names of host groups,
// "@group", keep their dots.
func Host(name string) string {
	if dot := strings.IndexByte(name, '.'); dot >= 0 && !strings.HasPrefix(name, "@") {
		name = name[:dot]
	}
	return lower(name)
}

// lower is strings.ToLower for ASCII letters alone, as tolower(3) has it in the C locale.
func lower(text string) string {
	for i := range len(text) {
		if isUpper(text[i]) {
			return lowerBytes(text)
		}
	}
	return text
}

func lowerBytes(text string) string {
	b := []byte(text)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
