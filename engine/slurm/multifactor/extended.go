package multifactor

import "math/big"

// mantissa is that of a C long double on x86-64, in bits. The server keeps usage in it, and so the last bit
// decides who is tied with whom.
const mantissa = 64

// An extended is a number as the server's long double holds it; infinity, but no NaN.
type extended = *big.Float

func extend(v float64) extended { return new(big.Float).SetPrec(mantissa).SetFloat64(v) }

func zero() extended { return new(big.Float).SetPrec(mantissa) }

func plus(a, b extended) extended { return zero().Add(a, b) }

func minus(a, b extended) extended { return zero().Sub(a, b) }

func times(a, b extended) extended { return zero().Mul(a, b) }

// by divides; what is divided by nothing is infinite.
func by(a, b extended) extended { return zero().Quo(a, b) }

// double rounds to a C double.
func double(a extended) float64 {
	v, _ := a.Float64()
	return v
}
