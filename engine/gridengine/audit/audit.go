package audit

import (
	"math"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Options of an audit.
type Options struct {
	lastrun.Options
	// Before is an earlier snapshot. It has more facts about jobs that have ended since then than the
	// accounting file. It also has the numbers that the master showed after the previous run.
	Before *model.Snapshot
	// Sequence has the place of each job in the list of jobs by last change (submission, alteration or
	// start). No command prints it. If it is nil, the audit infers it from times and tickets.
	Sequence map[uint32]int
}

// A Report is the outcome of an audit.
type Report struct {
	Moment        lastrun.Moment
	View          *lastrun.View // nil if nothing could be recomputed
	Fields        [lastrun.Fields]batch.Count
	Disagreements []Disagreement
	Gaps          []Gap

	altered map[uint32]int // the -p that jobs had in the run, of those that were altered since
	runs    int            // that ended in the second of the snapshot
}

// A Disagreement is a recomputed number that differs from the printed one.
type Disagreement struct {
	Job      *model.Job
	Task     *model.Task
	Field    lastrun.Field
	Reported float64
	Computed float64 // NaN if it could not be computed
	Class    batch.Class
	Why      string
	File     string // the missing file that would explain the difference
}

// Agrees reports whether qprism recomputed every printed number, and all of them agree.
func (r *Report) Agrees() bool {
	for _, c := range r.Fields {
		if c.Agree != c.Reported {
			return false
		}
	}
	return r.View != nil
}

// Run audits a snapshot. It uses the moment of the last run that fits the printed numbers best.
func Run(s *model.Snapshot, opts Options) *Report {
	r := runAs(s, alteredSince(s), opts)
	if since := r.alteredAfterTheirStart(); len(since) < len(r.altered) {
		if o := runAs(s, since, opts); o.Sum().Unexplained < r.Sum().Unexplained {
			return o
		}
	}
	return r
}

// runAs audits a snapshot some of whose jobs had another -p in the run.
func runAs(s *model.Snapshot, altered map[uint32]int, opts Options) *Report {
	r := &Report{Gaps: findGaps(s), altered: altered, runs: split.RunsIn(s, s.TakenAt)}
	r.View, r.Moment = look(asOfRun(s, altered), opts)
	if r.View == nil {
		r.countReported(s)
		return r
	}
	r.compare(opts)
	if o := r.reordered(opts); o != nil {
		return o
	}
	return r
}

// look finds the run in the states in which it may have found the cluster.
func look(s *model.Snapshot, opts Options) (best *lastrun.View, at lastrun.Moment) {
	var most lastrun.Agreement
	for _, m := range lastrun.Moments(s, opts.Options) {
		for revived := range revivals(s, opts.Before, m.Instant()) {
			v := ordered(revived, m, opts)
			if a := v.Agreement(); best == nil || a.Better(most) {
				best, at, most = v, m, a
			}
			if most.Whole() {
				return best, at
			}
		}
	}
	return best, at
}

// ordered recomputes the run with its jobs in the order that is known.
func ordered(s *model.Snapshot, m lastrun.Moment, opts Options) *lastrun.View {
	assumed := split.Assumed{Sequence: opts.Sequence, Later: m.Later}
	return lastrun.Recompute(m.Of(s), m.Instant(), opts.Quirks, assumed)
}

// Sum adds up the counts of all fields.
func (r *Report) Sum() (sum batch.Count) {
	for _, c := range r.Fields {
		sum = sum.Plus(c)
	}
	return sum
}

// compare holds every row of the view against what the master printed.
func (r *Report) compare(opts Options) {
	v := r.View
	earlier := newEarlier(opts.Before, v)
	for i := range v.Snapshot.Jobs {
		j := &v.Snapshot.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; t.Ended.IsZero() {
				r.compareRow(v.Row(j, t), earlier)
			}
		}
	}
}

// compareRow compares one task.
func (r *Report) compareRow(row lastrun.Row, earlier *earlier) {
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
		_, altered := r.altered[row.Job.Number]
		if row.Agrees(f, reported[f]) && !(altered && f == lastrun.NPPrior) || earlier.shows(&row, f, reported[f]) {
			c.Agree++
			continue
		}
		d := Disagreement{Job: row.Job, Task: row.Task, Field: f, Reported: reported[f], Computed: row.Computed[f]}
		r.classify(&d, &row, reported, earlier)
		r.Disagreements = append(r.Disagreements, d)
	}
}

// classify finds the class of a disagreement and counts it.
func (r *Report) classify(d *Disagreement, row *lastrun.Row, reported lastrun.Values, earlier *earlier) {
	c := &r.Fields[d.Field]
	_, altered := r.altered[d.Job.Number]
	gap, rushed := r.gapFor(d.Job, d.Field), r.rushed(d, reported)
	switch why := row.Why[d.Field]; {
	case altered && d.Field == lastrun.NPPrior:
		d.Class, d.Why, d.File = batch.Stale, alteredWhy, "qstat.xml"
	case why != "" && !earlier.knows(row):
		d.Class, d.Why, d.File = batch.Stale, why, "the bundle before this one (--before)"
	case gap != nil:
		d.Class, d.Why, d.File = batch.Missing, gap.What, gap.File
	case r.rounded(d):
		d.Class, d.Why, d.File = batch.Missing, roundedWhy, "none"
	case rushed != "":
		d.Class, d.Why, d.File = batch.Missing, rushed, "a bundle that was taken between two runs"
	default:
		d.Class = batch.Unexplained
	}
	switch d.Class {
	case batch.Stale:
		c.Stale++
	case batch.Missing:
		c.Missing++
	default:
		c.Unexplained++
	}
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
