package batch

import "qprism/engine/model"

// A Ranking lists jobs in the order in which the scheduler tries them, with what that order is made of.
type Ranking struct {
	Cluster    string   `json:"cluster"`
	Release    string   `json:"release"`
	RunAt      Time     `json:"run_at"`
	Source     string   `json:"-"`                          // what shows that moment, in words
	Recomputed *bool    `json:"recomputed,omitempty"`       // of Grid Engine: false for numbers as the master printed them
	Formula    *string  `json:"job_sort_formula,omitempty"` // of PBS: empty for none
	Assumed    []string `json:"assumed,omitempty"`          // of PBS: what the snapshot does not say and is taken for granted
	Jobs       []Ranked `json:"-"`
	Columns    []Column `json:"-"` // of the view that was asked for
	Fresh      int      `json:"-"` // jobs that came after the run, whose numbers are of the next one
	Notes      []string `json:"-"` // what orders the jobs, line by line
}

// A Ranked is a job in that order; of Grid Engine a task, or the tasks that a job has in common.
type Ranked struct {
	*model.Job
	Rank  int  // from 1; 0 for one that the scheduler does not try, and where nobody counts
	Runs  bool // it is past waiting
	Waits bool // it can start: it does not run, and nothing holds it
	Next  bool // it had no priority in the run: its numbers are of the next one
	Numbers
}

// Numbers are what a job's place is made of. They are made when they are asked for: a queue can be long.
type Numbers interface {
	Row() Row               // all of them
	Cell(name string) Value // that of a column
}
