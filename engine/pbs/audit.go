package pbs

import (
	"slices"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
)

// Audit recomputes the cycle nearest to a snapshot of PBS, and its fairshare tree.
func Audit(s *model.Snapshot, opts retrace.Options) *batch.Audit {
	r := retrace.Run(s, opts)
	a := &batch.Audit{Cluster: s.Cluster, Release: s.Release.String(), Moment: MomentOf(r),
		From: r.From, Agrees: r.Agrees(), Gaps: []batch.Gap{},
		Differences: []batch.Difference{}, LeftOut: s.LeftOut, Repairs: s.PBS.Repairs}
	for f, count := range r.Fields {
		a.Fields = append(a.Fields, batch.Field{Name: retrace.Field(f).String(),
			Text: slices.Contains(texts, retrace.Field(f)), Count: count})
	}
	for _, g := range r.Gaps {
		a.Gaps = append(a.Gaps, batch.Gap{File: g.File, What: g.What, Fields: batch.Names(g.Fields)})
	}
	for _, d := range r.Disagreements {
		a.Differences = append(a.Differences, batch.Difference{Job: batch.Text(d.Name), Field: d.Field.String(),
			Master: batch.Text(d.Master), Computed: batch.Text(d.Computed), Class: d.Class, Why: d.Why})
	}
	return a
}

// texts are the fields that hold no numbers.
var texts = []retrace.Field{retrace.Start, retrace.Vnodes, retrace.Reason, retrace.TopJob,
	retrace.TopNodes, retrace.Preempted, retrace.Winner}

// MomentOf is the moment of the audited cycle, and its source; zero if the log has no cycle.
func MomentOf(r *retrace.Report) batch.Moment {
	if r.Cycle == nil {
		return batch.Moment{}
	}
	m := batch.Moment{At: batch.Time{Time: r.Cycle.Start},
		Source: "the scheduler's log: the last cycle before the bundle was taken"}
	if r.Later {
		m.Source = "the scheduler's log: the first cycle after the bundle was taken"
	}
	return m
}
