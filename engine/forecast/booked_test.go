package forecast

import (
	"reflect"
	"testing"
	"time"

	"qprism/engine/model"
)

func TestAPlanWithoutLinesBooksSlots(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	s := &model.Snapshot{Policy: model.Policy{DefaultDuration: time.Hour},
		Instances: []model.QueueInstance{{Name: "q@a", Slots: 2}, {Name: "q@b", Slots: 2}, {Name: "q@none"}},
		Jobs: []model.Job{{Number: 1, Tasks: []model.Task{{IDs: []model.Range{{Min: 4, Max: 4, Step: 1}}, Started: at.Add(-time.Minute), Slots: 2,
			Granted: []model.Grant{{Instance: "q@a"}}}}}, {Number: 2}}}
	p := &model.Plan{RunAt: at, Decisions: []model.Decision{
		{Job: 2, Tasks: []model.Range{{Min: 1, Max: 1, Step: 1}}, Verdict: model.Now, Start: at, Duration: time.Minute,
			Slots: []model.Grant{{Instance: "q@b", Slots: 1}}},
		{Job: 2, Verdict: model.Never}}}
	full := Booked(s, p)
	want := []model.ScheduleLine{
		{Job: 1, Task: 4, State: "RUNNING", Start: at.Add(-time.Minute), Duration: time.Hour, Level: "Q", Object: "q@a", Resource: "slots",
			Amount: 2},
		{Job: 2, Task: 1, State: "STARTING", Start: at, Duration: time.Minute, Level: "Q", Object: "q@b", Resource: "slots", Amount: 1},
	}
	if !reflect.DeepEqual(full.Lines, want) || len(full.Utilization) != 2 || len(p.Lines)+len(p.Utilization) > 0 {
		t.Errorf("got %+v, %+v", full.Lines, full.Utilization)
	}
}
