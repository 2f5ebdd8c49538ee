package python_test

import (
	"strings"
	"testing"
	"time"

	"qprism/engine/formula/python"
)

func TestWorkIsBounded(t *testing.T) {
	for name, source := range map[string]string{
		"a tower of powers":            "9**9**9",
		"a tower with brackets":        "(9**999)**9999",
		"a negative base":              "(-3)**(10**9)",
		"a shift":                      "1 << 10**10",
		"a factorial":                  "factorial(10**9)",
		"a binomial":                   "comb(10**6, 5*10**5)",
		"permutations":                 "perm(10**9)",
		"a long list":                  "[0]*10**12",
		"lists of lists":               "len(str([[0]*1000]*1000))",
		"many large products":          "prod([7**20000]*2000)",
		"many large products in a row": strings.Repeat("(7**9000)*", 6000) + "1",
		"a sum of large lists":         strings.Repeat("len([1]*100000)+", 3000) + "1",
		"deep signs":                   strings.Repeat("-", 60000) + "1",
		"deep nots":                    strings.Repeat("not ", 15000) + "1",
		"deep choices":                 strings.Repeat("1 if 0 else ", 5000) + "1",
		"deep powers":                  strings.Repeat("1**", 20000) + "1",
		"a text without end":           strings.Repeat("1+", 40000) + "1",
		"lambdas":                      strings.Repeat("lambda:", 9000) + "1",
	} {
		start := time.Now()
		if got := compute(t, source); !bounded(got.Class) {
			t.Errorf("%s: %.80s, want an error of class Limit, TooLong or TooDeep", name, got)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// bounded says whether a class of errors is one of a bound.
func bounded(class string) bool {
	return class == python.Limit || class == python.TooLong || class == python.TooDeep
}

func TestLongExpressionsWithinTheBoundsAreComputed(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"a long sum":         {strings.Repeat("1+", 30000) + "1", "30001"},
		"a long product":     {strings.Repeat("1*", 30000) + "1", "1"},
		"many brackets":      {strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200), "1"},
		"a chain":            {strings.Repeat("1<=", 20000) + "1", "True"},
		"a power of Python":  {"2**16000 // 2**15998", "4"},
		"many small factors": {"prod([2]*16000) // 2**15999", "2"},
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
		"ncpus +":             {8, python.SyntaxError, "missing at the end"},
		"eligible time":       {10, python.SyntaxError, "operator is missing"},
		"ncpus $ 2":           {7, python.SyntaxError, "by its name alone"},
		"ncpus && walltime":   {8, python.SyntaxError, `"and"`},
		"ncpus = 3":           {7, python.SyntaxError, `"=="`},
		"import os":           {1, python.SyntaxError, "statements"},
		"(ncpus + 1":          {11, python.SyntaxError, ""},
		"2ncpus":              {1, python.SyntaxError, "begin with a digit"},
		"1 if ncpus":          {1, python.SyntaxError, "else"},
		"1 + nosuch":          {5, python.NameError, ""},
		"1 + ncpus/(zero*2)":  {10, python.ZeroDivisionError, ""},
		"10 + sqrt(minus)":    {6, python.ValueError, ""},
		"1 + [1, 2][5]":       {11, python.IndexError, ""},
		"ncpus + str(1)":      {7, python.TypeError, ""},
		"[x for x in [1]]":    {4, python.Unsupported, ""},
		"open(1)":             {1, python.Unsupported, ""},
		"sum(x for x in [1])": {7, python.Unsupported, ""},
		"ncpus.real":          {6, python.Unsupported, ""},
		"(minus**0.5)*2":      {13, python.Unsupported, "max(x, 0)"},
		"round(ncpus, n=1)":   {15, python.Unsupported, ""},
		"1 + 9**9**9":         {6, python.Limit, "floats"},
		"ncpus is None":       {7, python.Unsupported, "=="},
		"ncpus*ü if":          {11, python.SyntaxError, ""},
		"1 + \"ü\" + €":       {11, python.SyntaxError, ""},
		"1 + \"ü\"":           {5, python.Unsupported, ""},
		"1 + (lambda: 3)()":   {6, python.Unsupported, ""},
		"2 + 3j":              {5, python.Unsupported, ""},
		"2*complex(1, 1)":     {2, python.Unsupported, ""},
		"int(str(ncpus))":     {1, python.Unsupported, "len"},
		"str(ncpus)[0]":       {11, python.Unsupported, "len"},
		"2*str(ncpus)":        {2, python.Unsupported, "len"},
		"str(1) < str(2)":     {8, python.Unsupported, "len"},
		"str([str(1)])":       {1, python.Unsupported, "len"},
		"len(str(max))":       {5, python.Unsupported, ""},
	} {
		e := errorOf(t, source)
		if e == nil {
			t.Errorf("%s has a value", source)
			continue
		}
		if e.Class != want.class || e.Column != want.column || !strings.Contains(e.Hint, want.hint) {
			t.Errorf("%s: column %d, %s, %q (%s), want column %d, %s, %q", source, e.Column, e.Class, e.Hint, e.Message, want.column, want.class,
				want.hint)
		}
	}
}

func errorOf(t *testing.T, source string) *python.Error {
	x, err := python.Parse(source)
	if err == nil {
		var names []string
		var values []python.Value
		for _, v := range variables {
			names, values = append(names, v.name), append(values, constant(t, v.value))
		}
		var p *python.Program
		if p, err = x.Compile(names...); err == nil {
			_, err = p.Run(values...)
		}
	}
	if err == nil {
		return nil
	}
	return err.(*python.Error)
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
		"[1,2][a]":                  "[1, 2][a]",
		"1,":                        "(1,)",
		"a if b else c if d else e": "a if b else c if d else e",
		"1e400":                     "1e999",
		"lambda x,y: x":             "lambda x, y: x",
		"ncpus # comment":           "ncpus",
	} {
		x, err := python.Parse(source)
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
	x, err := python.Parse("a - (b - c) + max(d + e, f)*2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, term := range x.Terms() {
		got = append(got, map[bool]string{true: "-", false: "+"}[term.Minus]+term.String())
	}
	if want := "+a -b +c +max(d + e, f) * 2"; strings.Join(got, " ") != want {
		t.Errorf("terms %v, want %s", got, want)
	}
}

func FuzzExpression(f *testing.F) {
	for _, source := range []string{"ncpus*walltime", "2**-(usage/perc)", "100 if job_priority > 0 else -1", "[1,2][ncpus]",
		"sum([ncpus,job_priority])",
		"len(str(ncpus))", "0x10", "1_000", "a=3; b", "max(1,2,3) if queue_priority else 5", "lambda: 3", "round(mem/7, -3)", "1 if", "\"x\\n\"",
		"not 1 in [2]", "ncpus\n"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		_, _, _ = python.ParseStatements(source)
		x, err := python.Parse(source)
		if err != nil {
			return
		}
		again, err := python.Parse(x.String())
		if err != nil {
			if bounded(err.(*python.Error).Class) {
				return // it prints longer than it was
			}
			t.Fatalf("%q prints %q: %v", source, x, err)
		}
		if again.String() != x.String() {
			t.Fatalf("%q prints %q, and that %q", source, x, again)
		}
		first, second := compute(t, source), compute(t, x.String())
		if first != second && first.Class != python.Limit {
			t.Fatalf("%q is %s, printed as %q it is %s", source, first, x, second)
		}
	})
}

func BenchmarkFormula(b *testing.B) {
	for name, source := range map[string]string{
		"typical": "0.01*eligible_time + 10*usage + job_priority/1024 + 0.1*queue_priority",
		"power":   "queue_priority*1000 + pow(2, -(usage/perc)) + min(1, walltime/3600)",
	} {
		x, err := python.Parse(source)
		if err != nil {
			b.Fatal(err)
		}
		var names []string
		var values []python.Value
		for _, v := range variables {
			names, values = append(names, v.name), append(values, constant(b, v.value))
		}
		p, err := x.Compile(names...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Run(values...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
