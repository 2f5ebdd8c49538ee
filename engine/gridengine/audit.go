package gridengine

import (
	"qprism/engine/batch"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// Audit recomputes the last scheduler run before a snapshot.
func Audit(s *model.Snapshot, opts audit.Options) *batch.Audit {
	r := audit.Run(s, opts)
	a := counted(s, r)
	for _, d := range r.Disagreements {
		a.Differences = append(a.Differences, batch.Difference{Job: jobValue(d.Job),
			Tasks: model.TaskText(d.Task.IDs), Field: d.Field.String(),
			Master: printed(d.Field, d.Reported), Computed: printed(d.Field, d.Computed), Class: d.Class,
			Why: d.Why, File: d.File})
	}
	return a
}

// AuditCounts is Audit without the list of differences. Of 50,000 jobs, the list can take 100 MB.
func AuditCounts(s *model.Snapshot, opts audit.Options) *batch.Audit {
	return counted(s, audit.Run(s, opts))
}

func counted(s *model.Snapshot, r *audit.Report) *batch.Audit {
	a := &batch.Audit{Cluster: s.Cluster, Release: s.Release.String(), Agrees: r.Agrees(), Gaps: []batch.Gap{},
		Differences: []batch.Difference{},
		LeftOut:     s.LeftOut}
	if r.View != nil {
		a.Moment = moment(r.Moment)
	}
	for f, count := range r.Fields {
		a.Fields = append(a.Fields, batch.Field{Name: lastrun.Field(f).String(), Count: count})
	}
	for _, g := range r.Gaps {
		a.Gaps = append(a.Gaps, batch.Gap{File: g.File, What: g.What, Fields: batch.Names(g.Fields)})
	}
	return a
}

func moment(m lastrun.Moment) batch.Moment {
	return batch.Moment{At: batch.Time{Time: m.At}, Source: m.Source}
}

func jobValue(j *model.Job) batch.Value {
	return whole(j.Number)
}

// printed is a number as the master prints the field.
func printed(f lastrun.Field, v float64) batch.Value { return batch.Value{Is: v, Text: f.Print(v)} }
