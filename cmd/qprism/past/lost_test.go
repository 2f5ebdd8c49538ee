package past

import (
	"testing"
	"time"

	"qprism/engine/diff"
	"qprism/engine/model"
)

// TestALossIsTheTimeAfterAnotherJobStartedFirst: job 1 is passed at nine for slots, at ten by backfill, and starts at noon; job 3 is
// passed at nine, is seen to wait at eleven, and is gone after that. What was before counts for nobody.
func TestALossIsTheTimeAfterAnotherJobStartedFirst(t *testing.T) {
	nine := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	task := func(job uint32) diff.Task { return diff.Task{Job: job, Number: 1} }
	run := func(at time.Time, started uint32, cause diff.Kind, passed ...uint32) *diff.Run {
		r := &diff.Run{At: at, Items: []diff.Item{{Task: task(started), Started: at, Rank: 9}}}
		for _, p := range passed {
			r.Items = append(r.Items, diff.Item{Task: task(p)})
			r.Pairs = append(r.Pairs, diff.Pair{Late: task(p), Early: task(started), Cause: diff.Cause{Kind: cause, Detail: "slots"}})
		}
		return r
	}
	waiting := []model.Task{{State: "qw"}}
	jobs := jobsByNumber{1: {Number: 1, Owner: "anna", Project: "bio", Tasks: waiting},
		3: {Number: 3, Owner: "ben", Project: "bio", Tasks: waiting}, 2: {Number: 2, Owner: "carl"}}
	l := losses{}
	l.enter(run(nine, 2, diff.Resource, 1, 3), jobs)
	l.enter(run(nine.Add(time.Hour), 4, diff.Backfilled, 1), jobs)
	l.look(&model.Snapshot{TakenAt: nine.Add(2 * time.Hour), Jobs: []model.Job{*jobs[1], *jobs[3]}})
	l.enter(run(nine.Add(3*time.Hour), 1, diff.Resource), jobs)
	l.look(&model.Snapshot{TakenAt: nine.Add(4 * time.Hour)})
	users := l.by("user")
	if len(users) != 2 || users[0].Name != "anna" || users[0].Seconds != 3*3600 || users[0].Passed != 2 || users[1].Seconds != 2*3600 {
		t.Fatalf("%+v", users)
	}
	if got := users[0].because(); got != "67 % backfill before a reservation, 33 % too few slots" {
		t.Error(got)
	}
	if projects := l.by("project"); len(projects) != 1 || projects[0].Jobs != 2 || projects[0].Seconds != 5*3600 {
		t.Errorf("%+v", projects)
	}
	causes := l.by("cause")
	if len(causes) != 2 || causes[0].Name != "too few slots" || causes[0].Seconds != 3*3600 || causes[1].Seconds != 2*3600 {
		t.Errorf("%+v", causes)
	}
}
