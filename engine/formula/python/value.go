package python

import (
	"math"
	"math/big"
)

type kind uint8

const (
	undefined kind = iota // a name that nobody knows
	boolKind
	intKind
	floatKind
	complexKind // its parts are not kept
)

// typeNames are the kinds in Python's error messages.
var typeNames = [...]string{"NoneType", "bool", "int", "float", "complex"}

// A Value is a number: an input or a result. The zero Value is that of an unknown name.
type Value struct {
	kind kind
	bits uint64   // of a float, of a bool and of an int that fits
	big  *big.Int // an int outside of int64; it never changes
}

// Int is a whole number.
func Int(n int64) Value { return Value{kind: intKind, bits: uint64(n)} }

// Float is a number with a point.
func Float(x float64) Value { return Value{kind: floatKind, bits: math.Float64bits(x)} }

// Whole is a whole number of any size. It keeps n without a copy.
func Whole(n *big.Int) Value {
	if n.IsInt64() {
		return Int(n.Int64())
	}
	return Value{kind: intKind, big: n}
}

func boolean(b bool) Value {
	if b {
		return Value{kind: boolKind, bits: 1}
	}
	return Value{kind: boolKind}
}

func (v Value) float() float64 { return math.Float64frombits(v.bits) }
func (v Value) isWhole() bool  { return v.kind == intKind || v.kind == boolKind }

// small is a whole number that fits 64 bits.
func (v Value) small() (int64, bool) { return int64(v.bits), v.isWhole() && v.big == nil }

// whole is a whole number of any size. It must not be changed.
func (v Value) whole() *big.Int {
	if v.big != nil {
		return v.big
	}
	return big.NewInt(int64(v.bits))
}

// plain is a whole number that is no bool.
func (v Value) plain() Value { return Value{kind: intKind, bits: v.bits, big: v.big} }

// truth is what "if" and "and" make of a value.
func (v Value) truth() bool {
	if v.kind == floatKind {
		return v.float() != 0
	}
	return v.bits != 0 || v.big != nil || v.kind == complexKind
}

// real is a number as a float, nearest and even; an int that is too large has none.
func (v Value) real() (float64, *Error) {
	switch {
	case v.kind == floatKind:
		return v.float(), nil
	case v.isWhole() && v.big == nil:
		return float64(int64(v.bits)), nil
	case v.isWhole():
		if x, _ := new(big.Float).SetInt(v.big).Float64(); !math.IsInf(x, 0) {
			return x, nil
		}
		return 0, fail(OverflowError, "int too large to convert to float")
	}
	return 0, fail(TypeError, "must be real number, not %s", v.Type())
}

// reals are two numbers as floats.
func reals(a, b Value) (x, y float64, err *Error) {
	if x, err = a.real(); err == nil {
		y, err = b.real()
	}
	return x, y, err
}

// Float64 is the number as C gets it. A complex number is a TypeError. A whole number too large for a float
// is an OverflowError.
func (v Value) Float64() (float64, error) {
	x, err := v.real()
	if err != nil {
		return 0, err
	}
	return x, nil
}

// Type is Python's name for the value's type.
func (v Value) Type() string { return typeNames[v.kind] }
