package explain

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// A Comparison says which of two jobs comes first, by what, and what would change that.
type Comparison struct {
	A, B     *Explanation `json:"-"`
	First    int          `json:"-"`          // -1 where A comes first, 1 where B does, 0 where they are not both waiting
	Decided  string       `json:"decided_by"` // the criterion that decides
	Rows     []Row        `json:"-"`
	Next     time.Time    `json:"flips_from"` // from when on the flip points count
	NextSame bool         `json:"-"`          // the order in the next run is that of this one
	Passer   *Explanation `json:"-"`
	Flips    []Flip       `json:"-"`
	Never    []Obstacle   `json:"never"` // changes that do not make the passer pass
	Rates    []string     `json:"rates"` // what one thing is worth in another, in words
	Notes    []string     `json:"notes"`
}

// A Row is one term of both jobs.
type Row struct {
	Name  string  `json:"name"`
	Depth int     `json:"depth"`
	A     string  `json:"a"` // the raw value of the first job
	B     string  `json:"b"`
	Gain  float64 `json:"gain"` // of A over B, in the unit of what is compared; NaN where that says nothing
	Wins  int     `json:"-"`    // -1 A, 1 B, 0 none
}

// Errors of a comparison.
var errSameJob = errors.New("a job is not compared with itself; give two")

// Compare sets two jobs side by side.
func (sc *Scene) Compare(idA, idB string) (*Comparison, error) {
	a, err := sc.Explain(idA)
	if err != nil {
		return nil, err
	}
	b, err := sc.Explain(idB)
	if err != nil {
		return nil, err
	}
	if same(a.Job, b.Job) {
		return nil, errSameJob
	}
	if (a.Next || b.Next) && !sc.next {
		return sc.afterwards().Compare(idA, idB)
	}
	c := &Comparison{A: a, B: b, Next: sc.nextRun()}
	if a.Place > 0 && b.Place > 0 {
		c.First = -1
		if b.Place < a.Place {
			c.First = 1
		}
	}
	if sc.lineup != nil {
		err = sc.comparePBS(c, idA, idB)
	} else {
		err = sc.compareGridEngine(c, idA, idB)
	}
	return c, err
}

func (sc *Scene) compareGridEngine(c *Comparison, idA, idB string) error {
	_, a, err := sc.actorOf(idA)
	if err != nil {
		return err
	}
	_, b, err := sc.actorOf(idB)
	if err != nil {
		return err
	}
	if a.job != nil && b.job != nil {
		c.Rows = sc.rows(gainsOf(a, sc.result, sc), gainsOf(b, sc.result, sc))
	}
	if c.First != 0 {
		c.Decided = decided(a.job, b.job)
	}
	sc.flips(c)
	return nil
}

// decided says which criterion tells two waiting jobs of Grid Engine apart.
func decided(a, b *priority.Job) string {
	switch {
	case a.Prio != b.Prio:
		return "prio"
	case a.Job.Submitted.Unix() != b.Job.Submitted.Unix():
		return "submission"
	}
	return "number"
}

// A gain is what one contribution adds to a priority.
type gain struct {
	name  string
	depth int
	raw   float64
	adds  float64 // NaN where it adds nothing by itself
}

// gainsOf are the contributions to a task's priority. The leaves add up to it, but for what normalization subtracts from all.
func gainsOf(a *actor, r *priority.Result, sc *Scene) []gain {
	w, u, t := r.Weights, a.job.Urgency, a.task.Tickets
	perUrgency, perTicket := 0.0, 0.0
	if span := r.Urgency.Hi - r.Urgency.Lo; span >= urgency.Epsilon && !sc.uncomputed() {
		perUrgency = w.Urgency / span
	}
	if r.Tickets.Maximum >= urgency.Epsilon {
		perTicket = w.Ticket / r.Tickets.Maximum
	}
	return []gain{
		{"prio", 0, a.task.Prio, a.task.Prio},
		{"posix priority (-p)", 1, float64(a.job.Job.PosixPriority), w.Priority * a.job.NPPrior},
		{"urgency", 1, u.Total, w.Urgency * u.Norm},
		{"resources", 2, u.Resource, perUrgency * u.Resource},
		{"waiting time", 2, u.Waiting, perUrgency * u.Waiting},
		{"deadline", 2, u.Deadline, perUrgency * u.Deadline},
		{"tickets", 1, t.Total, w.Ticket * a.task.NTckts},
		{"share tree", 2, t.ShareTree, perTicket * t.ShareTree},
		{"functional", 2, t.Function, perTicket * t.Function},
		{"override", 2, t.Override, perTicket * t.Override},
	}
}

