package next

import (
	"strings"
	"testing"

	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// TestWhatCanNeverRunNeverRuns holds the verdict on every job of every recording against what happened: what runs, starts or is
// reserved for is never told that it can never run, and what PBS says can never run is.
func TestWhatCanNeverRunNeverRuns(t *testing.T) {
	jobs, never, told := 0, 0, 0
	check := func(name string, s *subject.Subject) {
		chances := s.Batch.Chances()
		for i := range s.Jobs {
			j := &s.Jobs[i]
			a := chances.Of(j)
			jobs++
			if a.Never {
				never++
			}
			if a.Never && strings.ContainsAny(j.States(), "rtR") {
				t.Errorf("%s: job %s runs, and can never run: %+v %+v", name, j.KnownAs(), a.Blames, a.Why)
			}
		}
		p := s.Batch.Plan(s.TakenAt)
		for i := range p.Decisions {
			d := &p.Decisions[i]
			j := s.Snapshot.JobsByNumber()[d.Job]
			if j == nil {
				continue
			}
			a := chances.Of(j)
			if d.Verdict != model.Never && a.Never {
				t.Errorf("%s: job %s starts, and can never run: %+v %+v", name, j.KnownAs(), a.Blames, a.Why)
			}
			if len(d.Why) > 0 && d.Why[0].Never {
				if told++; !a.Never && len(a.Unknown) == 0 {
					t.Errorf("%s: job %s: the scheduler says that it can never run: %s", name, j.KnownAs(), d.Why[0].Text)
				}
			}
		}
	}
	for name, bundle := range recorded.RecordedStates(t) {
		s := subject.NewSubject(recorded.Read(t, bundle), "", lastrun.Options{})
		_, s.Look.Quirks = compat.For(s.Release)
		check(name, s)
	}
	eachStepOfPBS(t, func(t *testing.T, name string, s *subject.Subject) { check(name, s) })
	t.Logf("%d jobs, %d that can never run, %d of which PBS says so", jobs, never, told)
	if jobs < 1000 || never < 20 || told < 5 {
		t.Errorf("too few: %d jobs, %d never, %d told", jobs, never, told)
	}
}
