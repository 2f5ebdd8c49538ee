package explain

import (
	"errors"
	"fmt"
	"time"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// A Scene is one scheduler run of Grid Engine, or one cycle of PBS, that jobs are explained in.
type Scene struct {
	Snapshot *model.Snapshot
	At       time.Time // of the run
	Source   string    // what shows the moment of the run, in words

	next    bool          // it is the next run, as if it were just after the snapshot
	later   *Scene        // the scene of the next run; nil until it is asked for
	view    *lastrun.View // Grid Engine
	result  *priority.Result
	derived map[ticket.TaskID]*ticket.Derivation // of all tasks; nil until one is asked for
	lineup  *cycle.Lineup                        // PBS
}

// Errors of a scene.
var (
	ErrNoRun  = errors.New("the numbers of the last run cannot be recomputed")
	ErrNoJob  = errors.New("is not in the snapshot")
	errNoTask = errors.New("has no such task")
)

// NewScene recomputes the last run before a snapshot of Grid Engine, or the next cycle of PBS. The error is ErrNoRun where
// the bundle does not hold the policy, or nothing shows the moment of the run.
func NewScene(s *model.Snapshot, opts lastrun.Options) (*Scene, error) {
	if s.PBS != nil {
		return pbsScene(s, opts.At), nil
	}
	view, moment := lastrun.Look(s, opts)
	if view == nil {
		return nil, ErrNoRun
	}
	return &Scene{Snapshot: s, At: moment.At, Source: moment.Source, view: view, result: view.Result}, nil
}

// afterwards is the scene of the next run, by which jobs are explained that the last one did not know.
func (sc *Scene) afterwards() *Scene {
	if sc.later == nil {
		view := sc.view.Next()
		sc.later = &Scene{Snapshot: sc.Snapshot, At: view.At, Source: sc.Source, next: true, view: view, result: view.Result}
	}
	return sc.later
}

func pbsScene(s *model.Snapshot, at time.Time) *Scene {
	sc := &Scene{Snapshot: s, At: at, Source: "--now"}
	if at.IsZero() {
		sc.At, sc.Source = s.TakenAt.Truncate(time.Second), "the bundle's own time"
	}
	sc.lineup = cycle.LineUp(s, sc.At)
	return sc
}

// An Explanation is all that orders a job, the most important first.
type Explanation struct {
	Job        *model.Job     `json:"-"`
	At         time.Time      `json:"run_at"`   // of the run that it is explained in
	Next       bool           `json:"next_run"` // that is the next run, since the last one did not know the job yet
	ID         string         `json:"id"`
	Task       uint32         `json:"task,omitempty"` // that is explained, 0 where the job is no array
	State      State          `json:"state"`
	Place      int            `json:"place"`       // among the jobs that wait, from 1; 0 for a job that does not
	Waiting    int            `json:"waiting"`     // jobs that wait
	Since      *Since         `json:"since"`       // the next run, where the one that it is explained in is over: the last one of Grid Engine
	Criteria   []Criterion    `json:"criteria"`    // the most important first
	Inert      []Inert        `json:"inert"`       // policies that tell no two jobs apart
	Ahead      *Neighbour     `json:"next_before"` // the waiting job next before it; null where there is none
	PassedOver []model.Reason `json:"-"`           // why a cycle of PBS does not consider a job that waits
	Notes      []string       `json:"-"`           // what else is to be known, in words
}

// A Since is where a job stands in the next run, by what has changed since the last one.
type Since struct {
	Started int `json:"started"` // jobs that waited in the last run, of which something runs and nothing waits now
	Place   int `json:"place"`   // 0 for a job that waits no more
	Waiting int `json:"waiting"`
}

// A State is the part that a job had in the run.
type State string

// The states.
const (
	Pending State = "waits"
	Running State = "runs"
	Aside   State = "takes no part" // held, in error, not yet due …
)

// A Criterion is one of the things that jobs are sorted by.
type Criterion struct {
	Name string `json:"name"`
	Up   string `json:"up"` // which way is up: "higher is sooner"
	Tie  bool   `json:"-"`  // it goes without saying: it only tells apart what all else leaves equal
	Term Term   `json:"term"`
}

// An Inert policy tells no two jobs apart.
type Inert struct {
	Policy string `json:"policy"`
	Why    string `json:"why"`
}

// Explain says why a job is where it is. The id is a job number, with a task number ("4711.3"), or as PBS prints it
// ("12[3].server").
func (sc *Scene) Explain(id string) (*Explanation, error) {
	if sc.lineup != nil {
		return sc.explainPBS(id)
	}
	return sc.explainGridEngine(id)
}

func unknownJob(id string) error { return fmt.Errorf("job %s %w", id, ErrNoJob) }
