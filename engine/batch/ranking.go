package batch

import "qprism/engine/model"

// A Ranking lists jobs in dispatch order, with the numbers that order them.
type Ranking struct {
	Cluster    string   `json:"cluster"`
	Release    string   `json:"release"`
	RunAt      Time     `json:"run_at"`
	Source     string   `json:"-"`                          // the source of that moment, in words
	Recomputed *bool    `json:"recomputed,omitempty"`       // Grid Engine: false for numbers that the master printed
	Formula    *string  `json:"job_sort_formula,omitempty"` // PBS: empty for none
	Assumed    []string `json:"assumed,omitempty"`          // PBS: assumptions about facts that the snapshot lacks
	Jobs       []Ranked `json:"-"`
	Columns    []Column `json:"-"` // of the requested view
	Fresh      int      `json:"-"` // jobs that came after the run; their numbers are those of the next one
	Notes      []string `json:"-"` // the criteria of the order, line by line
}

// A Ranked is a job in the order; for Grid Engine a task, or all waiting tasks of a job together.
type Ranked struct {
	*model.Job
	Rank  int  // from 1; 0 if the scheduler does not try it, or the rank is not known
	Runs  bool // it no longer waits
	Waits bool // it can start: it does not run and has no hold
	Next  bool // it had no priority in the run; its numbers are those of the next one
	Numbers
}

// Numbers are the numbers behind a job's place. They are computed on demand, because a queue can be long.
type Numbers interface {
	Row() Row               // all of them
	Cell(name string) Value // that of one column
}
