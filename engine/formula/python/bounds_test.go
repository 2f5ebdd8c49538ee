package python

import (
	"strings"
	"testing"
	"time"
)

func TestWorkIsBounded(t *testing.T) {
	for name, source := range map[string]string{
		"a tower of powers":            "9**9**9",
		"a tower with brackets":        "(9**999)**9999",
		"a negative base":              "(-3)**(10**9)",
		"many large products in a row": strings.Repeat("(7**1000)*", 6000) + "1",
		"deep signs":                   strings.Repeat("-", 60000) + "1",
		"deep nots":                    strings.Repeat("not ", 15000) + "1",
		"deep choices":                 strings.Repeat("1 if 0 else ", 5000) + "1",
		"deep powers":                  strings.Repeat("1**", 20000) + "1",
		"deep brackets":                strings.Repeat("(", 30000) + "1",
		"a sum that is too deep":       strings.Repeat("1+", 30000) + "1",
		"a text without end":           strings.Repeat("1+", 40000) + "1",
	} {
		start := time.Now()
		if got := compute(t, source); got.Class != Limit && got.Class != Unsupported {
			t.Errorf("%s: %.80s, want an error of class Limit or Unsupported", name, got)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestLongExpressionsWithinTheBoundsAreComputed(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"a long sum":        {strings.Repeat("1+", 2990) + "1", "2991"},
		"two long sums":     {"(" + strings.Repeat("1+", 2000) + "1)+(" + strings.Repeat("1+", 2000) + "1)", "4002"},
		"many brackets":     {strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200), "1"},
		"a chain":           {strings.Repeat("1<=", 20000) + "1", "True"},
		"a power of Python": {"2**4000 // 2**3998", "4"},
		"large sums":        {strings.Repeat("7**1400%2+", 2000) + "1", "2001"},
	} {
		if got := compute(t, c.source); got.Value != c.want {
			t.Errorf("%s: %.80s, want %s", name, got, c.want)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for source, want := range map[string]struct {
		column int
		class  string
		hint   string
	}{
		"ncpus +":             {8, SyntaxError, "missing at the end"},
		"eligible time":       {10, SyntaxError, "operator is missing"},
		"ncpus $ 2":           {7, SyntaxError, "by its name alone"},
		"import os":           {1, SyntaxError, "statements"},
		"(ncpus + 1":          {11, SyntaxError, ""},
		"2ncpus":              {2, SyntaxError, ""},
		"017":                 {1, SyntaxError, ""},
		"1 if ncpus":          {11, SyntaxError, "missing"},
		"1 + nosuch":          {5, NameError, ""},
		"1 + ncpus/(zero*2)":  {10, ZeroDivisionError, ""},
		"10 + sqrt(minus)":    {6, ValueError, ""},
		"ncpus^minus":         {6, TypeError, ""},
		"1 + 9**9**9":         {6, Limit, "floats"},
		"(minus**0.5)*2":      {13, Unsupported, "max(x, 0)"},
		"max(minus**0.5, 2)":  {1, Unsupported, "max(x, 0)"},
		"minus**0.5 < 1":      {12, Unsupported, "max(x, 0)"},
		"log(10**400)":        {1, Limit, ""},
		"round(walltime, -3)": {1, Unsupported, "round(x/100)*100"},
		"ncpus = 3":           {7, Statement, `"=="`},
		"job_priority; 1":     {13, Statement, "one expression"},
	} {
		check(t, source, want.class, want.column, want.hint)
	}
}

// TestWhatOnlyPythonKnowsIsRefusedByName lists what formulas of sites have not had.
func TestWhatOnlyPythonKnowsIsRefusedByName(t *testing.T) {
	for source, column := range map[string]int{
		"[1, 2][ncpus]": 1, "sum([ncpus, 1])": 1, "[x for x in [1]]": 1, "ncpus in (1, 2)": 7,
		"1, 2": 2, "{1}": 1, "ncpus | 1": 7, "~ncpus": 1,
		"1 << 2": 3, "1 + \"x\"": 5, "len(str(ncpus))": 1, "resources_used.cput": 15, "lambda: 3": 1,
		"None": 1, "ncpus is 1": 7,
		"ncpus \\": 7, "ncpus\n": 6, "2j": 2, "open(1)": 1, "gamma(3)": 1, "sqrt": 1, "max": 1,
		"ncpus(1)": 6, "nosuch(1)": 7, "2(3)": 2,
		"ü": 1, "round(ncpus, n=1)": 15, "(x := 3)": 4, "1 + len": 5,
	} {
		class := Unsupported
		if strings.Contains(source, "n=1") {
			class = Statement
		}
		check(t, source, class, column, "")
	}
}

func check(t *testing.T, source, class string, column int, hint string) {
	t.Helper()
	x, err := Parse(source)
	if err == nil {
		_, err = x.Run(valuesOf(t, x))
	}
	if e, ok := err.(*Error); !ok {
		t.Errorf("%s has a value", source)
	} else if e.Class != class || e.Column != column || !strings.Contains(e.Hint, hint) {
		t.Errorf("%s: column %d, %s, %q (%s), want column %d, %s, %q", source, e.Column, e.Class,
			e.Hint, e.Message, column, class, hint)
	}
}

func TestTreesPrintAndParseToTheSame(t *testing.T) {
	for source, want := range map[string]string{
		"a+b*c":                     "a + b * c",
		"(a+b)*c":                   "(a + b) * c",
		"a-(b-c)":                   "a - (b - c)",
		"-a**2":                     "-a**2",
		"(-a)**-2":                  "(-a)**-2",
		"2**3**2":                   "2**3**2",
		"(2**3)**2":                 "(2**3)**2",
		"not (a and b) or c":        "not (a and b) or c",
		"(1 if a else 2) + 3":       "(1 if a else 2) + 3",
		"a < b <= c":                "a < b <= c",
		"(a < b) == c":              "(a < b) == c",
		"max( a,b , )":              "max(a, b)",
		"a if b else c if d else e": "a if b else c if d else e",
		"1e400 ^ 0x1F":              "1e400 ^ 0x1F",
		"ncpus # comment":           "ncpus",
	} {
		x, err := Parse(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := x.String(); got != want {
			t.Errorf("%s prints %s, want %s", source, got, want)
		}
	}
}

func TestTermsAreThoseOfTheOutermostSum(t *testing.T) {
	x, err := Parse("a - (b - c) + max(d + e, f)*2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, term := range x.Terms() {
		got = append(got, map[bool]string{true: "-", false: "+"}[term.Minus]+term.Text)
	}
	if want := "+a -b +c +max(d + e, f) * 2"; strings.Join(got, " ") != want {
		t.Errorf("terms %v, want %s", got, want)
	}
}

func FuzzExpression(f *testing.F) {
	for _, source := range []string{"ncpus*walltime", "2**-(usage/perc)", "100 if job_priority > 0 else -1",
		"0x10", "1_000", "a=3; b",
		"max(1,2,3) if queue_priority else 5", "round(mem/7, 3)", "1 if", "\"x\\n\"", "not 1 == 2", "ncpus\n"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		x, err := Parse(source)
		if err != nil {
			return
		}
		again, err := Parse(x.String())
		if err != nil {
			if err.(*Error).Class == Unsupported {
				return // it prints longer than it was
			}
			t.Fatalf("%q prints %q: %v", source, x, err)
		}
		if again.String() != x.String() {
			t.Fatalf("%q prints %q, and that %q", source, x, again)
		}
		if first, second := compute(t, source), compute(t, x.String()); first != second {
			t.Fatalf("%q is %s, printed as %q it is %s", source, first, x, second)
		}
	})
}

func BenchmarkFormula(b *testing.B) {
	for name, source := range map[string]string{
		"typical": "0.01*eligible_time + 10*usage + job_priority/1024 + 0.1*queue_priority",
		"power":   "queue_priority*1000 + pow(2, -(usage/perc)) + min(1, walltime/3600)",
	} {
		x, err := Parse(source)
		if err != nil {
			b.Fatal(err)
		}
		values := valuesOf(b, x)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Run(values); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
