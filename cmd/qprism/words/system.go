package words

import (
	"slices"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// A System has the words of a batch system.
type System struct {
	// its names of columns that others call otherwise; none for what it does not have
	Columns         map[string]string
	Left            []string                   // columns of words where others have numbers
	Work            string                     // the unit of what jobs take
	Partly          string                     // of places that have something for a job, but too little
	Place           func(*model.Reason) string // why a place does not take a job
	Tally           string                     // how many start, are reserved for, and wait
	Level, Resource string                     // what is drawn of a plan
}

var GridEngine = System{Work: "slot-hours", Partly: "has free slots, but the allocation rule of the PE needs more",
	Place: ReasonText,
	Tally: "Tasks that start now: %d. Tasks that get a reservation: %d. Jobs that wait: %d.", Level: "Q", Resource: "slots"}

// PBS are the words of PBS, whose ids name subjobs.
var PBS = System{Columns: map[string]string{"task": "", "slots": "ncpus", "hosts": "vnodes"}, Left: []string{"job"},
	Work: "cpu-hours", Partly: "has room for part of it", Place: vnodeText,
	Tally: "Jobs that start now: %d. Top jobs with kept vnodes: %d. Other jobs that wait: %d.", Level: "H", Resource: "ncpus"}

// Adapt renames the columns of a table, and removes those that the system lacks.
func (w *System) Adapt(t *show.Sheet) {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		c := &t.Columns[i]
		c.Right = c.Right && !slices.Contains(w.Left, c.Name)
		name, other := w.Columns[c.Name]
		switch {
		case other && name == "":
			*t = t.Without(i)
		case other:
			c.Name = name
		}
	}
}
