package python_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qprism/engine/formula/python"
)

// TestLinear reads sums, and says which part of others is none.
func TestLinear(t *testing.T) {
	for text, want := range map[string]string{
		"a":                       "1*a",
		"2*a + b/4 - 3":           "2*a 0.25*b -3",
		"-(a - b)*2":              "-2*a 2*b",
		"100*(0.01*a+0.1*b+c)":    "1*a 10*b 100*c",
		"a*max(2, 3) + pow(2, 3)": "3*a 8",
		"a + a - 2*a":             "0*a",
		"+a*(1 if True else 5)":   "1*a",
		"a*b":                     "a * b: is a product of two variables",
		"1/a":                     "1 / a: divides by a variable",
		"a/0":                     "a / 0: divides by zero",
		"3 + 2*max(a, 1)":         "max(a, 1): calls a function",
		"a if b > 0 else c":       "a if b > 0 else c: is a choice",
		"a*(b > 0)":               "b > 0: is a comparison",
		"a**2":                    "a**2: uses the operator ** on a variable",
		"a // 2":                  "a // 2: uses the operator // on a variable",
		"~a":                      "~a: inverts the bits of a number",
		"[a][0]":                  "[a][0]: is no sum and no product",
		"a + 1/0":                 "1 / 0: cannot be computed",
		"a*1e308*10":              "a * 1e+308 * 10: has a number that is too large",
		"a + inf":                 "inf: is no number",
		"a + nobody":              "nobody: cannot be computed",
		"e*a":                     "2.71828*a",
		strings.Repeat("(", 50) + "a" + strings.Repeat(")", 50): "1*a",
	} {
		x, err := python.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := shown(x.Linear("a", "b", "c", "e")); !strings.HasPrefix(got, want) || want == "" {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func shown(l python.Linear, err error) string {
	var bad *python.NotLinear
	if errors.As(err, &bad) {
		return bad.Part + ": " + bad.Why
	}
	var parts []string
	for _, m := range l.Terms {
		parts = append(parts, fmt.Sprintf("%.6g*%s", m.Times, m.Name))
	}
	if l.Constant != 0 {
		parts = append(parts, fmt.Sprintf("%g", l.Constant))
	}
	return strings.Join(parts, " ")
}

// TestLinearHasTheValueOfItsExpression computes random sums both ways.
func TestLinearHasTheValueOfItsExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := sum(t, 4)
		x, err := python.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		l, err := x.Linear("a", "b")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p, err := x.Compile("a", "b")
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]float64{"a": rapid.Float64Range(-100, 100).Draw(t, "a"), "b": rapid.Float64Range(-100, 100).Draw(t, "b")}
		v, err := p.Run(python.Float(values["a"]), python.Float(values["b"]))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := v.Float64()
		got := l.Constant
		for _, m := range l.Terms {
			got += m.Times * values[m.Name]
		}
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("%s: %v, by its terms %v", text, want, got)
		}
	})
}

func sum(t *rapid.T, depth int) string {
	leaf := []string{"a", "b", "3", "0.5", "max(2, 1)"}
	if depth == 0 {
		return rapid.SampledFrom(leaf).Draw(t, "leaf")
	}
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return "(" + sum(t, depth-1) + " + " + sum(t, depth-1) + ")"
	case 1:
		return "(" + sum(t, depth-1) + " - " + sum(t, depth-1) + ")"
	case 2:
		return "-" + sum(t, depth-1)
	case 3:
		return "4*" + sum(t, depth-1)
	case 4:
		return sum(t, depth-1) + "/8"
	}
	return sum(t, 0)
}
