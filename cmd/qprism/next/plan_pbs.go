package next

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

func (s pbsOutlook) writeSchedule(io.Writer, []model.ScheduleLine) error {
	return errors.New("PBS has no schedule file, so that there is no --format schedule; json and csv have the plan")
}

// adapt takes the column of tasks away, because ids name subjobs, and calls slots what they are.
func (pbsOutlook) adapt(t *show.Sheet) {
	for i, c := range t.Columns {
		switch c.Name {
		case "slots":
			t.Columns[i].Name = "ncpus"
		case "hosts":
			t.Columns[i].Name = "vnodes"
		case "job":
			t.Columns[i].Right = false
		}
	}
	drop(t, "task")
}

// drop takes a column away.
func drop(s *show.Sheet, name string) {
	i := slices.IndexFunc(s.Columns, func(c show.Column) bool { return c.Name == name })
	if i < 0 {
		return
	}
	s.Columns = slices.Delete(s.Columns, i, i+1)
	for k := range s.Rows {
		s.Rows[k] = slices.Delete(s.Rows[k], i, i+1)
	}
}

// tally counts the verdicts, and says whom the cycle preempts.
func (s pbsOutlook) tally(p *model.Plan) string {
	starts, tops, waits := 0, 0, 0
	for i := range p.Decisions {
		switch p.Decisions[i].Verdict {
		case model.Now:
			starts++
		case model.Later:
			tops++
		case model.Never:
			waits++
		}
	}
	text := fmt.Sprintf("Jobs that start: %d; top jobs, for which vnodes are kept: %d; others that wait: %d.", starts, tops, waits)
	for _, v := range p.Preempted {
		text += fmt.Sprintf("\nJob %s is preempted by %s for %s.", v.ID, v.Method, v.For)
	}
	return text
}

// pictured is a plan of PBS that can be drawn.
func (s pbsOutlook) pictured(p *model.Plan) *model.Plan { return cycle.Booked(s.Snapshot, p) }
