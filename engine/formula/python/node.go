package python

import "strings"

type nodeKind uint8

const (
	constantNode nodeKind = iota
	nameNode
	signNode
	binaryNode
	compareNode
	andNode
	orNode
	notNode
	choiceNode // yes, condition, no
	callNode
)

// A node is a part of the syntax tree.
type node struct {
	kind     nodeKind
	column   int
	depth    int
	word     string // a number as it was written, a name, an operator
	parts    []*node
	value    Value     // of a constant
	slot     int       // of a name
	op       operator  // of a binaryNode
	words    []string  // the operators of a comparison
	function *function // of a call
}

// find is the column of the first part that is wanted, 0 for none.
func (n *node) find(wanted func(*node) bool) (column int) {
	if wanted(n) {
		return n.column
	}
	for _, part := range n.parts {
		if at := part.find(wanted); at > 0 && (column == 0 || at < column) {
			column = at
		}
	}
	return column
}

// The strengths of binding, as in "Operator precedence" of Python's reference.
const (
	bindChoice = iota
	bindOr
	bindAnd
	bindNot
	bindCompare
	bindBinary // and the strength of the operator
	bindSign   = bindBinary + 4
	bindPower  = bindBinary + 5
	bindAtom   = bindBinary + 6
)

// binding is how tightly a node holds together; one with less than is asked for needs brackets.
func (n *node) binding() int {
	switch n.kind {
	case signNode:
		return bindSign
	case binaryNode:
		return bindBinary + binaries[n.word].strength
	case compareNode:
		return bindCompare
	case andNode:
		return bindAnd
	case orNode:
		return bindOr
	case notNode:
		return bindNot
	case choiceNode:
		return bindChoice
	}
	return bindAtom
}

// String prints the node with as few brackets as it needs.
func (n *node) String() string {
	var b strings.Builder
	n.print(&b)
	return b.String()
}

func (n *node) print(b *strings.Builder) {
	switch n.kind {
	case signNode:
		b.WriteString(n.word)
		n.parts[0].within(b, bindSign)
	case notNode:
		b.WriteString("not ")
		n.parts[0].within(b, bindNot)
	case binaryNode:
		n.printBinary(b)
	case compareNode:
		n.printRow(b, bindCompare+1, func(i int) string { return " " + n.words[i] + " " })
	case andNode, orNode:
		n.printRow(b, n.binding()+1, func(int) string { return " " + n.word + " " })
	case choiceNode:
		n.parts[0].within(b, bindOr)
		b.WriteString(" if ")
		n.parts[1].within(b, bindOr)
		b.WriteString(" else ")
		n.parts[2].print(b)
	case callNode:
		b.WriteString(n.word + "(")
		n.printRow(b, bindChoice, func(int) string { return ", " })
		b.WriteString(")")
	default:
		b.WriteString(n.word)
	}
}

func (n *node) printBinary(b *strings.Builder) {
	if n.op == opPower {
		n.parts[0].within(b, bindAtom)
		b.WriteString("**")
		n.parts[1].within(b, bindSign)
		return
	}
	n.parts[0].within(b, n.binding())
	b.WriteString(" " + n.word + " ")
	n.parts[1].within(b, n.binding()+1)
}

func (n *node) printRow(b *strings.Builder, least int, separator func(i int) string) {
	for i, part := range n.parts {
		if i > 0 {
			b.WriteString(separator(i - 1))
		}
		part.within(b, least)
	}
}

// within prints a node, in brackets where it binds less than least.
func (n *node) within(b *strings.Builder, least int) {
	if n.binding() >= least {
		n.print(b)
		return
	}
	b.WriteByte('(')
	n.print(b)
	b.WriteByte(')')
}
