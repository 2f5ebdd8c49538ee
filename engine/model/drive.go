package model

import (
	"errors"
	"time"
)

// ErrNoDrive says that no drive is open.
var ErrNoDrive = errors.New("nothing is driven")

// A Drive is the time in which the program decides what a cluster starts where. What it takes from the cluster for that is
// stored before it is taken, and kept until it is back.
type Drive struct {
	ID       int64
	Cluster  string   // as Snapshot.Cluster
	Identity Identity // of the cluster that it was begun with, which alone is driven
	System   System   // whose commands it consists of
	By       string   // who began it: "user@host:pid"
	Owns     string   // which jobs it decides about, in words
	Begun    time.Time
	Ended    time.Time // zero while something may not be back
	Outcome  string    // in words, once it ended
	Claims   []Claim   // what is not back
}

// A Claim is one thing that a drive changed, or is about to change, with what undoes it.
type Claim struct {
	Job       string // id, as commands take it; empty for the server
	Attribute string // what is changed: "hold", "hard", "soft", "priority"
	Was       string // what it was before
	Becomes   string // what it is as long as the claim lasts
	State     OrderState
	Words     string // what the master said
	Whose     string // owner and submission of the job, as Order.Whose; empty for the server
}
