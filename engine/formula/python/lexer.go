package python

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kindOfToken uint8

const (
	endToken kindOfToken = iota
	newlineToken
	numberToken
	nameToken
	textToken
	operatorToken
)

// A token is a word of an expression. For a text, word is its value.
type token struct {
	kind   kindOfToken
	word   string
	column int
}

func (t token) is(operator string) bool { return t.kind == operatorToken && t.word == operator }
func (t token) keyword(word string) bool {
	return t.kind == nameToken && t.word == word
}

// MaxLength bounds the text of an expression; real ones have a few hundred characters.
const MaxLength = 1 << 16

// maxBrackets is how deep Python lets brackets nest, from 3.9 on.
const maxBrackets = 200

// A lexer cuts a text into tokens. Line breaks between brackets are blanks.
type lexer struct {
	text   string
	pos    int
	column int
	open   []byte // the brackets that are not closed yet
	most   int    // of them at any place
	tokens []token
}

// tokenize is all tokens of a text; the last is an endToken.
func tokenize(text string) ([]token, *Error) {
	if len(text) > MaxLength {
		return nil, fail(TooLong, "the formula has %d characters; no more than %d are read here", len(text), MaxLength)
	}
	l := &lexer{text: text, column: 1}
	for {
		l.skipBlanks()
		if l.pos == len(l.text) {
			break
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	if len(l.open) > 0 {
		return nil, l.fail("'%c' was never closed", l.open[len(l.open)-1])
	}
	l.add(endToken, "", l.column)
	return l.tokens, nil
}

func (l *lexer) fail(format string, args ...any) *Error {
	return fail(SyntaxError, format, args...).at(l.column)
}

func (l *lexer) add(kind kindOfToken, word string, column int) {
	l.tokens = append(l.tokens, token{kind, word, column})
}

// take moves on by n bytes and returns them.
func (l *lexer) take(n int) string {
	word := l.text[l.pos : l.pos+n]
	l.pos += n
	l.column += utf8.RuneCountInString(word)
	return word
}

func (l *lexer) rest() string { return l.text[l.pos:] }

// skipBlanks passes over blanks, comments, and line breaks that a backslash or an open bracket takes away.
func (l *lexer) skipBlanks() {
	for l.pos < len(l.text) {
		switch rest := l.rest(); {
		case strings.IndexByte(" \t\f", rest[0]) >= 0, rest[0] == '\n' && len(l.open) > 0:
			l.take(1)
		case strings.HasPrefix(rest, "\\\n"):
			l.take(2)
		case rest[0] == '#':
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.take(end)
		default:
			return
		}
	}
}

func (l *lexer) next() *Error {
	rest, column := l.rest(), l.column
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case first == utf8.RuneError && size <= 1:
		return l.fail("the formula is not UTF-8")
	case first == '\n':
		l.add(newlineToken, l.take(1), column)
		return l.indent()
	case first >= '0' && first <= '9', first == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number()
	case startsName(first):
		return l.name()
	case first == '"' || first == '\'':
		return l.quoted()
	}
	return l.operator()
}

// indent refuses a line that begins with blanks, unless it is empty.
func (l *lexer) indent() *Error {
	blanks := len(l.rest()) - len(strings.TrimLeft(l.rest(), " \t\f"))
	if blanks == 0 {
		return nil
	}
	l.skipBlanks()
	if l.rest() == "" || l.rest()[0] == '\n' {
		return nil
	}
	return l.fail("unexpected indent").hint("write it in one line")
}

func startsName(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func inName(r rune) bool {
	return startsName(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)
}

func (l *lexer) name() *Error {
	rest, column := l.rest(), l.column
	end := strings.IndexFunc(rest, func(r rune) bool { return !inName(r) })
	if end < 0 {
		end = len(rest)
	}
	word := l.take(end)
	if next := l.rest(); next != "" && (next[0] == '"' || next[0] == '\'') {
		return fail(Unsupported, "texts with a prefix (%s%c) are not computed here", word, next[0]).at(column)
	}
	l.add(nameToken, word, column)
	return nil
}

// operators are sorted so that a longer one comes before its beginning.
var operators = []string{"**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", ":=", "+=", "-=", "*=",
	"/=", "%=", "&=", "|=", "^=", "@=",
	"+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "="}

func (l *lexer) operator() *Error {
	for _, op := range operators {
		if strings.HasPrefix(l.rest(), op) {
			if err := l.bracket(op); err != nil {
				return err
			}
			column := l.column
			l.add(operatorToken, l.take(len(op)), column)
			return nil
		}
	}
	r, _ := utf8.DecodeRuneInString(l.rest())
	err := l.fail("invalid character '%c' (U+%04X)", r, r)
	switch r {
	case '!', '$', '?', '`', '\\':
		err = l.fail("invalid syntax")
	}
	return err.hint(hintFor(string(r)))
}

// bracket keeps account of the open brackets.
func (l *lexer) bracket(op string) *Error {
	switch op {
	case "(", "[", "{":
		if len(l.open) == maxBrackets {
			return l.fail("too many nested parentheses")
		}
		l.open = append(l.open, op[0])
		l.most = max(l.most, len(l.open))
	case ")", "]", "}":
		if len(l.open) == 0 {
			return l.fail("unmatched '%s'", op)
		}
		last := l.open[len(l.open)-1]
		if strings.IndexByte("([{", last) != strings.Index(")]}", op) {
			return l.fail("closing parenthesis '%s' does not match opening parenthesis '%c'", op, last)
		}
		l.open = l.open[:len(l.open)-1]
	}
	return nil
}

func hintFor(word string) string {
	switch word {
	case "!", "|", "&":
		return `Python writes "not", "or" and "and"`
	case "?":
		return `Python writes a choice as "x if condition else y"`
	case "$":
		return "a resource is written by its name alone"
	case "=":
		return `compare with "=="`
	}
	return ""
}
