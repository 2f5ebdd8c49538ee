package explain

import (
	"errors"
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Scene is one scheduler run of Grid Engine, or one cycle of PBS, for explanations of its jobs. An id is a
// job number, with a task number ("4711.3"), or as PBS prints it ("12[3].server"). The errors are ErrNoJob,
// ErrNoTask and ErrSameJob.
type Scene interface {
	Run() (at time.Time, source string)           // its moment and the source, in words
	Explain(id string) (*Explanation, error)      // why a job has its place
	Compare(idA, idB string) (*Comparison, error) // which of two jobs comes first
	Faults(id string) []string                    // quirks of the release that change a job's priority, in words
}

// Errors of a scene.
var (
	ErrNoRun   = errors.New("qprism cannot recompute the numbers of the last run")
	ErrNoJob   = errors.New("is not in the snapshot")
	ErrNoTask  = errors.New("has no such task")
	ErrSameJob = errors.New("cannot compare a job with itself; give two jobs")
)

// An Explanation has all values that order a job, the most important value first.
type Explanation struct {
	Job     *model.Job `json:"-"`
	At      time.Time  `json:"run_at"`   // of the explained run
	Next    bool       `json:"next_run"` // it is the next run, because the last run did not know the job
	ID      string     `json:"id"`
	Task    uint32     `json:"task,omitempty"` // the explained task; 0 if the job is no array
	State   State      `json:"state"`
	Place   int        `json:"place"`   // among the waiting jobs, from 1; 0 for a job that does not wait
	Waiting int        `json:"waiting"` // jobs that wait
	// the place in the next run, if the explained run is over: on Grid Engine, the last run
	Since      *Since         `json:"since"`
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
	Pending  State = "waits"
	Running  State = "runs"
	NotInRun State = "takes no part" // held, in error, not yet due …
)

// A Criterion is one value by which jobs are sorted.
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
	ID      string  `json:"id"`
	Owner   string  `json:"owner"`
	Decided string  `json:"decided_by"` // the criterion by which it comes first
	By      float64 `json:"by"`         // its lead in this criterion; 0 if the criterion is no number
	// by how much -p has to grow so that the job passes it, 0 where that is not possible
	Priority int `json:"priority"`
	// the lead in other units, in words: how much one of them must grow while nothing else changes
	Worth []string `json:"worth"`
}
