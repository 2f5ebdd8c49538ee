package main

import (
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// predicted computes the numbers of a run from the bundle before it. It compares them with the bundle after
// it, for jobs that wait in both. Only this shows how usage decays up to a run, because the bundle after
// the run has the decayed usage.
func predicted(name string, before, after *model.Snapshot, moment lastrun.Moment) bundle {
	_, quirks := compat.For(after.Release)
	if moment.At.IsZero() {
		moment = audit.Run(after, audit.Options{Options: lastrun.Options{Quirks: quirks}, Before: before}).Moment
	}
	b := bundle{Name: name}
	if moment.At.IsZero() || !after.Policy.ReportPendingTickets {
		return b
	}
	ranked := rank(before, moment.Instant(), quirks)
	was := before.JobsByNumber()
	for i := range after.Jobs {
		j := &after.Jobs[i]
		c := ranked.Job(j.Number)
		if c == nil || len(c.Waiting()) == 0 || !waitsAlone(j) || !waitsAlone(was[j.Number]) {
			continue
		}
		printed := lastrun.Reported(j, &j.Tasks[0])
		for f, v := range valuesOf(c) {
			b.Numbers++
			if field := lastrun.Field(f); !field.Same(v, printed[f]) {
				b.Open = append(b.Open,
					number{Key: keyOf(audit.Disagreement{Job: j, Task: &j.Tasks[0], Field: field}), Class: "unexplained",
						Text: field.Print(printed[f]) + " " + field.Print(v)})
			}
		}
	}
	return b
}

func rank(s *model.Snapshot, at time.Time, quirks model.Quirks) *priority.Result {
	return priority.Rank(s, split.Jobs(s, at, quirks, split.Assumed{Coming: true}), at, quirks)
}

// waitsAlone reports whether a job is a single task that waits and that a run has ranked, or will.
func waitsAlone(j *model.Job) bool {
	return j != nil && len(j.Tasks) == 1 && !j.Array && j.Tasks[0].State == "qw" && j.Tasks[0].Started.IsZero() &&
		j.Reported != nil &&
		j.Tasks[0].Reported != nil
}

// valuesOf are the numbers of a waiting job.
func valuesOf(j *priority.Job) (v lastrun.Values) {
	t, u := j.Waiting()[0], j.Urgency
	for f, value := range map[lastrun.Field]float64{lastrun.Prio: t.Prio, lastrun.NPPrior: j.NPPrior, lastrun.NUrg: u.Norm,
		lastrun.NTckts: t.NTckts, lastrun.Urg: u.Total, lastrun.RRContr: u.Resource, lastrun.WTContr: u.Waiting,
		lastrun.DLContr: u.Deadline, lastrun.Tckts: t.Total, lastrun.Otckt: t.Override, lastrun.Ftckt: t.Function,
		lastrun.Stckt: t.ShareTree, lastrun.Share: t.Tickets.Share} {
		v[f] = value
	}
	return v
}
