package report

import (
	"fmt"
	"slices"
	"time"
)

// format names the layout of report.json. Its number grows when a JSON name changes its meaning or is removed.
// New names may come at any time.
const format = "qprism-migration/1"

// A Report is the result of a migration.
type Report struct {
	Format    string     `json:"format"`          // qprism-migration/1
	From      Cluster    `json:"from"`            // what was translated
	To        Cluster    `json:"to"`              // what it was translated to
	Scope     string     `json:"scope,omitempty"` // the translated part, if it is not everything
	Snapshots []Snapshot `json:"snapshots"`       // the history, the oldest first; the last one was translated
	// the number of stored snapshots from which the history was chosen evenly; absent if it has all
	Stored     int         `json:"stored,omitempty"`
	Unused     []Unused    `json:"unused"`      // snapshots of the history without an order to compare
	Verdicts   []Count     `json:"verdicts"`    // lines that configure something, by verdict
	Others     int         `json:"other_lines"` // lines that configure nothing
	Concepts   []Concept   `json:"concepts"`    // the same, concept by concept
	Candidates []Candidate `json:"candidates"`  // ways to order jobs that were tried
	// numbers of the chosen candidate that other jobs decide in the old system
	Constants  []Constant  `json:"constants"`
	Refresh    string      `json:"refresh,omitempty"`    // the command that brings the constants up to date
	Intentions []Intention `json:"intentions,omitempty"` // sentences of what the policy is meant to do, on both sides
	Files      []File      `json:"files"`                // what was written
	Steps      []Step      `json:"steps"`                // how to install it, in order
	Renamed    []Renaming  `json:"renamed"`              // names that have another spelling in the new system
	Ledger     []Entry     `json:"ledger"`               // every line of every file, file by file
}

// A Cluster is one side of the migration.
type Cluster struct {
	System  string    `json:"system"`            // Grid Engine, PBS or Slurm
	Name    string    `json:"name,omitempty"`    // as the bundle says
	Release string    `json:"release,omitempty"` // version of the master
	Taken   time.Time `json:"taken,omitzero"`    // when the bundle was taken
}

// A Snapshot is one moment of the history.
type Snapshot struct {
	Name    string    `json:"name"`     // of the bundle
	At      time.Time `json:"at"`       // of the scheduler run
	Jobs    int       `json:"jobs"`     // waiting jobs
	HeldOut bool      `json:"held_out"` // not used for constants and weights
}

// An Unused snapshot is one from which no job order could be computed.
type Unused struct {
	Name string `json:"name"` // of the bundle
	Why  string `json:"why"`
}

// A Verdict says how exact the translation of a line is.
type Verdict string

// The verdicts.
const (
	Exact       Verdict = "exact"
	Approximate Verdict = "approximate"
	Lost        Verdict = "lost"
	NoEffect    Verdict = "no effect"
	NoRule      Verdict = "no rule" // no rule handles the line, so a person must look at it
)

// Verdicts are all verdicts in the order of columns. The one that needs a person comes first.
var Verdicts = []Verdict{NoRule, Lost, Approximate, Exact, NoEffect}

// A Count is a number of lines.
type Count struct {
	Verdict Verdict `json:"verdict"`
	Lines   int     `json:"lines"` // physical lines of the files
}

// A Concept is a part of a policy, such as resource quota sets.
type Concept struct {
	Name   string  `json:"name"`
	Counts []Count `json:"counts"` // by verdict; those with no line are absent
}

func count(counts []Count, v Verdict) int {
	for _, c := range counts {
		if c.Verdict == v {
			return c.Lines
		}
	}
	return 0
}

// An Entry is the translation of one line.
type Entry struct {
	File    string  `json:"file"`             // name in the bundle
	Line    int     `json:"line"`             // number of its first physical line, from 1; 0 if a command printed it
	Lines   int     `json:"lines"`            // number of physical lines
	Kind    string  `json:"kind,omitempty"`   // content of the file; absent if it is unknown
	Object  string  `json:"object,omitempty"` // the object of the line: a queue, a host, a share tree node
	Key     string  `json:"key,omitempty"`    // what it sets
	Text    string  `json:"text"`             // the line itself; long ones are shortened
	Concept string  `json:"concept"`          // its topic
	Verdict Verdict `json:"verdict"`          // exact, approximate, lost, no effect or no rule
	Into    string  `json:"into,omitempty"`   // its translation
	Other   bool    `json:"other,omitempty"`  // it configures nothing: comments, jobs, present state, logs
	// approximate: how, and a bound on the error; lost: what to do instead; no effect: why
	Note string `json:"note,omitempty"`
}

