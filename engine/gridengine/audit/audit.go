// Package audit recomputes the last scheduler run before a snapshot was taken and holds every number against what the
// master itself printed, digit for digit.
package audit

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Options say how to audit.
type Options struct {
	At     time.Time // the moment of the run; zero to infer it
	Quirks model.Quirks
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

// A Class says why a recomputed number is not what the master printed.
type Class string

// The classes of disagreements.
const (
	Stale       Class = "stale"         // the master shows what another run than this one computed
	Missing     Class = "input missing" // the bundle lacks what the number is made of
	Unexplained Class = "unexplained"
)

// A Report is the outcome of an audit.
type Report struct {
	Moment        Moment
	View          *View // nil where nothing could be recomputed
	Fields        [Fields]Count
	Disagreements []Disagreement
	Gaps          []Gap

	plain  []Disagreement // before anything was assumed
	budget *budget
}

// A Count says how many numbers of a field agree.
type Count struct {
	Reported int // the master printed a number
	Compared int // of these, the number could be recomputed
	Agree    int
	Stale    int
	Missing  int
	// Unexplained is what is left.
	Unexplained int
}

// A Disagreement is a number that is not what the master printed.
type Disagreement struct {
	Job      *model.Job
	Task     *model.Task
	Field    Field
	Reported float64
	Computed float64 // NaN where it could not be computed
	Class    Class
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
	for _, m := range momentsOf(s, opts) {
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
func bestAt(s *model.Snapshot, m Moment, gaps []Gap, opts Options) (best *Report) {
	for r := range reports(s, m, gaps, opts) {
		if r.Sum().Unexplained == 0 {
			return r
		}
	}
	for r := range reports(s, m, gaps, opts) {
		r.assume(opts.Quirks, r.View.assumed)
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
func reports(s *model.Snapshot, m Moment, gaps []Gap, opts Options) iter.Seq[*Report] {
	return func(yield func(*Report) bool) {
		for s := range revivals(s, opts.Before, m.instant()) {
			assumed := split.Assumed{Sequence: opts.Sequence, Later: m.Later}
			r := &Report{Gaps: gaps, Moment: m, View: Recompute(s, m.instant(), opts.Quirks, assumed), budget: opts.budget}
			r.compare()
			r.plain = r.Disagreements
			if !yield(r) {
				return
			}
		}
	}
}

// Look recomputes the last run of a snapshot. There is no view where the policy or the moment is not known.
func Look(s *model.Snapshot, opts Options) (*View, Moment) {
	if moments := momentsOf(s, opts); len(moments) == 1 {
		return Recompute(s, moments[0].instant(), opts.Quirks, split.Assumed{Later: moments[0].Later}), moments[0]
	}
	r := Run(s, opts)
	return r.View, r.Moment
}

// momentsOf are the moments at which the last run may have taken place; none where the policy is not known.
func momentsOf(s *model.Snapshot, opts Options) []Moment {
	switch {
	case !s.HasFile("sched_conf.txt"):
		return nil
	case !opts.At.IsZero():
		return withLater(s, []Moment{{At: opts.At, Source: "--now"}})
	}
	return withLater(s, findMoments(s, opts.Quirks))
}

// fits reports whether a moment fits better than another one: fewer numbers are unexplained, then fewer disagree.
func (r *Report) fits(other *Report) bool {
	a, b := r.Sum(), other.Sum()
	return cmp.Or(cmp.Compare(a.Unexplained, b.Unexplained), cmp.Compare(a.Missing+a.Stale, b.Missing+b.Stale)) < 0
}

// Sum adds up the counts of all fields.
func (r *Report) Sum() (sum Count) {
	for _, c := range r.Fields {
		sum = sum.Plus(c)
	}
	return sum
}

// Plus adds two counts.
func (c Count) Plus(d Count) Count {
	return Count{Reported: c.Reported + d.Reported, Compared: c.Compared + d.Compared, Agree: c.Agree + d.Agree, Stale: c.Stale + d.Stale,
		Missing: c.Missing + d.Missing, Unexplained: c.Unexplained + d.Unexplained}
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
func (r *Report) compareRow(row Row, altered string) {
	reported := Reported(row.Job, row.Task)
	for f := Field(0); f < Fields; f++ {
		if math.IsNaN(reported[f]) {
			continue
		}
		c := &r.Fields[f]
		c.Reported++
		if !math.IsNaN(row.Shown[f]) {
			c.Compared++
		}
		if row.agrees(f, reported[f]) {
			c.Agree++
			continue
		}
		d := Disagreement{Job: row.Job, Task: row.Task, Field: f, Reported: reported[f], Computed: row.Computed[f]}
		r.classify(&d, row.Why[f], altered)
		r.Disagreements = append(r.Disagreements, d)
	}
}

// agrees reports whether a printed number is the one that the master must show; what an earlier run computed may also be
// what this one did.
func (r *Row) agrees(f Field, printed float64) bool {
	return f.same(r.Shown[f], printed) || r.Why[f] != "" && f.same(r.Computed[f], printed)
}

// classify finds the class of a disagreement and counts it.
func (r *Report) classify(d *Disagreement, why, altered string) {
	c := &r.Fields[d.Field]
	switch gap := r.gapFor(d.Job, d.Field); {
	case why != "":
		d.Class, d.Why = Stale, why
		c.Stale++
	case altered != "":
		d.Class, d.Why = Stale, altered
		c.Stale++
	case gap != nil:
		d.Class, d.Why, d.File = Missing, gap.What, gap.File
		c.Missing++
	case r.View.roundedUsage(d):
		d.Class, d.Why, d.File = Missing, "a last digit apart: sge_share_mon prints usage with six decimals only", "sge_share_mon.txt"
		c.Missing++
	default:
		d.Class = Unexplained
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
	case !NPPrior.same(j.Reported.NPPrior, posix(j)):
		return "-p was changed after the run"
	}
	return ""
}

func (r *Report) countReported(s *model.Snapshot) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			for f, v := range Reported(j, &j.Tasks[k]) {
				if !math.IsNaN(v) {
					r.Fields[f].Reported++
					r.Fields[f].Missing++
				}
			}
		}
	}
}
