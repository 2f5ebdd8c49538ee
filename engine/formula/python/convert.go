package python

import (
	"math"
	"math/big"
	"strconv"
)

// wholeOf is a float without its fraction.
func wholeOf(x float64) (value, *Error) {
	switch {
	case math.IsNaN(x):
		return none, fail(ValueError, "cannot convert float NaN to integer")
	case math.IsInf(x, 0):
		return none, fail(OverflowError, "cannot convert float infinity to integer")
	case math.Abs(x) < 1<<62:
		return integer(int64(x)), nil
	}
	n, _ := big.NewFloat(x).Int(nil)
	return bigInt(n), nil
}

func toInt(_ *frame, args []value) (value, *Error) {
	if len(args) == 0 {
		return integer(0), nil
	}
	v := args[0]
	switch {
	case v.kind == textKind:
		return none, noText()
	case len(args) == 2:
		return none, fail(TypeError, "int() can't convert non-string with explicit base")
	case v.isWhole():
		return value{kind: intKind, bits: v.bits, obj: v.obj}, nil
	case v.kind == floatKind:
		return wholeOf(v.float())
	}
	return none, fail(TypeError, "int() argument must be a string, a bytes-like object or a real number, not '%s'", v.typeName())
}

func toFloat(_ *frame, args []value) (value, *Error) {
	if len(args) == 0 {
		return float(0), nil
	}
	v := args[0]
	switch {
	case v.isReal():
		x, err := v.real()
		return float(x), err
	case v.kind == textKind:
		return none, noText()
	}
	return none, fail(TypeError, "float() argument must be a string or a real number, not '%s'", v.typeName())
}

// toText is str.
func toText(f *frame, args []value) (value, *Error) {
	if len(args) == 0 {
		return text(""), nil
	}
	v := args[0]
	if v.kind == textKind {
		return v, nil
	}
	if err := f.printable(v); err != nil {
		return none, err
	}
	s := v.repr()
	return text(s), f.spend(len(s))
}

// printable refuses what Python does not print either, and what would be too long.
func (f *frame) printable(v value) *Error {
	if err := f.spend(bytesPrinted); err != nil {
		return err
	}
	switch {
	case v.kind == complexKind:
		return noComplex()
	case v.obj == nil:
		return nil
	case v.kind == textKind:
		return noText()
	case v.kind == functionKind:
		return fail(Unsupported, "the name of a function is not printed here")
	case v.kind == intKind:
		return f.printableWhole(v.obj.big)
	}
	for _, item := range v.obj.items {
		if err := f.printable(item); err != nil {
			return err
		}
	}
	return nil
}

// bytesPrinted is what a number is taken to need at most, so that all that is printable is printed.
const bytesPrinted = maxWork / maxPrinted

func (f *frame) printableWhole(n *big.Int) *Error {
	digits := len(n.Text(10))
	if digits > maxDigits+1 || digits > maxDigits && n.Sign() > 0 {
		return fail(ValueError,
			"Exceeds the limit (%d digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit", maxDigits)
	}
	return f.spend(digits)
}

// round rounds halves to even: to a whole number, or with a second argument to so many digits.
func round(f *frame, args []value) (value, *Error) {
	v := args[0]
	switch {
	case !v.isReal():
		return none, fail(TypeError, "type %s doesn't define __round__ method", v.typeName())
	case len(args) == 1 || args[1].kind == noneKind:
		if v.kind == floatKind {
			return wholeOf(math.RoundToEven(v.float()))
		}
		return f.signed("+", v)
	case !args[1].isWhole():
		return none, fail(TypeError, "'%s' object cannot be interpreted as an integer", args[1].typeName())
	}
	digits, ok := args[1].small()
	if !ok {
		digits = int64(args[1].big().Sign()) << 32
	}
	switch {
	case v.kind == floatKind:
		return roundFloat(v.float(), digits)
	case digits >= 0:
		return f.signed("+", v)
	}
	return f.roundWhole(v, digits)
}

// roundFloat rounds the exact value of a float to a number of decimal places, which may be negative.
func roundFloat(x float64, digits int64) (value, *Error) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || digits > 323:
		return float(x), nil
	case digits < -308:
		return float(math.Copysign(0, x)), nil
	}
	s := strconv.FormatFloat(x, 'f', int(max(digits, 0)), 64)
	if digits < 0 {
		s = roundLeft(x, int(-digits))
	}
	r := parseFloat(s)
	if math.IsInf(r, 0) {
		return none, fail(OverflowError, "rounded value too large to represent")
	}
	return float(r), nil
}

// roundLeft prints a float rounded to a multiple of 10^places, halves to even.
func roundLeft(x float64, places int) string {
	exact, _ := new(big.Float).SetFloat64(x).Rat(nil)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	n := nearestMultiple(exact, unit)
	if n.Sign() == 0 && x < 0 {
		return "-0"
	}
	return n.String()
}

// nearestMultiple is the multiple of unit next to x; of two the one whose quotient is even.
func nearestMultiple(x *big.Rat, unit *big.Int) *big.Int {
	quotient := new(big.Rat).Quo(x, new(big.Rat).SetInt(unit))
	down, _ := floorBig(quotient.Num(), quotient.Denom())
	rest := new(big.Rat).Sub(quotient, new(big.Rat).SetInt(down))
	if c := rest.Cmp(big.NewRat(1, 2)); c > 0 || c == 0 && down.Bit(0) == 1 {
		down.Add(down, big.NewInt(1))
	}
	return down.Mul(down, unit)
}

func (f *frame) roundWhole(v value, digits int64) (value, *Error) {
	n := v.big()
	if -digits > maxBits/3 {
		return integer(0), nil
	}
	if err := f.spend(int(-digits) * (1 + len(n.Bits())) / 16); err != nil {
		return none, err
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(-digits), nil)
	return bounded(nearestMultiple(new(big.Rat).SetInt(n), unit))
}
