package lint

import (
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Report is what there is to say of a policy.
type Report struct {
	Blind  string  `json:"not_checked,omitempty"` // why nothing could be checked; empty where it could
	Words  []Word  `json:"policy"`
	Traps  []Trap  `json:"traps"`
	Stuck  []Stuck `json:"never"` // jobs that wait and can never run
	Partly bool    `json:"-"`     // a part could not be checked, and Words say which
}

// A Word is a part of the policy in plain words.
type Word struct {
	About string `json:"about"`
	Says  string `json:"says"`
}

// A Trap is a part of a policy that does something else than it seems to.
type Trap struct {
	Name   string   `json:"name"` // for programs, "waiting-too-slow"
	What   string   `json:"what"` // what is wrong
	Place           // the line that causes it
	Effect string   `json:"effect"` // measured on the jobs of the snapshot
	Fix    []string `json:"fix"`    // shell commands, any one of which mends it; none where no command does
}

// A Place is a line of a file of the bundle.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0 where the bundle does not show the line, or it is the lack of one
	Text string `json:"text,omitempty"` // what it says
}

// An Input is what is looked at.
type Input struct {
	Snapshot *model.Snapshot
	Quirks   model.Quirks
	At       time.Time                  // of the next run, with which effects are measured; zero is the time of the snapshot
	Lines    func(file string) []string // the lines of a file of the bundle, nil where there is none
}

// Whole gives what was not said its default.
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

// Add lists what a check found; of many findings of one kind the first ones, and how many there are. A remedy that would
// need a name that is none, which only a made-up bundle has, is left out.
func (r *Report) Add(found []Trap) {
	if more := len(found) - mostAlike; more > 0 {
		found = found[:mostAlike]
		found[mostAlike-1].Effect += fmt.Sprintf("; and %d more of this kind", more)
	}
	for i := range found {
		found[i].Fix = slices.DeleteFunc(found[i].Fix, func(command string) bool { return !Safe(command) })
	}
	r.Traps = append(r.Traps, found...)
}
