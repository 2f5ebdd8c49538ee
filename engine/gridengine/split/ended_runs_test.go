package split

import (
	"testing"
	"time"

	"qprism/engine/model"
)

// TestRunsInOneSecondAreCounted: a bundle taken in a second of two runs can be of either, so that it explains numbers of
// the run before the last, but does not contradict others.
func TestRunsInOneSecondAreCounted(t *testing.T) {
	second := time.Date(2026, 11, 26, 23, 27, 6, 0, time.UTC)
	run := func(at time.Time) []model.TraceLine {
		return []model.TraceLine{{At: at, Text: "PROF: scheduled in 0.010"}, {At: at, Text: "PROF: schedd run took: 0.010 s"}}
	}
	s := &model.Snapshot{Trace: append(run(second.Add(-2*time.Second)), run(second)...)}
	taken := second.Add(7 * time.Millisecond)
	if n := RunsIn(s, taken); n != 1 {
		t.Errorf("%d runs", n)
	}
	s.Trace = append(s.Trace, run(second)...)
	if n := RunsIn(s, taken); n != 2 {
		t.Errorf("%d runs", n)
	}
	if n := RunsIn(s, taken.Add(time.Second)); n != 0 {
		t.Errorf("%d runs a second later", n)
	}
}
