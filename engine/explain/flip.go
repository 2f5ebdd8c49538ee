package explain

import (
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Flip is a point at which one job passes another one: just before it, the order is what it was, and from it on the other.
type Flip struct {
	Change
	From   int64     `json:"from"`             // the amount as it is
	At     time.Time `json:"at,omitzero"`      // of ByTime
	Cause  string    `json:"cause,omitempty"`  // of ByTime: what made most of the difference
	Starts []string  `json:"starts,omitempty"` // of ByStarts: the jobs that start, in that order
	Of     string    `json:"-"`                // of ByStarts: whose they are, an owner or the entity that is charged; of ByUsed that entity
}

// An Obstacle says why a kind of change makes no job pass another one.
type Obstacle struct {
	Kind Kind   `json:"kind"`
	Why  string `json:"why"`
}

// Horizon is how far ahead a flip by time is looked for.
const Horizon = 30 * 24 * time.Hour

// A Start is a task that starts.
type Start struct {
	Job  *model.Job
	Task uint32
}

// MostStarts bounds how many jobs are supposed to start.
const MostStarts = 256

// Names are the tasks that start, as ids.
func Names(list []Start) []string {
	var ids []string
	for _, t := range list {
		switch {
		case t.Job.PBS != nil:
			ids = append(ids, t.Job.PBS.ID)
		case t.Job.Array:
			ids = append(ids, fmt.Sprintf("%d.%d", t.Job.Number, t.Task))
		default:
			ids = append(ids, fmt.Sprint(t.Job.Number))
		}
	}
	return ids
}
