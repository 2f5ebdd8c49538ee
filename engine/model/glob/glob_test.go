package glob

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestMatchName(t *testing.T) {
	for name, tc := range map[string]struct {
		pattern string
		matches []string
		differs []string
	}{
		"a pattern without wildcards is the name":        {"all.q", []string{"all.q"}, []string{"all.q2", "all", "allxq", ""}},
		"the empty pattern is the empty name":            {"", []string{""}, []string{"a"}},
		"a star is any text, the empty one too":          {"mpi*", []string{"mpi", "mpi-fill", "mpi/x.y"}, []string{"ampi", "mp"}},
		"stars take no more than the rest leaves them":   {"*a*b", []string{"ab", "aab", "xaxbxb"}, []string{"ba", "abx", "a"}},
		"a question mark is one character, dots as well": {"n?de", []string{"node", "n.de", "n/de"}, []string{"nde", "noode"}},
		"brackets list and span characters":              {"n[0-2x]", []string{"n0", "n2", "nx"}, []string{"n3", "n", "n0x"}},
		"! and ^ turn brackets round":                    {"n[!0-9][^a]", []string{"nxb", "n^!"}, []string{"n1b", "nxa"}},
		"] is a member if it comes first":                {"[]a]", []string{"]", "a"}, []string{"b", "[]a]"}},
		"- is a member if it comes last":                 {"[a-]", []string{"a", "-"}, []string{"b"}},
		"classes are those of the C locale":              {"[[:digit:][:upper:]]", []string{"7", "Q"}, []string{"q", "\xc4", ":"}},
		"a symbol and an equivalence are their letter":   {"[[.-.][=a=]]", []string{"-", "a"}, []string{"=", "."}},
		"a backslash takes the meaning off a wildcard":   {`\*[\]]\a`, []string{"*]a"}, []string{"x]a", `\*]a`}},
		"a bracket without an end is one":                {"a[b", []string{"a[b"}, []string{"ab", "a"}},
		"a range that ends before it begins is empty":    {"[c-a]", nil, []string{"a", "b", "c", "[c-a]"}},
		"a class that nobody knows matches nothing":      {"[[:foo:]]", nil, []string{"f", "[[:foo:]]"}},
		"a backslash at the end matches nothing":         {`a\`, nil, []string{"a", `a\`}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, name := range tc.matches {
				if !Match(tc.pattern, name) {
					t.Errorf("%q does not match %q", tc.pattern, name)
				}
			}
			for _, name := range tc.differs {
				if Match(tc.pattern, name) {
					t.Errorf("%q matches %q", tc.pattern, name)
				}
			}
		})
	}
}

// fnmatchVectors are calls of fnmatch(3) of glibc 2.36 without flags in the C locale: pattern, name, 1 for a match.
//
//go:embed testdata/fnmatch.txt
var fnmatchVectors string

func TestMatchNameAgreesWithTheCLibrary(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(fnmatchVectors, "\n"), "\n")
	if len(lines) < 1000 {
		t.Fatalf("only %d lines", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if got, want := Match(f[0], f[1]), f[2] == "1"; got != want {
			t.Errorf("Match(%q, %q) = %v", f[0], f[1], got)
		}
	}
}

func TestMatchNameAgreesWithTryingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*?]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab]{0,8}`).Draw(t, "name")
		if got, want := Match(pattern, name), tryEverything(pattern, name); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// tryEverything lets a star take every part of the name in turn.
func tryEverything(pattern, name string) bool {
	switch {
	case pattern == "":
		return name == ""
	case pattern[0] == '*':
		return tryEverything(pattern[1:], name) || name != "" && tryEverything(pattern, name[1:])
	case name == "":
		return false
	}
	return (pattern[0] == '?' || pattern[0] == name[0]) && tryEverything(pattern[1:], name[1:])
}

func TestHostilePatternsTakeNoLonger(t *testing.T) {
	start := time.Now()
	for _, unit := range []string{"*a", "[", "[[:", "[[.", "[!", `\`, "[a-", "?*"} {
		Match(strings.Repeat(unit, 10_000), strings.Repeat("a", 10_000))
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzMatchName(f *testing.F) {
	f.Add("n[0-9]*", "n12")
	f.Add("[[:alpha:][.x.]-z]", "y")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if Match(pattern, name) && !Match(pattern+"*", name+"x") && !strings.ContainsAny(pattern, `[\`) {
			t.Errorf("%q matches %q, and with a star behind it not %q", pattern, name, name+"x")
		}
	})
}
