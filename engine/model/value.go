package model

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Values as sge_types(5) writes them. The master has one parser for all its numeric types, so that "1:0:0" is a memory
// value and "2G" a time to it; ParseNumber accepts and refuses what that parser does, whatever the locale.

var (
	errRange    = errors.New("out of range")
	errTrailing = fmt.Errorf("%w after the number", strconv.ErrSyntax)
)

// ParseNumber reads a value of any numeric type. TRUE and FALSE are 1 and 0, INFINITY is math.MaxFloat64. A
// text with a colon is hours:minutes:seconds. A text with a leading 0 and no dot is octal or hexadecimal;
// others are decimal. Except for times, a multiplier may follow: k m g t for powers of 1000, K M G T for
// powers of 1024. Like the master it ignores everything after "," or "/", and keeps only the low 32 bits of
// octal and hexadecimal numbers.
//
// Unlike the master it refuses texts that are no numbers ("nan"). Errors wrap strconv.ErrSyntax.
func ParseNumber(text string) (float64, error) {
	n, err := parseNumber(text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	return n.value, nil
}

// ParseInterval reads a time, in seconds or as hours:minutes:seconds, as whole seconds like the master: it
// cuts the fraction off each part. INFINITY, and everything too long for a time.Duration, is Forever.
func ParseInterval(text string) (time.Duration, error) {
	n, err := parseNumber(text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	const most = float64(Forever / time.Second)
	switch {
	case n.whole > most:
		return Forever, nil
	case n.whole < -most:
		return -Forever, nil
	}
	return time.Duration(n.whole) * time.Second, nil
}

// ParseBool reads a switch of a configuration file: true, t, yes, y, 1 or false, f, no, n, 0, in upper or
// lower case.
func ParseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "1":
		return true, nil
	case "false", "f", "no", "n", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q: %w", text, strconv.ErrSyntax)
}

// A number is a parsed value, and what remains of it where the master keeps whole units.
type number struct{ value, whole float64 }

func whole(value float64) number { return number{value, math.Trunc(value)} }

func parseNumber(text string) (number, error) {
	switch {
	case strings.EqualFold(text, "true"):
		return whole(1), nil
	case strings.EqualFold(text, "false"):
		return whole(0), nil
	case strings.EqualFold(text, "infinity"):
		return whole(math.MaxFloat64), nil
	case strings.Contains(text, ":"):
		return parseClock(text)
	case strings.HasPrefix(text, "0") && !strings.Contains(text, "."):
		return parseBits(text)
	}
	return parseDecimal(text)
}

// parseClock reads hours:minutes:seconds. A part may be empty, have a fraction, or be negative.
func parseClock(text string) (number, error) {
	const most = 0x7fffffff // of hours and of minutes
	var parts [3]float64
	rest := text
	for i := range parts {
		if i > 0 {
			after, colon := strings.CutPrefix(rest, ":")
			if !colon {
				return number{}, strconv.ErrSyntax
			}
			rest = after
		}
		var err error
		if parts[i], rest, err = cutDecimal(rest); err != nil {
			return number{}, err
		}
	}
	hours, minutes, seconds := parts[0], parts[1], parts[2]
	if strings.Trim(rest, blanks) != "" {
		return number{}, errTrailing
	}
	if hours > most || minutes > most {
		return number{}, fmt.Errorf("%w: %w", errRange, strconv.ErrSyntax)
	}
	h, m := float64(3600*hours), float64(60*minutes) // the conversions keep a compiler from fusing product and sum
	n := number{h + m + seconds, math.Trunc(h) + math.Trunc(m) + math.Trunc(seconds)}
	return n, notNaN(n)
}

// parseBits reads an octal or hexadecimal number of 32 bits.
func parseBits(text string) (number, error) {
	base, digits := 8, "01234567"
	body := text
	if len(text) > 2 && (text[1] == 'x' || text[1] == 'X') && isHex(text[2]) {
		base, digits, body = 16, hexDigits, text[2:]
	}
	rest := strings.TrimLeft(body, digits)
	bits, err := strconv.ParseInt(body[:len(body)-len(rest)], base, 64)
	if err != nil {
		bits = math.MaxInt64 // as strtol does
	}
	factor, err := multiplier(rest)
	return whole(float64(uint32(bits)) * factor), err
}

// parseDecimal reads a decimal number.
func parseDecimal(text string) (number, error) {
	value, rest, err := cutDecimal(text)
	if err != nil {
		return number{}, err
	}
	if rest == text {
		return number{}, strconv.ErrSyntax
	}
	factor, err := multiplier(rest)
	if err != nil {
		return number{}, err
	}
	n := whole(value * factor)
	return n, notNaN(n)
}

var multipliers = map[byte]float64{'k': 1e3, 'm': 1e6, 'g': 1e9, 't': 1e12, 'K': 1 << 10, 'M': 1 << 20,
	'G': 1 << 30, 'T': 1 << 40}

// multiplier is the factor that the text behind a number stands for.
func multiplier(rest string) (float64, error) {
	factor := 1.0
	if rest != "" && multipliers[rest[0]] > 0 {
		factor, rest = multipliers[rest[0]], rest[1:]
	}
	if rest != "" && rest[0] != ',' && rest[0] != '/' {
		return 0, errTrailing
	}
	return factor, nil
}

const (
	blanks    = " \t\n\v\f\r"
	decDigits = "0123456789"
	hexDigits = "0123456789abcdefABCDEF"
)

// CutNumber cuts the longest number off the front of a text, as strtod(3) does in the C locale, including
// leading blanks, hexadecimal, "inf" and "nan". Without a number, the value is 0 and the rest is the whole
// text.
func CutNumber(text string) (value float64, rest string) {
	value, rest, err := cutDecimal(text)
	if err != nil {
		return 0, text
	}
	return value, rest
}

// cutDecimal takes the longest number off the front of a text, by the rules of strtod(3) in the C locale. Where there
// is none the value is 0 and the rest the whole text.
func cutDecimal(text string) (value float64, rest string, err error) {
	n := decimalLen(text)
	if n == 0 {
		return 0, text, nil
	}
	digits := strings.TrimLeft(text[:n], blanks)
	if unsigned := strings.TrimLeft(digits, "+-"); isHexFloat(unsigned) && !strings.ContainsAny(unsigned, "pP") {
		digits += "p0" // Go insists on an exponent
	}
	value, err = strconv.ParseFloat(digits, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range is infinite, as in C
		return 0, "", strconv.ErrSyntax
	}
	return value, text[n:], nil
}

// decimalLen is the length of the number at the front of a text, with the blanks before it; 0 where there is none.
func decimalLen(text string) int {
	s := strings.TrimLeft(text, blanks)
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	for _, word := range []string{"infinity", "inf", "nan"} {
		if len(s) >= len(word) && strings.EqualFold(s[:len(word)], word) {
			return len(text) - len(s) + len(word)
		}
	}
	rest := cutDigits(s, decDigits, "eE")
	if isHexFloat(s) {
		rest = cutDigits(s[2:], hexDigits, "pP")
	}
	if len(rest) == len(s) {
		return 0
	}
	return len(text) - len(rest)
}

// cutDigits takes digits, a dot among them and an exponent off the front of a text; the whole text remains where there
// are no digits.
func cutDigits(text, digits, exponent string) string {
	rest := strings.TrimLeft(text, digits)
	found := len(rest) < len(text)
	if after, dot := strings.CutPrefix(rest, "."); dot {
		fraction := strings.TrimLeft(after, digits)
		if found = found || len(fraction) < len(after); found {
			rest = fraction
		}
	}
	if !found {
		return text
	}
	if rest == "" || !strings.Contains(exponent, rest[:1]) {
		return rest
	}
	power := rest[1:]
	if power != "" && (power[0] == '+' || power[0] == '-') {
		power = power[1:]
	}
	if after := strings.TrimLeft(power, decDigits); len(after) < len(power) {
		return after
	}
	return rest
}

// isHexFloat reports whether a text starts with 0x and a hexadecimal digit, or a dot and one.
func isHexFloat(s string) bool {
	if len(s) < 3 || s[0] != '0' || s[1] != 'x' && s[1] != 'X' {
		return false
	}
	return isHex(s[2]) || s[2] == '.' && len(s) > 3 && isHex(s[3])
}

func isHex(c byte) bool { return strings.IndexByte(hexDigits, c) >= 0 }

func notNaN(n number) error {
	if math.IsNaN(n.value) {
		return strconv.ErrSyntax
	}
	return nil
}
