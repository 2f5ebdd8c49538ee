package lint

import (
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Report describes a policy.
type Report struct {
	NotChecked string  `json:"not_checked,omitempty"` // why nothing could be checked; empty if it could
	Words      []Word  `json:"policy"`
	Traps      []Trap  `json:"traps"`
	Stuck      []Stuck `json:"never"` // waiting jobs that can never run
	Partly     bool    `json:"-"`     // a part could not be checked; Words name it
}

// A Word is a part of the policy in plain words.
type Word struct {
	About string `json:"about"`
	Says  string `json:"says"`
}

// A Trap is a policy warning: a setting that misleads.
type Trap struct {
	Name   string   `json:"name"` // for programs: "waiting-too-slow"
	What   string   `json:"what"` // what is wrong
	Place           // the line that causes it
	Effect string   `json:"effect"` // on the jobs of the snapshot
	Fix    []string `json:"fix"`    // shell commands, each of which corrects it; none if no command does
}

// A Place is a line of a file of the bundle.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0 if the bundle lacks the line, or its absence is the problem
	Text string `json:"text,omitempty"` // its text
}

// An Input has the facts for the checks.
type Input struct {
	Snapshot *model.Snapshot
	Quirks   model.Quirks
	At       time.Time                  // of the next run, for measured effects; zero for the time of the snapshot
	Lines    func(file string) []string // the lines of a file of the bundle, nil if it is missing
}

// Whole fills in the defaults.
func (in Input) Whole() Input {
	if in.Lines == nil {
		in.Lines = func(string) []string { return nil }
	}
	if in.At.IsZero() {
		in.At = in.Snapshot.TakenAt
	}
	return in
}

// mostAlike is how many traps of one kind a report lists.
const mostAlike = 20

// Add adds findings of a check. Of many findings of one kind, it keeps the first ones and their number. It
// drops commands that would need an invalid name, which only a made-up bundle has.
func (r *Report) Add(found []Trap) {
	if more := len(found) - mostAlike; more > 0 {
		found = found[:mostAlike]
		found[mostAlike-1].Effect += fmt.Sprintf(". There are %d more warnings of this kind", more)
	}
	for i := range found {
		found[i].Fix = slices.DeleteFunc(found[i].Fix, func(command string) bool { return !Safe(command) })
	}
	r.Traps = append(r.Traps, found...)
}
