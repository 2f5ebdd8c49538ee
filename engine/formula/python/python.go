package python

import "sync"

// An Expression is a parsed expression. Several goroutines may compute it at once.
type Expression struct {
	root   *node
	run    code
	names  []Name
	frames sync.Pool
}

// Parse parses one expression. The error is an *Error of class SyntaxError, Statement or Unsupported.
func Parse(source string) (*Expression, error) {
	root, names, err := parse(source)
	if err != nil {
		return nil, err
	}
	return &Expression{root: root, run: root.compile(), names: names,
		frames: sync.Pool{New: func() any { return new(frame) }}}, nil
}

// String prints the expression with the fewest brackets. It parses to the same tree.
func (x *Expression) String() string { return x.root.String() }

// A Name is a name in an expression.
type Name struct {
	Word   string
	Column int
}

// Names are the names in the expression, except those of module math. Each is at its first place, in text
// order.
func (x *Expression) Names() []Name { return x.names }

// Uses is the column of the first use of an operator, or of a Python constant or function; 0 for none.
func (x *Expression) Uses(word string) (column int) {
	return x.root.find(func(n *node) bool { return n.kind != nameNode && n.word == word })
}

// A Term is one term of a sum, or the whole expression if it is no sum.
type Term struct {
	Text  string
	Minus bool // subtracted
}

// Terms are the terms of the outermost sum, in order.
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

// Run computes the expression with a value for each of Names. The zero Value stands for an unknown name. The
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
