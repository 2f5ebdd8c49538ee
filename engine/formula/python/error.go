package python

import "fmt"

// The classes of errors: Python's own exceptions, and those of this package.
const (
	SyntaxError       = "SyntaxError"
	NameError         = "NameError"
	TypeError         = "TypeError"
	ValueError        = "ValueError"
	IndexError        = "IndexError"
	OverflowError     = "OverflowError"
	ZeroDivisionError = "ZeroDivisionError"

	Unsupported = "Unsupported" // Python knows it, this package does not compute it
	Limit       = "Limit"       // Python would take too long, or too much memory
	TooLong     = "TooLong"     // the text is longer than this package reads; Python has no limit
	TooDeep     = "TooDeep"     // operators nest deeper than Python compiles: it raises RecursionError
)

// An Error is why an expression cannot be read, or has no value.
type Error struct {
	Class   string
	Message string // in Python's words, where it is one of its exceptions
	Column  int    // of the first character concerned, from 1; 0 where none is to blame
	Hint    string // what to write instead; may be empty
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return e.Message
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Message)
}

func fail(class, format string, args ...any) *Error {
	return &Error{Class: class, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) at(column int) *Error {
	if e.Column == 0 {
		e.Column = column
	}
	return e
}

func (e *Error) hint(text string) *Error {
	e.Hint = text
	return e
}
