package words

import (
	"slices"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// A System has the words of a batch system.
type System struct {
	// Columns has this system's names for columns with other names elsewhere. The name is empty for a column
	// that the system lacks.
	Columns         map[string]string
	Left            []string                   // columns with text where other systems have numbers
	Work            string                     // the unit of work
	Partly          string                     // said of a place that has too little for a job
	Place           func(*model.Reason) string // why a place does not accept a job
	Tally           string                     // how many jobs start, get a reservation, and wait
	Level, Resource string                     // which lines of a plan the picture shows
}

var GridEngine = System{Work: "slot-hours", Partly: "has free slots, but the allocation rule of the PE needs more",
	Place: ReasonText,
	Tally: "Tasks that start now: %d. Tasks that get a reservation: %d. Jobs that wait: %d.", Level: "Q", Resource: "slots"}

// PBS has the words of PBS. Its job ids include subjobs.
var PBS = System{Columns: map[string]string{"task": "", "slots": "ncpus", "hosts": "vnodes"}, Left: []string{"job"},
	Work: "cpu-hours", Partly: "has room for part of it", Place: vnodeText,
	Tally: "Jobs that start now: %d. Top jobs with reserved vnodes: %d. Other jobs that wait: %d.", Level: "H", Resource: "ncpus"}

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
