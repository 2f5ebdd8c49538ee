package libm

import "math"

const (
	ln2hi = 0x1.62e42fefa3800p-1
	ln2lo = 0x1.ef35793c76730p-45
)

// reduced is x = 2^k·z, and z's interval in a table.
type reduced struct {
	k, z  float64
	index uint64
}

// reduce splits a positive number; the table has 2^size intervals from the bits of offset on.
func reduce(bits, offset uint64, size uint) reduced {
	from := bits - offset
	return reduced{
		k:     float64(int64(from) >> 52),
		z:     math.Float64frombits(bits - from&(0xfff<<52)),
		index: from >> (52 - size) % (1 << size),
	}
}

// outside answers for all that is not a positive number.
func outside(x float64) (y float64, ok bool) {
	switch {
	case x == 0:
		return math.Inf(-1), true
	case math.IsInf(x, 1) || math.IsNaN(x):
		return x, true
	case x < 0:
		return nan(), true
	}
	return 0, false
}

// positive are the bits of a positive number, normalized.
func positive(x float64) uint64 {
	if x < minNormal {
		return normalize(x)
	}
	return math.Float64bits(x)
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if y, ok := outside(x); ok {
		return y
	}
	if x >= 1-0x1p-4 && x < 1+0x1.09p-4 {
		return logNearOne(x)
	}
	p := reduce(positive(x), 0x3fe6000000000000, 7)
	entry := &logTable[p.index]
	r := fma(p.z, entry[0], -1)
	w := fma(p.k, ln2hi, entry[1])
	hi := w + r
	lo := fma(p.k, ln2lo, w-hi+r)
	r2 := r * r
	lo = fma(r2, -0x1.0000000000001p-1, lo)
	tail := fma(r2, fma(r, -0x1.55575e506c89fp-3, 0x1.999b324f10111p-3),
		fma(r, -0x1.fffffffeb459p-3, 0x1.555555551305bp-2))
	return fma(r*r2, tail, lo) + hi
}

// logNearOne keeps the bits that cancel where the logarithm is near zero.
func logNearOne(x float64) float64 {
	if x == 1 {
		return 0
	}
	r := x - 1
	r2 := r * r
	r3 := r * r2
	c := fma(r3, -0x1.5521375d145cdp-4, fma(r2, 0x1.78182f7afd085p-4, fma(r, -0x1.999eb43b068ffp-4, 0x1.c7184282ad6cap-4)))
	b := fma(r3, c, fma(r2, -0x1.fffffa4423d65p-4, fma(r, 0x1.24924a344de3p-3, -0x1.55555556745a7p-3)))
	a := fma(r3, b, fma(r2, 0x1.999999995dd0cp-3, fma(r, -0x1.ffffffffffdcbp-3, 0x1.5555555555577p-2)))
	w := float64(r * 0x1p27)
	rhi := r + w - w
	rlo := r - rhi
	w = float64(float64(rhi*rhi) * -0.5)
	hi := r + w
	lo := r - hi + w
	lo = fma(-0.5*rlo, rhi+r, lo)
	return fma(r3, a, lo) + hi
}

const (
	invLn2hi = 0x1.7154765200000p+0
	invLn2lo = 0x1.705fc2eefa200p-33
)

// Log2 is the logarithm to base 2.
func Log2(x float64) float64 {
	if y, ok := outside(x); ok {
		return y
	}
	if x >= 1-0x1.5b51p-5 && x < 1+0x1.6ab2p-5 {
		return log2NearOne(x)
	}
	p := reduce(positive(x), 0x3fe6000000000000, 6)
	entry := &log2Table[p.index]
	r := fma(p.z, entry[0], -1)
	t1 := float64(r * invLn2hi)
	t2 := fma(r, invLn2lo, fma(r, invLn2hi, -t1))
	t3 := p.k + entry[1]
	hi := t3 + t1
	lo := t3 - hi + t1 + t2
	r2 := r * r
	r4 := r2 * r2
	q := fma(r2, fma(r, 0x1.2776c50034c48p-2, -0x1.7154764702ffbp-2), fma(r, 0x1.ec709dc3a04bep-2, -0x1.71547652b8339p-1))
	q = fma(r4, fma(r, 0x1.a6225e117f92ep-3, -0x1.ec7b328ea92bcp-3), q)
	return fma(r2, q, lo) + hi
}

func log2NearOne(x float64) float64 {
	if x == 1 {
		return 0
	}
	r := x - 1
	hi := float64(r * invLn2hi)
	lo := fma(r, invLn2lo, fma(r, invLn2hi, -hi))
	r2 := r * r
	r4 := r2 * r2
	p := fma(r, 0x1.ec709dc3a03f7p-2, -0x1.71547652b82fep-1)
	y := fma(r2, p, hi)
	lo += fma(r2, p, hi-y)
	b := fma(r2, fma(r, 0x1.0b32f285aee66p-3, -0x1.289e4a72c383cp-3), fma(r, 0x1.484d154f01b4ap-3, -0x1.7153fbc64a79bp-3))
	a := fma(r2, fma(r, 0x1.a61761ec4e736p-3, -0x1.ec709dd768fe5p-3), fma(r, 0x1.2776c50f05be4p-2, -0x1.71547652b7c3fp-2))
	return y + fma(r4, fma(r4, b, a), lo)
}

// Log10 is the logarithm to base 10. The C library's version is older than the others: it uses Log of the
// mantissa.
func Log10(x float64) float64 {
	if y, ok := outside(x); ok {
		return y
	}
	bits := positive(x)
	k := int64(bits>>52) - 1023
	if x < minNormal {
		k = int64(bits)>>52 - 1023
	}
	i := int64(uint64(k) >> 63)
	m := math.Float64frombits(bits&(1<<52-1) | uint64(0x3ff-i)<<52)
	y := float64(k + i)
	z := float64(y*3.69423907715893078616e-13) + float64(4.34294481903251816668e-01*Log(m))
	return z + float64(y*3.01029995663611771306e-01)
}
