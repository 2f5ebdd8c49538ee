package python

import "fmt"

// Classes of errors: Python's exceptions, and those of this package.
const (
	SyntaxError       = "SyntaxError"
	NameError         = "NameError"
	TypeError         = "TypeError"
	ValueError        = "ValueError"
	OverflowError     = "OverflowError"
	ZeroDivisionError = "ZeroDivisionError"

	Unsupported = "Unsupported" // Python may know it, but this package does not compute it
	Statement   = "Statement"   // Python statement, not an expression
	Limit       = "Limit"       // Python would need too much time or memory
)

// An Error says why an expression cannot be read or computed.
type Error struct {
	Class   string
	Message string // in Python's words, for Python's exceptions
	Column  int    // of the first wrong character, from 1; 0 for none
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
