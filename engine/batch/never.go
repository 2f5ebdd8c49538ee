package batch

import "qprism/engine/model"

// A Chance says whether a job can ever run: on the cluster as it is configured, with nothing else in its way.
type Chance struct {
	Unknown []string // files without which nobody can say; the rest is empty then
	Never   bool
	Blames  []Blame        // what would have to change; empty where no change to the job alone helps
	All     bool           // all of them have to; else one of them is enough
	Why     []model.Reason // of a job that can never run: what each place refuses
}

// A Blame is one thing that a job asks for, or does not, and that no place of the cluster ever meets.
type Blame struct {
	Kind    BlameKind
	Option  string   // as qsub and qalter take it: "-l lic=50", "-q all.q@node04", "-pe mpi 500"; of Access and Quota, who or what it is
	Nearest []string // the same option with what would fit, the nearest first; empty: the job has to do without it
	Most    string   // of TooMuch: the most that fits
}

// A BlameKind says what is wrong with a request.
type BlameKind string

// The kinds.
const (
	TooMuch BlameKind = "too much"      // less of it would fit
	Other   BlameKind = "no such value" // another value would fit, or none
	Absent  BlameKind = "unknown"       // the cluster has no such thing
	Lacking BlameKind = "not asked for" // a job must ask for it: Nearest says how
	Access  BlameKind = "no access"     // whose job it is decides
	Quota   BlameKind = "quota"         // a rule allows less
	NoShare BlameKind = "no shares"     // of PBS: who has no shares runs nothing (enforce_no_shares)
)
