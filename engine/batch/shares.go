package batch

import (
	"math"
	"strconv"
)

// Shares are a tree of shares, with what each node is due and has used.
type Shares struct {
	Cluster    string      `json:"cluster"`
	Release    string      `json:"release"`
	RunAt      *Time       `json:"run_at,omitempty"` // of the run that saw the tree so; nil for the tree of the files
	Source     string      `json:"-"`                // what shows that moment, in words
	View       string      `json:"view,omitempty"`   // OfFiles for the tree of the files, which is not what the scheduler has in memory
	Unit       string      `json:"unit,omitempty"`   // of usage
	Decay      []Decay     `json:"decay"`            // how usage is forgotten
	Nodes      []Row       `json:"nodes"`            // a node before those below it
	Columns    []Column    `json:"-"`                // of a table of the nodes
	Comparison *Comparison `json:"comparison,omitempty"`
	Ambiguous  []string    `json:"ambiguous,omitzero"` // entities that make the order of jobs depend on how it is sorted
	Rejected   []Rejected  `json:"rejected,omitzero"`
	Idle       string      `json:"-"` // the setting by which the tree orders nothing; empty where it orders
	Printed    string      `json:"-"` // the tree as the system's own tool prints it; empty where none does
}

// A Decay is how usage of a kind is forgotten: all the time, or step by step.
type Decay struct {
	Of       string  `json:"of"`             // cpu, mem, io or another kind; usage for all others
	HalfLife Value   `json:"half_life"`      // seconds until half is left; null where nothing is forgotten
	Step     float64 `json:"step,omitempty"` // of PBS: seconds from one decay to the next
	Left     float64 `json:"left,omitempty"` // of PBS: the part that a step leaves
}

// Forgotten is a decay of which a step of so many seconds leaves a part.
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

// OfFiles is the view of a tree as files hold it.
const OfFiles = "files"

// A ShareView says what of a tree is asked for: all nodes, unless one of these is given.
type ShareView struct {
	Entity  string
	Outline bool     // names alone
	Compare []string // two entities
}

// A NoEntityError says that the tree has no such entity.
type NoEntityError struct{ Name string }

func (e *NoEntityError) Error() string { return "there is no fairshare entity " + e.Name }

// A Comparison says why one of two entities is more deserving.
type Comparison struct {
	A        string       `json:"a"`
	B        string       `json:"b"`
	Winner   string       `json:"winner"`                // empty where they are equal
	Ancestor string       `json:"first_common_ancestor"` // A or B itself where the other is below it
	Reason   string       `json:"reason"`
	Levels   []ShareLevel `json:"levels"` // what was compared, from below the ancestor on; the last one decided
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

// A ShareStanding is how far a node is from what it is due, in parts of what was used below the common ancestor.
type ShareStanding struct {
	Name      string `json:"name"`
	Target    Value  `json:"target"`
	Actual    Value  `json:"actual"`
	Below     Value  `json:"below_target"` // negative for a node above it
	Shareless bool   `json:"-"`
}

// A Rejected record is one that the system leaves out of the tree.
type Rejected struct {
	Name, Reason string
	Line         int // of resource_group; 0 for what stands in another file
}

// MarshalText names the record with its line and the reason.
func (r Rejected) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r Rejected) String() string {
	text := r.Name + ": " + r.Reason
	if r.Line > 0 {
		text = "resource_group line " + strconv.Itoa(r.Line) + ": " + text
	}
	return text
}
