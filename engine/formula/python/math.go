package python

import (
	"math"
	"math/big"

	"qprism/engine/formula/libm"
)

// isMath says whether a name is one of module math.
func isMath(word string) bool {
	_, ok := mathNames[word]
	return ok
}

// mathNames are what "from math import *" defines in Python 3.11.
var mathNames map[string]value

func init() {
	mathNames = map[string]value{
		"pi": float(math.Pi), "e": float(math.E), "tau": float(2 * math.Pi), "inf": float(math.Inf(1)), "nan": float(math.NaN()),
	}
	for _, fn := range mathFunctions() {
		mathNames[fn.name] = fn.value()
	}
}

func mathFunctions() []*function {
	return []*function{
		// same bits as the C library
		real1("exp", libm.Exp, true), real1("exp2", libm.Exp2, true), real1("sqrt", math.Sqrt, false), real1("fabs", math.Abs, false),
		real1("degrees", func(x float64) float64 { return x * (180 / math.Pi) }, false),
		real1("radians", func(x float64) float64 { return x * (math.Pi / 180) }, false),
		{"log", 1, 2, logarithm}, {"log2", 1, 1, logOf("log2", libm.Log2)}, {"log10", 1, 1, logOf("log10", libm.Log10)},
		{"pow", 2, 2, realPower}, real2("fmod", fmod), real2("copysign", math.Copysign), real2("remainder", remainder),
		real2("nextafter", math.Nextafter), {"ldexp", 2, 2, ldexp}, {"frexp", 1, 1, frexp}, {"modf", 1, 1, modf}, {"ulp", 1, 1, ulp},
		{"floor", 1, 1, roundedBy(math.Floor)}, {"ceil", 1, 1, roundedBy(math.Ceil)}, {"trunc", 1, 1, roundedBy(math.Trunc)},
		{"fsum", 1, 1, exactSum}, {"prod", 1, 1, product}, {"isclose", 2, 2, isClose},
		test("isfinite", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }),
		test("isinf", func(x float64) bool { return math.IsInf(x, 0) }), test("isnan", math.IsNaN),
		// whole numbers
		{"factorial", 1, 1, factorial}, {"comb", 2, 2, comb}, {"perm", 1, 2, perm}, {"isqrt", 1, 1, isqrt},
		{"gcd", 0, unbounded, fold(0, gcd)}, {"lcm", 0, unbounded, fold(1, lcm)},
		// nearly the same
		real1("sin", math.Sin, false), real1("cos", math.Cos, false), real1("tan", math.Tan, false), real1("asin", math.Asin, false),
		real1("acos", math.Acos, false), real1("atan", math.Atan, false), real1("sinh", math.Sinh, true), real1("cosh", math.Cosh, true),
		real1("tanh", math.Tanh, false), real1("asinh", math.Asinh, false), real1("acosh", math.Acosh, false), real1("atanh", atanh, false),
		real1("cbrt", math.Cbrt, false), real1("expm1", math.Expm1, true), real1("log1p", log1p, false), real1("erf", math.Erf, false),
		real1("erfc", math.Erfc, false), {"gamma", 1, 1, gamma}, {"lgamma", 1, 1, lgamma}, real2("atan2", math.Atan2),
		{"hypot", 0, unbounded, hypot}, {"dist", 2, 2, distance},
	}
}

func domain() *Error  { return fail(ValueError, "math domain error") }
func rangeOf() *Error { return fail(OverflowError, "math range error") }

