package ticket

import "math"

// power is x to the y for x ≥ 0, rounded once. Decays chain over many runs. math.Pow is sometimes wrong
// in the last digit; the C library's pow practically never is.
func power(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) || math.IsInf(y, 0) || math.IsNaN(y):
		return math.Pow(x, y)
	}
	p := exp(log(x).times(double{hi: y}))
	if v := p.hi + p.lo; v > 0x1p-1000 && v < 0x1p1000 {
		return v
	}
	return math.Pow(x, y)
}

// A double is an unevaluated sum of two float64 values, the second far smaller: about 106 bits.
type double struct{ hi, lo float64 }

func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, float64(a-float64(s-t)) + float64(b-t)}
}

func (a double) plus(b double) double {
	s := sum(a.hi, b.hi)
	return sum(s.hi, s.lo+float64(a.lo+b.lo))
}

func (a double) times(b double) double {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p)
	return sum(p, e+float64(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

// ln2 to 106 bits.
var ln2 = double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

// exp is e to the a: reduced by powers of two and then halved ten times for a short series.
func exp(a double) double {
	k := math.Round(a.hi / math.Ln2)
	r := a.plus(ln2.times(double{hi: -k}))
	const halvings = 10
	r = double{math.Ldexp(r.hi, -halvings), math.Ldexp(r.lo, -halvings)}
	term, series := r, r // e^r - 1
	for n := 2.0; n <= 9; n++ {
		term = term.times(r).times(inverse(n))
		series = series.plus(term)
	}
	for range halvings { // (1+s)² - 1 = 2s + s²
		series = series.plus(series).plus(series.times(series))
	}
	one := series.plus(double{hi: 1})
	return double{math.Ldexp(one.hi, int(k)), math.Ldexp(one.lo, int(k))}
}

// inverse is 1/n.
func inverse(n float64) double {
	q := 1 / n
	return double{q, math.FMA(-q, n, 1) / n}
}

// log is the natural logarithm of x > 0: one step of Newton's method from the library's.
func log(x float64) double {
	y := double{hi: math.Log(x)}
	ratio := exp(double{hi: -y.hi}).times(double{hi: x}) // x/e^y, next to 1
	d := ratio.plus(double{hi: -1})
	half := d.times(d).times(double{hi: -0.5})
	return y.plus(d).plus(half)
}
