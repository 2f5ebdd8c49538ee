package python

import (
	"math"

	"qprism/engine/formula/libm"
)

// floats applies an operator to two floats.
func floats(op operator, x, y float64) (value, *Error) {
	switch op {
	case opAdd:
		return float(x + y), nil
	case opSubtract:
		return float(x - y), nil
	case opMultiply:
		return float(x * y), nil
	case opDivide:
		if y == 0 {
			return none, fail(ZeroDivisionError, "float division by zero")
		}
		return float(x / y), nil
	case opFloor:
		if y == 0 {
			return none, fail(ZeroDivisionError, "float floor division by zero")
		}
		q, _ := floorFloat(x, y)
		return float(q), nil
	case opModulo:
		if y == 0 {
			return none, fail(ZeroDivisionError, "float modulo")
		}
		_, r := floorFloat(x, y)
		return float(r), nil
	}
	return floatPower(x, y)
}

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
func floatPower(x, y float64) (value, *Error) {
	switch {
	case x == 0 && y < 0:
		return none, fail(ZeroDivisionError, "0.0 cannot be raised to a negative power")
	case x < 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0) && !math.IsNaN(y) && y != math.Floor(y):
		return complexNumber, nil
	}
	z := libm.Pow(x, y)
	if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return none, fail(OverflowError, "(34, 'Numerical result out of range')")
	}
	return float(z), nil
}
