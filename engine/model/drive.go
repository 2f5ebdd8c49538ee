package model

import (
	"errors"
	"time"
)

// ErrNoDrive says that no drive is open.
var ErrNoDrive = errors.New("nothing is driven")

// A Drive is a period in which qprism decides where a cluster starts jobs. Before it changes a value, it
// stores the old value. It deletes the old value after it has restored this value on the cluster.
type Drive struct {
	ID       int64
	Cluster  string   // as Snapshot.Cluster
	Identity Identity // of the cluster at the beginning; only that one is driven
	System   System   // the system of its commands
	By       string   // who started it: "user@host:pid"
	Owns     string   // the jobs that it decides about, in words
	Begun    time.Time
	Ended    time.Time // zero while something may not be restored
	Outcome  string    // in words, after its end
	Claims   []Claim   // values that are not restored
}

// A Claim is one value that a drive changed, or will change, with the old value.
type Claim struct {
	Job       string // id, as commands take it; empty for the server
	Attribute string // the changed attribute: "hold", "hard", "soft", "priority"
	Was       string // the old value
	Becomes   string // the value during the claim
	State     OrderState
	Words     string // the master's message
	Whose     string // owner and submission of the job, as Order.Whose; empty for the server
}
