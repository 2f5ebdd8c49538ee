// Package retrace recomputes the PBS scheduler cycle next to a snapshot and compares what comes out with what the master's own
// files tell of it: formula values, the order of jobs, starts, vnodes, reasons and predicted starts with the scheduler's log and
// the accounting file, and the numbers of the fairshare tree with pbsfs.
//
// The state of the cluster at the beginning of the cycle is made of the snapshot and of the accounting records between the two:
// played forward from a snapshot taken before the cycle, or taken back from one taken after it.
package retrace

import (
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// Options say which cycle is audited, and what else is known.
type Options struct {
	// At is the start of the cycle, to the second. Where it is zero, it is the first cycle after the snapshot; else, or where
	// the log ends before that, the last one before it.
	At time.Time
	// Before is a snapshot taken before the cycle; the one that is audited then tells of the time after it. It may be nil.
	Before *model.Snapshot
}

// A Report is the outcome of an audit.
type Report struct {
	Cycle         *model.SchedCycle // nil where the log tells of none
	Later         bool              // the cycle came after the snapshot that it was recomputed from
	From          string            // from what it was recomputed, in words
	Alone         bool              // from the snapshot alone
	Plan          *model.Plan       // what was recomputed
	Fields        [Fields]batch.Count
	Disagreements []Disagreement
	Gaps          []Gap
}

// A Disagreement is something that was not recomputed as the master tells it.
type Disagreement struct {
	Field    Field
	Name     string // job id, or entity of the fairshare tree
	Master   string // empty where it tells nothing
	Computed string // empty where nothing was
	Class    batch.Class
	Why      string
}

// A Gap is something that the bundle lacks, and what cannot be compared without it.
type Gap struct {
	File   string
	What   string
	Fields []Field
}

// Run audits the cycle next to a snapshot, and what pbsfs printed. A snapshot without PBS gives an empty report.
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

// retrace recomputes a cycle from each state in which the cluster can have been, the likeliest first, until everything agrees.
// Where nothing does, the first state counts.
func (r *Report) retrace(s *model.Snapshot, c *model.SchedCycle, opts Options) {
	r.Cycle = c
	states := statesBefore(s, c, opts)
	master := toldBy(c, s, opts.Before == nil && states[0].forward)
	var sides []*side
	for i, state := range states {
		p := cycle.Run(state.Snapshot, cycle.Options{At: c.Start, Qrun: asked(c)})
		computed := plannedBy(p, master)
		agrees := computed.agrees(master)
		if sides = append(sides, computed); i == 0 || agrees {
			r.Plan, r.From, r.Alone, r.Later = p, state.from, i == 0 && state.forward, state.forward
		}
		if agrees {
			r.compare(master, sides[i:], states[i:])
			return
		}
	}
	r.compare(master, sides, states)
}

// asked is the job that qrun asked the cycle to start, empty for none.
func asked(c *model.SchedCycle) string {
	if requests := c.Of(model.EventQrun); len(requests) > 0 {
		return requests[0].Object
	}
	return ""
}

// Agrees reports whether everything that the master tells was recomputed as it tells it.
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
