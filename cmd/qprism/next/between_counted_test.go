package next

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"qprism/engine/model"
)

// Of tasks whose end no file dates, the counts of the run tell which had ended when it took place.
func TestTheCountsOfARunTellWhatHadEnded(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	job := func(number uint32, tasks ...uint32) model.Job {
		j := model.Job{Number: number}
		for _, n := range tasks {
			j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: n, Max: n, Step: 1}}, State: "r", Started: at.Add(-time.Hour)})
		}
		return j
	}
	counted := func(running, ended int) model.TraceLine {
		return model.TraceLine{At: at, Text: fmt.Sprintf("PROF: scheduled in 0.010 (u 0.000 + s 0.000 = 0.000): 1 sequential, 0 parallel, 22 orders, "+
			"4 H, 7 Q, 11 QA, 8 J(qw), %d J(r), 0 J(s), 0 J(h), 0 J(e), %d J(x), 14 J(all), 66 C", running, ended)}
	}
	none := model.Plan{}
	for name, c := range map[string]struct {
		trace []model.TraceLine
		ended []model.EndedTask
		want  string
		run   model.Plan
	}{
		"none":                     {[]model.TraceLine{counted(3, 1)}, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}}, "[]", none},
		"the first":                {[]model.TraceLine{counted(2, 2)}, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}}, "[{1 1}]", none},
		"both":                     {[]model.TraceLine{counted(2, 3)}, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}}, "[{1 1} {2 1}]", none},
		"in the order of the file": {[]model.TraceLine{counted(3, 2)}, []model.EndedTask{{Job: 2, Task: 1}, {Job: 1}}, "[{2 1}]", none},
		"counts of another moment": {[]model.TraceLine{counted(1, 9)}, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}}, "[]", none},
		"two runs":                 {[]model.TraceLine{counted(2, 3), counted(2, 3)}, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}}, "[]", none},
		"one is not in the file":   {[]model.TraceLine{counted(2, 2)}, []model.EndedTask{{Job: 1}}, "[]", none},
		"one started, and has ended since": {[]model.TraceLine{counted(3, 2)}, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}, {Job: 5}},
			"[{1 1}]", model.Plan{Decisions: []model.Decision{{Job: 5}, {Job: 4, Tasks: []model.Range{{Min: 1, Max: 1, Step: 1}}}}}},
		"no line": {nil, []model.EndedTask{{Job: 1}, {Job: 2, Task: 1}}, "[]", none},
	} {
		// 1 and a task of 2 end, a task of 2 and job 4 run on, 3 had ended before
		before := &model.Snapshot{TakenAt: at.Add(-time.Second), Jobs: []model.Job{job(1, 1), job(2, 1, 2), {Number: 3,
			Finished: []model.FinishedTask{{Number: 1}}}}}
		after := &model.Snapshot{TakenAt: at.Add(time.Second), Jobs: []model.Job{job(2, 2), job(4, 1)}, Trace: c.trace, Ended: c.ended}
		gone := endedByCount(before, after, &c.run, func(TaskID) bool { return false })
		list := make([]TaskID, 0, len(gone))
		for id := range gone {
			list = append(list, id)
		}
		slices.SortFunc(list, func(a, b TaskID) int { return int(a.Job) - int(b.Job) })
		if got := fmt.Sprint(list); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
