package model

import (
	"math"
	"testing"
)

func TestPBSAmounts(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want float64
		ok   bool
	}{
		"a number is itself":               {"12", 12, true},
		"a float too":                      {"0.2560", 0.256, true},
		"a sign counts":                    {"-3", -3, true},
		"true is 1":                        {"True", 1, true},
		"false is 0":                       {"FALSE", 0, true},
		"hours, minutes, seconds":          {"01:02:03", 3723, true},
		"minutes, seconds":                 {"02:03", 123, true},
		"hours have no limit":              {"100:00:00", 360000, true},
		"kilobytes are the unit":           {"64kb", 64, true},
		"megabytes":                        {"2mb", 2048, true},
		"gigabytes without b":              {"4g", 4 << 20, true},
		"terabytes":                        {"1TB", 1 << 30, true},
		"bytes are rounded up":             {"1025b", 2, true},
		"words are eight bytes":            {"2048w", 16, true},
		"kilowords":                        {"2kw", 16, true},
		"two letters that are no unit":     {"5bw", math.Inf(1), false},
		"a word is infinitely much":        {"blue", math.Inf(1), false},
		"a name that begins with a digit":  {"4core", math.Inf(1), false},
		"three colons":                     {"1:2:3:4", math.Inf(1), false},
		"exponents are no numbers here":    {"1e3", math.Inf(1), false},
		"nothing is 0":                     {"", 0, true},
		"seconds of a time are whole ones": {"0:0:5", 5, true},
	} {
		if got, ok := PBSAmount(c.text); got != c.want || ok != c.ok {
			t.Errorf("%s: %q is %v, %v; want %v", name, c.text, got, ok, c.want)
		}
	}
}
