package words

import (
	"slices"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// A System has the words of a batch system.
type System struct {
	Columns         map[string]string          // its names of columns, if others differ; "" for columns that it lacks
	Left            []string                   // columns of text where others have numbers
	Work            string                     // unit of work
	Partly          string                     // for places with something for a job, but too little
	Place           func(*model.Reason) string // why a place refuses a job
	Tally           string                     // counts of starting, reserved and waiting jobs
	Level, Resource string                     // names in pictures of a plan
}

// GridEngine are the words of Grid Engine.
var GridEngine = System{Work: "slot-hours", Partly: "has something for it, but all together have too little", Place: ReasonText,
	Tally: "Tasks that start: %d; reserved for: %d. Jobs that wait: %d.", Level: "Q", Resource: "slots"}

// PBS are the words of PBS, whose ids name subjobs.
var PBS = System{Columns: map[string]string{"task": "", "slots": "ncpus", "hosts": "vnodes"}, Left: []string{"job"},
	Work: "cpu-hours", Partly: "has room for a part of it", Place: vnodeText,
	Tally: "Jobs that start: %d; top jobs, for which vnodes are kept: %d; others that wait: %d.", Level: "H", Resource: "ncpus"}

// Adapt renames the columns of a table, and removes those that the system lacks.
func (w *System) Adapt(t *show.Sheet) {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		c := &t.Columns[i]
		c.Right = c.Right && !slices.Contains(w.Left, c.Name)
		name, other := w.Columns[c.Name]
		switch {
		case other && name == "":
			t.Columns = slices.Delete(t.Columns, i, i+1)
			for k := range t.Rows {
				t.Rows[k] = slices.Delete(t.Rows[k], i, i+1)
			}
		case other:
			c.Name = name
		}
	}
}
