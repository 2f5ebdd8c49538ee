package match_test

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

func TestExpression(t *testing.T) {
	const (
		str  = model.TypeString
		cstr = model.TypeCString
		re   = model.TypeReString
		host = model.TypeHost
	)
	for name, tc := range map[string]struct {
		t              model.ResourceType
		pattern, value string
		want           int
	}{
		"a word is compared as it is":                      {str, "abc", "abc", match.Matches},
		"a word of another case differs":                   {str, "ABC", "abc", match.Differs},
		"unless the type does not mind":                    {cstr, "ABC", "abc", match.Matches},
		"nor does it with wildcards":                       {cstr, "A?C*", "abc", match.Matches},
		"nor with operators":                               {cstr, "X|ABC", "Abc", match.Matches},
		"a word without operators keeps its blanks":        {str, "a b ", "a b ", match.Matches},
		"a word may have the wildcards of fnmatch":         {re, "n[0-9]*", "n1", match.Matches},
		"a string without RE may have them too":            {str, "n[0-9]*", "n1", match.Matches},
		"either side of a | suffices":                      {re, "x|n1", "n1", match.Matches},
		"both sides of an & are needed":                    {re, "n*&*2", "n1", match.Differs},
		"& binds stronger than |":                          {re, "n1|x&y", "n1", match.Matches},
		"parentheses bind strongest":                       {re, "(n1|x)&y", "n1", match.Differs},
		"a ! turns what follows round":                     {re, "!n2", "n1", match.Matches},
		"two of them leave it":                             {re, "!!n2", "n1", match.Differs},
		"a ! binds stronger than &":                        {re, "!x&n1", "n1", match.Matches},
		"a ! turns a parenthesis round":                    {re, "!(n1|n2)", "n1", match.Differs},
		"blanks part words and operators":                  {re, " ( n1 | n2 ) & ! n2 ", "n1", match.Matches},
		"two words without an operator are no expression":  {re, "n* n1", "n1", match.Malformed},
		"nor is an operator without its word":              {re, "n1|", "n1", match.Malformed},
		"nor is an open parenthesis":                       {re, "(n1", "n1", match.Malformed},
		"nor is one too many closed":                       {re, "n1)", "n1", match.Malformed},
		"nor are empty ones":                               {re, "()", "", match.Malformed},
		"nor is a ! before nothing":                        {re, "!", "n1", match.Malformed},
		"a fault counts behind a match":                    {re, "n1|(", "n1", match.Malformed},
		"a ! before a fault is one":                        {re, "!(n1", "n1", match.Malformed},
		"an operator within a word ends it":                {re, "a!b", "ab", match.Malformed},
		"a bracket ends at an operator":                    {re, "[!a]", "b", match.Malformed},
		"a bracket turned round by ^ does not":             {re, "[^a]", "b", match.Matches},
		"an empty pattern is the empty value":              {re, "", "", match.Matches},
		"a host is compared without its domain":            {host, "N1.a.org", "n1", match.Matches},
		"and so is the other side":                         {host, "n1", "n1.b.org", match.Matches},
		"a pattern of hosts loses its domain as well":      {host, "n[12].*", "n2.a.org", match.Matches},
		"a group of hosts keeps its dots":                  {host, "@a.b", "@a.c", match.Differs},
		"an expression of 2048 characters is none":         {re, strings.Repeat("*", 2048), "n1", match.Malformed},
		"one of fewer is":                                  {re, strings.Repeat("*", 2047), "n1", match.Matches},
		"a value of 2048 characters is compared with none": {re, "*", strings.Repeat("n", 2048), match.Malformed},
	} {
		if got := match.Expression(tc.t, tc.pattern, tc.value); got != tc.want {
			t.Errorf("%s: %s %q of %q is %d, want %d", name, tc.t, tc.pattern, tc.value, got, tc.want)
		}
	}
}

// expressionVectors are calls of the 8.1.9 master's function for expressions, built with ignore_fqdn true: the type, the
// expression, the value and the result.
//
//go:embed testdata/expressions.txt
var expressionVectors string

func TestExpressionAgreesWithTheMaster(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(expressionVectors, "\n"), "\n")
	if len(lines) < 500 {
		t.Fatalf("only %d lines", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if got := strconv.Itoa(match.Expression(model.ResourceType(f[0]), f[1], f[2])); got != f[3] {
			t.Errorf("%s %q of %q is %s, want %s", f[0], f[1], f[2], got, f[3])
		}
	}
}

func FuzzExpression(f *testing.F) {
	for _, seed := range []string{"a", "!(a|b)&[c-d]*", "((a)", "a b", "!!!", "[!a]"} {
		f.Add(seed, "a")
	}
	f.Fuzz(func(t *testing.T, pattern, value string) {
		got := match.Expression(model.TypeReString, pattern, value)
		if got != match.Matches && got != match.Differs && got != match.Malformed {
			t.Fatalf("%d", got)
		}
		if got == match.Malformed || !strings.ContainsAny(pattern, "*?[]&|!()") || len(pattern) > 2000 {
			return // "a)|(b" is no expression, and with parentheses around it is one
		}
		negated := match.Expression(model.TypeReString, "!("+pattern+")", value)
		if negated != 1-got {
			t.Errorf("%q of %q is %d, and its negation %d", pattern, value, got, negated)
		}
	})
}

func BenchmarkPattern(b *testing.B) {
	p := match.New(model.TypeReString, "!(node[0-9]*|gpu*)&*1")
	for b.Loop() {
		p.Match("cpu-node-0001")
	}
}
