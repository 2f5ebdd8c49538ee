package python

import (
	"math"

	"qprism/engine/formula/libm"
)

type operator uint8

const (
	opAdd operator = iota
	opSubtract
	opMultiply
	opDivide
	opFloor
	opModulo
	opPower
	opXor
)

// binaries are the binary operators, and how tightly each binds.
var binaries = map[string]struct {
	operator operator
	strength int
}{
	"^": {opXor, 1}, "+": {opAdd, 2}, "-": {opSubtract, 2},
	"*": {opMultiply, 3}, "/": {opDivide, 3}, "//": {opFloor, 3}, "%": {opModulo, 3}, "**": {opPower, 5},
}

// operate applies a binary operator.
func operate(op operator, a, b Value) (Value, *Error) {
	switch {
	case a.isWhole() && b.isWhole():
		return whole(op, a, b)
	case a.kind == complexKind || b.kind == complexKind:
		return Value{}, noComplex()
	case op == opXor:
		return Value{}, fail(TypeError, "unsupported operand type(s) for ^: '%s' and '%s'", a.Type(), b.Type())
	}
	x, err := a.real()
	if err != nil {
		return a, err
	}
	y, err := b.real()
	if err != nil {
		return b, err
	}
	return floats(op, x, y)
}

// noComplex is the answer to all that is done with a complex number.
func noComplex() *Error {
	return fail(Unsupported, "qprism does not compute with complex numbers, such as (-8)**0.5").
		hint("a negative number has no real power with a fraction; use max(x, 0)**0.5 or abs(x)**0.5")
}

// signed applies a sign.
func signed(sign string, v Value) (Value, *Error) {
	switch {
	case v.kind == complexKind:
		return v, nil
	case v.isWhole() && sign == "-":
		return whole(opSubtract, Int(0), v)
	case v.isWhole():
		return v.plain(), nil
	case sign == "-":
		return Float(-v.float()), nil
	}
	return v, nil
}

// floats applies an operator to two floats.
func floats(op operator, x, y float64) (Value, *Error) {
	switch op {
	case opAdd:
		return Float(x + y), nil
	case opSubtract:
		return Float(x - y), nil
	case opMultiply:
		return Float(x * y), nil
	case opPower:
		return floatPower(x, y)
	}
	if y == 0 {
		return Value{}, fail(ZeroDivisionError, "%s", floatZero[op])
	}
	if op == opDivide {
		return Float(x / y), nil
	}
	q, r := floorFloat(x, y)
	if op == opFloor {
		return Float(q), nil
	}
	return Float(r), nil
}

var floatZero = map[operator]string{opDivide: "float division by zero", opFloor: "float floor division by zero",
	opModulo: "float modulo"}

// floorFloat is x//y and x%y; the remainder has the sign of y.
func floorFloat(x, y float64) (q, r float64) {
	r = math.Mod(x, y)
	q = (x - r) / y
	if r == 0 {
		r = math.Copysign(0, y)
	} else if (y < 0) != (r < 0) {
		r += y
		q--
	}
	if q == 0 {
		return math.Copysign(0, x/y), r
	}
	down := math.Floor(q)
	if q-down > 0.5 {
		down++
	}
	return down, r
}

// floatPower is x**y. Unlike math.pow it leaves the real numbers where it must.
func floatPower(x, y float64) (Value, *Error) {
	switch {
	case x == 0 && y < 0:
		return Value{}, fail(ZeroDivisionError, "0.0 cannot be raised to a negative power")
	case x < 0 && !math.IsInf(x, 0) && isFinite(y) && y != math.Floor(y):
		return Value{kind: complexKind}, nil
	}
	z := libm.Pow(x, y)
	if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return Value{}, fail(OverflowError, "(34, 'Numerical result out of range')")
	}
	return Float(z), nil
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }
