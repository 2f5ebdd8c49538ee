package report

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// format names the layout of report.json. Its number grows when a name changes its meaning or goes; new
// names may come at any time.
const format = "qprism-migration/1"

// A Report is what a migration came to.
type Report struct {
	Format    string     `json:"format"`          // qprism-migration/1
	From      Cluster    `json:"from"`            // what was translated
	To        Cluster    `json:"to"`              // what it was translated to
	Scope     string     `json:"scope,omitempty"` // what is translated, where that is not all
	Snapshots []Snapshot `json:"snapshots"`       // the history, the oldest first; the last one was translated
	// of how many stored snapshots the history is an even choice; absent where it is all
	Stored     int         `json:"stored,omitempty"`
	Unused     []Unused    `json:"unused"`      // snapshots of the history that prove nothing
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

// A Cluster is one side of a migration.
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
	Jobs    int       `json:"jobs"`     // that wait
	HeldOut bool      `json:"held_out"` // no constant and no weight was taken from it
}

// An Unused snapshot is one that no order of jobs could be computed from.
type Unused struct {
	Name string `json:"name"` // of the bundle
	Why  string `json:"why"`
}

// A Verdict says how well a line was translated.
type Verdict string

// The verdicts.
const (
	Exact       Verdict = "exact"
	Approximate Verdict = "approximate"
	Lost        Verdict = "lost"
	NoEffect    Verdict = "no effect"
	NoRule      Verdict = "no rule" // nothing handles the line, and a person has to look at it
)

// Verdicts are all of them, as columns of a table: the one that needs a person first.
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

// An Entry is what became of a line.
type Entry struct {
	File    string  `json:"file"`             // of the bundle
	Line    int     `json:"line"`             // number of its first physical line, from 1; 0 where a command printed it
	Lines   int     `json:"lines"`            // how many physical lines it has
	Kind    string  `json:"kind,omitempty"`   // what the file holds; absent where no parser knows it
	Object  string  `json:"object,omitempty"` // whose line it is: a queue, a host, a node of the share tree
	Key     string  `json:"key,omitempty"`    // what it sets
	Text    string  `json:"text"`             // as it stands in the file, shortened where it is very long
	Concept string  `json:"concept"`          // what it is about
	Verdict Verdict `json:"verdict"`          // exact, approximate, lost, no effect or no rule
	Into    string  `json:"into,omitempty"`   // what it became
	Other   bool    `json:"other,omitempty"`  // it configures nothing: comments, jobs, the state of the moment, logs
	// approximate: how, and a bound on the error; lost: what to do instead; no effect: why
	Note string `json:"note,omitempty"`
}

