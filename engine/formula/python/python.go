package python

import (
	"math/big"
	"sync"
)

// An Expression is an expression that was read.
type Expression struct {
	root node
}

// Parse reads one expression. The error is an *Error of class SyntaxError, Unsupported or Limit.
func Parse(source string) (*Expression, error) {
	root, err := parse(source, (*parser).single)
	if err != nil {
		return nil, err
	}
	return &Expression{root}, nil
}

// ParseStatements reads expressions and assignments to names, with ";" or line breaks between, as exec does. The names
// are those that get values.
func ParseStatements(source string) (list []*Expression, names []string, err error) {
	statements, failed := parse(source, (*parser).assignments)
	if failed != nil {
		return nil, nil, failed
	}
	for _, s := range statements {
		list = append(list, &Expression{s.value})
		names = append(names, s.names...)
	}
	return list, names, nil
}

// String prints the expression with as few brackets as it needs. It is read as the same tree again.
func (x *Expression) String() string { return treeText(x.root) }

// A Name is a name in an expression.
type Name struct {
	Word   string
	Column int
}

// Names are the names in the expression that are neither of module math nor parameters of a lambda, each at its first
// place, in the order of the text.
func (x *Expression) Names() []Name {
	var names []Name
	seen := map[string]bool{}
	walk(x.root, func(n node) bool {
		if n, ok := n.(*name); ok && !seen[n.word] && !isMath(n.word) {
			seen[n.word] = true
			names = append(names, Name{n.word, n.column()})
		}
		_, hidden := n.(*lambda)
		return !hidden
	})
	return names
}

// MathName is the column of the first use of a name of module math, 0 for none.
func (x *Expression) MathName(word string) (column int) {
	return x.first(func(n node) bool {
		name, ok := n.(*name)
		return ok && name.word == word && isMath(word)
	})
}

// Operator is the column of the first use of a binary operator, 0 for none.
func (x *Expression) Operator(word string) (column int) {
	return x.first(func(n node) bool {
		b, ok := n.(*binary)
		return ok && b.operator == word
	})
}

// Depth is how deep the expression nests: 1 for a name, 3 for a + b + c, since Python adds from the left.
func (x *Expression) Depth() int { return depth(x.root) }

func depth(n node) (most int) {
	for _, child := range children(n) {
		most = max(most, depth(child))
	}
	return most + 1
}

// Brackets is how many brackets are open at once at the most, as far as a text can be read.
func Brackets(source string) int {
	l := &lexer{text: source[:min(len(source), MaxLength)], column: 1}
	for l.skipBlanks(); l.pos < len(l.text); l.skipBlanks() {
		if l.next() != nil {
			break
		}
	}
	return l.most
}

// first is the column of the first part that is wanted.
func (x *Expression) first(wanted func(node) bool) (column int) {
	walk(x.root, func(n node) bool {
		if column == 0 && wanted(n) {
			column = n.column()
		}
		return column == 0
	})
	return column
}

// IsBuiltin says whether a name is one of Python's built-in functions.
func IsBuiltin(name string) bool { return builtins[name] != nil || refused[name] }

// A Term is one term of a sum, or the whole expression where it is no sum.
type Term struct {
	*Expression
	Minus bool // it is subtracted
}

// Terms are the terms of the outermost sum, in their order.
func (x *Expression) Terms() []Term {
	var terms []Term
	var split func(n node, minus bool)
	split = func(n node, minus bool) {
		sum, ok := n.(*binary)
		if !ok || sum.operator != "+" && sum.operator != "-" {
			terms = append(terms, Term{&Expression{n}, minus})
			return
		}
		split(sum.left, minus)
		split(sum.right, minus != (sum.operator == "-"))
	}
	split(x.root, false)
	return terms
}

// A Value is a number that an expression is computed with, or what it comes to. The zero Value is None.
type Value struct {
	v value
}

// Int is a whole number.
func Int(n int64) Value { return Value{integer(n)} }

// Whole is a whole number of any size.
func Whole(n *big.Int) Value { return Value{bigInt(new(big.Int).Set(n))} }

// Float is a number with a point.
func Float(x float64) Value { return Value{float(x)} }

// Float64 is the number as C sees it. What is no number, and a whole number that no float holds, is an error of class
// TypeError or OverflowError.
func (v Value) Float64() (float64, error) {
	x, err := v.v.real()
	if err != nil {
		return 0, err
	}
	return x, nil
}

// Type is Python's name of the value's type.
func (v Value) Type() string { return v.v.typeName() }

// String prints the value as Python's repr.
func (v Value) String() string { return v.v.repr() }

// A Program is an expression that is ready to be computed, also by several goroutines at a time.
type Program struct {
	run    code
	frames sync.Pool
}

// Compile readies the expression for computing with these variables. Module math comes before them, and they come before
// built-in functions, as where PBS evaluates a formula; a name that is none of these raises NameError when it is reached.
// The error is an *Error of class Unsupported.
func (x *Expression) Compile(variables ...string) (*Program, error) {
	c := compiler{slots: map[string]int{}}
	for i, name := range variables {
		c.slots[name] = i
	}
	run := c.compile(x.root)
	if c.err != nil {
		return nil, c.err
	}
	return &Program{run: run, frames: sync.Pool{New: func() any { return new(frame) }}}, nil
}

// Run computes the expression with the values of its variables, in the order in which Compile was given their names. The
// error is an *Error.
func (p *Program) Run(values ...Value) (Value, error) {
	f := p.frames.Get().(*frame)
	defer p.frames.Put(f)
	f.values, f.work, f.stack = values, 0, f.stack[:0]
	v, err := p.run(f)
	f.values = nil
	if err != nil {
		return Value{}, err
	}
	return Value{v}, nil
}
