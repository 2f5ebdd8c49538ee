package lastrun

import (
	"testing"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

var second = time.Unix(1_795_248_000, 0).UTC()

func traced(fraction time.Duration, text string) model.TraceLine {
	return model.TraceLine{At: second.Add(fraction), Text: text}
}

func TestMessagesOfMicrosecondsTellTheRunsLatestFirst(t *testing.T) {
	s := &model.Snapshot{}
	for i := range 6 {
		s.Trace = append(s.Trace, traced(time.Duration(i)*time.Second+817*time.Microsecond, "PROF: static urgency took 0.000 s"),
			traced(time.Duration(i)*time.Second+900*time.Microsecond, "PROF: schedd run took: 0.000 s"))
	}
	list := tracedMoments(s)
	if len(list) != mostTraced {
		t.Fatalf("%d moments, want the last %d", len(list), mostTraced)
	}
	if want := second.Add(5*time.Second + 817*time.Microsecond); !list[0].At.Equal(want) {
		t.Errorf("the first is %v, want %v", list[0].At, want)
	}
}

// TestARunIsJustBeforeOrAfterTheLastStarts: those of one run are milliseconds apart, those of the run before are seconds away.
func TestARunIsJustBeforeOrAfterTheLastStarts(t *testing.T) {
	start := func(fraction time.Duration) model.Task { return model.Task{Started: second.Add(fraction)} }
	s := &model.Snapshot{Jobs: []model.Job{{Tasks: []model.Task{start(2003 * time.Millisecond), start(0)}},
		{Tasks: []model.Task{start(2001 * time.Millisecond)}}}}
	list := startMoments(s)
	if len(list) != 2 || !list[0].At.Equal(second.Add(2001*time.Millisecond-time.Microsecond)) ||
		!list[1].At.Equal(second.Add(2003*time.Millisecond+time.Microsecond)) {
		t.Errorf("moments %v", list)
	}
	if len(startMoments(&model.Snapshot{})) != 0 {
		t.Error("a run that nothing shows")
	}
}

// TestARunWithAnOrderForEachWaitingJobClearedThem is rule Q44: one order for each running task, one more for each job that waits.
func TestARunWithAnOrderForEachWaitingJobClearedThem(t *testing.T) {
	jobs := []model.Job{{Number: 1, Submitted: second.Add(-time.Hour), Array: true, Tasks: []model.Task{
		{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r", Enrolled: true, Started: second.Add(-time.Minute), Slots: 1},
		{IDs: []model.Range{{Min: 2, Max: 9, Step: 1}}, State: "qw", Slots: 1}}}}
	for number := range uint32(9) {
		jobs = append(jobs, model.Job{Number: 2 + number, Submitted: second.Add(-time.Hour),
			Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}})
	}
	for orders, want := range map[string]bool{"7": false, "17": true} {
		s := &model.Snapshot{Jobs: jobs, TakenAt: second.Add(time.Second), Policy: model.Policy{WeightUrgency: 1, MaxPendingTasks: 50},
			Trace: []model.TraceLine{traced(time.Millisecond, "PROF: scheduled in 0.000 (u 0.000 + s 0.000 = 0.000): 0 sequential, 0 parallel, "+
				orders+" orders, 5 H")}}
		v := Recompute(s, second, model.Quirks{}, split.Assumed{})
		row := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0])
		if row.Either[NUrg] != want || want && row.Shown[NUrg] != 0 {
			t.Errorf("%s orders: cleared %v, want %v (nurg %v)", orders, row.Either[NUrg], want, row.Shown[NUrg])
		}
		if row.Agrees(NUrg, 0.25) {
			t.Errorf("%s orders: a number that is neither cleared nor computed agrees", orders)
		}
	}
}