// A Candidate is a way to order jobs.
type Candidate struct {
	Name    string `json:"name"`              // one word
	Title   string `json:"title"`             // one line
	Chosen  bool   `json:"chosen"`            // the written files use this one
	Formula string `json:"formula,omitempty"` // as installed: job_sort_formula, or the weights
	// the formula of the proof, if the installed one has newer constants or weights
	Proven string `json:"proven,omitempty"`
	Terms  []Term `json:"terms,omitempty"` // the formula, by policy
	Needs  string `json:"needs"`           // what must run besides the scheduler
	Lines  int    `json:"lines"`           // cost: number of lines to install and maintain
	// the smallest difference of two priorities that it still shows; null if unknown
	Resolution Number   `json:"resolution,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Seen       Summary  `json:"seen"`     // over the snapshots used for constants and weights
	HeldOut    Summary  `json:"held_out"` // over the other snapshots
	// over all snapshots, with the installed formula, which was made from all
	Installed *Summary  `json:"installed,omitempty"`
	Runs      []Run     `json:"runs"` // snapshot by snapshot
	Problems  []Problem `json:"problems,omitempty"`
	Forecast  *Forecast `json:"forecast,omitempty"` // under both systems, from the last snapshot
}

// A Term is the part of a formula for one policy.
type Term struct {
	Policy string `json:"policy"` // npprior, nurg or ntckts, as qstat names them
	Text   string `json:"text"`
	// the greatest error in the distance of two jobs in this term, in units of the old system's priority;
	// null if it has another scale
	Off Number `json:"off"`
}

// A Summary is over several snapshots. Snapshots with fewer than two waiting jobs, or in which all are equal,
// do not count.
type Summary struct {
	Snapshots int    `json:"snapshots"`       // number of snapshots
	Median    Number `json:"median"`          // of tau-b
	Least     Number `json:"least"`           // tau-b
	Worst     string `json:"worst,omitempty"` // the snapshot with the least tau-b
	Same      int    `json:"same"`            // snapshots in which no pair of jobs is inverted
}

// A Run compares the order of jobs under both systems at one moment.
type Run struct {
	Snapshot   string      `json:"snapshot"`
	At         time.Time   `json:"at"` // of the scheduler run
	HeldOut    bool        `json:"held_out"`
	Jobs       int         `json:"jobs"`                 // waiting jobs
	TauB       Number      `json:"tau_b"`                // Kendall's tau-b; null if there is nothing to order
	Inverted   int64       `json:"inverted"`             // pairs of jobs in the other order
	Pairs      int64       `json:"pairs"`                // all pairs
	Top        []Top       `json:"top,omitempty"`        // the first jobs
	Inversions []Inversion `json:"inversions,omitempty"` // the worst, at most ten
}

// A Top is the overlap of the first K jobs.
type Top struct {
	K       int    `json:"k"`       // number of first jobs
	Overlap Number `json:"overlap"` // fraction of them in both orders, 0 to 1
}

// An Inversion is a pair of jobs that the two systems try in different order.
type Inversion struct {
	First  Standing `json:"first"`  // the job that comes first in the old system
	Second Standing `json:"second"` // the job that comes first in the new system
	Places int      `json:"places"` // distance in the old system's order
	Cause  string   `json:"cause"`  // term, tie, resolution or system
	Term   string   `json:"term,omitempty"`
	Why    string   `json:"why"` // in words
}

// A Standing is a job in both systems.
type Standing struct {
	Job   string `json:"job"`
	Owner string `json:"owner,omitempty"`
	Prio  Number `json:"prio"`  // the value that orders it in the old system
	Value Number `json:"value"` // the value that orders it in the new system
}

// A Problem is something that a check of the formula found.
type Problem struct {
	Severity string `json:"severity"` // error, warning or note
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
	Jobs     int    `json:"jobs"` // number of affected jobs
}

// A Forecast compares the waiting jobs under both systems, the old one first.
type Forecast struct {
	At          time.Time `json:"at"`          // start of the forecast
	Jobs        int       `json:"jobs"`        // jobs that start under both
	Utilisation [2]Number `json:"utilisation"` // fraction of slots in use until the last job has started
	Never       [2]int    `json:"never"`       // jobs that never start
	Groups      []Group   `json:"groups"`      // by user, project and size, and all jobs
	Notes       []string  `json:"notes,omitempty"`
}

// A Group has the jobs of one user, project or size.
type Group struct {
	Kind     string    `json:"kind"`
	Name     string    `json:"name"`
	Jobs     int       `json:"jobs"`
	Wait     [2]Number `json:"wait"`     // mean, seconds
	Slowdown [2]Number `json:"slowdown"` // mean of (wait + run time) / run time, at least 1
}

// A Constant is a number that the old system computes in each run from other jobs, which a formula cannot
// see.
type Constant struct {
	Name  string    `json:"name"`
	Means string    `json:"means"`
	Value Number    `json:"value"`
	From  string    `json:"from"`           // its snapshots
	Since time.Time `json:"since,omitzero"` // the moment of the newest of them
	Drift []Number  `json:"drift"`          // its value in each snapshot of the history
	Moves Number    `json:"moves"`          // greatest distance from the value, as a fraction
}

// An Intention is a sentence about the policy, checked against both systems.
type Intention struct {
	Sentence string `json:"sentence"`
	From     string `json:"from"`     // in the old system: holds, does not hold, or cannot be told
	To       string `json:"to"`       // in the new system
	WhyFrom  string `json:"why_from"` // the finding in the old system
	WhyTo    string `json:"why_to"`   // the finding in the new system
	// the smallest set of jobs that breaks it in the new system, as lines of a lab
	Jobs []string `json:"jobs,omitempty"`
	Lost bool     `json:"lost"` // it holds in the old system, but not in the new one
}

// A File is a written file.
type File struct {
	Name  string `json:"name"`
	About string `json:"about"` // its purpose
}

// A Step is work for an administrator.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command,omitempty"` // for a shell
	Cron    string `json:"cron,omitempty"`    // when to repeat it
}

