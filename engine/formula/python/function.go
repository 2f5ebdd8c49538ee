package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"qprism/engine/formula/libm"
)

// A function is one of Python's.
type function struct {
	name     string
	min, max int // number of arguments
	call     func(args []Value) (Value, *Error)
}

// unbounded is the number of arguments that has no bound.
const unbounded = math.MaxInt

// apply calls a function. The arguments are only lent to it.
func (fn *function) apply(args []Value) (Value, *Error) {
	switch {
	case len(args) < fn.min:
		return Value{}, fail(TypeError, "%s expected at least %d argument(s), got %d", fn.name, fn.min, len(args))
	case len(args) > fn.max:
		return Value{}, fail(TypeError, "%s expected at most %d argument(s), got %d", fn.name, fn.max, len(args))
	}
	for i := range args {
		if args[i].kind == complexKind {
			return Value{}, noComplex()
		}
	}
	return fn.call(args)
}

var mathConstants = map[string]Value{"pi": Float(math.Pi), "e": Float(math.E), "tau": Float(2 * math.Pi),
	"inf": Float(math.Inf(1)), "nan": Float(math.NaN())}

// builtins are the built-in functions that are computed; pow is math's, which comes first.
var builtins = []*function{
	{"abs", 1, 1, absolute},
	{"bool", 1, 1, func(args []Value) (Value, *Error) { return boolean(args[0].truth()), nil }},
	{"float", 1, 1, toFloat},
	{"int", 1, 1, roundedBy(math.Trunc)},
	{"max", 1, unbounded, func(args []Value) (Value, *Error) { return extreme(">", args) }},
	{"min", 1, unbounded, func(args []Value) (Value, *Error) { return extreme("<", args) }},
	{"round", 1, 2, round},
}

// mathFunctions are the functions of module math that are computed.
var mathFunctions = []*function{
	// same bits as the C library
	real1("exp", libm.Exp, true), real1("sqrt", math.Sqrt, false), real1("fabs", math.Abs, false),
	real1("degrees", func(x float64) float64 { return x * (180 / math.Pi) }, false),
	real1("radians", func(x float64) float64 { return x * (math.Pi / 180) }, false),
	{"log", 1, 2, logarithm}, {"log2", 1, 1, logOf(libm.Log2)}, {"log10", 1, 1, logOf(libm.Log10)},
	{"pow", 2, 2, realPower}, real2("fmod", fmod), real2("copysign", math.Copysign),
	{"floor", 1, 1, roundedBy(math.Floor)}, {"ceil", 1, 1, roundedBy(math.Ceil)}, {"trunc", 1, 1, roundedBy(math.Trunc)},
	test("isfinite", isFinite), test("isinf", func(x float64) bool { return math.IsInf(x, 0) }), test("isnan", math.IsNaN),
	// nearly the same
	real1("sin", math.Sin, false), real1("cos", math.Cos, false), real1("tan", math.Tan, false),
	real1("asin", math.Asin, false), real1("acos", math.Acos, false), real1("atan", math.Atan, false),
	real1("sinh", math.Sinh, true), real1("cosh", math.Cosh, true), real1("tanh", math.Tanh, false),
	real1("erf", math.Erf, false), real2("atan2", math.Atan2),
}

// Functions of Python that are known by name, and not computed.
const (
	otherMath = `acosh asinh atanh cbrt comb dist erfc exp2 expm1 factorial frexp fsum gamma gcd hypot isclose isqrt lcm ldexp
		lgamma log1p modf nextafter perm prod remainder ulp`
	otherBuiltins = `__import__ all any bin bytes chr complex dict dir divmod enumerate eval exec exit filter format getattr
		globals hash hex id input isinstance iter len list locals map next object oct open ord print quit range repr
		reversed set slice sorted str sum tuple type vars zip`
)

// functions are those that are computed, by name; known says for all names of Python whether they are of module math.
var functions, known = func() (map[string]*function, map[string]bool) {
	functions, known := map[string]*function{}, map[string]bool{}
	for _, fn := range builtins {
		functions[fn.name], known[fn.name] = fn, false
	}
	for _, fn := range mathFunctions {
		functions[fn.name], known[fn.name] = fn, true
	}
	for _, name := range strings.Fields(otherBuiltins) {
		known[name] = false
	}
	for _, name := range strings.Fields(otherMath) {
		known[name] = true
	}
	for name := range mathConstants {
		known[name] = true
	}
	return functions, known
}()

// isMath says whether a name is one of module math.
func isMath(name string) bool { return known[name] }

// IsBuiltin reports whether a name is one of Python's built-in functions.
func IsBuiltin(name string) bool {
	math, ok := known[name]
	return ok && !math
}

func absolute(args []Value) (Value, *Error) {
	switch v := args[0]; {
	case v.kind == floatKind:
		return Float(math.Abs(v.float())), nil
	case v.whole().Sign() < 0:
		return signed("-", v)
	default:
		return v.plain(), nil
	}
}

