package libm

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"testing"
)

//go:embed testdata/glibc.txt
var vectors []byte

var functions = map[string]func(x, y float64) float64{
	"Exp":   func(x, _ float64) float64 { return Exp(x) },
	"Log":   func(x, _ float64) float64 { return Log(x) },
	"Log2":  func(x, _ float64) float64 { return Log2(x) },
	"Log10": func(x, _ float64) float64 { return Log10(x) },
	"Pow":   Pow,
}

func TestResultsHaveTheBitsOfTheCLibrary(t *testing.T) {
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(vectors)); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var name string
		var x, y, want uint64
		if _, err := fmt.Sscanf(lines.Text(), "%s %x %x %x", &name, &x, &y, &want); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		n++
		a, b := math.Float64frombits(x), math.Float64frombits(y)
		if got := functions[name](a, b); math.Float64bits(got) != want {
			t.Errorf("%s(%g, %g) = %g, the C library has %g", name, a, b, got, math.Float64frombits(want))
		}
	}
	if n != 1250 {
		t.Errorf("%d vectors, want 1250", n)
	}
}

func TestEdgesAreThoseOfTheStandard(t *testing.T) {
	inf := math.Inf(1)
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, -3, inf, -inf,
		math.NaN(), -5e-324, math.MaxFloat64,
		-math.MaxFloat64, 1e300, 0x1p63, 0x1p-70}
	for _, x := range edges {
		for _, y := range edges {
			same(t, fmt.Sprintf("Pow(%g, %g)", x, y), Pow(x, y), math.Pow(x, y))
		}
		same(t, fmt.Sprintf("Exp(%g)", x), Exp(x), math.Exp(x))
		same(t, fmt.Sprintf("Log(%g)", x), Log(x), math.Log(x))
		same(t, fmt.Sprintf("Log2(%g)", x), Log2(x), math.Log2(x))
		same(t, fmt.Sprintf("Log10(%g)", x), Log10(x), math.Log10(x))
	}
}

// same says where two results differ by more than their last bits, or in kind.
func same(t *testing.T, what string, got, want float64) {
	switch {
	case math.IsNaN(got) && math.IsNaN(want), got == want && math.Signbit(got) == math.Signbit(want):
	case math.IsNaN(got), math.IsNaN(want), math.IsInf(got, 0), math.IsInf(want, 0),
		math.Abs(got-want) > 1e-13*math.Abs(want):
		t.Errorf("%s = %g, want %g", what, got, want)
	}
}
