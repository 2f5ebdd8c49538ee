package python

type operator uint8

const (
	opAdd operator = iota
	opSubtract
	opMultiply
	opDivide
	opFloor
	opModulo
	opPower
	opLeft
	opRight
	opAnd
	opOr
	opXor
	opMatrix
)

var operatorWords = [...]string{"+", "-", "*", "/", "//", "%", "** or pow()", "<<", ">>", "&", "|", "^", "@"}

var operatorOf = map[string]operator{"+": opAdd, "-": opSubtract, "*": opMultiply, "/": opDivide, "//": opFloor, "%": opModulo,
	"**": opPower,
	"<<": opLeft, ">>": opRight, "&": opAnd, "|": opOr, "^": opXor, "@": opMatrix}

// operate applies a binary operator.
func (f *frame) operate(op operator, a, b value) (value, *Error) {
	switch {
	case op == opMatrix:
	case a.kind == boolKind && b.kind == boolKind && (op == opAnd || op == opOr || op == opXor):
		v, _ := smallWhole(op, a.int(), b.int())
		return boolean(v.bits != 0), nil
	case a.isWhole() && b.isWhole():
		return f.whole(op, a, b)
	case op >= opLeft: // bits are only in whole numbers
	case a.isReal() && b.isReal():
		x, err := a.real()
		if err != nil {
			return none, err
		}
		y, err := b.real()
		if err != nil {
			return none, err
		}
		return floats(op, x, y)
	case a.kind == complexKind && (b.isReal() || b.kind == complexKind), b.kind == complexKind && a.isReal():
		if op != opFloor && op != opModulo {
			return none, noComplex()
		}
	case a.kind == textKind, b.kind == textKind && op == opMultiply:
		return none, noText()
	case op == opAdd && a.kind == b.kind && a.isSequence():
		return f.join(a, b)
	case op == opMultiply && b.isWhole() && a.isSequence():
		return f.repeat(a, b)
	case op == opMultiply && a.isWhole() && b.isSequence():
		return f.repeat(b, a)
	}
	return none, wrongTypes(op, a, b)
}

func wrongTypes(op operator, a, b value) *Error {
	switch {
	case op == opAdd && a.isSequence():
		return fail(TypeError, "can only concatenate %s (not %q) to %s", a.typeName(), b.typeName(), a.typeName())
	case op == opMultiply && a.isSequence():
		return fail(TypeError, "can't multiply sequence by non-int of type '%s'", b.typeName())
	case op == opMultiply && b.isSequence():
		return fail(TypeError, "can't multiply sequence by non-int of type '%s'", a.typeName())
	}
	return fail(TypeError, "unsupported operand type(s) for %s: '%s' and '%s'", operatorWords[op], a.typeName(), b.typeName())
}

// noComplex is the answer to all that is done with a complex number.
func noComplex() *Error {
	return fail(Unsupported, "a complex number, such as (-8)**0.5, is not computed on with here").
		hint("a negative number has no real power with a fraction; use max(x, 0)**0.5 or abs(x)**0.5")
}

// noText is the answer to all that is done with a text but to measure it.
func noText() *Error {
	return fail(Unsupported, "texts are not computed on with here").hint("of a text there is its length: len(str(x))")
}

// size is the number of items.
func (v value) size() int { return len(v.obj.items) }

func (f *frame) join(a, b value) (value, *Error) {
	if err := f.spendItems(a.size() + b.size()); err != nil {
		return none, err
	}
	items := append(append(make([]value, 0, a.size()+b.size()), a.obj.items...), b.obj.items...)
	return value{kind: a.kind, obj: &object{items: items}}, nil
}

func (f *frame) repeat(a, count value) (value, *Error) {
	n, ok := count.small()
	if !ok && count.big().Sign() > 0 || a.size() > 0 && n > int64(maxWork/a.size()) {
		return none, tooMuch()
	}
	n = max(n, 0)
	if !ok {
		n = 0
	}
	if a.size() == 0 {
		return a, nil
	}
	if err := f.spendItems(a.size() * int(n)); err != nil {
		return none, err
	}
	items := make([]value, 0, a.size()*int(n))
	for range n {
		items = append(items, a.obj.items...)
	}
	return value{kind: a.kind, obj: &object{items: items}}, nil
}

// signed applies a sign.
func (f *frame) signed(op string, v value) (value, *Error) {
	switch {
	case v.kind == floatKind && op == "-":
		return float(-v.float()), nil
	case v.kind == floatKind && op == "+":
		return v, nil
	case v.kind == complexKind && op != "~":
		return v, nil
	case !v.isWhole():
		return none, fail(TypeError, "bad operand type for unary %s: '%s'", op, v.typeName())
	case op == "+":
		return value{kind: intKind, bits: v.bits, obj: v.obj}, nil
	case op == "-":
		return f.whole(opSubtract, integer(0), v)
	}
	return f.whole(opSubtract, integer(-1), v)
}
