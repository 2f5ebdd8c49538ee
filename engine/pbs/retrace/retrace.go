package retrace

import (
	"strconv"
	"strings"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// Options choose the cycle, and add information.
type Options struct {
	// At is the start of the cycle, to the second. If it is zero, the cycle is the first one after the
	// snapshot, else the last one before it.
	At time.Time
	// Before is a snapshot from before the cycle. Then the audited snapshot shows the time after it. It may
	// be nil.
	Before *model.Snapshot
}

// A Report is the outcome of an audit.
type Report struct {
	Cycle         *model.SchedCycle // nil if the log has none
	Later         bool              // the cycle came after the snapshot from which it was recomputed
	From          string            // the source of the recomputation, in words
	Alone         bool              // from the snapshot only
	Plan          *model.Plan       // the recomputed plan
	Fields        [Fields]batch.Count
	Disagreements []Disagreement
	Gaps          []Gap
}

// A Disagreement is a recomputed value that differs from the master's.
type Disagreement struct {
	Field    Field
	Name     string // job id, or entity of the fairshare tree
	Master   string // empty if the master has no value
	Computed string // empty if nothing was computed
	Class    batch.Class
	Why      string
}

// A Gap is a fact that the bundle lacks, and the fields that cannot be compared without this fact.
type Gap struct {
	File   string
	What   string
	Fields []Field
}

// Run audits the cycle nearest to a snapshot, and the output of pbsfs. A snapshot of another system gives an
// empty report.
func Run(s *model.Snapshot, opts Options) *Report {
	r := &Report{}
	if s.PBS == nil {
		return r
	}
	r.compareTree(s)
	if c := find(s, opts); c != nil && r.complete(s, opts) {
		r.retrace(s, c, opts)
	}
	r.findGaps(s)
	return r
}

// retrace recomputes a cycle from each state in which the cluster can have been, the likeliest first, until
// everything agrees. Where nothing does, the state counts from which the most agrees.
func (r *Report) retrace(s *model.Snapshot, c *model.SchedCycle, opts Options) {
	r.Cycle = c
	states := statesBefore(s, c, opts)
	t := &trial{cycle: c, master: logOf(c, s, opts.Before == nil && states[0].forward), budget: budgetFor(s)}
	for i, x := range states {
		if t.try(x, i == 0 && x.forward) {
			break
		}
	}
	for _, x := range states {
		if t.best.differ == 0 || t.variants(x, s) {
			break
		}
	}
	b := t.best
	r.Plan, r.From, r.Alone, r.Later = b.plan, b.state.from, b.alone, b.state.forward
	r.compare(t.master, b)
}

// options are those of a cycle that begins in a state.
func (x *state) options(c *model.SchedCycle) cycle.Options {
	o := cycle.Options{At: c.Start, Qrun: asked(c), Refused: refused(c), Charged: x.charges, Values: x.values}
	if x.charged && o.Charged == nil {
		o.Charged = map[string]float64{} // the usage of the files has it
	}
	return o
}

// asked is the job that qrun asked the cycle to start, empty for none.
func asked(c *model.SchedCycle) string {
	if requests := c.Of(model.EventQrun); len(requests) > 0 {
		return requests[0].Object
	}
	return ""
}

// refused are the jobs that the cycle found a place for and the server refused to start, with what it said:
// a hook or a host decided that, which is no part of a plan.
func refused(c *model.SchedCycle) map[string]string {
	m := map[string]string{}
	for _, e := range c.Of(model.EventNotRun) {
		if why, ok := refusal(e.Text); ok {
			m[e.Object] = why
		}
	}
	return m
}

// refusal is what the server said, of a reason such as "Failed to run: site says no (15136)": comments lack the number.
func refusal(text string) (why string, ok bool) {
	if why, ok = strings.CutPrefix(text, failedToRun); !ok {
		return "", false
	}
	if i := strings.LastIndex(why, " ("); i >= 0 && strings.HasSuffix(why, ")") {
		if _, err := strconv.Atoi(why[i+2 : len(why)-1]); err == nil {
			why = why[:i]
		}
	}
	return why, true
}

const failedToRun = "Failed to run: "

// Agrees reports whether all recomputed values equal the master's.
func (r *Report) Agrees() bool { return len(r.Disagreements) == 0 }

// Sum adds up the counts of all fields.
func (r *Report) Sum() (sum batch.Count) {
	for _, c := range r.Fields {
		sum = sum.Plus(c)
	}
	return sum
}

// find is the cycle that the options mean, nil where the log does not tell of it.
func find(s *model.Snapshot, opts Options) *model.SchedCycle {
	from := s.TakenAt.Truncate(time.Second)
	if opts.Before != nil {
		from = opts.Before.TakenAt.Truncate(time.Second)
	}
	var last *model.SchedCycle
	for i := range s.PBS.Cycles {
		c := &s.PBS.Cycles[i]
		start := c.Start.Truncate(time.Second)
		switch {
		case !opts.At.IsZero():
			if start.Equal(opts.At.Truncate(time.Second)) {
				return c
			}
		case !start.Before(from):
			return c
		default:
			last = c
		}
	}
	return last
}
