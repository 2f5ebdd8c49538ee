package match

import (
	"strings"

	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// A node is a part of an expression that holds for a value or not.
type node interface{ holds(value string) bool }

type (
	not  struct{ of node }
	all  []node
	some []node
	word struct{ plain string }
	wild struct{ glob.Pattern }
)

func (n not) holds(value string) bool  { return !n.of.holds(value) }
func (n word) holds(value string) bool { return n.plain == value }
func (n wild) holds(value string) bool { return n.Match(value) }

func (n all) holds(value string) bool {
	for _, part := range n {
		if !part.holds(value) {
			return false
		}
	}
	return true
}

func (n some) holds(value string) bool {
	for _, part := range n {
		if part.holds(value) {
			return true
		}
	}
	return false
}

// A parser reads
//
//	or     = and { "|" and }
//	and    = simple { "&" simple }
//	simple = "!" simple | "(" or ")" | word
//
// where blanks may stand between all of these, and end a word.
type parser struct {
	rest string
	kind model.ResourceType
}

func (p *parser) parse() (node, bool) {
	n, ok := p.or()
	return n, ok && p.skipBlanks() == ""
}

func (p *parser) or() (node, bool) {
	first, ok := p.and()
	parts := some{first}
	for ok && p.take("|") {
		var next node
		next, ok = p.and()
		parts = append(parts, next)
	}
	if len(parts) == 1 {
		return first, ok
	}
	return parts, ok
}

func (p *parser) and() (node, bool) {
	first, ok := p.simple()
	parts := all{first}
	for ok && p.take("&") {
		var next node
		next, ok = p.simple()
		parts = append(parts, next)
	}
	if len(parts) == 1 {
		return first, ok
	}
	return parts, ok
}

func (p *parser) simple() (node, bool) {
	switch {
	case p.take("!"):
		n, ok := p.simple()
		return not{n}, ok
	case p.take("("):
		n, ok := p.or()
		return n, ok && p.take(")")
	}
	return p.word()
}

func (p *parser) word() (node, bool) {
	end := strings.IndexAny(p.skipBlanks(), "!|&() ")
	if end < 0 {
		end = len(p.rest)
	}
	if end == 0 {
		return nil, false
	}
	text := p.rest[:end]
	p.rest = p.rest[end:]
	if strings.ContainsAny(text, "*?[]") {
		return wild{glob.New(fold(p.kind, text))}, true
	}
	return word{fold(p.kind, text)}, true
}

// skipBlanks is what remains behind blanks.
func (p *parser) skipBlanks() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	return p.rest
}

// take takes an operator off the front, where it is that one.
func (p *parser) take(operator string) bool {
	rest, ok := strings.CutPrefix(p.skipBlanks(), operator)
	p.rest = rest
	return ok
}
