package explain

import (
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Flip is the point at which one job passes another job. Before this point, the order is the present order.
// From this point on, the order is the reverse.
type Flip struct {
	Change
	From   int64     `json:"from"`             // the present amount
	At     time.Time `json:"at,omitzero"`      // for ByTime
	Cause  string    `json:"cause,omitempty"`  // for ByTime: the greatest part of the difference
	Starts []string  `json:"starts,omitempty"` // for ByStarts: the starting jobs, in that order
	Of     string    `json:"-"`                // for ByStarts: their owner or entity; for ByUsed that entity
}

// An Obstacle says why a kind of change never reverses the order.
type Obstacle struct {
	Kind Kind   `json:"kind"`
	Why  string `json:"why"`
}

// Horizon is how far ahead flips by time are searched.
const Horizon = 30 * 24 * time.Hour

// A Start is a starting task.
type Start struct {
	Job  *model.Job
	Task uint32
}

// MostStarts is the most starting jobs that are tried.
const MostStarts = 256

// Names are the ids of the starting tasks.
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
