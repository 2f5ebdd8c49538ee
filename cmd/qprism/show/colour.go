package show

import (
	"os"
	"strings"

	"golang.org/x/term"

	"qprism/cmd/safe"
)

// Colored reports whether to use colors. A terminal gets colors unless NO_COLOR is set (https://no-color.org).
func (o Output) Colored() bool {
	f, ok := o.W.(interface{ Fd() uintptr })
	return ok && o.People() && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// verdicts are the words of plans, forecasts and audits that have a colour.
var verdicts = map[string]string{"start": safe.Good, "reserve": safe.Fair, "wait": "", "never": safe.Bad,
	"unexplained":   safe.Bad,
	"input missing": safe.Fair, "stale": safe.Faint, "yes": safe.Good, "no": safe.Bad}

// painted colors a cell by its meaning: states and verdicts.
func painted(column, cell string) string {
	mark := ""
	switch column {
	case "state":
		mark = stateColour(cell)
	case "verdict", "class", "time helps":
		mark = verdicts[cell]
	case "unexplained":
		if strings.Trim(cell, "-0") != "" {
			mark = safe.Bad
		}
	}
	if mark == "" {
		return cell
	}
	return mark + cell + safe.Plain
}

// stateColour returns the color of a job's state in qstat: green for running, red for errors, faint for held.
func stateColour(state string) string {
	switch {
	case strings.Contains(state, "E") && len(state) > 1: // a single E is a job of PBS that is exiting
		return safe.Bad
	case strings.ContainsAny(state, "hH"):
		return safe.Faint
	case strings.ContainsAny(state, "rtR"):
		return safe.Good
	case strings.ContainsAny(state, "sST"):
		return safe.Fair
	}
	return ""
}
