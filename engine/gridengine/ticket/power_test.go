package ticket

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestPowerIsRoundedOnce multiplies with 400 bits and lets power be off by half a unit in the last place and no more
// (but for a millionth of it, where the exact result lies that close to the middle of two numbers).
func TestPowerIsRoundedOnce(t *testing.T) {
	for name, bases := range map[string]*rapid.Generator[float64]{
		"decay, next to one": rapid.Float64Range(0.98, 1), "anything": rapid.Float64Range(1e-3, 1e3)} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			x, y := bases.Draw(t, "x"), rapid.IntRange(0, 90).Draw(t, "y")
			if x >= 0.98 && x <= 1 {
				y *= 300
			}
			exact, got := integerPower(x, y), power(x, float64(y))
			ulp := math.Nextafter(got, math.Inf(1)) - got
			off, _ := new(big.Float).SetPrec(400).Sub(exact, new(big.Float).SetPrec(400).SetFloat64(got)).Float64()
			if math.Abs(off) > ulp*(0.5+1e-6) {
				t.Errorf("%v to the %v: %v is off by %v units", x, y, got, off/ulp)
			}
		}))
	}
}

// integerPower is x to the y with 400 bits.
func integerPower(x float64, y int) *big.Float {
	product, square := new(big.Float).SetPrec(400).SetInt64(1), new(big.Float).SetPrec(400).SetFloat64(x)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			product.Mul(product, square)
		}
		square.Mul(square, square)
	}
	return product
}

func TestPowerOfOddValues(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{{0, 2, 0}, {0, 0, 1}, {1, math.Inf(1), 1}, {0.5, 5000, 0},
		{0.5, 1060, math.Pow(0.5, 1060)}, {2, 2000, math.Inf(1)}} {
		if got := power(c.x, c.y); got != c.want {
			t.Errorf("%v to the %v: got %v, want %v", c.x, c.y, got, c.want)
		}
	}
}
