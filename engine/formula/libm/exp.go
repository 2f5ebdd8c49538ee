package libm

import "math"

const (
	invLn2N   = 0x1.71547652b82fep0 * 128 // 128/ln 2
	negLn2hiN = -0x1.62e42fefa0000p-8
	negLn2loN = -0x1.cf79abc9e3b3ap-47
	shift     = 0x1.8p52 // added and subtracted, it rounds to a whole number
)

// Exp is e to the power of x.
func Exp(x float64) float64 {
	abs := top(x) & 0x7ff
	switch {
	case math.IsNaN(x):
		return x
	case abs < top(0x1p-54):
		return 1 + x
	case abs >= top(1024):
		return outOfRange(x > 0)
	}
	return expTail(x, 0, 0, abs >= top(512))
}

// outOfRange is what is left of a result that no number holds.
func outOfRange(large bool) float64 {
	if large {
		return math.Inf(1)
	}
	return 0
}

// expTail is e to the power of x+tail, for a tail far smaller than x. A sign other than 0 makes the result negative;
// large says that it may leave the range of normal numbers.
func expTail(x, tail float64, sign uint64, large bool) float64 {
	// x = k·ln2/128 + r
	k := fma(invLn2N, x, shift)
	bits := math.Float64bits(k)
	k -= shift
	r := fma(k, negLn2loN, fma(k, negLn2hiN, x))
	r += tail
	entry := &expTable[bits%128]
	scale := entry[1] + (bits+sign)<<45
	r2 := r * r
	low := fma(r2, fma(r, 0x1.555555555543cp-3, 0x1.ffffffffffdbdp-2), math.Float64frombits(entry[0])+r)
	rest := fma(r2*r2, fma(r, 0x1.1111167a4d017p-7, 0x1.55555cf172b91p-5), low)
	if large {
		return farScaled(rest, scale, bits)
	}
	s := math.Float64frombits(scale)
	return fma(s, rest, s)
}

// farScaled is scale·(1+rest) where the exponent of scale may have left its place.
func farScaled(rest float64, scale, k uint64) float64 {
	if k&0x80000000 == 0 {
		s := math.Float64frombits(scale - 1009<<52)
		return 0x1p1009 * fma(s, rest, s)
	}
	return subnormal(math.Float64frombits(scale+1022<<52), rest)
}

// subnormal is 2^-1022·s·(1+rest), rounded once at the place of a subnormal number.
func subnormal(s, rest float64) float64 {
	y := fma(s, rest, s)
	if math.Abs(y) < 1 {
		one := math.Copysign(1, y)
		low := fma(s, rest, s-y)
		high := one + y
		low = one - high + y + low
		y = high + low - one
		if y == 0 {
			y = math.Copysign(0, s)
		}
	}
	return 0x1p-1022 * y
}
