package simulate

import (
	"reflect"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestBookingsOfPBSAreProcessors has a job over its walltime, one that starts on two vnodes, one without an
// end, and one that waits.
func TestBookingsOfPBSAreProcessors(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	job := func(n uint32, state, place string) model.Job {
		return model.Job{Number: n, PBS: &model.PBSJob{State: state, ExecVnode: place, Started: at.Add(-time.Hour)}}
	}
	over := job(1, "R", "(a:ncpus=2)")
	over.Hard = []model.Request{{Resource: "walltime", Value: "00:30:00"}}
	s := &model.Snapshot{Jobs: []model.Job{over, job(2, "R", "(b:ncpus=1)"), job(3, "Q", "")},
		Hosts: []model.Host{{Name: "a", Capacity: []model.Setting{{Name: "ncpus", Value: "4"}}}, {Name: "c"}}}
	p := &model.Plan{RunAt: at, Utilization: make([]model.Utilization, 0, 4), Decisions: []model.Decision{
		{Job: 3, Verdict: model.Now, Start: at, Duration: time.Minute,
			Slots: []model.Grant{{Instance: "a", Slots: 1}, {Instance: "b", Slots: 2}}},
		{Job: 4, Verdict: model.Never}}}
	line := func(job uint32, state, vnode string, start time.Time, length time.Duration, n float64) model.ScheduleLine {
		return model.ScheduleLine{Job: job, Task: 1, State: state, Start: start, Duration: length,
			Level: "H", Object: vnode, Resource: "ncpus", Amount: n}
	}
	want := []model.ScheduleLine{line(1, "RUNNING", "a", at.Add(-time.Hour), time.Hour+time.Second, 2),
		line(2, "RUNNING", "b", at.Add(-time.Hour), model.Forever, 1),
		line(3, "STARTING", "a", at, time.Minute, 1), line(3, "STARTING", "b", at, time.Minute, 2)}
	full := Booked(s, p)
	if !reflect.DeepEqual(full.Lines, want) {
		t.Errorf("got %+v", full.Lines)
	}
	capacity := []model.Utilization{{Level: "H", Object: "a", Resource: "ncpus", Total: 4}}
	if !reflect.DeepEqual(full.Utilization, capacity) || len(p.Utilization[:1][0].Object) > 0 {
		t.Errorf("got %+v, and the plan itself has %+v", full.Utilization, p.Utilization[:1])
	}
}
