package python

import (
	"math"
	"math/big"
	"math/bits"
)

// maxBits bounds whole numbers. Python's have no bound: 9**9**9 takes hours and all memory.
const maxBits = 1 << 16

func tooLarge() *Error {
	return fail(Limit, "a whole number of more than %d binary digits: Python would take very long, or all memory", maxBits).
		hint("compute with floats: they end at 1.8e308")
}

// whole applies an operator to two whole numbers.
func (f *frame) whole(op operator, a, b value) (value, *Error) {
	x, okX := a.small()
	y, okY := b.small()
	if okX && okY {
		if v, ok := smallWhole(op, x, y); ok {
			return v, nil
		}
	}
	switch op {
	case opDivide:
		return f.trueDivide(a, b)
	case opPower:
		return f.wholePower(a, b)
	case opLeft, opRight:
		return f.shift(op, a, b)
	case opFloor, opModulo:
		if !b.truth() {
			return none, fail(ZeroDivisionError, "%s", zeroDivision[op])
		}
	}
	return f.bigWhole(op, a.big(), b.big())
}

var zeroDivision = map[operator]string{opFloor: "integer division or modulo by zero", opModulo: "integer modulo by zero"}

// smallWhole computes where neither operands nor result leave 64 bits; not ok where they might.
func smallWhole(op operator, x, y int64) (value, bool) {
	switch op {
	case opAdd:
		z := x + y
		return integer(z), (z > x) == (y > 0)
	case opSubtract:
		z := x - y
		return integer(z), (z < x) == (y > 0)
	case opMultiply:
		return multiplySmall(x, y)
	case opFloor, opModulo:
		if y == 0 || y == -1 {
			return none, false
		}
		q, r := floorDivide(x, y)
		if op == opFloor {
			return integer(q), true
		}
		return integer(r), true
	case opDivide:
		const exact = 1 << 53
		if y == 0 || x > exact || x < -exact || y > exact || y < -exact {
			return none, false
		}
		return float(float64(x) / float64(y)), true
	case opAnd:
		return integer(x & y), true
	case opOr:
		return integer(x | y), true
	case opXor:
		return integer(x ^ y), true
	}
	return none, false
}

func multiplySmall(x, y int64) (value, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	if hi != 0 || lo > math.MaxInt64 {
		return none, false
	}
	return integer(x * y), true
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

func (f *frame) bigWhole(op operator, x, y *big.Int) (value, *Error) {
	work := len(x.Bits()) + len(y.Bits())
	if op == opMultiply || op == opFloor || op == opModulo {
		work += len(x.Bits()) * len(y.Bits()) / 16
	}
	if err := f.spend(work); err != nil {
		return none, err
	}
	z := new(big.Int)
	switch op {
	case opAdd:
		z.Add(x, y)
	case opSubtract:
		z.Sub(x, y)
	case opMultiply:
		z.Mul(x, y)
	case opFloor:
		z, _ = floorBig(x, y)
	case opModulo:
		_, z = floorBig(x, y)
	case opAnd:
		z.And(x, y)
	case opOr:
		z.Or(x, y)
	case opXor:
		z.Xor(x, y)
	}
	return bounded(z)
}

// bounded is a whole number that is not too large.
func bounded(z *big.Int) (value, *Error) {
	if z.BitLen() > maxBits {
		return none, tooLarge()
	}
	return bigInt(z), nil
}

func floorBig(x, y *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && (r.Sign() < 0) != (y.Sign() < 0) {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

// trueDivide is the float nearest to the quotient of two whole numbers.
func (f *frame) trueDivide(a, b value) (value, *Error) {
	x, y := a.big(), b.big()
	if y.Sign() == 0 {
		return none, fail(ZeroDivisionError, "division by zero")
	}
	if err := f.spend(len(x.Bits()) * len(y.Bits()) / 16); err != nil {
		return none, err
	}
	z, _ := new(big.Rat).SetFrac(x, y).Float64()
	switch {
	case math.IsInf(z, 0):
		return none, fail(OverflowError, "integer division result too large for a float")
	case z == 0 && x.Sign() != 0 && (x.Sign() < 0) != (y.Sign() < 0):
		z = math.Copysign(0, -1)
	}
	return float(z), nil
}

// wholePower is a float where the exponent is negative.
func (f *frame) wholePower(a, b value) (value, *Error) {
	x, y := a.big(), b.big()
	if y.Sign() < 0 {
		xf, err := a.real()
		if err != nil {
			return none, err
		}
		yf, err := b.real()
		if err != nil {
			return none, err
		}
		return floatPower(xf, yf)
	}
	if x.BitLen() <= 1 {
		return unitPower(x.Int64(), y), nil
	}
	if !y.IsInt64() || y.Int64() > maxBits || (int64(x.BitLen())-1)*y.Int64() > maxBits {
		return none, tooLarge()
	}
	words := x.BitLen() * int(y.Int64()) / 64
	if err := f.spend(1 + words*words/16); err != nil {
		return none, err
	}
	return bounded(new(big.Int).Exp(x, y, nil))
}

// unitPower is a power of 0, 1 or -1.
func unitPower(x int64, y *big.Int) value {
	switch {
	case y.Sign() == 0, x == -1 && y.Bit(0) == 0:
		return integer(1)
	}
	return integer(x)
}

func (f *frame) shift(op operator, a, b value) (value, *Error) {
	x, y := a.big(), b.big()
	if y.Sign() < 0 {
		return none, fail(ValueError, "negative shift count")
	}
	if op == opRight {
		if !y.IsInt64() || y.Int64() > maxBits+64 {
			y = big.NewInt(maxBits + 64)
		}
		return bigInt(new(big.Int).Rsh(x, uint(y.Int64()))), nil
	}
	if x.Sign() == 0 {
		return integer(0), nil
	}
	if !y.IsInt64() || y.Int64() > maxBits {
		return none, tooLarge()
	}
	if err := f.spend(1 + int(y.Int64()/64)); err != nil {
		return none, err
	}
	return bounded(new(big.Int).Lsh(x, uint(y.Int64())))
}
