package model

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseNumberReadsWhatTheMasterReads(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want float64
	}{
		"a decimal":  {"42", 42},
		"a fraction": {"0.5", 0.5},
		"a sign":     {"-3", -3},
		"a plus sign before a zero makes it decimal": {"+010", 10},
		"an exponent":                              {"1e3", 1000},
		"true is one":                              {"TRUE", 1},
		"false is zero":                            {"False", 0},
		"infinity is the largest number":           {"INFINITY", math.MaxFloat64},
		"infinity in any case":                     {"infinity", math.MaxFloat64},
		"a leading zero means octal":               {"010", 8},
		"a leading 0x means hexadecimal":           {"0x1F", 31},
		"a dot after a leading zero means decimal": {"010.0", 10},
		"octal with a multiplier":                  {"010k", 8000},
		"hexadecimal with a multiplier":            {"0x10M", 16 << 20},
		"hexadecimal keeps the low 32 bits":        {"0x100000001", 1},
		"too many octal digits are all ones":       {"07777777777777777777777777", math.MaxUint32},
		"zero":                                     {"0", 0},
		"k is 1000":                                {"2k", 2000},
		"K is 1024":                                {"2K", 2048},
		"m is a million":                           {"1.5m", 1.5e6},
		"M is 2^20":                                {"1.5M", 1.5 * (1 << 20)},
		"g is a billion":                           {"2g", 2e9},
		"G is 2^30":                                {"2G", 2 << 30},
		"t is 10^12":                               {"2t", 2e12},
		"T is 2^40":                                {"2T", 2 << 40},
		"a comma ends the value":                   {"2,rest", 2},
		"a slash ends the value":                   {"2k/rest", 2000},
		"hours, minutes, seconds":                  {"1:2:3", 3723},
		"a time may have leading zeros":            {"01:00:08", 3608},
		"parts of a time may be empty":             {"1::", 3600},
		"all parts of a time may be empty":         {"::", 0},
		"parts of a time may have fractions":       {"0.5:0.5:0.5", 1830.5},
		"parts of a time may be negative":          {"1:-1:0", 3540},
		"blanks may follow a time":                 {"0:0:5 \t", 5},
		"minutes may exceed 59":                    {"0:90:0", 5400},
		"blanks may precede a number":              {" 7", 7},
		"a hexadecimal fraction":                   {"0x1.8", 1.5},
		"a number beyond all others is infinite":   {"1e999", math.Inf(1)},
		"the words of C for infinity too":          {"-inf", math.Inf(-1)},
		"a number of bytes beyond 32 bits":         {"270500000000", 270500000000},
		"a memory value as qhost prints it":        {"251.8G", 251.8 * (1 << 30)},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseNumber(test.text)
			if err != nil || got != test.want {
				t.Errorf("ParseNumber(%q) = %v, %v; want %v", test.text, got, err, test.want)
			}
		})
	}
}

func TestParseNumberRefusesWhatTheMasterRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":               `"": invalid syntax`,
		"x":              `"x": invalid syntax`,
		"NONE":           `"NONE": invalid syntax`,
		"1:2":            `"1:2": invalid syntax`,
		"1:2:3:4":        `"1:2:3:4": invalid syntax after the number`,
		"1: :3":          `"1: :3": invalid syntax`,
		"4x":             `"4x": invalid syntax after the number`,
		"4KB":            `"4KB": invalid syntax after the number`,
		"4 ":             `"4 ": invalid syntax after the number`,
		"08":             `"08": invalid syntax after the number`,
		"0x":             `"0x": invalid syntax after the number`,
		"1e":             `"1e": invalid syntax after the number`,
		"1_000":          `"1_000": invalid syntax after the number`,
		"1:2:3k":         `"1:2:3k": invalid syntax after the number`,
		"2147483648:0:0": `"2147483648:0:0": out of range: invalid syntax`,
		"nan":            `"nan": invalid syntax`,
		"-inf:0:inf":     `"-inf:0:inf": invalid syntax`,
		"1,5:0:0":        `"1,5:0:0": invalid syntax`,
		"٣":              `"٣": invalid syntax`,
		"12\x00":         `"12\x00": invalid syntax after the number`,
	} {
		got, err := ParseNumber(text)
		if err == nil || err.Error() != want || !errors.Is(err, strconv.ErrSyntax) {
			t.Errorf("ParseNumber(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestParseIntervalReadsWholeSeconds(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want time.Duration
	}{
		"hours, minutes, seconds":           {"8:0:1", 8*time.Hour + time.Second},
		"seconds":                           {"90", 90 * time.Second},
		"infinity is for ever":              {"INFINITY", Forever},
		"too long is for ever":              {"1e300", Forever},
		"too long ago is for ever":          {"-1e300", -Forever},
		"a fraction is cut off":             {"1.9", time.Second},
		"each part has its fraction cut":    {"0:0.05:0.9", 3 * time.Second},
		"a negative time":                   {"-5", -5 * time.Second},
		"a multiplier is one for times too": {"2k", 2000 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseInterval(test.text)
			if err != nil || got != test.want {
				t.Errorf("ParseInterval(%q) = %v, %v; want %v", test.text, got, err, test.want)
			}
		})
	}
	if _, err := ParseInterval("NONE"); err == nil || err.Error() != `"NONE": invalid syntax` {
		t.Errorf("ParseInterval(NONE): %v", err)
	}
}

func TestParseBoolReadsEveryWordTheMasterDoes(t *testing.T) {
	for want, texts := range map[bool][]string{
		true:  {"true", "TRUE", "True", "t", "yes", "YES", "y", "1"},
		false: {"false", "FALSE", "f", "no", "N", "0"},
	} {
		for _, text := range texts {
			if got, err := ParseBool(text); err != nil || got != want {
				t.Errorf("ParseBool(%q) = %v, %v; want %v", text, got, err, want)
			}
		}
	}
	for _, text := range []string{"", "2", "on", "NONE", "true "} {
		if _, err := ParseBool(text); !errors.Is(err, strconv.ErrSyntax) {
			t.Errorf("ParseBool(%q): %v, want a syntax error", text, err)
		}
	}
}

func TestAPrintedNumberParsesToItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Float64().Draw(t, "value")
		text := strconv.FormatFloat(want, 'g', -1, 64)
		if got, err := ParseNumber(text); err != nil || got != want {
			t.Fatalf("ParseNumber(%q) = %v, %v", text, got, err)
		}
	})
}

func TestATimeIsTheSumOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, m, s := rapid.IntRange(0, 1e6).Draw(t, "h"), rapid.IntRange(0, 1e6).Draw(t, "m"), rapid.IntRange(0, 1e6).Draw(t, "s")
		want := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second
		if got, err := ParseInterval(fmt.Sprintf("%d:%02d:%02d", h, m, s)); err != nil || got != want {
			t.Fatalf("%d:%d:%d is %v, %v; want %v", h, m, s, got, err, want)
		}
	})
}

// FuzzNumber: no text panics or makes a NaN, every error is a syntax error, and the two readers refuse the same texts.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1:2:3", "0x1Fk", "010", "INFINITY", "2.5G", "-inf:0:inf", "1e999", "::", "0x.8p3", "TRUE"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := ParseNumber(text)
		_, errInterval := ParseInterval(text)
		if math.IsNaN(value) || err != nil && !errors.Is(err, strconv.ErrSyntax) || (err == nil) != (errInterval == nil) {
			t.Errorf("%q: %v, %v, %v", text, value, err, errInterval)
		}
	})
}
