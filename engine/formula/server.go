package formula

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"qprism/engine/formula/python"
)

// A Refusal says why qmgr does not set a formula.
type Refusal struct {
	Code    int    // of the server, 15123; 0 if qmgr itself refuses
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

// Validate checks a formula as qmgr and the server do. Both execute the formula twice, with the value 1 for
// every name: first with all resources, then with the numeric resources only. They refuse the formula only
// for a syntax error, or for an unknown name that the execution reaches. They accept it in spite of other
// exceptions. The error is a *Refusal, or a *python.Error if qprism cannot tell.
func Validate(text string, names Names) error {
	if i := strings.IndexByte(text, '&'); i >= 0 {
		return &Refusal{Message: "Syntax error", Exit: 4,
			Cause: at(text, i, `qmgr takes "&" for itself`, `use "and", or % for single bits`)}
	}
	if i := strings.IndexAny(text, "'\n"); i >= 0 && !strings.Contains(text, `\`) {
		return refused(15011, serverError, at(text, i, "the formula stands in ' quotes where it is evaluated: this ends it",
			"write it in one line, without quotes"))
	}
	x, err := python.Parse(text)
	if err != nil {
		return refusedFor(err, 15123, badFormat, python.SyntaxError)
	}
	if err := try(x, names.all()); err != nil {
		return refusedFor(explain(err, names), 15124, badName, python.NameError)
	}
	if err := try(x, names.numeric()); err != nil {
		return refusedFor(wrongType(err), 15125, badType, python.NameError)
	}
	return nil
}

// try computes an expression with these names 1. Of the exceptions only NameError, Limit and Unsupported are errors.
func try(x *python.Expression, names []string) error {
	values := make([]python.Value, len(x.Names()))
	for i, name := range x.Names() {
		if slices.Contains(names, name.Word) {
			values[i] = python.Int(1)
		}
	}
	_, err := x.Run(values)
	if err == nil || !slices.Contains([]string{python.NameError, python.Limit, python.Unsupported}, asError(err).Class) {
		return nil
	}
	return err
}

// refusedFor makes a refusal of an error of a class; others remain as they are.
func refusedFor(err error, code int, message, class string) error {
	if e := asError(err); e.Class == class {
		return refused(code, message, e)
	}
	return err
}

// explain adds what an unknown name may have meant.
func explain(err error, names Names) error {
	e := asError(err)
	if near := names.closest(wordOf(e)); near != "" {
		e.Hint = "did you mean " + near + "?"
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

// UnknownName is the unknown name for which a formula is refused. It is empty if there is another cause, or
// if the name is probably a typing error.
func UnknownName(err error) string {
	var r *Refusal
	if !errors.As(err, &r) || r.Code != 15124 || r.Cause == nil || r.Cause.Class != python.NameError ||
		r.Cause.Hint != "" {
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

// at is a syntax error at a byte of the text.
func at(text string, i int, message, hint string) *python.Error {
	return &python.Error{Class: python.SyntaxError, Message: message, Column: utf8.RuneCountInString(text[:i]) +
		1, Hint: hint}
}
