package synthesis

import (
	"time"

	"qprism/engine/formula/check"
	"qprism/engine/order"
)

// A Proof says how well a candidate orders jobs as Grid Engine does.
type Proof struct {
	Candidate *Candidate
	Runs      []Agreement // in the order of the history
	Seen      Summary     // over the runs that gave constants and weights
	HeldOut   Summary     // over the other runs
	// of the formula with the jobs of every run; a proposed candidate has none of severity Error
	Problems []check.Problem
	Forecast *Outcome // of the last run, under both; nil if not asked for
}

// A Summary is over some runs. Runs with fewer than two jobs, or in which all are equal, do not count.
type Summary struct {
	Runs   int
	Median float64 // tau-b; NaN without runs
	Least  float64
	Worst  string // name of the run with the lowest tau-b
	Exact  int    // runs without inversion
}

// An Agreement compares both orders of one run.
type Agreement struct {
	Run     string // name of the snapshot
	At      time.Time
	HeldOut bool
	Jobs    int // waiting jobs
	Pairs   order.Pairs
	TauB    float64 // NaN if an order has fewer than two jobs
	Top     []Top
	Worst   []Inversion // the ten worst, by distance in places and in priority

	// Off is the greatest error in the distance of two jobs in a term, in units of Grid Engine's priority. It
	// is nil if terms have another scale.
	Off map[Policy]float64
}

// A Top is the overlap of the first K jobs.
type Top struct {
	K       int
	Overlap float64 // 0 to 1
}

// An Inversion is a pair of jobs that Grid Engine and PBS try in different order.
type Inversion struct {
	First, Second uint32 // Grid Engine tries First before Second
	Places        int    // distance in Grid Engine's order
	Prio          [2]float64
	Value         [2]float64 // of the formula
	Cause         Cause
	Policy        Policy // the term that causes it, if Cause is ByTerm
	// the lead of First over Second in each term, in Grid Engine and in the formula
	Gap map[Policy][2]float64
	Why string // in words
}

// A Cause is the kind of reason for an inversion.
type Cause string

// The causes.
const (
	ByTerm       Cause = "term"       // one of the three terms differs from Grid Engine's
	ByTie        Cause = "tie"        // equal in Grid Engine, which then goes by submission
	ByResolution Cause = "resolution" // equal in the formula, in the 24 bits that PBS keeps
	BySystem     Cause = "system"     // PBS sorts by another criterion first
)

// An Outcome compares forecasts under both systems.
type Outcome struct {
	At          time.Time
	Groups      []Group
	Utilisation [2]float64 // fraction of slots in use until the last job started, in Grid Engine and in PBS
	Jobs        int        // jobs that start in both
	Never       [2]int     // jobs that never start
	Notes       []string
}

// A Group has the jobs of one user, project or size, or all jobs.
type Group struct {
	Kind, Name string
	Jobs       int
	Wait       [2]float64 // mean, in seconds
	Slowdown   [2]float64 // mean bounded slowdown, at least 1
}