func toFloat(args []Value) (Value, *Error) {
	x, err := args[0].real()
	return Float(x), err
}

// extreme is the first of the greatest, or of the least, arguments.
func extreme(operator string, args []Value) (Value, *Error) {
	if len(args) == 1 {
		return Value{}, fail(TypeError, "'%s' object is not iterable", args[0].Type())
	}
	best := args[0]
	for _, v := range args[1:] {
		if holds(operator, order(v, best)) {
			best = v
		}
	}
	return best, nil
}

// round rounds halves to even: to a whole number, or to the number of digits in the second argument.
func round(args []Value) (Value, *Error) {
	if len(args) == 1 {
		return roundedBy(math.RoundToEven)(args)
	}
	digits, small := args[1].small()
	switch v := args[0]; {
	case !args[1].isWhole():
		return Value{}, fail(TypeError, "'%s' object cannot be interpreted as an integer", args[1].Type())
	case !small || digits < 0:
		return Value{}, fail(Unsupported, "qprism does not compute rounding to tens").hint("write round(x/100)*100")
	case v.isWhole():
		return v.plain(), nil
	case !isFinite(v.float()) || digits > 323:
		return v, nil
	default:
		x, _ := strconv.ParseFloat(strconv.FormatFloat(v.float(), 'f', int(digits), 64), 64)
		return Float(x), nil
	}
}

// roundedBy makes a whole number of a float.
func roundedBy(fn func(float64) float64) func([]Value) (Value, *Error) {
	return func(args []Value) (Value, *Error) {
		v := args[0]
		if v.isWhole() {
			return v.plain(), nil
		}
		switch x := fn(v.float()); {
		case math.IsNaN(x):
			return Value{}, fail(ValueError, "cannot convert float NaN to integer")
		case math.IsInf(x, 0):
			return Value{}, fail(OverflowError, "cannot convert float infinity to integer")
		case math.Abs(x) < 1<<62:
			return Int(int64(x)), nil
		default:
			n, _ := big.NewFloat(x).Int(nil)
			return Whole(n), nil
		}
	}
}

func domain() *Error { return fail(ValueError, "math domain error") }

// checked is a result, which must be finite for a finite argument.
func checked(y float64, finite, overflows bool) (Value, *Error) {
	switch {
	case !finite || !math.IsInf(y, 0):
		return Float(y), nil
	case overflows:
		return Value{}, fail(OverflowError, "math range error")
	}
	return Value{}, domain()
}

// real1 is a function of one float.
func real1(name string, fn func(float64) float64, overflows bool) *function {
	return &function{name, 1, 1, func(args []Value) (Value, *Error) {
		x, err := args[0].real()
		if err != nil {
			return Value{}, err
		}
		y := fn(x)
		if math.IsNaN(y) && !math.IsNaN(x) {
			return Value{}, domain()
		}
		return checked(y, isFinite(x), overflows)
	}}
}

// real2 is a function of two floats.
func real2(name string, fn func(x, y float64) float64) *function {
	return &function{name, 2, 2, func(args []Value) (Value, *Error) {
		x, y, err := reals(args[0], args[1])
		if err != nil {
			return Value{}, err
		}
		z := fn(x, y)
		if math.IsNaN(z) && !math.IsNaN(x) && !math.IsNaN(y) {
			return Value{}, domain()
		}
		return Float(z), nil
	}}
}

func test(name string, fn func(float64) bool) *function {
	return &function{name, 1, 1, func(args []Value) (Value, *Error) {
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

// realPower is math.pow.
func realPower(args []Value) (Value, *Error) {
	x, y, err := reals(args[0], args[1])
	if err != nil {
		return Value{}, err
	}
	z := libm.Pow(x, y)
	finite := isFinite(x) && isFinite(y)
	if finite && math.IsNaN(z) {
		return Value{}, domain()
	}
	return checked(z, finite, x != 0)
}

// logarithm is log(x), or log(x, base).
func logarithm(args []Value) (Value, *Error) {
	natural := logOf(libm.Log)
	x, err := natural(args[:1])
	if err != nil || len(args) == 1 {
		return x, err
	}
	base, err := natural(args[1:])
	if err != nil {
		return Value{}, err
	}
	return floats(opDivide, x.float(), base.float())
}

// logOf is a logarithm. Python also has those of whole numbers beyond all floats.
func logOf(fn func(float64) float64) func([]Value) (Value, *Error) {
	return func(args []Value) (Value, *Error) {
		x, err := args[0].real()
		switch {
		case err != nil && args[0].whole().Sign() > 0:
			return Value{}, tooLarge()
		case err != nil || x <= 0:
			return Value{}, domain()
		}
		return Float(fn(x)), nil
	}
}
