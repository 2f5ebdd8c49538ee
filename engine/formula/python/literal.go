package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// number takes a number, as Python's tokenizer cuts it off.
func (l *lexer) number() *Error {
	column := l.column
	word, err := cutNumber(l.rest())
	if err != "" {
		return l.fail("%s", err)
	}
	l.take(len(word))
	if err := l.afterNumber(); err != nil {
		return err.at(column)
	}
	l.add(numberToken, word, column)
	return nil
}

// afterNumber allows only a keyword directly behind a number, as in "1if x else 2".
func (l *lexer) afterNumber() *Error {
	end := 0
	for i, r := range l.rest() {
		if !inName(r) {
			break
		}
		end = i + len(string(r))
	}
	switch l.rest()[:end] {
	case "", "if", "else", "and", "or", "in", "is", "not":
		return nil
	}
	return fail(SyntaxError, "invalid decimal literal").hint(`a name cannot begin with a digit; write a product with "*"`)
}

// cutNumber is the number at the beginning of a text, or what Python says of it.
func cutNumber(text string) (word, problem string) {
	if len(text) > 1 && text[0] == '0' {
		if base, digits := radix(text[1]); base != "" {
			n := cutDigits(text[2:], digits, true)
			if n == 0 || next(text[2+n:]) {
				return "", "invalid " + base + " literal"
			}
			return text[:2+n], ""
		}
	}
	return cutDecimal(text)
}

// next says whether a name or number would go on here.
func next(rest string) bool {
	return rest != "" && (rest[0] == '_' || isDigit(rest[0]))
}

func radix(letter byte) (name, digits string) {
	switch letter {
	case 'x', 'X':
		return "hexadecimal", "0123456789abcdefABCDEF"
	case 'o', 'O':
		return "octal", "01234567"
	case 'b', 'B':
		return "binary", "01"
	}
	return "", ""
}

// cutDigits is the length of a row of digits with single underscores between them, or also before the first.
func cutDigits(text, digits string, before bool) int {
	n := 0
	for n < len(text) {
		i := n
		if text[i] == '_' && (n > 0 || before) {
			i++
		}
		if i == len(text) || strings.IndexByte(digits, text[i]) < 0 {
			break
		}
		n = i + 1
	}
	return n
}

const decimals = "0123456789"

func cutDecimal(text string) (word, problem string) {
	n := cutDigits(text, decimals, false)
	whole := true
	if n < len(text) && text[n] == '.' {
		n++
		n += cutDigits(text[n:], decimals, false)
		whole = false
	}
	if e := cutExponent(text[n:]); e > 0 {
		n += e
		whole = false
	}
	if n < len(text) && (text[n] == 'j' || text[n] == 'J') {
		return text[:n+1], ""
	}
	if next(text[n:]) {
		return "", "invalid decimal literal"
	}
	if whole && text[0] == '0' && strings.Trim(text[:n], "0_") != "" {
		return "", "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
	}
	return text[:n], ""
}

func cutExponent(text string) int {
	if text == "" || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	n := 1
	if n < len(text) && (text[n] == '+' || text[n] == '-') {
		n++
	}
	digits := cutDigits(text[n:], decimals, false)
	if digits == 0 {
		return 0
	}
	return n + digits
}

// maxDigits is how many digits Python reads or prints of a whole number.
const maxDigits = 4300

// parseNumber is the value of a number that the lexer cut off.
func parseNumber(word string) (value, *Error) {
	word = strings.ReplaceAll(word, "_", "")
	switch {
	case strings.ContainsAny(word, "jJ") && !strings.HasPrefix(word, "0x"):
		return none, fail(Unsupported, "imaginary numbers are not computed here")
	case len(word) > 1 && word[0] == '0' && strings.IndexByte("xXoObB", word[1]) >= 0:
		n, _ := new(big.Int).SetString(word, 0)
		return bigInt(n), nil
	case strings.ContainsAny(word, ".eE"):
		return float(parseFloat(word)), nil
	case len(word) > maxDigits:
		return value{}, fail(SyntaxError, "Exceeds the limit (%d digits) for integer string conversion: value has %d digits", maxDigits,
			len(word))
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return integer(n), nil
	}
	n, _ := new(big.Int).SetString(word, 10)
	return bigInt(n), nil
}

// parseFloat is the nearest float, infinite where none is near.
func parseFloat(word string) float64 {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil && !math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// quoted takes a text in quotes.
func (l *lexer) quoted() *Error {
	column := l.column
	rest := l.rest()
	if strings.HasPrefix(rest, strings.Repeat(rest[:1], 3)) {
		return fail(Unsupported, "texts in three quotes are not computed here").at(column)
	}
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		if rest[i] == '\\' {
			i++
			continue
		}
		if rest[i] == rest[0] {
			word, err := Unescape(rest[1:i])
			if err != nil {
				return err.at(column)
			}
			l.take(i + 1)
			l.add(textToken, word, column)
			return nil
		}
	}
	return l.fail("unterminated string literal")
}

var simpleEscapes = map[byte]string{'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r",
	't': "\t", 'v': "\v"}

// Unescape is the value of the inside of a text in quotes: what its backslashes mean.
func Unescape(inside string) (string, *Error) {
	if strings.IndexByte(inside, '\\') < 0 {
		return inside, nil
	}
	var b strings.Builder
	for i := 0; i < len(inside); {
		if inside[i] != '\\' {
			b.WriteByte(inside[i])
			i++
			continue
		}
		if i+1 == len(inside) {
			return "", fail(SyntaxError, "unterminated string literal")
		}
		text, n, err := escape(inside[i+1:])
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		i += 1 + n
	}
	return b.String(), nil
}

// escape is what the characters behind a backslash stand for, and how many they are.
func escape(text string) (string, int, *Error) {
	if s, ok := simpleEscapes[text[0]]; ok {
		return s, 1, nil
	}
	switch text[0] {
	case 'x':
		return hexEscape(text, 2)
	case 'u':
		return hexEscape(text, 4)
	case 'U':
		return hexEscape(text, 8)
	case 'N':
		return "", 0, fail(Unsupported, "characters by name (\\N) are not computed here")
	}
	n := cutDigits(text[:min(3, len(text))], "01234567", false)
	if n == 0 {
		return "\\", 0, nil // an unknown escape stays as it is
	}
	code, _ := strconv.ParseUint(text[:n], 8, 32)
	return string(rune(code)), n, nil
}

func hexEscape(text string, digits int) (string, int, *Error) {
	if len(text) <= digits {
		return "", 0, fail(SyntaxError, "truncated \\%c escape", text[0])
	}
	code, err := strconv.ParseUint(text[1:1+digits], 16, 32)
	if err != nil || code > 0x10ffff {
		return "", 0, fail(SyntaxError, "truncated \\%c escape", text[0])
	}
	return string(rune(code)), 1 + digits, nil
}
