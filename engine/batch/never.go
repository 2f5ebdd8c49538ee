package batch

import "qprism/engine/model"

// A Chance says whether a job can ever run on the configured cluster, if there is no other job.
type Chance struct {
	Unknown []string // files that are missing for an answer; then the rest is empty
	Never   bool
	Blames  []Blame        // the requests to change; empty if no change to the job helps
	All     bool           // all of them must change; else one is enough
	Why     []model.Reason // for a job that can never run: the reason of each place
}

// A Blame is a request, or a missing request, because of which no host or queue ever accepts the job.
type Blame struct {
	Kind BlameKind
	// as in qsub and qalter: "-l lic=50", "-q all.q@node04", "-pe mpi 500"; for Access and Quota the user or rule
	Option  string
	Nearest []string // the option with values that would fit, the nearest first; empty: the job must drop it
	Most    string   // for TooMuch: the largest amount that fits
}

// A BlameKind is the kind of problem of a request.
type BlameKind string

// The kinds.
const (
	TooMuch BlameKind = "too much"      // a smaller amount would fit
	Other   BlameKind = "no such value" // another value would fit, or none
	Absent  BlameKind = "unknown"       // the cluster does not have it
	Lacking BlameKind = "not asked for" // the job must ask for it: Nearest says how
	Access  BlameKind = "no access"     // the job's owner has no access
	Quota   BlameKind = "quota"         // a rule allows less
	NoShare BlameKind = "no shares"     // PBS: an owner without shares runs nothing (enforce_no_shares)
)
