package ticket

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestPowerIsCorrectlyRounded compares with results that are known to be: squares, cubes, roots and inverses.
func TestPowerIsCorrectlyRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-3, 1e3).Draw(t, "x")
		exact := new(big.Float).SetPrec(500).SetFloat64(x)
		cube, _ := new(big.Float).SetPrec(500).Mul(exact, new(big.Float).SetPrec(500).Mul(exact, exact)).Float64()
		for y, want := range map[float64]float64{2: x * x, 3: cube, 0.5: math.Sqrt(x), -1: 1 / x, 1: x, 0: 1} {
			if got := power(x, y); got != want {
				t.Errorf("%v to the %v: got %v, want %v", x, y, got, want)
			}
		}
	})
}

// TestPowerOfDecayIsCorrectlyRounded covers the bases and exponents of decay, next to one and minutes to years, by
// multiplying with 300 bits. (The library's math.Pow is off in the thirteenth digit there.)
func TestPowerOfDecayIsCorrectlyRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0.98, 1).Draw(t, "x")
		y := rapid.IntRange(0, 30000).Draw(t, "y")
		product, square := new(big.Float).SetPrec(300).SetInt64(1), new(big.Float).SetPrec(300).SetFloat64(x)
		for n := y; n > 0; n >>= 1 {
			if n&1 == 1 {
				product.Mul(product, square)
			}
			square.Mul(square, square)
		}
		if want, _ := product.Float64(); power(x, float64(y)) != want {
			t.Errorf("%v to the %v: got %v, want %v", x, y, power(x, float64(y)), want)
		}
	})
}

func TestPowerOfOddValues(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{{0, 2, 0}, {0, 0, 1}, {1, math.Inf(1), 1}, {0.5, 5000, 0}, {0.5, 1060, math.Pow(0.5, 1060)}, {2, 2000, math.Inf(1)}} {
		if got := power(c.x, c.y); got != c.want {
			t.Errorf("%v to the %v: got %v, want %v", c.x, c.y, got, c.want)
		}
	}
}