// A Candidate is a way to order jobs.
type Candidate struct {
	Name    string `json:"name"`              // one word
	Title   string `json:"title"`             // one line
	Chosen  bool   `json:"chosen"`            // the files have this one
	Formula string `json:"formula,omitempty"` // as it is installed: job_sort_formula, or the weights
	// the formula of the proof, where constants or weights of the installed one are newer
	Proven string `json:"proven,omitempty"`
	Terms  []Term `json:"terms,omitempty"` // the formula, by policy
	Needs  string `json:"needs"`           // what has to run besides the scheduler
	Lines  int    `json:"lines"`           // cost: lines to install and to look after
	// the least difference of two priorities that it tells apart; null where unknown
	Resolution Number   `json:"resolution,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Seen       Summary  `json:"seen"`     // over the snapshots that constants and weights were taken from
	HeldOut    Summary  `json:"held_out"` // over those that were not looked at
	// over all, of the formula as it is installed, which was made from all of them
	Installed *Summary  `json:"installed,omitempty"`
	Runs      []Run     `json:"runs"` // snapshot by snapshot
	Problems  []Problem `json:"problems,omitempty"`
	Forecast  *Forecast `json:"forecast,omitempty"` // under both systems, from the last snapshot on
}

// A Term is what stands for one policy.
type Term struct {
	Policy string `json:"policy"` // npprior, nurg or ntckts, as qstat names them
	Text   string `json:"text"`
	// by how much, at the most, two jobs of a snapshot are further apart in it than in the old system, or
	// less far; null where it is on another scale
	Off Number `json:"off"`
}

// A Summary is over several snapshots. Those with fewer than two waiting jobs, or where nothing is ordered,
// do not count.
type Summary struct {
	Snapshots int    `json:"snapshots"`       // that count
	Median    Number `json:"median"`          // of tau-b
	Least     Number `json:"least"`           // tau-b
	Worst     string `json:"worst,omitempty"` // the snapshot with the least
	Same      int    `json:"same"`            // snapshots in which no pair of jobs is inverted
}

// A Run compares the order of jobs under both systems at one moment.
type Run struct {
	Snapshot   string      `json:"snapshot"`
	At         time.Time   `json:"at"` // of the scheduler run
	HeldOut    bool        `json:"held_out"`
	Jobs       int         `json:"jobs"`                 // that wait
	TauB       Number      `json:"tau_b"`                // Kendall's tau-b; null where there is nothing to order
	Inverted   int64       `json:"inverted"`             // pairs of jobs in the other order
	Pairs      int64       `json:"pairs"`                // all pairs
	Top        []Top       `json:"top,omitempty"`        // the first jobs
	Inversions []Inversion `json:"inversions,omitempty"` // the worst, at most ten
}

// A Top is how many of the first jobs are the same.
type Top struct {
	K       int    `json:"k"`       // how many
	Overlap Number `json:"overlap"` // part of them, 0 to 1
}

// An Inversion is a pair of jobs that the old system tries in one order and the new one in the other.
type Inversion struct {
	First  Standing `json:"first"`  // the job that the old system tries first
	Second Standing `json:"second"` // the one that the new system tries before it
	Places int      `json:"places"` // by how many places the old system has them apart
	Cause  string   `json:"cause"`  // term, tie, resolution or system
	Term   string   `json:"term,omitempty"`
	Why    string   `json:"why"` // in words
}

// A Standing is a job in both systems.
type Standing struct {
	Job   string `json:"job"`
	Owner string `json:"owner,omitempty"`
	Prio  Number `json:"prio"`  // what the old system orders by
	Value Number `json:"value"` // what the new one orders by
}

// A Problem is something that a check of the formula found.
type Problem struct {
	Severity string `json:"severity"` // error, warning or note
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
	Jobs     int    `json:"jobs"` // how many it concerns
}

// A Forecast is how waiting jobs fare under both systems. Pairs are the old one and the new one.
type Forecast struct {
	At          time.Time `json:"at"`          // from when on
	Jobs        int       `json:"jobs"`        // that start under both
	Utilisation [2]Number `json:"utilisation"` // part of the slots in use until the last job has started
	Never       [2]int    `json:"never"`       // jobs that never start
	Groups      []Group   `json:"groups"`      // by user, project and size, and all jobs
	Notes       []string  `json:"notes,omitempty"`
}

// A Group is jobs that have a user, a project or a size in common.
type Group struct {
	Kind     string    `json:"kind"`
	Name     string    `json:"name"`
	Jobs     int       `json:"jobs"`
	Wait     [2]Number `json:"wait"`     // mean, seconds
	Slowdown [2]Number `json:"slowdown"` // mean of (wait + run time) / run time, at least 1
}

// A Constant is a number that the old system computes anew in each run, from jobs that a formula cannot see.
type Constant struct {
	Name  string    `json:"name"`
	Means string    `json:"means"`
	Value Number    `json:"value"`
	From  string    `json:"from"`           // the snapshots that it is taken from
	Since time.Time `json:"since,omitzero"` // the moment of the newest of them
	Drift []Number  `json:"drift"`          // what each snapshot of the history would have given
	Moves Number    `json:"moves"`          // the widest distance of these from the value, as a part of it
}

// An Intention is a sentence of what the policy is meant to do, held against both systems.
type Intention struct {
	Sentence string   `json:"sentence"`
	From     string   `json:"from"`           // in the old one: holds, does not hold, or cannot be told
	To       string   `json:"to"`             // in the new one
	WhyFrom  string   `json:"why_from"`       // what was found in the old one
	WhyTo    string   `json:"why_to"`         // what was found in the new one
	Jobs     []string `json:"jobs,omitempty"` // the fewest that break it in the new one, as lines of a lab
	Lost     bool     `json:"lost"`           // it holds in the old one, and not in the new one
}

// A File is one that was written.
type File struct {
	Name  string `json:"name"`
	About string `json:"about"` // what it is for
}

// A Step is something to be done.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command,omitempty"` // for a shell
	Cron    string `json:"cron,omitempty"`    // when it is to be repeated
}

// A Renaming is a name that the new system has in another spelling.
type Renaming struct {
	Kind string `json:"kind"`
	From string `json:"from"` // the name in the old one
	To   string `json:"to"`   // its spelling in the new system
	Why  string `json:"why,omitempty"`
}

// Place is where a line stands; what a command printed of an object has no number.
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

// Chosen is the candidate that the files have, nil for none.
func (r *Report) Chosen() *Candidate {
	for i := range r.Candidates {
		if r.Candidates[i].Chosen {
			return &r.Candidates[i]
		}
	}
	return nil
}

// Summarize adds up the runs that were held out, or those that were not.
func Summarize(runs []Run, heldOut bool) Summary {
	s := Summary{Median: Number(math.NaN()), Least: Number(math.NaN())}
	var all []Number
	for _, r := range runs {
		if r.HeldOut != heldOut || !r.TauB.known() {
			continue
		}
		all = append(all, r.TauB)
		if r.Inverted == 0 {
			s.Same++
		}
		if !s.Least.known() || r.TauB < s.Least {
			s.Least, s.Worst = r.TauB, r.Snapshot
		}
	}
	slices.Sort(all)
	if s.Snapshots = len(all); s.Snapshots > 0 {
		s.Median = (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	}
	return s
}
