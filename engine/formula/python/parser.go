package python

import (
	"slices"
	"strings"
)

// MaxDepth is how deep operators may nest in each other. The compiler of CPython 3.7 to 3.11 gives up with a RecursionError about
// 3,000 levels deep: in the scheduler of OpenPBS 23.06.06 with Python 3.11, a sum of 2,990 additions has a value and one of 2,995 has none.
const MaxDepth = 2990

// levels are the binary operators but "**", from the weakest to the strongest.
var levels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}

var keywords = map[string]bool{"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true,
	"await": true,
	"break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true, "finally": true,
	"for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true, "lambda": true, "nonlocal": true,
	"not": true, "or": true, "pass": true, "raise": true, "return": true, "try": true, "while": true, "with": true, "yield": true}

// A parser reads tokens from left to right. A problem is raised by panic with an *Error, which parse turns into a
// result.
type parser struct {
	tokens []token
	pos    int
	depth  int
}

// parse reads the tokens of a text by one rule of the grammar.
func parse[T any](text string, rule func(*parser) T) (result T, err *Error) {
	tokens, err := tokenize(text)
	if err != nil {
		return result, err
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	return rule(&parser{tokens: tokens}), nil
}

func (p *parser) peek() token { return p.tokens[p.pos] }

func (p *parser) take() token {
	t := p.tokens[p.pos]
	if t.kind != endToken {
		p.pos++
	}
	return t
}

func (p *parser) accept(operator string) bool {
	if p.peek().is(operator) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) acceptKeyword(word string) bool {
	if p.peek().keyword(word) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(operator string) {
	if !p.accept(operator) {
		panic(p.unexpected())
	}
}

// unexpected blames the next token.
func (p *parser) unexpected() *Error {
	t := p.peek()
	err := fail(SyntaxError, "invalid syntax").at(t.column)
	switch {
	case t.kind == endToken:
		return err.hint("something is missing at the end")
	case t.kind == nameToken && p.pos > 0 && p.tokens[p.pos-1].kind == nameToken && !keywords[t.word]:
		return err.hint("an operator is missing between the two names")
	case t.kind == nameToken && keywords[t.word]:
		return err.hint("a formula is one expression; statements are not allowed")
	}
	return err.hint(hintFor(t.word))
}

// enter counts a level of nesting; leave it with p.depth--.
func (p *parser) enter() {
	p.depth++
	if p.depth > MaxDepth {
		panic(fail(TooDeep, "operators nest more than %d deep", MaxDepth).at(p.peek().column))
	}
}

// single is one expression and nothing behind it.
func (p *parser) single() node {
	n := p.tuple()
	for p.peek().kind == newlineToken {
		p.pos++
	}
	if p.peek().kind != endToken {
		panic(p.unexpected())
	}
	return n
}

// tuple is an expression, or several with commas between.
func (p *parser) tuple() node {
	first := p.expression()
	if !p.peek().is(",") {
		return first
	}
	t := &sequence{place: place(first.column()), items: []node{first}}
	for p.accept(",") {
		if !p.startsExpression() {
			break
		}
		p.unpacked()
		t.items = append(t.items, p.expression())
	}
	return t
}

func (p *parser) startsExpression() bool {
	switch t := p.peek(); t.kind {
	case endToken, newlineToken:
		return false
	case operatorToken:
		return slices.Contains([]string{"(", "[", "{", "-", "+", "~", "*", "...", "."}, t.word)
	case nameToken:
		return !keywords[t.word] || slices.Contains([]string{"True", "False", "None", "not", "lambda"}, t.word)
	}
	return true
}

// expression is a choice, or a lambda.
func (p *parser) expression() node {
	p.enter()
	defer func() { p.depth-- }()
	t := p.peek()
	if p.acceptKeyword("lambda") {
		return p.lambda(t)
	}
	yes := p.or()
	if !p.acceptKeyword("if") {
		return yes
	}
	condition := p.or()
	if !p.acceptKeyword("else") {
		panic(fail(SyntaxError, "expected 'else' after 'if' expression").at(t.column).hint(`write "x if condition else y"`))
	}
	return &choice{place(t.column), condition, yes, p.expression()}
}

// unpacked stops at "*" before an item, which Python would replace by the items in it.
func (p *parser) unpacked() {
	if t := p.peek(); t.is("*") || t.is("**") {
		panic(fail(Unsupported, "unpacked arguments are not computed here").at(t.column))
	}
}

func (p *parser) lambda(t token) node {
	n := &lambda{place: place(t.column)}
	for !p.accept(":") {
		if len(n.params) > 0 {
			p.expect(",")
		}
		param := p.take()
		if param.kind != nameToken || keywords[param.word] {
			p.pos--
			panic(p.unexpected())
		}
		n.params = append(n.params, param.word)
	}
	n.body = p.expression()
	return n
}

func (p *parser) or() node {
	return p.logic("or", func() node { return p.logic("and", p.not) })
}

func (p *parser) logic(word string, operand func() node) node {
	first := operand()
	if !p.peek().keyword(word) {
		return first
	}
	n := &logic{place(p.peek().column), word == "or", []node{first}}
	for p.acceptKeyword(word) {
		n.items = append(n.items, operand())
	}
	return n
}

func (p *parser) not() node {
	t := p.peek()
	if !p.acceptKeyword("not") {
		return p.comparison()
	}
	p.enter()
	defer func() { p.depth-- }()
	return &negation{place(t.column), p.not()}
}

func (p *parser) comparison() node {
	first := p.operators(0)
	column := p.peek().column
	op := p.comparator()
	if op == "" {
		return first
	}
	n := &comparison{place: place(column), operands: []node{first}}
	for ; op != ""; op = p.comparator() {
		n.operators = append(n.operators, op)
		n.operands = append(n.operands, p.operators(0))
	}
	return n
}

// comparator takes the operator of a comparison; it is empty where there is none.
func (p *parser) comparator() string {
	t := p.peek()
	switch {
	case t.kind == operatorToken && slices.Contains([]string{"<", ">", "<=", ">=", "==", "!="}, t.word):
		p.pos++
		return t.word
	case t.keyword("in"):
		p.pos++
		return "in"
	case t.keyword("not") && p.pos+1 < len(p.tokens) && p.tokens[p.pos+1].keyword("in"):
		p.pos += 2
		return "not in"
	case t.keyword("is"):
		panic(fail(Unsupported, `"is" compares objects, not values; it is not computed here`).at(t.column).hint(`compare with "=="`))
	}
	return ""
}

// operators reads the binary operators from one level on.
func (p *parser) operators(level int) node {
	if level == len(levels) {
		return p.sign()
	}
	left := p.operators(level + 1)
	for t := p.peek(); t.kind == operatorToken && slices.Contains(levels[level], t.word); t = p.peek() {
		p.pos++
		left = &binary{place(t.column), t.word, left, p.operators(level + 1)}
	}
	return left
}

func (p *parser) sign() node {
	t := p.peek()
	if !t.is("-") && !t.is("+") && !t.is("~") {
		return p.power()
	}
	p.pos++
	p.enter()
	defer func() { p.depth-- }()
	return &sign{place(t.column), t.word, p.sign()}
}

func (p *parser) power() node {
	base := p.primary()
	t := p.peek()
	if !p.accept("**") {
		return base
	}
	p.enter()
	defer func() { p.depth-- }()
	return &binary{place(t.column), "**", base, p.sign()}
}

// primary is an atom with calls, indexes and attributes behind it.
func (p *parser) primary() node {
	n := p.atom()
	for {
		t := p.peek()
		switch {
		case p.accept("("):
			n = &call{place(t.column), n, p.arguments()}
		case p.accept("["):
			n = p.index(t, n)
		case p.accept("."):
			word := p.take()
			if word.kind != nameToken || keywords[word.word] {
				panic(p.unexpected())
			}
			n = &attribute{place(t.column), n, word.word}
		default:
			return n
		}
	}
}

func (p *parser) index(t token, x node) node {
	if p.peek().is(":") {
		panic(fail(Unsupported, "slices are not computed here").at(p.peek().column))
	}
	at := p.tuple()
	if p.peek().is(":") {
		panic(fail(Unsupported, "slices are not computed here").at(p.peek().column))
	}
	p.expect("]")
	return &index{place(t.column), x, at}
}

func (p *parser) arguments() []node {
	var args []node
	for !p.accept(")") {
		if len(args) > 0 {
			p.expect(",")
			if p.accept(")") {
				break
			}
		}
		p.unpacked()
		args = append(args, p.expression())
		switch t := p.peek(); {
		case t.is("="):
			panic(fail(Unsupported, "arguments by name are not computed here").at(t.column))
		case t.is(":="):
			panic(fail(Unsupported, `":=" is not computed here`).at(t.column))
		case t.keyword("for"):
			panic(fail(Unsupported, "comprehensions are not computed here").at(t.column))
		}
	}
	return args
}

func (p *parser) atom() node {
	t := p.take()
	at := place(t.column)
	switch t.kind {
	case numberToken:
		v, err := parseNumber(t.word)
		if err != nil {
			panic(err.at(t.column))
		}
		return &constant{at, v}
	case textToken:
		panic(fail(Unsupported, "texts in quotes are not computed here").at(t.column))
	case nameToken:
		if n := p.word(t); n != nil {
			return n
		}
	case operatorToken:
		switch t.word {
		case "(":
			return p.brackets(t)
		case "[":
			return p.list(t)
		case "{":
			panic(fail(Unsupported, "sets and dictionaries are not computed here").at(t.column))
		case "...":
			panic(fail(Unsupported, "an ellipsis is not computed here").at(t.column))
		}
	}
	if t.kind != endToken {
		p.pos--
	}
	panic(p.unexpected())
}

// word is a name, or a constant; nil for other keywords.
func (p *parser) word(t token) node {
	switch t.word {
	case "True":
		return &constant{place(t.column), boolean(true)}
	case "False":
		return &constant{place(t.column), boolean(false)}
	case "None":
		return &constant{place(t.column), none}
	}
	if keywords[t.word] {
		return nil
	}
	return &name{place(t.column), t.word}
}

// brackets are an expression in brackets, or a tuple.
func (p *parser) brackets(t token) node {
	if p.accept(")") {
		return &sequence{place: place(t.column)}
	}
	p.unpacked()
	n := p.tuple()
	p.closed(")")
	return n
}

func (p *parser) list(t token) node {
	n := &sequence{place: place(t.column), list: true}
	for !p.accept("]") {
		if len(n.items) > 0 {
			p.expect(",")
			if p.accept("]") {
				break
			}
		}
		p.unpacked()
		n.items = append(n.items, p.expression())
		if next := p.peek(); !next.is(",") && !next.is("]") {
			p.closed("]")
			break
		}
	}
	return n
}

// closed takes the closing bracket.
func (p *parser) closed(bracket string) {
	switch t := p.peek(); {
	case t.keyword("for"), t.keyword("async"):
		panic(fail(Unsupported, "comprehensions are not computed here").at(t.column))
	case t.is(":="):
		panic(fail(Unsupported, `":=" is not computed here`).at(t.column))
	}
	p.expect(bracket)
}

// An assignment is a statement: names, and the value that they get. Without names it is an expression.
type assignment struct {
	names []string
	value node
}

// assignments are the statements of a text: expressions and assignments, with ";" or line breaks between.
func (p *parser) assignments() []assignment {
	var list []assignment
	for {
		list = append(list, p.assignment())
		if !p.accept(";") && p.peek().kind == endToken {
			return list
		}
		for p.peek().kind == newlineToken {
			p.pos++
		}
		if p.peek().kind == endToken {
			return list
		}
		if t := p.tokens[p.pos-1]; t.kind != newlineToken && !t.is(";") {
			panic(p.unexpected())
		}
		p.plain()
	}
}

// plain stops at statements that are neither expressions nor assignments.
func (p *parser) plain() {
	t := p.peek()
	annotation := t.kind == nameToken && p.tokens[min(p.pos+1, len(p.tokens)-1)].is(":")
	if annotation || keywords[t.word] && !p.startsExpression() {
		panic(fail(Unsupported, "a statement such as this is not computed here").at(t.column).hint("a formula is one expression"))
	}
}

func (p *parser) assignment() (a assignment) {
	for {
		a.value = p.tuple()
		t := p.peek()
		if !p.accept("=") {
			return a
		}
		a.names = append(a.names, targets(a.value, t)...)
	}
}

// targets are the names that an assignment sets.
func targets(n node, equals token) []string {
	switch n := n.(type) {
	case *name:
		return []string{n.word}
	case *sequence:
		var names []string
		for _, item := range n.items {
			names = append(names, targets(item, equals)...)
		}
		return names
	case *index, *attribute:
		panic(fail(Unsupported, "assignments to parts of objects are not computed here").at(n.column()))
	}
	panic(fail(SyntaxError,
		"cannot assign to expression here. Maybe you meant '==' instead of '='?").at(n.column()).hint(hintFor(equals.word)))
}

// treeText is the tree in Python's words, with as few brackets as it needs.
func treeText(n node) string {
	var b strings.Builder
	n.print(&b)
	return b.String()
}
