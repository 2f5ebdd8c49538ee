package batch

import (
	"math"
	"strconv"
)

// Shares are a tree of shares, with target and usage of each node.
type Shares struct {
	Cluster string `json:"cluster"`
	Release string `json:"release"`
	RunAt   *Time  `json:"run_at,omitempty"` // of the run that saw this tree; nil for the tree of the files
	Source  string `json:"-"`                // the source of that moment, in words
	// OfFiles for the tree of the files, which differs from the scheduler's
	View       string      `json:"view,omitempty"`
	Unit       string      `json:"unit,omitempty"` // of usage
	Decay      []Decay     `json:"decay"`          // how usage decays
	Nodes      []Row       `json:"nodes"`          // a node before its children
	Columns    []Column    `json:"-"`              // of a table of the nodes
	Comparison *Comparison `json:"comparison,omitempty"`
	Ambiguous  []string    `json:"ambiguous,omitzero"` // entities that make the job order depend on the sort algorithm
	Rejected   []Rejected  `json:"rejected,omitzero"`
	Idle       string      `json:"-"` // the setting that makes the tree order nothing; empty if it does
	Printed    string      `json:"-"` // the tree as the system's own tool prints it; empty if no tool does
}

// A Decay says how usage of a kind decays: continuously or in steps.
type Decay struct {
	Of       string  `json:"of"`             // cpu, mem, io or another kind; usage for all other kinds
	HalfLife Value   `json:"half_life"`      // seconds; null if usage never decays
	Step     float64 `json:"step,omitempty"` // PBS: seconds between two decays
	Left     float64 `json:"left,omitempty"` // PBS: the fraction that remains after a step
}

// Forgotten is a Decay in steps: after each step of this number of seconds, a fraction of the usage remains.
func Forgotten(of string, step, left float64) Decay {
	half := 0.0
	switch {
	case left >= 1 || step <= 0:
		half = math.NaN()
	case left > 0:
		half = step * math.Log(0.5) / math.Log(left)
	}
	return Decay{Of: of, HalfLife: Value{Is: half}}
}

// OfFiles is the View of the tree of the files.
const OfFiles = "files"

// A ShareView is a part of a tree: all nodes, unless a field is set.
type ShareView struct {
	Entity  string
	Outline bool     // names only
	Compare []string // two entities
}

// A NoEntityError says that the tree does not have the entity.
type NoEntityError struct{ Name string }

func (e *NoEntityError) Error() string { return "there is no fairshare entity " + e.Name }

// A Comparison says why one of two entities is more deserving.
type Comparison struct {
	A        string       `json:"a"`
	B        string       `json:"b"`
	Winner   string       `json:"winner"`                // empty if they are equal
	Ancestor string       `json:"first_common_ancestor"` // A or B itself if the other is below it
	Reason   string       `json:"reason"`
	Levels   []ShareLevel `json:"levels"` // the compared nodes, from below the ancestor; the last level decided
}

// The reasons of comparisons.
const (
	SameWay       = "same way"
	Tie           = "tie"
	LessUsage     = "less usage"
	OneShareless  = "one has no shares"
	BothShareless = "neither has shares"
)

// A ShareLevel is one step of a comparison.
type ShareLevel struct {
	A ShareStanding `json:"a"`
	B ShareStanding `json:"b"`
}

// A ShareStanding is a node's usage beside its target, as fractions of all usage below the common ancestor.
type ShareStanding struct {
	Name      string `json:"name"`
	Target    Value  `json:"target"`
	Actual    Value  `json:"actual"`
	Below     Value  `json:"below_target"` // negative if the node is above its target
	Shareless bool   `json:"-"`
}

// A Rejected record is one that the system ignores.
type Rejected struct {
	Name, Reason string
	Line         int // of resource_group; 0 for another file
}

// MarshalText names the record, its line and the reason.
func (r Rejected) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r Rejected) String() string {
	text := r.Name + ": " + r.Reason
	if r.Line > 0 {
		text = "resource_group line " + strconv.Itoa(r.Line) + ": " + text
	}
	return text
}
