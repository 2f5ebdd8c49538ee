package python

import "strings"

// maxNesting is how deep brackets, signs and choices may nest. Python lets 200 brackets nest from 3.9 on,
// and 93 before.
const maxNesting = 200

// maxDepth is how deep operators may nest in each other, as in a sum of so many terms: CPython 3.7 to 3.11 raises a
// RecursionError about 3,000 levels deep, and the scheduler of OpenPBS 23.06.06 fails between 2,990 and 2,995.
const maxDepth = 2990

// A parser reads tokens from left to right. It raises a problem by panic with an *Error, which parse turns
// into a result.
type parser struct {
	tokens []token
	pos    int
	nested int
	names  []Name
	slots  map[string]int // of the names
}

// parse is the tree of a text, and its names.
func parse(text string) (root *node, names []Name, err *Error) {
	tokens, err := tokenize(text)
	if err != nil {
		return nil, nil, err
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
	p := &parser{tokens: tokens, slots: map[string]int{}}
	root = p.choice()
	if p.peek().kind != endToken {
		panic(p.unexpected())
	}
	return root, p.names, nil
}

func (p *parser) peek() token { return p.tokens[p.pos] }

// accept takes the next token where it is this keyword or operator.
func (p *parser) accept(word string) bool {
	if t := p.peek(); t.word != word || t.kind == endToken {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expect(word string) {
	if !p.accept(word) {
		panic(p.unexpected())
	}
}

// A refusal is why a word of Python cannot stand where it stands.
type refusal struct{ class, message, hint string }

func (r refusal) at(column int) *Error {
	return fail(r.class, "%s", r.message).at(column).hint(r.hint)
}

var rows = refusal{Unsupported, "rows of values are not numbers, and qprism does not compute them", ""}

// refusals are the words that end an expression as it is computed here.
var refusals = map[string]refusal{
	"=": {Statement, "invalid syntax", `write one expression; compare with "=="`},
	";": {Statement, "invalid syntax", "write one expression"},

	"!": {SyntaxError, "invalid syntax", `Python writes "not"`},
	"?": {SyntaxError, "invalid syntax", `Python writes a choice as "x if condition else y"`},
	"$": {SyntaxError, "invalid syntax", "a resource is written by its name alone"},

	"(":      {Unsupported, "only functions of Python can be called", ""},
	"[":      {Unsupported, "qprism does not compute lists", `choose with "x if c else y"`},
	"in":     {Unsupported, "qprism does not compute lists", `choose with "x if c else y"`},
	"{":      {Unsupported, "qprism does not compute sets and dictionaries", ""},
	",":      rows,
	".":      {Unsupported, "qprism does not compute attributes", "a formula cannot read what a job has used"},
	":":      {Unsupported, `qprism does not compute ":"`, ""},
	"|":      {Unsupported, "qprism does not compute operators of bits", `Python writes "or"`},
	"&":      {Unsupported, "qprism does not compute operators of bits", `Python writes "and"`},
	"~":      {Unsupported, "qprism does not compute operators of bits", `Python writes "not"`},
	"<<":     {Unsupported, "qprism does not compute shifts", "multiply by 2**n"},
	">>":     {Unsupported, "qprism does not compute shifts", "divide by 2**n with //"},
	"@":      {Unsupported, "qprism does not compute products of matrices", ""},
	"'":      {Unsupported, "qprism does not compute texts in quotes", ""},
	`"`:      {Unsupported, "qprism does not compute texts in quotes", ""},
	"\n":     {Unsupported, "qprism does not read line breaks", "write it in one line"},
	"j":      {Unsupported, "qprism does not compute imaginary numbers", ""},
	"J":      {Unsupported, "qprism does not compute imaginary numbers", ""},
	"None":   {Unsupported, "None is not a number, and qprism does not compute it", ""},
	"is":     {Unsupported, `"is" compares objects, not values`, `compare with "=="`},
	"not":    {Unsupported, `qprism does not compute "not" here`, "put it in brackets"},
	"for":    {Unsupported, "qprism does not compute comprehensions", ""},
	"lambda": {Unsupported, "qprism does not compute functions that the formula defines", ""},
}

var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, word := range strings.Fields(`False None True and as assert async await break class continue def del elif else
		except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`) {
		m[word] = true
	}
	return m
}()

// unexpected blames the next token.
func (p *parser) unexpected() *Error {
	t := p.peek()
	refusal, refused := refusals[t.word]
	switch {
	case refused:
		return refusal.at(t.column)
	case t.word != "" && t.word[0] >= 0x80:
		return fail(Unsupported, "qprism does not read %q", t.word).at(t.column)
	}
	err := fail(SyntaxError, "invalid syntax").at(t.column)
	switch {
	case t.kind == endToken:
		return err.hint("something is missing at the end")
	case keywords[t.word]:
		return err.hint("a formula is one expression; statements are not allowed")
	case t.kind == nameToken && p.pos > 0 && p.tokens[p.pos-1].kind == nameToken:
		return err.hint("an operator is missing between the two names")
	}
	return err
}

// nest reads one level deeper.
func (p *parser) nest(read func() *node) *node {
	if p.nested++; p.nested > maxNesting {
		panic(fail(Unsupported, "brackets, signs or choices nest more than %d deep", maxNesting).at(p.peek().column))
	}
	n := read()
	p.nested--
	return n
}

// node makes a node of an operator and its operands.
func (p *parser) node(kind nodeKind, t token, parts ...*node) *node {
	n := &node{kind: kind, column: t.column, word: t.word, parts: parts}
	for _, part := range parts {
		n.depth = max(n.depth, part.depth+1)
	}
	if n.depth > maxDepth {
		panic(fail(Unsupported, "more than %d operations nest in each other; Python gives up there", maxDepth).
			at(t.column).hint("put brackets around halves of a long sum, so that they nest less"))
	}
	return n
}

// choice is an expression: x if condition else y.
func (p *parser) choice() *node {
	yes := p.or()
	t := p.peek()
	if !p.accept("if") {
		return yes
	}
	condition := p.or()
	p.expect("else")
	return p.node(choiceNode, t, yes, condition, p.nest(p.choice))
}

func (p *parser) or() *node {
	return p.logic(orNode, "or", func() *node { return p.logic(andNode, "and", p.not) })
}

func (p *parser) logic(kind nodeKind, word string, operand func() *node) *node {
	parts := []*node{operand()}
	t := p.peek()
	for p.accept(word) {
		parts = append(parts, operand())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return p.node(kind, t, parts...)
}

func (p *parser) not() *node {
	if t := p.peek(); p.accept("not") {
		return p.node(notNode, t, p.nest(p.not))
	}
	return p.comparison()
}

// comparison is a chain: a < b <= c.
func (p *parser) comparison() *node {
	parts := []*node{p.binary(1)}
	var words []string
	t := p.peek()
	for comparators[p.peek().word] {
		words = append(words, p.peek().word)
		p.pos++
		parts = append(parts, p.binary(1))
	}
	if len(words) == 0 {
		return parts[0]
	}
	n := p.node(compareNode, t, parts...)
	n.words = words
	return n
}

// binary reads the binary operators from a strength on.
func (p *parser) binary(least int) *node {
	left := p.sign()
	for {
		t := p.peek()
		op := binaries[t.word]
		if t.kind != operatorToken || op.strength < least || t.word == "**" {
			return left
		}
		p.pos++
		left = p.node(binaryNode, t, left, p.binary(op.strength+1))
		left.op = op.operator
	}
}

func (p *parser) sign() *node {
	if t := p.peek(); p.accept("-") || p.accept("+") {
		return p.node(signNode, t, p.nest(p.sign))
	}
	return p.power()
}

func (p *parser) power() *node {
	base := p.atom()
	t := p.peek()
	if !p.accept("**") {
		return base
	}
	n := p.node(binaryNode, t, base, p.nest(p.sign))
	n.op = opPower
	return n
}

func (p *parser) atom() *node {
	t := p.peek()
	switch {
	case p.accept("("):
		if p.peek().word == ")" {
			panic(rows.at(t.column))
		}
		n := p.nest(p.choice)
		p.expect(")")
		return n
	case p.accept("True"), p.accept("False"):
		return p.constant(t, boolean(t.word == "True"))
	case t.kind == numberToken:
		v, err := parseNumber(t.word)
		if err != nil {
			panic(err.at(t.column))
		}
		p.pos++
		return p.constant(t, v)
	case t.kind == nameToken && !keywords[t.word]:
		p.pos++
		return p.name(t)
	}
	panic(p.unexpected())
}

func (p *parser) constant(t token, v Value) *node {
	n := p.node(constantNode, t)
	n.value = v
	return n
}

// name is a constant of module math, a call of a function, or a name to be looked up.
func (p *parser) name(t token) *node {
	v, constant := mathConstants[t.word]
	call := p.peek().word == "("
	switch {
	case constant:
		return p.constant(t, v)
	case functions[t.word] != nil && call:
		return p.call(t)
	case isMath(t.word) && !call:
		panic(fail(Unsupported, "%s is a function: it needs arguments in brackets", t.word).at(t.column))
	case call && IsBuiltin(t.word), isMath(t.word):
		panic(notComputed(t.word).at(t.column))
	}
	n := p.node(nameNode, t)
	slot, known := p.slots[t.word]
	if !known {
		slot = len(p.names)
		p.slots[t.word] = slot
		p.names = append(p.names, Name{t.word, t.column})
	}
	n.slot = slot
	return n
}

// call is a function with its arguments.
func (p *parser) call(t token) *node {
	var args []*node
	p.expect("(")
	for !p.accept(")") {
		if len(args) > 0 {
			p.expect(",")
			if p.accept(")") {
				break
			}
		}
		if strings.HasPrefix(p.peek().word, "*") {
			panic(rows.at(p.peek().column))
		}
		args = append(args, p.nest(p.choice))
	}
	n := p.node(callNode, t, args...)
	n.function = functions[t.word]
	return n
}
