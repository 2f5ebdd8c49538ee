package python

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	nameToken
	operatorToken // also what is neither a number nor a name
)

// A token is a word of an expression.
type token struct {
	kind   tokenKind
	word   string
	column int
}

// MaxLength is the longest text of an expression. Real ones have a few hundred characters. PBS has no such
// limit.
const MaxLength = 1 << 16

const digits = `[0-9](?:_?[0-9])*`

var (
	numbers = regexp.MustCompile(`^(?:0[xXoObB](?:_?[[:xdigit:]])+|` +
		`(?:` + digits + `\.?(?:` + digits + `)?|\.` + digits + `)(?:[eE][+-]?` + digits + `)?)`)
	names     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	operators = regexp.MustCompile(`^(?:\*\*|//|<<|>>|[<>=!]=|(?s:.))`)
	octals    = regexp.MustCompile(`^0[0-9_]*[1-9][0-9_]*$`)
)

// tokenize is all tokens of a text; the last is an endToken.
func tokenize(text string) ([]token, *Error) {
	if len(text) > MaxLength {
		return nil, fail(Unsupported, "the formula has %d characters; qprism reads at most %d", len(text), MaxLength)
	}
	if i := strings.IndexByte(text, '\\'); i >= 0 {
		return nil, fail(Unsupported, "qprism does not read backslashes").at(utf8.RuneCountInString(text[:i]) + 1)
	}
	var tokens []token
	for rest, column := text, 1; ; {
		blanks := len(rest) - len(strings.TrimLeft(rest, " \t\f"))
		rest, column = rest[blanks:], column+blanks
		if rest == "" || rest[0] == '#' {
			return append(tokens, token{endToken, "", column}), nil
		}
		t := next(rest)
		t.column = column
		tokens = append(tokens, t)
		rest, column = rest[len(t.word):], column+utf8.RuneCountInString(t.word)
	}
}

// next is the token at the beginning of a text.
func next(rest string) token {
	for _, c := range []struct {
		kind tokenKind
		form *regexp.Regexp
	}{{numberToken, numbers}, {nameToken, names}} {
		if word := c.form.FindString(rest); word != "" {
			return token{kind: c.kind, word: word}
		}
	}
	return token{kind: operatorToken, word: operators.FindString(rest)}
}

// parseNumber is the value of a number.
func parseNumber(word string) (Value, *Error) {
	n, whole := new(big.Int).SetString(word, 0)
	switch {
	case octals.MatchString(word):
		return Value{}, fail(SyntaxError, "leading zeros in decimal integer literals are not permitted")
	case whole:
		return bounded(n)
	case strings.HasPrefix(word, "0") && strings.ContainsAny(word, "xXoObB"):
		return Value{}, fail(SyntaxError, "invalid digit in a number")
	}
	x, _ := strconv.ParseFloat(strings.ReplaceAll(word, "_", ""), 64) // infinite where no float is near
	return Float(x), nil
}
