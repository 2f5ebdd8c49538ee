package safe

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text escapes control characters, invisible characters and invalid UTF-8: \n, \x1b, \u202e, \xff. Everything
// else stays.
func Text(text string) string { return escaped(text, hidden) }

// Cell escapes a text for TSV and CSV. It is like Text, but doubles a backslash, so that a program can decode
// it.
func Cell(text string) string {
	return escaped(text, func(r rune) bool { return r == '\\' || hidden(r) })
}

// hidden reports whether a terminal does not show a character as itself. Such characters are controls (C0,
// C1), line and paragraph separators, direction marks, characters without width, and blanks other than
// space. It also reports characters that Unicode does not define or reserves for private use.
func hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// escaped escapes some characters of a text, and each byte that is no UTF-8.
func escaped(text string, some func(rune) bool) string {
	at := firstOf(text, some)
	if at < 0 {
		return text
	}
	b := append(make([]byte, 0, len(text)+16), text[:at]...)
	for text = text[at:]; text != ""; {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case broken(r, n):
			b = append(b, `\x`+hexDigits(text[0])...)
		case some(r):
			b = appendEscape(b, r)
		default:
			b = append(b, text[:n]...)
		}
		text = text[n:]
	}
	return string(b)
}

// firstOf returns where the first character to escape is. It is negative if there is none.
func firstOf(text string, some func(rune) bool) int {
	for at, r := range text {
		if some(r) || r == utf8.RuneError && !strings.HasPrefix(text[at:], "\ufffd") {
			return at
		}
	}
	return -1
}

// broken reports whether a decoded character is a byte that is no UTF-8.
func broken(r rune, n int) bool { return r == utf8.RuneError && n == 1 }

// appendEscape appends the escape that Go has for a character: \t, \x1b, \u202e, \U000e0041.
func appendEscape(b []byte, r rune) []byte {
	quoted := strconv.AppendQuoteRuneToASCII(nil, r)
	return append(b, quoted[1:len(quoted)-1]...)
}

func hexDigits(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}
