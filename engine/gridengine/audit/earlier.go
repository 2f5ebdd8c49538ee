package audit

import (
	"math"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Earlier has the numbers of the run before, from a snapshot between the two last runs.
type earlier struct {
	rows map[uint32][]earlierRow   // of a job
	jobs map[uint32]lastrun.Values // of waiting tasks
	// unsure if several runs took place in the second of the snapshot: the run before may be a later one of them
	unsure bool
}

// An earlierRow has the printed numbers of some tasks. Several rescheduled tasks may share a row and separate
// later.
type earlierRow struct {
	task   *model.Task
	values lastrun.Values
}

// newEarlier is nil if there is no such snapshot. A snapshot after a still earlier run does not help.
func newEarlier(before *model.Snapshot, v *lastrun.View) *earlier {
	if before == nil || before.TakenAt.After(v.At) || v.Previous().IsZero() || before.TakenAt.Before(v.Previous()) {
		return nil
	}
	e := &earlier{rows: map[uint32][]earlierRow{}, jobs: map[uint32]lastrun.Values{},
		unsure: split.RunsIn(v.Snapshot, before.TakenAt) > 1}
	for i := range before.Jobs {
		j := &before.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if values := lastrun.Reported(j, t); t.Started.IsZero() && !t.Enrolled {
				e.jobs[j.Number] = values
			} else {
				e.rows[j.Number] = append(e.rows[j.Number], earlierRow{t, values})
			}
		}
	}
	return e
}

// of is a row in that snapshot.
func (e *earlier) of(r *lastrun.Row) (values lastrun.Values, ok bool) {
	if e == nil {
		return values, false
	}
	number := lastrun.FirstNumber(r.Task)
	for _, row := range e.rows[r.Job.Number] {
		if lastrun.FirstNumber(row.task) == number || model.Holds(row.task.IDs, number) {
			return row.values, true
		}
	}
	values, ok = e.jobs[r.Job.Number]
	return values, ok
}

// knows reports whether the snapshot shows a number of the run before.
func (e *earlier) knows(r *lastrun.Row) bool {
	_, ok := e.of(r)
	return ok && !e.unsure
}

// shows reports whether a number of the run before equals the snapshot's.
func (e *earlier) shows(r *lastrun.Row, f lastrun.Field, printed float64) bool {
	values, ok := e.of(r)
	return ok && r.Why[f] != "" && !math.IsNaN(values[f]) && f.Same(values[f], printed)
}
