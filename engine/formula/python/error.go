package python

import "fmt"

// The classes of errors: Python's own exceptions, and those of this package.
const (
	SyntaxError       = "SyntaxError"
	NameError         = "NameError"
	TypeError         = "TypeError"
	ValueError        = "ValueError"
	OverflowError     = "OverflowError"
	ZeroDivisionError = "ZeroDivisionError"

	Unsupported = "Unsupported" // Python may know it, this package does not compute it
	Statement   = "Statement"   // Python knows it, but it is no expression
	Limit       = "Limit"       // Python would take too long, or too much memory
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

// at sets the column, unless there is one already.
func (e *Error) at(column int) *Error {
	if e != nil && e.Column == 0 {
		e.Column = column
	}
	return e
}

func (e *Error) hint(text string) *Error {
	e.Hint = text
	return e
}