// checked is a result for finite arguments, which must be a number, and finite.
func checked(y float64, finite, overflows bool) (value, *Error) {
	switch {
	case !finite:
	case math.IsInf(y, 0) && overflows:
		return none, rangeOf()
	case math.IsInf(y, 0):
		return none, domain()
	}
	return float(y), nil
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// real1 is a function of one float.
func real1(name string, fn func(float64) float64, overflows bool) *function {
	return &function{name, 1, 1, func(_ *frame, args []value) (value, *Error) {
		x, err := args[0].real()
		if err != nil {
			return none, err
		}
		y := fn(x)
		if math.IsNaN(y) && !math.IsNaN(x) {
			return none, domain()
		}
		return checked(y, isFinite(x), overflows)
	}}
}

// real2 is a function of two floats.
func real2(name string, fn func(x, y float64) float64) *function {
	return &function{name, 2, 2, func(_ *frame, args []value) (value, *Error) {
		x, y, err := twoReals(args)
		if err != nil {
			return none, err
		}
		z := fn(x, y)
		if math.IsNaN(z) && !math.IsNaN(x) && !math.IsNaN(y) {
			return none, domain()
		}
		return float(z), nil
	}}
}

func twoReals(args []value) (x, y float64, err *Error) {
	if x, err = args[0].real(); err == nil {
		y, err = args[1].real()
	}
	return x, y, err
}

func test(name string, fn func(float64) bool) *function {
	return &function{name, 1, 1, func(_ *frame, args []value) (value, *Error) {
		x, err := args[0].real()
		return boolean(fn(x)), err
	}}
}

func fmod(x, y float64) float64 {
	if math.IsInf(y, 0) && isFinite(x) {
		return x
	}
	return math.Mod(x, y)
}

func remainder(x, y float64) float64 {
	if math.IsInf(y, 0) && isFinite(x) {
		return x
	}
	return math.Remainder(x, y)
}

// realPower is math.pow.
func realPower(_ *frame, args []value) (value, *Error) {
	x, y, err := twoReals(args)
	if err != nil {
		return none, err
	}
	z := libm.Pow(x, y)
	switch {
	case !isFinite(x) || !isFinite(y), isFinite(z):
		return float(z), nil
	case math.IsNaN(z), x == 0:
		return none, domain()
	}
	return none, rangeOf()
}

// logarithm is log(x), or log(x, base).
func logarithm(f *frame, args []value) (value, *Error) {
	natural := logOf("log", libm.Log)
	x, err := natural(f, args[:1])
	if err != nil || len(args) == 1 {
		return x, err
	}
	base, err := natural(f, args[1:])
	if err != nil {
		return none, err
	}
	return floats(opDivide, x.float(), base.float())
}

// logOf is a logarithm that also takes whole numbers beyond all floats.
func logOf(_ string, fn func(float64) float64) func(*frame, []value) (value, *Error) {
	return func(_ *frame, args []value) (value, *Error) {
		v := args[0]
		x, err := v.real()
		switch {
		case err != nil && v.isWhole() && v.big().Sign() > 0:
			m := new(big.Float).SetMode(big.ToNearestEven).SetPrec(53).SetInt(v.big())
			exponent := m.MantExp(m)
			mantissa, _ := m.Float64()
			return float(fn(mantissa) + float64(fn(2)*float64(exponent))), nil
		case err != nil && v.isWhole():
			return none, domain()
		case err != nil:
			return none, err
		case x <= 0:
			return none, domain()
		}
		return float(fn(x)), nil
	}
}

// roundedBy makes a whole number of a float.
func roundedBy(fn func(float64) float64) func(*frame, []value) (value, *Error) {
	return func(f *frame, args []value) (value, *Error) {
		v := args[0]
		if v.isWhole() {
			return f.signed("+", v)
		}
		x, err := v.real()
		if err != nil {
			return none, err
		}
		return wholeOf(fn(x))
	}
}

func ldexp(_ *frame, args []value) (value, *Error) {
	x, err := args[0].real()
	switch {
	case err != nil:
		return none, err
	case !args[1].isWhole():
		return none, fail(TypeError, "Expected an int as second argument to ldexp.")
	case x == 0 || !isFinite(x):
		return float(x), nil
	}
	e, ok := args[1].small()
	switch {
	case !ok && args[1].big().Sign() > 0, e > 1<<20:
		return none, rangeOf()
	case !ok, e < -1<<20:
		return float(math.Copysign(0, x)), nil
	}
	y := math.Ldexp(x, int(e))
	if math.IsInf(y, 0) {
		return none, rangeOf()
	}
	return float(y), nil
}

func frexp(_ *frame, args []value) (value, *Error) {
	x, err := args[0].real()
	m, e := math.Frexp(x)
	return tuple([]value{float(m), integer(int64(e))}), err
}

func modf(_ *frame, args []value) (value, *Error) {
	x, err := args[0].real()
	if math.IsInf(x, 0) {
		return tuple([]value{float(math.Copysign(0, x)), float(x)}), err
	}
	whole := math.Trunc(x)
	return tuple([]value{float(math.Copysign(x-whole, x)), float(whole)}), err
}

func ulp(_ *frame, args []value) (value, *Error) {
	x, err := args[0].real()
	x = math.Abs(x)
	switch {
	case err != nil || !isFinite(x):
		return float(x), err
	case x == math.MaxFloat64:
		return float(x - math.Nextafter(x, 0)), nil
	}
	return float(math.Nextafter(x, math.Inf(1)) - x), nil
}

func isClose(_ *frame, args []value) (value, *Error) {
	x, y, err := twoReals(args)
	switch {
	case err != nil, x == y:
		return boolean(true), err
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return boolean(false), nil
	}
	diff := math.Abs(y - x)
	return boolean(diff <= math.Abs(1e-9*y) || diff <= math.Abs(1e-9*x)), nil
}

// exactSum rounds only once.
func exactSum(f *frame, args []value) (value, *Error) {
	items, err := f.items(args[0])
	if err != nil {
		return none, err
	}
	special, infinite := 0.0, 0.0
	exact := new(big.Float).SetPrec(4096) // holds the sum of any floats
	for _, item := range items {
		x, err := item.real()
		switch {
		case err != nil:
			return none, err
		case math.IsInf(x, 0):
			infinite += x
			special += x
			continue
		case math.IsNaN(x):
			special += x
			continue
		}
		exact.Add(exact, big.NewFloat(x))
	}
	total, _ := exact.Float64()
	switch {
	case math.IsNaN(infinite):
		return none, fail(ValueError, "-inf + inf in fsum")
	case special != 0:
		return float(special), nil
	case math.IsInf(total, 0):
		return none, fail(OverflowError, "intermediate overflow in fsum")
	case total == 0:
		total = 0
	}
	return float(total), nil
}

func product(f *frame, args []value) (value, *Error) {
	items, err := f.items(args[0])
	if err != nil {
		return none, err
	}
	total := integer(1)
	for _, item := range items {
		if total, err = f.operate(opMultiply, total, item); err != nil {
			return none, err
		}
	}
	return total, nil
}

func atanh(x float64) float64 {
	if math.Abs(x) == 1 {
		return math.Inf(1)
	}
	return math.Atanh(x)
}

func log1p(x float64) float64 {
	if x == 0 {
		return x
	}
	return math.Log1p(x)
}

func gamma(_ *frame, args []value) (value, *Error) {
	x, err := args[0].real()
	switch {
	case err != nil:
		return none, err
	case math.IsInf(x, -1), x <= 0 && x == math.Floor(x):
		return none, domain()
	}
	return checked(math.Gamma(x), isFinite(x), true)
}

func lgamma(_ *frame, args []value) (value, *Error) {
	x, err := args[0].real()
	switch {
	case err != nil:
		return none, err
	case x <= 0 && x == math.Floor(x) && isFinite(x):
		return none, domain()
	case math.IsInf(x, 0):
		return float(math.Inf(1)), nil
	}
	y, _ := math.Lgamma(x)
	return checked(y, isFinite(x), true)
}

func hypot(_ *frame, args []value) (value, *Error) {
	xs := make([]float64, len(args))
	for i, v := range args {
		x, err := v.real()
		if err != nil {
			return none, err
		}
		xs[i] = x
	}
	return float(norm(xs)), nil
}

func distance(f *frame, args []value) (value, *Error) {
	p, err := f.items(args[0])
	if err != nil {
		return none, err
	}
	q, err := f.items(args[1])
	if err != nil {
		return none, err
	}
	if len(p) != len(q) {
		return none, fail(ValueError, "both points must have the same number of dimensions")
	}
	xs := make([]float64, len(p))
	for i := range p {
		x, y, err := twoReals([]value{p[i], q[i]})
		if err != nil {
			return none, err
		}
		xs[i] = x - y
	}
	return float(norm(xs)), nil
}

// norm is the root of the sum of squares, rounded once from far more digits.
func norm(xs []float64) float64 {
	exact, number := new(big.Float).SetPrec(512), 0.0
	for _, x := range xs {
		if math.IsInf(x, 0) {
			return math.Inf(1)
		}
		number += x * 0
		if isFinite(x) {
			square := new(big.Float).SetPrec(512).SetFloat64(x)
			exact.Add(exact, square.Mul(square, square))
		}
	}
	if math.IsNaN(number) || exact.Sign() == 0 {
		return math.Abs(number)
	}
	y, _ := exact.Sqrt(exact).Float64()
	return y
}
