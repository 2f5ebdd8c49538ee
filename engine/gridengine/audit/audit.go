// Package audit holds every number of the last scheduler run before a snapshot against what the master itself printed, digit for digit.
package audit

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Options say how to audit.
type Options struct {
	lastrun.Options
	// Before is an earlier snapshot, which tells more of jobs that have ended since than the accounting file does.
	Before *model.Snapshot
	// Sequence holds each job's place among the changes to jobs before the run, where these are known: submissions,
	// alterations and starts. No command prints it; nil infers it from times and tickets.
	Sequence map[uint32]int
	// Work bounds the search for what no file tells: so many jobs are recomputed in all, a job once for each try. 0 stands for mostInAll.
	Work int
	// Stop is asked from time to time; true ends the search.
	Stop func() bool

	budget *budget
}

// A Report is the outcome of an audit.
type Report struct {
	Moment        lastrun.Moment
	View          *lastrun.View // nil where nothing could be recomputed
	Fields        [lastrun.Fields]batch.Count
	Disagreements []Disagreement
	Gaps          []Gap

	plain  []Disagreement // before anything was assumed
	budget *budget
}

// A Disagreement is a number that is not what the master printed.
type Disagreement struct {
	Job      *model.Job
	Task     *model.Task
	Field    lastrun.Field
	Reported float64
	Computed float64 // NaN where it could not be computed
	Class    batch.Class
	Why      string
	File     string // that would hold what is missing
}

// Agrees reports whether every number that the master printed was recomputed and agrees.
func (r *Report) Agrees() bool {
	for _, c := range r.Fields {
		if c.Agree != c.Reported {
			return false
		}
	}
	return r.View != nil
}

// Run audits a snapshot. Of several moments the one counts that leaves least open.
func Run(s *model.Snapshot, opts Options) *Report {
	gaps := slices.Clip(findGaps(s))
	opts.budget = newBudget(opts)
	var best *Report
	for _, m := range lastrun.Moments(s, opts.Options) {
		if r := bestAt(s, m, gaps, opts); best == nil || r.fits(best) {
			best = r
		}
		if best.Agrees() {
			break
		}
	}
	if best == nil {
		best = &Report{Gaps: gaps}
		best.countReported(s)
		return best
	}
	best.findHidden()
	best.admit()
	return best
}

// bestAt is the report for one moment that leaves least open: what may have ended is tried before what no file tells at all.
func bestAt(s *model.Snapshot, m lastrun.Moment, gaps []Gap, opts Options) (best *Report) {
	for r := range reports(s, m, gaps, opts) {
		if r.Sum().Unexplained == 0 {
			return r
		}
	}
	for r := range reports(s, m, gaps, opts) {
		r.assume(opts.Quirks, r.View.Assumed())
		if best == nil || r.fits(best) {
			best = r
		}
		if best.Sum().Unexplained == 0 {
			return best
		}
		if opts.budget.spent() {
			break
		}
	}
	best.assumeAltered(opts.Quirks)
	return best
}

// reports audits a snapshot for one moment: with what is known to have ended since the run, and as long as the caller goes
// on, with what may have.
func reports(s *model.Snapshot, m lastrun.Moment, gaps []Gap, opts Options) iter.Seq[*Report] {
	return func(yield func(*Report) bool) {
		for s := range revivals(s, opts.Before, m.Instant()) {
			assumed := split.Assumed{Sequence: opts.Sequence, Later: m.Later}
			r := &Report{Gaps: gaps, Moment: m, View: lastrun.Recompute(s, m.Instant(), opts.Quirks, assumed), budget: opts.budget}
			r.compare()
			r.plain = r.Disagreements
			if !yield(r) {
				return
			}
		}
	}
}

// fits reports whether a moment fits better than another one: fewer numbers are unexplained, then fewer disagree.
func (r *Report) fits(other *Report) bool {
	a, b := r.Sum(), other.Sum()
	return cmp.Or(cmp.Compare(a.Unexplained, b.Unexplained), cmp.Compare(a.Missing+a.Stale, b.Missing+b.Stale)) < 0
}

// Sum adds up the counts of all fields.
func (r *Report) Sum() (sum batch.Count) {
	for _, c := range r.Fields {
		sum = sum.Plus(c)
	}
	return sum
}

// compare holds every row of the view against what the master printed.
func (r *Report) compare() {
	v := r.View
	for i := range v.Snapshot.Jobs {
		j := &v.Snapshot.Jobs[i]
		altered := r.altered(j)
		for k := range j.Tasks {
			if t := &j.Tasks[k]; t.Ended.IsZero() {
				r.compareRow(v.Row(j, t), altered)
			}
		}
	}
}

// compareRow compares one task. An altered job's numbers are of the job as it was before.
func (r *Report) compareRow(row lastrun.Row, altered string) {
	reported := lastrun.Reported(row.Job, row.Task)
	for f := lastrun.Field(0); f < lastrun.Fields; f++ {
		if math.IsNaN(reported[f]) {
			continue
		}
		c := &r.Fields[f]
		c.Reported++
		if !math.IsNaN(row.Shown[f]) {
			c.Compared++
		}
		if row.Agrees(f, reported[f]) {
			c.Agree++
			continue
		}
		d := Disagreement{Job: row.Job, Task: row.Task, Field: f, Reported: reported[f], Computed: row.Computed[f]}
		r.classify(&d, row.Why[f], altered)
		r.Disagreements = append(r.Disagreements, d)
	}
}

// classify finds the class of a disagreement and counts it.
func (r *Report) classify(d *Disagreement, why, altered string) {
	c := &r.Fields[d.Field]
	switch gap := r.gapFor(d.Job, d.Field); {
	case why != "":
		d.Class, d.Why = batch.Stale, why
		c.Stale++
	case altered != "":
		d.Class, d.Why = batch.Stale, altered
		c.Stale++
	case gap != nil:
		d.Class, d.Why, d.File = batch.Missing, gap.What, gap.File
		c.Missing++
	case roundedUsage(r.View, d):
		d.Class, d.Why, d.File = batch.Missing, "a last digit apart: sge_share_mon prints usage with six decimals only", "sge_share_mon.txt"
		c.Missing++
	default:
		d.Class = batch.Unexplained
		c.Unexplained++
	}
}

// altered says what shows that a job was changed after the run.
func (r *Report) altered(j *model.Job) string {
	at := r.Moment.At.Unix()
	switch {
	case j.Submitted.Unix() > at:
		return "submitted after the run"
	case j.Reported == nil || math.IsNaN(j.Reported.NPPrior) || j.Reported.NPPrior == 0:
		return ""
	case !lastrun.NPPrior.Same(j.Reported.NPPrior, priority.Posix(j.PosixPriority)):
		return "-p was changed after the run"
	}
	return ""
}

func (r *Report) countReported(s *model.Snapshot) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			for f, v := range lastrun.Reported(j, &j.Tasks[k]) {
				if !math.IsNaN(v) {
					r.Fields[f].Reported++
					r.Fields[f].Missing++
				}
			}
		}
	}
}
