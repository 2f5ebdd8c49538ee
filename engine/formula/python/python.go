package python

import "sync"

// An Expression is an expression that was read. It may be computed by several goroutines at a time.
type Expression struct {
	root   *node
	run    code
	names  []Name
	frames sync.Pool
}

// Parse reads one expression. The error is an *Error of class SyntaxError, Statement or Unsupported.
func Parse(source string) (*Expression, error) {
	root, names, err := parse(source)
	if err != nil {
		return nil, err
	}
	return &Expression{root: root, run: root.compile(), names: names,
		frames: sync.Pool{New: func() any { return new(frame) }}}, nil
}

// String prints the expression with as few brackets as it needs. It is read as the same tree again.
func (x *Expression) String() string { return x.root.String() }

// A Name is a name in an expression.
type Name struct {
	Word   string
	Column int
}

// Names are the names in the expression that are not of module math, each at its first place, in the order of the text.
func (x *Expression) Names() []Name { return x.names }

// Uses is the column of the first use of an operator, or of a constant or function of Python; 0 for none.
func (x *Expression) Uses(word string) (column int) {
	return x.root.find(func(n *node) bool { return n.kind != nameNode && n.word == word })
}

// A Term is one term of a sum, or the whole expression where it is no sum.
type Term struct {
	Text  string
	Minus bool // it is subtracted
}

// Terms are the terms of the outermost sum, in their order.
func (x *Expression) Terms() (terms []Term) {
	var split func(n *node, minus bool)
	split = func(n *node, minus bool) {
		if n.kind != binaryNode || n.op != opAdd && n.op != opSubtract {
			terms = append(terms, Term{n.String(), minus})
			return
		}
		split(n.parts[0], minus)
		split(n.parts[1], minus != (n.op == opSubtract))
	}
	split(x.root, false)
	return terms
}

// Run computes the expression with a value for each of Names; the zero Value stands for a name that nobody knows. The
// error is an *Error.
func (x *Expression) Run(values []Value) (Value, error) {
	f := x.frames.Get().(*frame)
	defer x.frames.Put(f)
	f.values, f.stack = values, f.stack[:0]
	v, err := x.run(f)
	f.values = nil
	if err != nil {
		return Value{}, err
	}
	return v, nil
}
