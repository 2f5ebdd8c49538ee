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
