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
	Seen      Summary     // over the runs that constants and weights were taken from
	HeldOut   Summary     // over those that were not looked at
	// of the formula over the jobs of every run; none of severity Error in a candidate that is proposed
	Problems []check.Problem
	Forecast *Outcome // of the last run, under both; nil where none was asked for
}

// A Summary is over some of the runs. Runs with fewer than two jobs, or that order nothing, do not count.
type Summary struct {
	Runs   int
	Median float64 // tau-b; NaN of no runs
	Least  float64
	Worst  string // name of the run with the least
	Exact  int    // runs with no inversion
}

// An Agreement compares both orders of one run.
type Agreement struct {
	Run     string // name of the snapshot
	At      time.Time
	HeldOut bool
	Jobs    int // that wait
	Pairs   order.Pairs
	TauB    float64 // NaN where an order has fewer than two jobs
	Top     []Top
	Worst   []Inversion // the ten worst, by how many places and how much priority they are apart

	// Off is by how much, at the most, two jobs are further apart in a term than in Grid Engine, or less
	// far: of priorities. It is nil where terms are on another scale.
	Off map[Policy]float64
}

// A Top is how many of the first K jobs are the same.
type Top struct {
	K       int
	Overlap float64 // 0 to 1
}

// An Inversion is a pair of jobs that Grid Engine tries in one order and PBS in the other.
type Inversion struct {
	First, Second uint32 // Grid Engine tries First before Second
	Places        int    // by how many places Grid Engine has them apart
	Prio          [2]float64
	Value         [2]float64 // of the formula
	Cause         Cause
	Policy        Policy // the term to blame where Cause is ByTerm
	// by how much First is ahead of Second in each term, in Grid Engine and in the formula
	Gap map[Policy][2]float64
	Why string // in words
}

// A Cause says what kind of thing put a pair the wrong way round.
type Cause string

// The causes.
const (
	ByTerm       Cause = "term"       // one of the three terms is not what Grid Engine makes it
	ByTie        Cause = "tie"        // equal in Grid Engine, which goes by submission
	ByResolution Cause = "resolution" // equal in the formula, after the 24 bits that PBS keeps
	BySystem     Cause = "system"     // PBS sorts by something before the formula
)

// An Outcome is what forecasts under both systems come to.
type Outcome struct {
	At          time.Time
	Groups      []Group
	Utilisation [2]float64 // part of the slots in use until the last job has started, in Grid Engine and in PBS
	Jobs        int        // that start in both
	Never       [2]int     // that never start
	Notes       []string
}

// A Group is the jobs of one user, project or size, or all of them.
type Group struct {
	Kind, Name string
	Jobs       int
	Wait       [2]float64 // mean, seconds
	Slowdown   [2]float64 // mean bounded slowdown, at least 1
}
