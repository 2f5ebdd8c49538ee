package formula_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qprism/engine/formula"
)

var values = map[string]float64{"a": 2, "b": 5, "np_load_avg": 0.25, "neg": -1, "big": 1 << 33, "e": 8, "x1": 16}

func value(name string) (float64, bool) {
	v, ok := values[name]
	return v, ok
}

func TestLoad(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want float64
	}{
		"a resource is its value":                            {"np_load_avg", 0.25},
		"a dollar before it is dropped":                      {"$a", 2},
		"a number is itself":                                 {"1.5", 1.5},
		"a weight multiplies":                                {"a*0.5", 1},
		"terms add up":                                       {"a+b", 7},
		"and are taken off":                                  {"b-a-1", 2},
		"a sign before the first term is its own":            {"-a+b", 3},
		"a plus before the first term is nothing":            {"+a", 2},
		"of two signs the first counts":                      {"b-+a", 3},
		"two minus signs are one":                            {"b--a", 3},
		"a sign at the end is nothing":                       {"a+", 2},
		"blanks are nothing":                                 {" a * 2\t+ b ", 9},
		"a resource divides":                                 {"b/a", 2.5},
		"numbers may come first":                             {"3*a", 6},
		"& is of bits":                                       {"b&a*7", 0},
		"| is of bits":                                       {"b|a", 7},
		"^ is of bits":                                       {"b^7", 2},
		"bits are those of the whole part":                   {"2.9|4.9", 6},
		"bits are the low 32":                                {"big|1", 1},
		"bits of a negative number are its two's complement": {"neg&255", 255},
		"what follows two operands is nothing":               {"a*b*nowhere", 10},
		"what follows a number as the second is nothing":     {"a*3x", 6},
		"a missing resource is a heavy load":                 {"nowhere", formula.Unknown},
		"a missing resource in any term is":                  {"a+b*nowhere", formula.Unknown},
		"an operator without a second operand is":            {"a*", formula.Unknown},
		"an operator without a first is":                     {"*a", formula.Unknown},
		"a number followed by letters is":                    {"3a", formula.Unknown},
		"so a resource whose name starts with inf is":        {"infiniband", formula.Unknown},
		"a number with an exponent falls apart at a sign":    {"1e-2", formula.Unknown},
		"one without a sign does not":                        {"1e2", 100},
		"a name may start with a letter of numbers":          {"e*x1", 128},
		"a dollar anywhere drops the first letter":           {"xa$", formula.Unknown},
		"nothing is nothing":                                 {"", 0},
		"a sign alone is nothing":                            {"-", 0},
		"infinity is a number":                               {"inf", math.Inf(1)},
		"what divides by nothing is infinite":                {"a/0", math.Inf(1)},
	} {
		if got := formula.Parse(tc.text).Load(value); got != tc.want {
			t.Errorf("%s: %q is %v, want %v", name, tc.text, got, tc.want)
		}
	}
}

// TestSumsOfWeightedResourcesAreSums computes formulas of the form that qconf accepts on the way.
func TestSumsOfWeightedResourcesAreSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		want := 0.0
		for i := range rapid.IntRange(1, 6).Draw(t, "terms") {
			minus := rapid.Bool().Draw(t, "minus")
			name := rapid.SampledFrom([]string{"a", "b", "np_load_avg"}).Draw(t, "resource")
			term := values[name]
			switch {
			case minus:
				text.WriteByte('-')
			case i > 0:
				text.WriteByte('+')
			}
			text.WriteString(name)
			if rapid.Bool().Draw(t, "weighted") {
				text.WriteString("*3")
				term *= 3
			}
			if minus {
				term = -term
			}
			want += term
		}
		if got := formula.Parse(text.String()).Load(value); got != want {
			t.Errorf("%s is %v, want %v", text.String(), got, want)
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"np_load_avg", "a*3-b/2+$e", "1e-2", "+-*&|^", "0x1p3*a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		load := formula.Parse(text).Load(value)
		formulaOfOnes := formula.Parse(text).Load(func(string) (float64, bool) { return 1, true })
		if load != formula.Unknown && !math.IsNaN(load) && formulaOfOnes == formula.Unknown && !strings.Contains(text, "9") {
			t.Errorf("%q is %v with values and unknown with others", text, load)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	f := formula.Parse("np_load_avg*100-a+b")
	for b.Loop() {
		f.Load(value)
	}
}