func (sc *Scene) rows(a, b []gain) []Row {
	var rows []Row
	for i := range a {
		row := Row{Name: a[i].name, Depth: a[i].depth, A: Number(a[i].raw), B: Number(b[i].raw), Gain: a[i].adds - b[i].adds}
		row.Wins = winner(row.Gain)
		rows = append(rows, row)
	}
	return rows
}

// winner is who gains by a difference in priority: -1 the first job, 1 the second, 0 neither.
func winner(gain float64) int {
	switch {
	case gain > 0:
		return -1
	case gain < 0:
		return 1
	}
	return 0
}

func pendingJob(r *priority.Result, number uint32) *priority.Job {
	for _, j := range r.Pending {
		if j.Job.Number == number {
			return j
		}
	}
	return nil
}

// gone says which of two jobs that waited waits no more.
func gone(c *Comparison, a, b *priority.Job) string {
	switch {
	case a == nil && b == nil:
		return fmt.Sprintf("Neither job %s nor job %s waits for the next run, so nothing changes their order.", c.A.ID, c.B.ID)
	case a == nil:
		return fmt.Sprintf("Job %s does not wait for the next run, so nothing changes their order.", c.A.ID)
	}
	return fmt.Sprintf("Job %s does not wait for the next run, so nothing changes their order.", c.B.ID)
}

// rates say how much waiting time the urgency of a resource is worth that one of both asks for.
func (sc *Scene) rates(d *gridDuel) []string {
	p := &sc.Snapshot.Policy
	if p.WeightWaitingTime <= 0 || p.WeightUrgency == 0 {
		return nil
	}
	var list []string
	for i := range sc.Snapshot.Resources {
		r := &sc.Snapshot.Resources[i]
		v, err := model.ParseNumber(r.Urgency)
		if err != nil || v == 0 {
			continue
		}
		worth := func(urgency float64) string {
			return SpanOf(math.Abs(urgency) / p.WeightWaitingTime)
		}
		text := fmt.Sprintf("One %s (urgency %s) is worth %s of waiting at weight_waiting_time %s", unitOf(r), Number(v), worth(v),
			Number(p.WeightWaitingTime))
		asked := false
		for _, j := range []*model.Job{d.first, d.second} {
			for _, part := range urgency.Parts(j, sc.Snapshot, sc.view.Input().Quirks) {
				if part.Resource != r.Name {
					continue
				}
				asked = true
				if units := part.Gives / v; units != 1 {
					text += fmt.Sprintf("; the %s that job %d asks for, %s", Number(units), j.Number, worth(part.Gives))
				}
			}
		}
		if asked {
			list = append(list, text+".")
		}
	}
	return list
}

// unitOf is what the urgency of a resource counts: of memory each byte.
func unitOf(r *model.Resource) string {
	switch {
	case r.Name == "slots":
		return "slot"
	case r.Type == model.TypeMemory:
		return "byte of " + r.Name
	}
	return r.Name
}

// SpanOf prints seconds as Span does, and what no duration holds, or nobody waits for, in years.
func SpanOf(seconds float64) string {
	const year = 365.25 * 24 * 3600
	if seconds < 10*year {
		return Span(time.Duration(seconds * float64(time.Second)))
	}
	years, _ := strconv.ParseFloat(fmt.Sprintf("%.4g", seconds/year), 64)
	return Number(years) + " years"
}

// Span prints a length of time in the unit that fits.
func Span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int64(d/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%.1f days", d.Hours()/24)
}
