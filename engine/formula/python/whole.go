package python

import (
	"math"
	"math/big"
	"math/bits"
)

// maxBits bounds whole numbers. Python's have no bound: 9**9**9 takes hours and all memory. Floats end at 1,024.
const maxBits = 1 << 12

func tooLarge() *Error {
	return fail(Limit, "a whole number of more than %d binary digits: Python may take very long, or all memory", maxBits).
		hint("compute with floats: they end at 1.8e308")
}

// whole applies an operator to two whole numbers.
func whole(op operator, a, b Value) (Value, *Error) {
	x, okX := a.small()
	y, okY := b.small()
	if okX && okY {
		if v, ok := smallWhole(op, x, y); ok {
			return v, nil
		}
	}
	switch op {
	case opXor:
		z := new(big.Int).Xor(a.whole(), b.whole())
		if a.kind == boolKind && b.kind == boolKind {
			return boolean(z.Sign() != 0), nil
		}
		return Whole(z), nil
	case opDivide:
		return trueDivide(a.whole(), b.whole())
	case opPower:
		return wholePower(a, b)
	}
	return bigWhole(op, a.whole(), b.whole())
}

// smallWhole computes where neither operands nor result leave 64 bits; not ok where they might.
func smallWhole(op operator, x, y int64) (v Value, ok bool) {
	switch op {
	case opAdd:
		z := x + y
		return Int(z), (z > x) == (y > 0)
	case opSubtract:
		z := x - y
		return Int(z), (z < x) == (y > 0)
	case opMultiply:
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		return Int(x * y), hi == 0 && lo <= math.MaxInt64
	case opFloor, opModulo:
		if y == 0 || y == -1 {
			return v, false
		}
		q, r := floorDivide(x, y)
		if op == opFloor {
			return Int(q), true
		}
		return Int(r), true
	case opDivide:
		const exact = 1 << 53
		return Float(float64(x) / float64(y)), y != 0 && max(magnitude(x), magnitude(y)) <= exact
	}
	return v, false
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// floorDivide rounds down; the remainder has the sign of y.
func floorDivide(x, y int64) (q, r int64) {
	q, r = x/y, x%y
	if r != 0 && (r < 0) != (y < 0) {
		return q - 1, r + y
	}
	return q, r
}

func bigWhole(op operator, x, y *big.Int) (Value, *Error) {
	z := new(big.Int)
	switch op {
	case opAdd:
		return bounded(z.Add(x, y))
	case opSubtract:
		return bounded(z.Sub(x, y))
	case opMultiply:
		return bounded(z.Mul(x, y))
	}
	if y.Sign() == 0 {
		return Value{}, fail(ZeroDivisionError, "%s", wholeZero[op])
	}
	q, r := z.QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && (r.Sign() < 0) != (y.Sign() < 0) {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	if op == opFloor {
		return Whole(q), nil
	}
	return Whole(r), nil
}

var wholeZero = map[operator]string{opFloor: "integer division or modulo by zero", opModulo: "integer modulo by zero"}

// bounded is a whole number that is not too large.
func bounded(z *big.Int) (Value, *Error) {
	if z.BitLen() > maxBits {
		return Value{}, tooLarge()
	}
	return Whole(z), nil
}

// trueDivide is the float nearest to the quotient of two whole numbers.
func trueDivide(x, y *big.Int) (Value, *Error) {
	if y.Sign() == 0 {
		return Value{}, fail(ZeroDivisionError, "division by zero")
	}
	z, _ := new(big.Rat).SetFrac(x, y).Float64()
	switch {
	case math.IsInf(z, 0):
		return Value{}, fail(OverflowError, "integer division result too large for a float")
	case z == 0 && x.Sign()*y.Sign() < 0:
		z = math.Copysign(0, -1)
	}
	return Float(z), nil
}

// wholePower is a float where the exponent is negative.
func wholePower(a, b Value) (Value, *Error) {
	x, y := a.whole(), b.whole()
	switch {
	case y.Sign() < 0:
		xf, yf, err := reals(a, b)
		if err != nil {
			return Value{}, err
		}
		return floatPower(xf, yf)
	case x.BitLen() <= 1 && y.Sign() == 0, x.BitLen() == 1 && x.Sign() < 0 && y.Bit(0) == 0:
		return Int(1), nil
	case x.BitLen() <= 1: // 0, 1 and -1
		return a.plain(), nil
	case !y.IsInt64() || y.Int64() > maxBits || (int64(x.BitLen())-1)*y.Int64() > maxBits:
		return Value{}, tooLarge()
	}
	return bounded(new(big.Int).Exp(x, y, nil))
}
