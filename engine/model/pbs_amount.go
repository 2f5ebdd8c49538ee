package model

import (
	"math"
	"strings"
)

// NoAmount is the amount of a text that is no number: the PBS scheduler takes it as infinite.
var NoAmount = math.Inf(1)

// PBSAmount is a resource's value as a number, as the PBS scheduler reads it: kilobytes of a size, seconds of
// a time, 1 and 0 of true and false. If the text is no number, it is NoAmount and ok is false.
func PBSAmount(text string) (amount float64, ok bool) {
	switch {
	case strings.EqualFold(text, "true"):
		return 1, true
	case strings.EqualFold(text, "false"):
		return 0, true
	case !isPBSNumber(text):
		return NoAmount, false
	}
	number, rest := CutNumber(text)
	if strings.HasPrefix(rest, ":") {
		return pbsTime(number, rest[1:])
	}
	return number2size(number, rest), true
}

// pbsTime is the seconds of HH:MM:SS or MM:SS, behind the first colon.
func pbsTime(first float64, rest string) (seconds float64, ok bool) {
	second, rest := CutNumber(rest)
	if !strings.HasPrefix(rest, ":") {
		return first*60 + second, true
	}
	third, rest := CutNumber(rest[1:])
	if rest != "" {
		return NoAmount, false
	}
	return first*3600 + second*60 + math.Trunc(third), true
}

// wordSize is the number of bytes in a word, the unit of "w".
const wordSize = 8

// number2size applies the suffix of a size: kilobytes are the unit, and single bytes are rounded up to them.
func number2size(number float64, suffix string) float64 {
	factor := 1.0
	if suffix == "" {
		return number
	}
	switch suffix[0] {
	case 'm', 'M':
		factor = 1 << 10
	case 'g', 'G':
		factor = 1 << 20
	case 't', 'T':
		factor = 1 << 30
	case 'b', 'B':
		number = math.Ceil(number / 1024)
	case 'w':
		number, factor = math.Ceil(number/1024), wordSize
	}
	if len(suffix) > 1 && suffix[1] == 'w' {
		factor *= wordSize
	}
	return number * factor
}

// isPBSNumber reports whether the scheduler takes a text for a number: digits and up to two colons, digits
// with a suffix of a size, or one decimal point; a sign before it.
func isPBSNumber(text string) bool {
	if text == "" {
		return true // no character that is wrong
	}
	if text[0] == '-' || text[0] == '+' {
		text = text[1:]
	}
	i, colons := 0, 0
	for i < len(text) && (isDigit(text[i]) || text[i] == ':') {
		if text[i] == ':' {
			colons++
		}
		i++
	}
	switch rest := text[i:]; {
	case rest == "":
		return colons <= 2
	case isSizeSuffix(rest):
		return true
	case rest[0] == '.':
		return strings.Trim(rest[1:], "0123456789") == ""
	}
	return false
}

func isSizeSuffix(s string) bool {
	s = strings.ToLower(s)
	switch {
	case len(s) > 2:
		return false
	case s == "b" || s == "w":
		return true
	case !strings.Contains("kmgt", s[:1]):
		return false
	}
	return len(s) == 1 || s[1] == 'b' || s[1] == 'w'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
