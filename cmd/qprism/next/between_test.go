package next

import (
	"slices"
	"testing"
	"time"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// What had ended when a run took place makes room for it, although the bundle before shows it running.
func TestWhatEndedBeforeARunMakesRoomForIt(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	task := func(state string, started time.Time) []model.Task {
		t := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: state, Started: started}
		if !started.IsZero() {
			t.Granted = []model.Grant{{Instance: "all.q@a", Slots: 1}}
		}
		return []model.Task{t}
	}
	line := func(job uint32, state string) model.ScheduleLine {
		return model.ScheduleLine{Job: job, Task: 1, State: state, Start: at, Duration: time.Hour, Level: "Q", Object: "all.q@a",
			Resource: "slots", Amount: 1}
	}
	started := at.Add(-time.Hour)
	for name, c := range map[string]struct {
		reserving int
		lines     []model.ScheduleLine
		ended     time.Time
		runs      bool // after the run, too
		want      bool
	}{
		"by the accounting file":          {5, []model.ScheduleLine{line(1, "RUNNING"), line(2, "STARTING")}, at.Add(-time.Second), false, true},
		"not before it":                   {5, []model.ScheduleLine{line(2, "STARTING")}, at.Add(time.Second), false, false},
		"by the lines, within the second": {5, []model.ScheduleLine{line(2, "STARTING")}, at, false, true},
		"not by the lines":                {5, []model.ScheduleLine{line(1, "RUNNING"), line(2, "STARTING")}, time.Time{}, false, false},
		"it runs on":                      {5, []model.ScheduleLine{line(2, "STARTING")}, time.Time{}, true, false},
		"without lines":                   {0, nil, at.Add(-time.Second), false, true},
		"nothing tells":                   {0, nil, time.Time{}, false, false},
	} {
		s := func(jobs ...model.Job) *model.Snapshot {
			return &model.Snapshot{Jobs: jobs, TakenAt: at.Add(-10 * time.Second),
				Policy: model.Policy{MaxReservation: c.reserving, DefaultDuration: time.Hour},
				Hosts:  []model.Host{{Name: "a"}}, Resources: []model.Resource{{Name: "slots", Type: model.TypeInt, Relop: model.AtMost,
					Requestable: model.RequestYes, Consumable: model.ConsumeYes, Default: "1"}},
				Instances: []model.QueueInstance{{Name: "all.q@a", Queue: "all.q", Host: "a", Slots: 1, Type: "BATCH", Listed: true}}}
		}
		before := s(model.Job{Number: 1, Tasks: task("r", started)}, model.Job{Number: 2, Submitted: started, Tasks: task("qw", time.Time{})})
		before.Instances[0].Used = 1
		after := s(model.Job{Number: 2, Tasks: task("r", at)})
		if c.runs {
			after.Jobs = append(after.Jobs, model.Job{Number: 1, Tasks: task("r", started)})
		}
		if after.Ended = []model.EndedTask{{Job: 1, Task: 0, Started: started, Ended: c.ended}}; c.lines != nil {
			after.Runs = []model.RunRecord{{Lines: c.lines, Complete: true}}
		}
		r, err := PlanBetween(before, after, lastrun.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		starts := slices.ContainsFunc(r.Planned.Decisions, func(d model.Decision) bool { return d.Job == 2 && d.Verdict == model.Now })
		if starts != c.want || (len(r.Ended) == 1) != c.want {
			t.Errorf("%s: job 2 starts: %v, ended %v, want %v", name, starts, r.Ended, c.want)
		}
	}
}
