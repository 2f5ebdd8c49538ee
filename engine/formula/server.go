package formula

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"qprism/engine/formula/python"
)

// A Refusal is why qmgr does not set a formula.
type Refusal struct {
	Code    int    // of the server, 15123; 0 where qmgr itself refuses
	Message string // of the server
	Exit    int    // qmgr's exit status: the code modulo 256
	Cause   *python.Error
}

func (r *Refusal) Error() string {
	if r.Code == 0 {
		return "qmgr: " + r.Message
	}
	return fmt.Sprintf("%s (error %d)", r.Message, r.Code)
}

func (r *Refusal) Unwrap() error {
	if r.Cause == nil {
		return nil
	}
	return r.Cause
}

func refused(code int, message string, cause *python.Error) *Refusal {
	return &Refusal{Code: code, Message: message, Exit: code % 256, Cause: cause}
}

// The server's answers.
const (
	badFormat   = "Invalid Formula Format"
	badName     = "Formula contains invalid keyword"
	badType     = "Formula contains a resource of an invalid type"
	serverError = "PBS server internal error"
)

// Validate does what qmgr and the server do before they accept a formula: they execute "ans=" and the formula twice,
// with all names 1, first every resource, then only the numeric ones. Only a syntax error or an unknown name that is
// reached refuses it; other exceptions pass. Two single quotes, between which a formula would end and begin again, are
// refused like one. The error is a *Refusal, or a *python.Error where that cannot be told here.
func Validate(text string, names Names) error {
	if i := strings.IndexByte(text, '&'); i >= 0 {
		return &Refusal{Message: "Syntax error", Exit: 4, Cause: at(text, i, `qmgr takes "&" for itself`, `use "and", or % for single bits`)}
	}
	source, err := insideQuotes(text, '\'')
	if err != nil {
		return refused(15011, serverError, asError(err))
	}
	statements, assigned, err := python.ParseStatements(assignment + source)
	if err != nil {
		return refusedFor(err, 15123, badFormat, python.SyntaxError)
	}
	known := slices.Concat(assigned, serverNames)
	if err := try(statements, append(known, names.all()...)); err != nil {
		return refusedFor(explain(err, names), 15124, badName, python.NameError)
	}
	if err := try(statements, append(known, names.numeric()...)); err != nil {
		return refusedFor(wrongType(err), 15125, badType, python.NameError)
	}
	return nil
}

// assignment is what the server puts before a formula.
const assignment = "ans="

// serverNames are variables of the server's own program, which a formula can reach by accident.
var serverNames = []string{"ans", "errnum", "errmsg"}

// try runs statements with all names 1. Exceptions end it, but only NameError, Limit and Unsupported are errors.
func try(statements []*python.Expression, names []string) error {
	ones := make([]python.Value, len(names))
	for i := range ones {
		ones[i] = python.Int(1)
	}
	for _, s := range statements {
		p, err := s.Compile(names...)
		if err == nil {
			_, err = p.Run(ones...)
		}
		if err == nil {
			continue
		}
		switch asError(err).Class {
		case python.NameError, python.Limit, python.Unsupported:
			return err
		}
		return nil
	}
	return nil
}

// refusedFor makes a refusal of an error of a class; others remain as they are. Columns are those of the formula.
func refusedFor(err error, code int, message, class string) error {
	e := asError(err)
	if e.Column > 0 {
		e.Column = max(1, e.Column-len(assignment))
	}
	if e.Class == class {
		return refused(code, message, e)
	}
	return e
}

// explain adds what an unknown name may have meant.
func explain(err error, names Names) error {
	e := asError(err)
	word := wordOf(e)
	if near := names.closest(word); near != "" {
		e.Hint = "did you mean " + near + "?"
	} else if word == "resources_used" {
		e.Hint = "what a job has used is not known to a formula"
	}
	return e
}

// wrongType says that a resource has no number.
func wrongType(err error) error {
	e := asError(err)
	if e.Class == python.NameError {
		e.Message = fmt.Sprintf("the resource %s has no number", wordOf(e))
		e.Hint = "a formula can use resources of type long, float, size and time"
	}
	return e
}

// UnknownName is the name that a formula is refused for because nothing known here has it; empty where it is refused for something else, or
// where the name is most likely a slip.
func UnknownName(err error) string {
	var r *Refusal
	if !errors.As(err, &r) || r.Code != 15124 || r.Cause == nil || r.Cause.Class != python.NameError || r.Cause.Hint != "" {
		return ""
	}
	return wordOf(r.Cause)
}

// wordOf is the name that a NameError is about.
func wordOf(e *python.Error) string {
	_, word, _ := strings.Cut(e.Message, "'")
	word, _, _ = strings.Cut(word, "'")
	return word
}

// insideQuotes is the text that Python reads where a formula stands in quotes of a kind: what backslashes mean. The
// quote itself ends it too early.
func insideQuotes(text string, quote byte) (string, error) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return "", at(text, i, fmt.Sprintf("the formula stands in %c quotes where it is evaluated: another one ends it", quote),
				"write it without quotes")
		case '\n':
			return "", at(text, i, "the formula has a line break", "write it in one line")
		}
	}
	source, err := python.Unescape(text)
	if err != nil {
		return "", err
	}
	return source, nil
}

// at is a syntax error at a byte of the text.
func at(text string, i int, message, hint string) *python.Error {
	return &python.Error{Class: python.SyntaxError, Message: message, Column: utf8.RuneCountInString(text[:i]) + 1, Hint: hint}
}
