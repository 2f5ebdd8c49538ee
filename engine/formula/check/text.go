package check

import (
	"fmt"
	"slices"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
)

// read reports what the text itself shows: names that nobody knows, functions that hide resources, and "^".
func (r *Report) read(text string, names formula.Names) {
	x, err := python.Parse(text)
	if err != nil {
		return
	}
	for _, name := range x.Names() {
		if !slices.Contains(r.Reads, name.Word) && !python.IsBuiltin(name.Word) {
			r.add(Problem{Severity: Warning, Kind: UnknownName, Column: name.Column, Hint: "correct the name, or leave it out",
				Text: fmt.Sprintf("%s is not known: the server accepts it, but a job gets 0 if the scheduler "+
					"evaluates it", name.Word)})
		}
	}
	for _, name := range slices.Concat(names.Numeric, names.Other) {
		if column := x.Uses(name); column > 0 {
			r.add(Problem{Severity: Warning, Kind: Shadowed, Column: column, Hint: "give the resource another name",
				Text: fmt.Sprintf("%s is a name of Python, so the formula cannot read the resource of this name", name)})
		}
	}
	if column := x.Uses("^"); column > 0 {
		r.add(Problem{Severity: Warning, Kind: Operator, Column: column, Text: `"^" is exclusive-or of bits, not a power`,
			Hint: `write a power as "**"`})
	}
}