// A Renaming is a name that changed in the new system.
type Renaming struct {
	Kind string `json:"kind"`
	From string `json:"from"` // the name in the old system
	To   string `json:"to"`   // the name in the new system
	Why  string `json:"why,omitempty"`
}

// Place returns file and line. Output of a command has no line number.
func (e Entry) Place() string {
	if e.Line == 0 {
		return e.File
	}
	return fmt.Sprintf("%s:%d", e.File, e.Line)
}

// Add adds a line to the ledger and counts it.
func (r *Report) Add(e Entry) {
	e.Lines = max(1, e.Lines)
	r.Ledger = append(r.Ledger, e)
	if e.Other {
		r.Others += e.Lines
		return
	}
	add(&r.Verdicts, e)
	i := slices.IndexFunc(r.Concepts, func(c Concept) bool { return c.Name == e.Concept })
	if i < 0 {
		i = len(r.Concepts)
		r.Concepts = append(r.Concepts, Concept{Name: e.Concept})
	}
	add(&r.Concepts[i].Counts, e)
}

func add(counts *[]Count, e Entry) {
	for i := range *counts {
		if (*counts)[i].Verdict == e.Verdict {
			(*counts)[i].Lines += e.Lines
			return
		}
	}
	*counts = append(*counts, Count{e.Verdict, e.Lines})
	slices.SortStableFunc(*counts, func(a, b Count) int {
		return slices.Index(Verdicts, a.Verdict) - slices.Index(Verdicts, b.Verdict)
	})
}

// Chosen returns the candidate of the written files, or nil.
func (r *Report) Chosen() *Candidate {
	for i := range r.Candidates {
		if r.Candidates[i].Chosen {
			return &r.Candidates[i]
		}
	}
	return nil
}
