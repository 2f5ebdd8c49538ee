package formula

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"qprism/engine/formula/python"
)

// maxDigits is the number of decimals that PBS keeps of any number.
const maxDigits = 4

// Digits is the number of decimals with which PBS prints a number, at most four. It stops before three zeros
// or nines (float_digits). So 0.0004 has none, and 8.75 has two or four, depending on the last bits.
func Digits(x float64) int {
	x = math.Abs(x)
	n := 0
	for ; n < maxDigits; n++ {
		next := truncated((x - truncated(x)) * 1000)
		if next < 1 || next >= 999 {
			break
		}
		x = float64(x * 10) // not fused with the difference that follows
	}
	return n
}

// truncated is a number as C's unsigned long; what is larger, and no number, is far more than 999.
func truncated(x float64) float64 {
	if x < math.MaxUint64 {
		return math.Trunc(x)
	}
	return math.MaxUint64
}

// Print formats a formula's value as the scheduler's log does.
func Print(value float32) string { return printed(float64(value)) }

func printed(x float64) string {
	switch {
	case math.IsNaN(x) && math.Signbit(x):
		return "-nan"
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return map[bool]string{false: "inf", true: "-inf"}[x < 0]
	}
	return strconv.FormatFloat(x, 'f', Digits(x), 64)
}

// Amount is an amount as formulas get it: printed by PBS and read by Python. Whole amounts are ints of any
// size, others are floats with at most four decimals.
func Amount(x float64) python.Value {
	digits := Digits(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return python.Float(x)
	case digits == 0 && math.Abs(x) < 1<<62:
		return python.Int(int64(math.RoundToEven(x)))
	case digits == 0:
		n, _ := big.NewFloat(x).Int(nil)
		return python.Whole(n)
	}
	return python.Float(rounded(x, digits))
}

// Share is a number of the fairshare tree as formulas get it, with six decimals.
func Share(x float64) python.Value { return python.Float(rounded(x, 6)) }

var units = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// rounded is the number that is read where x is printed with some decimals.
func rounded(x float64, digits int) float64 {
	n := float64(x * units[digits])
	whole := math.RoundToEven(n)
	if clear := math.Abs(math.Abs(n-whole)-0.5) > 1e-6; clear && math.Abs(n) < 1e9 {
		return whole / units[digits]
	}
	return roundedAsText(x, digits)
}

// roundedAsText is rounded where a product may have been rounded to a half, or away from it.
func roundedAsText(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		return x // infinite, or no number
	}
	return y
}

// Plain formats a number as formulas get it, with all digits.
func Plain(x float64) string {
	text := fmt.Sprintf("%.6f", x)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
