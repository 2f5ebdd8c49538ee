package python

// A code computes one part of an expression.
type code func(*frame) (Value, *Error)

// A frame is one computation.
type frame struct {
	values []Value // of the names
	stack  []Value // arguments of the calls that are under way
}

// compile turns a node into code. An error gets the place of the innermost operation.
func (n *node) compile() code {
	parts := make([]code, len(n.parts))
	for i, part := range n.parts {
		parts[i] = part.compile()
	}
	switch n.kind {
	case nameNode:
		return n.variable()
	case signNode:
		return n.sign(parts[0])
	case binaryNode:
		return n.binary(parts[0], parts[1])
	case compareNode:
		return n.compare(parts)
	case andNode, orNode:
		return n.logic(parts)
	case notNode:
		return func(f *frame) (Value, *Error) {
			v, err := parts[0](f)
			return boolean(!v.truth()), err
		}
	case choiceNode:
		return choice(parts[0], parts[1], parts[2])
	case callNode:
		return n.call(parts)
	}
	return func(*frame) (Value, *Error) { return n.value, nil }
}

func (n *node) variable() code {
	return func(f *frame) (Value, *Error) {
		v := f.values[n.slot]
		switch {
		case v.kind != undefined:
			return v, nil
		case IsBuiltin(n.word):
			return v, notComputed(n.word).at(n.column)
		}
		return v, fail(NameError, "name '%s' is not defined", n.word).at(n.column)
	}
}

func notComputed(name string) *Error {
	return fail(Unsupported, "qprism does not compute Python's %s", name)
}

func (n *node) sign(x code) code {
	return func(f *frame) (Value, *Error) {
		v, err := x(f)
		if err == nil {
			v, err = signed(n.word, v)
		}
		return v, err.at(n.column)
	}
}

func (n *node) binary(left, right code) code {
	op := n.op
	return func(f *frame) (Value, *Error) {
		a, err := left(f)
		if err != nil {
			return a, err
		}
		b, err := right(f)
		if err != nil {
			return b, err
		}
		if a.kind == floatKind && b.kind == floatKind && op != opXor {
			a, err = floats(op, a.float(), b.float())
		} else {
			a, err = operate(op, a, b)
		}
		if err != nil {
			err.at(n.column)
		}
		return a, err
	}
}

// compare stops at the first comparison that does not hold.
func (n *node) compare(parts []code) code {
	return func(f *frame) (Value, *Error) {
		left, err := parts[0](f)
		if err != nil {
			return left, err
		}
		for i, word := range n.words {
			right, err := parts[i+1](f)
			switch {
			case err != nil:
				return right, err
			case left.kind == complexKind || right.kind == complexKind:
				return left, noComplex().at(n.column)
			case !holds(word, order(left, right)):
				return boolean(false), nil
			}
			left = right
		}
		return boolean(true), nil
	}
}

// logic is the first operand that decides, or the last one.
func (n *node) logic(parts []code) code {
	return func(f *frame) (v Value, err *Error) {
		for _, part := range parts {
			if v, err = part(f); err != nil || v.truth() == (n.kind == orNode) {
				break
			}
		}
		return v, err
	}
}

func choice(yes, condition, no code) code {
	return func(f *frame) (Value, *Error) {
		v, err := condition(f)
		switch {
		case err != nil:
			return v, err
		case v.truth():
			return yes(f)
		}
		return no(f)
	}
}

func (n *node) call(parts []code) code {
	return func(f *frame) (Value, *Error) {
		base := len(f.stack)
		for _, part := range parts {
			v, err := part(f)
			if err != nil {
				return v, err
			}
			f.stack = append(f.stack, v)
		}
		v, err := n.function.apply(f.stack[base:])
		f.stack = f.stack[:base]
		return v, err.at(n.column)
	}
}
