package history

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qprism/engine/model"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A seen is a moment of a test: hours after noon, the task's state, the cause.
type seen struct {
	hours float64
	state string
	cause model.Cause
}

// momentsOf are the moments of a job submitted at noon; one that runs started half an hour before it was seen.
func momentsOf(list []seen) (moments []Moment) {
	for _, s := range list {
		at := noon.Add(time.Duration(s.hours * float64(time.Hour)))
		m := Moment{At: at, Job: &model.Job{Number: 1, Submitted: noon, Tasks: []model.Task{{State: s.state}}}}
		if s.state == "r" {
			m.Job.Tasks[0].Started = at.Add(-30 * time.Minute)
		}
		if s.cause != "" {
			m.Standing = &model.Standing{Job: 1, Cause: s.cause}
		}
		moments = append(moments, m)
	}
	return moments
}

func TestWaitingTimeDividesIntoCauses(t *testing.T) {
	type part struct {
		Cause model.Cause
		Hours float64
	}
	for name, test := range map[string]struct {
		seen    []seen
		parts   []part
		unseen  float64
		waiting bool
	}{
		"nine hours: five of lower priority, three of reserved slots, one of host limits": {
			seen: []seen{{0, "qw", model.CausePriority}, {2, "qw", model.CauseReserved}, {5, "qw", model.CauseHost}, {6, "qw", model.CausePriority},
				{9.5, "r", ""}},
			parts: []part{{model.CausePriority, 5}, {model.CauseReserved, 3}, {model.CauseHost, 1}}},
		"before the first snapshot nothing is known": {
			seen: []seen{{1, "hqw", model.CauseHold}, {2, "hqw", model.CauseHold}}, unseen: 1, waiting: true,
			parts: []part{{model.CauseHold, 1}}},
		"a snapshot that was not analysed leaves the cause open": {
			seen: []seen{{0, "qw", ""}, {2, "qw", model.CauseBusy}, {3, "qw", model.CauseBusy}}, waiting: true,
			parts: []part{{model.CauseUnknown, 2}, {model.CauseBusy, 1}}},
		"a job that was seen running only waited unseen": {seen: []seen{{3, "r", ""}, {4, "r", ""}}, unseen: 2.5},
	} {
		w := WaitOf(momentsOf(test.seen))
		var got []part
		for _, p := range w.Parts {
			got = append(got, part{p.Cause, p.For.Hours()})
		}
		if diff := cmp.Diff(test.parts, got); diff != "" || w.Unseen.Hours() != test.unseen || w.Waiting != test.waiting {
			t.Errorf("%s: unseen %v, waiting %v (-want +got):\n%s", name, w.Unseen, w.Waiting, diff)
		}
	}
}

func TestPartsAddUpToTheWaitingTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []seen
		at := 0.0
		for range rapid.IntRange(1, 20).Draw(t, "moments") {
			at += rapid.Float64Range(0.01, 5).Draw(t, "pass")
			list = append(list, seen{at, rapid.SampledFrom([]string{"qw", "qw", "qw", "r"}).Draw(t, "state"),
				rapid.SampledFrom(Causes).Draw(t, "cause")})
		}
		w := WaitOf(momentsOf(list))
		if got := w.Total(); got != w.Until.Sub(noon) {
			t.Fatalf("parts add up to %v, of %v", got, w.Until.Sub(noon))
		}
		for _, p := range w.Parts {
			if p.For <= 0 {
				t.Fatalf("%s took %v", p.Cause, p.For)
			}
		}
	})
}
