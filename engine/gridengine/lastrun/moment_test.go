package lastrun

import (
	"slices"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// TestAStartBeforeTheRunBeforeIsNotOfTheLastRun: where nothing but start times and the scheduler's messages tells of the last run, the
// latest start is of it unless a whole run followed that.
func TestAStartBeforeTheRunBeforeIsNotOfTheLastRun(t *testing.T) {
	for name, c := range map[string]struct {
		ends []time.Duration // of runs, after noon
		want bool
	}{
		"it ended in that run's second": {[]time.Duration{-9, 0}, true},
		"one followed":                  {[]time.Duration{-9, 0, 6}, false},
		"one followed as it was taken":  {[]time.Duration{-9, 0, 10}, true},
		"two followed":                  {[]time.Duration{-9, 0, 6, 10}, false},
		"nothing is written":            {nil, true},
	} {
		s := &model.Snapshot{TakenAt: noon.Add(10 * time.Second), Jobs: []model.Job{job(1, time.Minute, model.Task{State: "r", Started: noon})}}
		for _, end := range c.ends {
			s.Trace = append(s.Trace, model.TraceLine{At: noon.Add(end * time.Second), Text: "PROF: schedd run took: 0.010 s"})
		}
		list := findMoments(s, compat.Profiles["8.1.9"])
		if got := slices.ContainsFunc(list, func(m Moment) bool { return m.At.Equal(noon) }); got != c.want {
			t.Errorf("%s: %v, want %v: %v", name, got, c.want, list)
		}
	}
}

// TestTheMessagesTellInWhichSecondARunReadItsClock: after it took in events, and before it wrote of what it ranks.
func TestTheMessagesTellInWhichSecondARunReadItsClock(t *testing.T) {
	line := func(after time.Duration, text string) model.TraceLine {
		return model.TraceLine{At: noon.Add(after * time.Second), Text: "PROF: " + text}
	}
	const events, ranks = "sge_mirror processed 1 events", "job ticket calculation: init"
	first := []model.TraceLine{line(-9, events), line(-9, "schedd run took: 0.000 s")}
	for name, c := range map[string]struct {
		last []model.TraceLine
		want []int // seconds after noon
	}{
		"in one second":      {[]model.TraceLine{line(0, events), line(0, "static urgency took 0.000 s")}, []int{-20, 0}},
		"two in one":         {slices.Repeat([]model.TraceLine{line(0, events), line(0, ranks)}, 2), []int{-20, 0, 0}},
		"in one of two":      {[]model.TraceLine{line(-1, events), line(0, ranks)}, []int{-20, -1, 0}},
		"it has not read it": {[]model.TraceLine{line(0, events)}, []int{-20}},
	} {
		list := []Moment{{At: noon.Add(-20 * time.Second)}, {At: noon.Add(-time.Second)}, {At: noon}, {At: noon.Add(time.Second)},
			{At: noon, Second: true}}
		var got []int
		for _, m := range heard(list, &model.Snapshot{Trace: slices.Concat(first, c.last)}) {
			got = append(got, int(m.At.Sub(noon).Seconds()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if kept := heard(list[3:4], &model.Snapshot{Trace: slices.Concat(first, c.last)}); len(kept) != 1 {
			t.Errorf("%s: nothing is left where the messages tell of no moment", name)
		}
	}
}

// TestARunThatFellBetweenTheListingAndTheCopyOfItsRecordIsNotTheLast: it started what the listing shows waiting.
func TestARunThatFellBetweenTheListingAndTheCopyOfItsRecordIsNotTheLast(t *testing.T) {
	later := noon.Add(13 * time.Second)
	s := &model.Snapshot{TakenAt: noon.Add(time.Second), Policy: model.Policy{ReportPendingTickets: true, WeightUrgency: 1},
		Jobs:  []model.Job{job(1, time.Minute, model.Task{State: "qw", IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}})},
		Runs:  []model.RunRecord{{Lines: []model.ScheduleLine{{Job: 1, Task: 1, State: "STARTING", Start: later}}}},
		Trace: []model.TraceLine{{At: later, Text: "PROF: schedd run took: 0.010 s"}}}
	s.Jobs[0].Reported = &model.JobReport{}
	if list := findMoments(s, compat.Profiles["8.1.9"]); len(list) != 1 || !list[0].At.Equal(s.Jobs[0].Submitted.Add(-time.Second)) {
		t.Errorf("got %v, want the second before the first job", list)
	}
	s.Jobs[0].Tasks[0] = model.Task{State: "r", Started: later, IDs: s.Jobs[0].Tasks[0].IDs}
	if list := findMoments(s, compat.Profiles["8.1.9"]); len(list) == 0 || !list[0].At.Equal(later) {
		t.Errorf("got %v, want the run that started it", list)
	}
}
