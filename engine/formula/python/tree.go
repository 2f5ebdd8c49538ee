package python

import (
	"strings"
)

// A node is a part of the syntax tree.
type node interface {
	column() int
	binding() int // how tightly it holds together; a node with less needs brackets
	print(b *strings.Builder)
}

// The strengths of binding, as in "Operator precedence" of Python's reference.
const (
	bindTuple = iota
	bindLambda
	bindChoice
	bindOr
	bindAnd
	bindNot
	bindCompare
	bindBits    // "|", then "^", "&", shifts, sums and products, each one tighter
	bindSum     = bindBits + 4
	bindProduct = bindBits + 5
	bindSign    = bindBits + 6
	bindPower   = bindBits + 7
	bindAtom    = bindBits + 8
)

type place int

func (p place) column() int { return int(p) }

type (
	// A constant is a number, or one of True, False and None.
	constant struct {
		place
		value value
	}
	name struct {
		place
		word string
	}
	// A sequence is a list, or a tuple.
	sequence struct {
		place
		list  bool
		items []node
	}
	// A sign is -x, +x or ~x.
	sign struct {
		place
		operator string
		x        node
	}
	binary struct {
		place
		operator    string
		left, right node
	}
	// A comparison is a chain: a < b <= c.
	comparison struct {
		place
		operators []string
		operands  []node // one more than operators
	}
	// A logic is a row of "and", or of "or".
	logic struct {
		place
		or    bool
		items []node
	}
	negation struct {
		place
		x node
	}
	choice struct {
		place
		condition, yes, no node
	}
	call struct {
		place
		function node
		args     []node
	}
	index struct {
		place
		x, at node
	}
	attribute struct {
		place
		x    node
		word string
	}
	lambda struct {
		place
		params []string
		body   node
	}
)

// strength is the binding of a binary operator.
func strength(operator string) int {
	for i, level := range levels {
		for _, op := range level {
			if op == operator {
				return bindBits + i
			}
		}
	}
	return bindPower
}

func (*constant) binding() int { return bindAtom }
func (*name) binding() int     { return bindAtom }
func (n *sequence) binding() int {
	if n.list {
		return bindAtom
	}
	return bindTuple
}
func (*sign) binding() int       { return bindSign }
func (n *binary) binding() int   { return strength(n.operator) }
func (*comparison) binding() int { return bindCompare }
func (n *logic) binding() int {
	if n.or {
		return bindOr
	}
	return bindAnd
}
func (*negation) binding() int  { return bindNot }
func (*choice) binding() int    { return bindChoice }
func (*call) binding() int      { return bindAtom }
func (*index) binding() int     { return bindAtom }
func (*attribute) binding() int { return bindAtom }
func (*lambda) binding() int    { return bindLambda }

// within prints a node, in brackets where it binds less than least.
func within(b *strings.Builder, n node, least int) {
	if n.binding() >= least {
		n.print(b)
		return
	}
	b.WriteByte('(')
	n.print(b)
	b.WriteByte(')')
}

func row(b *strings.Builder, items []node, separator string, least int) {
	for i, item := range items {
		if i > 0 {
			b.WriteString(separator)
		}
		within(b, item, least)
	}
}

func (n *constant) print(b *strings.Builder) {
	b.WriteString(n.value.literal())
}

func (n *name) print(b *strings.Builder) { b.WriteString(n.word) }

func (n *sequence) print(b *strings.Builder) {
	left, right := "(", ")"
	if n.list {
		left, right = "[", "]"
	}
	b.WriteString(left)
	row(b, n.items, ", ", bindLambda)
	if !n.list && len(n.items) == 1 {
		b.WriteByte(',')
	}
	b.WriteString(right)
}

func (n *sign) print(b *strings.Builder) {
	b.WriteString(n.operator)
	within(b, n.x, bindSign)
}

func (n *binary) print(b *strings.Builder) {
	left, right := n.binding(), n.binding()+1
	separator := " "
	if n.operator == "**" {
		left, right, separator = bindAtom, bindSign, ""
	}
	within(b, n.left, left)
	b.WriteString(separator + n.operator + separator)
	within(b, n.right, right)
}

func (n *comparison) print(b *strings.Builder) {
	within(b, n.operands[0], bindCompare+1)
	for i, op := range n.operators {
		b.WriteString(" " + op + " ")
		within(b, n.operands[i+1], bindCompare+1)
	}
}

func (n *logic) print(b *strings.Builder) {
	separator := " and "
	if n.or {
		separator = " or "
	}
	row(b, n.items, separator, n.binding()+1)
}

func (n *negation) print(b *strings.Builder) {
	b.WriteString("not ")
	within(b, n.x, bindNot)
}

func (n *choice) print(b *strings.Builder) {
	within(b, n.yes, bindOr)
	b.WriteString(" if ")
	within(b, n.condition, bindOr)
	b.WriteString(" else ")
	within(b, n.no, bindLambda)
}

func (n *call) print(b *strings.Builder) {
	within(b, n.function, bindAtom)
	b.WriteByte('(')
	row(b, n.args, ", ", bindLambda)
	b.WriteByte(')')
}

func (n *index) print(b *strings.Builder) {
	within(b, n.x, bindAtom)
	b.WriteByte('[')
	n.at.print(b)
	b.WriteByte(']')
}

func (n *attribute) print(b *strings.Builder) {
	within(b, n.x, bindAtom)
	b.WriteString(" ." + n.word) // the blank keeps "1 .real" apart from "1."
}

func (n *lambda) print(b *strings.Builder) {
	b.WriteString("lambda")
	if len(n.params) > 0 {
		b.WriteString(" " + strings.Join(n.params, ", "))
	}
	b.WriteString(": ")
	within(b, n.body, bindLambda)
}
