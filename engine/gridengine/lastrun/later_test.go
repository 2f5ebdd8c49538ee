package lastrun

import (
	"math"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

var noon = time.Unix(2_000_000, 0).UTC()

func job(number uint32, age time.Duration, t model.Task) model.Job {
	t.IDs = []model.Range{{Min: 1, Max: 1, Step: 1}}
	return model.Job{Number: number, Submitted: noon.Add(-age), Tasks: []model.Task{t}}
}

// TestAJobThatStartedInItsSecondWasKnown, and so were those before it.
func TestAJobThatStartedInItsSecondWasKnown(t *testing.T) {
	waits := model.Task{State: "qw"}
	s := &model.Snapshot{Jobs: []model.Job{job(1, time.Minute, waits), job(3, 0, waits), job(4, 0, model.Task{State: "r", Started: noon}),
		job(6, 0, waits), job(5, 0, waits)}}
	if got := firstLater(s, Moment{At: noon}, model.Quirks{}); len(got) != 2 || got[0] != 5 || got[1] != 6 {
		t.Errorf("got %v, want 5 and 6", got)
	}
}

func TestTicketsWrapAt32BitsInXML(t *testing.T) {
	if !Tckts.Same(25000259994, -769543782) || Tckts.Same(25000259994, -769543781) || Prio.Same(math.NaN(), math.NaN()) {
		t.Error("tickets are compared as 32-bit integers, and nothing is like what is not known")
	}
}

// TestNewerReleasesShowNPPriorBeforeTheFirstRun is O10: 9.1 computes it when a job is submitted.
func TestNewerReleasesShowNPPriorBeforeTheFirstRun(t *testing.T) {
	j := job(1, -time.Minute, model.Task{State: "qw"})
	s := &model.Snapshot{Jobs: []model.Job{j}, Policy: model.Policy{ReportPendingTickets: true}}
	for release, want := range map[string]float64{"8.1.9": 0, "9.0": 0, "9.1": 0.5} {
		v := Recompute(s, noon, compat.Profiles[release], split.Assumed{})
		if got := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]).Shown[NPPrior]; got != want {
			t.Errorf("%s: %v, want %v", release, got, want)
		}
	}
}

// TestNoRunHasRankedJobsThatAreAllNew: the first run is still to come.
func TestNoRunHasRankedJobsThatAreAllNew(t *testing.T) {
	s := &model.Snapshot{TakenAt: noon, Has: []string{"sched_conf.txt"}, Policy: model.Policy{ReportPendingTickets: true}}
	for n := range uint32(2) {
		j := job(n+1, time.Minute, model.Task{State: "qw", Reported: &model.TaskReport{}})
		j.Reported = &model.JobReport{}
		s.Jobs = append(s.Jobs, j)
	}
	v, at := Look(s, Options{Quirks: compat.Profiles["8.1.9"]})
	if a := v.Agreement(); !a.Whole() || a.Of != 26 || !at.At.Before(s.Jobs[0].Submitted) {
		t.Errorf("%+v at %+v", a, at)
	}
}
