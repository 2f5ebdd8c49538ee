package check

import (
	"fmt"

	"qprism/engine/formula/python"
)

// A formula has no greatest length: a server and a scheduler of OpenPBS 23.06.06 kept, printed and computed one of 200,000 characters,
// set with qmgr from its standard input, and one of 100,000 as an argument. What has bounds is how deep it nests, in Python.

// olderBrackets is how many brackets the Python of older releases can have open: 93 in 3.7, 99 in 3.8 (Lib/test/test_parser.py).
const olderBrackets = 93

// measure reports a formula that nests deeper than Python computes, or than the Python of older releases reads. More than 200
// brackets are refused by the server.
func (r *Report) measure(text string) {
	if r.has(TooLong, TooDeep, Refused) {
		return
	}
	if x, err := python.Parse(text); err == nil {
		if d := x.Depth() - 1; d > python.MaxDepth {
			r.add(tooDeep(fmt.Sprintf("%d operations nest in each other", d), 0))
		}
	}
	if n := python.Brackets(text); n > olderBrackets {
		r.add(Problem{Severity: Warning, Kind: TooDeep, Hint: "nest fewer brackets",
			Text: fmt.Sprintf("%d brackets are open at once: Python before 3.9 reads no more than %d, and every job gets 0", n, olderBrackets)})
	}
}

// tooLong is a formula that PBS may take.
func tooLong(text string) Problem {
	return Problem{Severity: Error, Kind: TooLong,
		Text: fmt.Sprintf("not checked: the formula has %d characters; no more than %d are read here, though PBS takes more", len(text),
			python.MaxLength)}
}

// tooDeep is a formula that the server takes and the scheduler cannot compute. As with any exception it dies of it when the first
// job has it after a start; here every job does.
func tooDeep(what string, column int) Problem {
	return Problem{Severity: Error, Kind: TooDeep, Column: column, Hint: "put brackets around halves of a long sum, so that they nest less",
		Text: fmt.Sprintf("the server takes it, but Python gives up (%s, it follows about %d): every job gets 0, and the scheduler dies of it after its next start", what, python.MaxDepth)}
}
