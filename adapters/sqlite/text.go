package sqlite

import (
	"strings"
	"unicode/utf8"
)

// Names of a cluster are bytes; TEXT in SQLite and strings in JSON are UTF-8 without NUL. A byte that fits neither is
// kept as one of the last 256 code points, and so is every byte of such a code point itself: escape is reversible for
// any string, and leaves alone what is ordinary text.
const firstEscape = 0x10FF00

// escape makes UTF-8 without NUL of any string.
func escape(s string) string {
	if ordinary(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == 0 || r == utf8.RuneError && n == 1 || r >= firstEscape {
			for _, c := range []byte(s[i : i+n]) {
				b.WriteRune(firstEscape + rune(c))
			}
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// unescape is the inverse of escape.
func unescape(s string) string {
	if ordinary(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if r >= firstEscape {
			b.WriteByte(byte(r - firstEscape))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ordinary reports whether a string is UTF-8 without NUL and without escapes.
func ordinary(s string) bool {
	ascii := true
	for i := range len(s) {
		if s[i] == 0 {
			return false
		}
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return true
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r >= firstEscape {
			return false
		}
		i += n
	}
	return true
}
