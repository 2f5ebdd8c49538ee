package explain

import (
	"errors"
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Scene is one Grid Engine run or one PBS cycle, for explanations of its jobs. An id is a job number, also
// with a task number ("4711.3"), or an id of PBS ("12[3].server"). The errors are ErrNoJob, ErrNoTask and
// ErrSameJob.
type Scene interface {
	Run() (at time.Time, source string)           // its moment and the source, in words
	Explain(id string) (*Explanation, error)      // why a job has its place
	Compare(idA, idB string) (*Comparison, error) // which of two jobs comes first
	Faults(id string) []string                    // quirks of the release that change a job's priority, in words
}

// Errors of a scene.
var (
	ErrNoRun   = errors.New("the numbers of the last run cannot be recomputed")
	ErrNoJob   = errors.New("is not in the snapshot")
	ErrNoTask  = errors.New("has no such task")
	ErrSameJob = errors.New("a job is not compared with itself; give two")
)

// An Explanation has all that orders a job, the most important first.
type Explanation struct {
	Job        *model.Job     `json:"-"`
	At         time.Time      `json:"run_at"`   // the moment of the run
	Next       bool           `json:"next_run"` // it is the next run, because the last one did not know the job
	ID         string         `json:"id"`
	Task       uint32         `json:"task,omitempty"` // the task, 0 if the job is no array
	State      State          `json:"state"`
	Place      int            `json:"place"`       // among waiting jobs, from 1; 0 for other jobs
	Waiting    int            `json:"waiting"`     // number of waiting jobs
	Since      *Since         `json:"since"`       // its place in the next run, if the explained run is over (the last one of Grid Engine)
	Criteria   []Criterion    `json:"criteria"`    // the most important first
	Inert      []Inert        `json:"inert"`       // policies that give all jobs the same value
	Ahead      *Neighbour     `json:"next_before"` // the waiting job directly before it; null if there is none
	PassedOver []model.Reason `json:"-"`           // PBS: why a cycle does not consider this waiting job
	Notes      []string       `json:"-"`           // further remarks, in words
}

// A Since is a job's place in the next run, after the changes since the last one.
type Since struct {
	Started int `json:"started"` // jobs that waited in the last run, and now run with no task waiting
	Place   int `json:"place"`   // 0 if the job no longer waits
	Waiting int `json:"waiting"`
}

// A State is the role of a job in the run.
type State string

// The states.
const (
	Pending State = "waits"
	Running State = "runs"
	Aside   State = "takes no part" // held, in error, not yet due …
)

// A Criterion is one thing that jobs are sorted by.
type Criterion struct {
	Name string `json:"name"`
	Up   string `json:"up"` // the direction: "higher is sooner"
	Tie  bool   `json:"-"`  // it only decides between equal jobs, and needs no mention
	Term Term   `json:"term"`
}

// An Inert policy gives all jobs the same value.
type Inert struct {
	Policy string `json:"policy"`
	Why    string `json:"why"`
}

// UnknownJob is ErrNoJob with the id of the job.
func UnknownJob(id string) error { return fmt.Errorf("job %s %w", id, ErrNoJob) }

// A Neighbour is the job directly before another one.
type Neighbour struct {
	ID       string   `json:"id"`
	Owner    string   `json:"owner"`
	Decided  string   `json:"decided_by"` // the criterion that puts it first
	By       float64  `json:"by"`         // its advantage in that criterion; 0 if it is no number
	Priority int      `json:"priority"`   // how much -p must grow to pass it, 0 if that is not possible
	Worth    []string `json:"worth"`      // the same in other units, in words: how much one number must grow if no other changes
}
