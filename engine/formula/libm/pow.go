package libm

import "math"

// Pow is x to the power of y.
func Pow(x, y float64) float64 {
	if special, ok := powSpecial(x, y); ok {
		return special
	}
	sign := uint64(0)
	if x < 0 {
		if isOdd(y) {
			sign = 0x800 << 7
		}
		x = -x
	}
	abs := top(y) & 0x7ff
	switch {
	case abs < 0x3be: // the result is 1 but for its last bit
		return 1
	case x == 1 && sign == 0:
		return 1
	case abs >= 0x43e:
		return outOfRange((x > 1) == (y > 0))
	}
	hi, lo := logTail(positive(x))
	ehi := float64(y * hi)
	elo := fma(y, lo, fma(y, hi, -ehi))
	return expSigned(ehi, elo, sign)
}

// powSpecial answers where one of the two is zero, infinite, no number, or the result is no number.
func powSpecial(x, y float64) (float64, bool) {
	switch {
	case y == 0 || x == 1:
		return 1, true
	case math.IsNaN(x) || math.IsNaN(y):
		return nan(), true
	case math.IsInf(y, 0):
		return powInfinite(math.Abs(x), y), true
	case x == 0 || math.IsInf(x, 0):
		return powEdge(x, y), true
	case x < 0 && y != math.Trunc(y):
		return nan(), true
	}
	return 0, false
}

func powInfinite(abs, y float64) float64 {
	if abs == 1 {
		return 1
	}
	return outOfRange((abs > 1) == (y > 0))
}

func powEdge(x, y float64) float64 {
	r := outOfRange((x == 0) == (y < 0))
	if isOdd(y) {
		return math.Copysign(r, x)
	}
	return r
}

// isOdd says whether y is an odd whole number.
func isOdd(y float64) bool {
	return math.Abs(math.Mod(y, 2)) == 1
}

// logTail is the natural logarithm with about 15 more bits in lo.
func logTail(bits uint64) (y, lo float64) {
	p := reduce(bits, 0x3fe6955500000000, 7)
	entry := &powTable[p.index]
	r := fma(p.z, entry[0], -1)
	t1 := fma(p.k, ln2hi, entry[1])
	t2 := t1 + r
	lo1 := fma(p.k, ln2lo, entry[2])
	lo2 := t1 - t2 + r
	ar := float64(-0.5 * r)
	ar2 := float64(r * ar)
	ar3 := r * ar2
	hi := t2 + ar2
	lo3 := fma(ar, r, -ar2)
	lo4 := t2 - hi + ar2
	q := fma(ar2, fma(r, 0x1.0002b8b263fc3p0, -0x1.2495b9b4845e9p0), fma(r, -0x1.555555529a47ap-1, 0x1.999999959554ep-1))
	q = fma(ar2, q, fma(r, 0x1.0000000000006p-1, -0x1.555555555556p-1))
	lo = fma(ar3, q, lo1+lo2+lo3+lo4)
	y = hi + lo
	return y, hi - y + lo
}

// expSigned is the exponential of a product whose rounding error is tail.
func expSigned(x, tail float64, sign uint64) float64 {
	abs := top(x) & 0x7ff
	one := 1.0
	if sign != 0 {
		one = -1
	}
	switch {
	case abs < top(0x1p-54):
		return one
	case abs >= top(1024):
		return one * outOfRange(x > 0)
	}
	return expTail(x, tail, sign, abs >= top(512))
}
