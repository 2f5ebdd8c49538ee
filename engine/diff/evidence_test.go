package diff

import (
	"strings"
	"testing"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// These are inversions of which a plan of the run tells nothing: it starts job 1, the master started job 2. What could have been the
// cause counts as one only where something shows it.

var noon = time.Unix(1_700_000_000, 0).UTC()

// causeOfThePair compares two snapshots with one inversion: job 1 was expected before job 2.
func causeOfThePair(t *testing.T, o Options, snapshots ...*model.Snapshot) Cause {
	t.Helper()
	runs := Compare(snapshots, o)
	for _, r := range runs {
		for _, p := range r.Pairs {
			if p.Late.Job == 1 && p.Early.Job == 2 {
				return p.Cause
			}
		}
	}
	t.Fatalf("no such inversion: %+v", runs)
	return Cause{}
}

func TestAnAlteredJobIsACauseOnlyWhereItTurnsTheOrderRound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(after *model.Snapshot)
		want   Kind
	}{
		"-R y alone orders nothing":                          {func(s *model.Snapshot) { s.Jobs[0].Reserve = true }, Unknown},
		"a higher -p of the late one does not put it behind": {func(s *model.Snapshot) { s.Jobs[0].PosixPriority = 300 }, Unknown},
		"a lower -p of the late one does":                    {func(s *model.Snapshot) { s.Jobs[0].PosixPriority = -300 }, Changed},
		"a hold lets it wait":                                {func(s *model.Snapshot) { s.Jobs[0].Tasks[0].State = "hqw" }, Held},
	} {
		t.Run(name, func(t *testing.T) {
			before := cluster(noon, 100, 0)
			after := started(before, 2, noon.Add(5*time.Second))
			c.change(after)
			if got := causeOfThePair(t, Options{}, before, after); got.Kind != c.want {
				t.Errorf("%s %q, want %s", got.Kind, got.Detail, c.want)
			}
		})
	}
}

// TestOnlyAChoiceThatTheRunMadeOtherwiseIsATie has two hosts that are as good as each other: a plan has choices that nothing decides, as
// all plans have, but those that the master made agree with it.
func TestOnlyAChoiceThatTheRunMadeOtherwiseIsATie(t *testing.T) {
	before := cluster(noon, 100, 0)
	for _, host := range []string{"b", "c"} {
		before.Hosts = append(before.Hosts, model.Host{Name: host})
		other := before.Instances[0]
		other.Name, other.Host = "all.q@"+host, host
		before.Instances = append(before.Instances, other)
	}
	after := started(before, 2, noon.Add(5*time.Second))
	after.Jobs[1].Tasks[0].Granted = []model.Grant{{Instance: "all.q@b", Slots: 1}}
	s := steps(before, after, nil, Options{MostRuns: 1})[0]
	d := s.decide(s.Release)
	if n := d.about(Task{2, 1}); !starts(n) || len(n.Tied) == 0 || n.Slots[0].Instance != "all.q@b" {
		t.Fatalf("the plan should have a choice and make it as the master did: %+v", n)
	}
	if got := causeOfThePair(t, Options{}, before, after); got.Kind != Unknown {
		t.Errorf("%s %q", got.Kind, got.Detail)
	}
	other := steps(before, after, nil, Options{MostRuns: 1})[0]

	other.starts[0].slots[0].Instance = other.decide(other.Release).about(Task{2, 1}).Tied[0]
	if !other.tied(Task{1, 1}, Task{2, 1}, other.decide(other.Release)) {
		t.Error("the master chose another place, that was as good")
	}
}

func TestRunTimesAreTheCauseOnlyWhereATaskMadeRoom(t *testing.T) {
	// Job 3 runs on the only host. The forecast lets job 2 wait for its end although it is tried first, and starts job 1 elsewhere.
	for name, c := range map[string]struct {
		end  time.Time // of job 3, by the forecast
		want Kind
	}{"it was over sooner": {noon.Add(time.Hour), RunTime}, "it was over when it was to be": {noon.Add(3 * time.Second), Unknown}} {
		t.Run(name, func(t *testing.T) {
			waiting := cluster(noon, 0, 100, 0)
			before := started(waiting, 3, noon.Add(-time.Minute))
			before.TakenAt = noon
			after := started(waiting, 2, noon.Add(20*time.Second))
			after.Jobs = after.Jobs[:2]
			after.Ended = []model.EndedTask{{Job: 3, Owner: "u", Queue: "all.q", Host: "a", Started: noon.Add(-time.Minute),
				Ended: noon.Add(10 * time.Second)}}
			expect := func(*model.Snapshot, time.Time) *forecast.Forecast {
				on := []model.Grant{{Instance: "all.q@a", Slots: 1}}
				return &forecast.Forecast{Running: []forecast.Start{{Job: 3, Task: 1, At: noon.Add(-time.Minute), End: c.end, Slots: on}},
					Starts: []forecast.Start{{Job: 1, Task: 1, At: noon.Add(5 * time.Second)}, {Job: 2, Task: 1, At: noon.Add(time.Hour)}}}
			}
			got := causeOfThePair(t, Options{Predict: ByForecast, Forecast: expect}, before, after)
			if got.Kind != c.want || c.want == RunTime && got.Over != (Task{3, 1}) {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}

// TestAPlanThatIsNotThatOfTheRunCountsLessThanTheRecord has a plan that starts job 2, as the master did, and another task that it did not.
func TestAPlanThatIsNotThatOfTheRunCountsLessThanTheRecord(t *testing.T) {
	before := cluster(noon, 100, 0, -100)
	other := before.Instances[0]
	other.Name, other.Host = "all.q@b", "b"
	other.Slots = 2
	before.Hosts, before.Instances = append(before.Hosts, model.Host{Name: "b"}), append(before.Instances, other)
	before.Jobs[0].Hard = []model.Request{{Resource: "hostname", Value: "nowhere"}}
	after := started(before, 2, noon.Add(5*time.Second))
	after.Jobs[0].Messages = []model.JobReason{{Code: 50, Text: `cannot run because it exceeds limit "u/" in rule "lim1/1"`}}
	if got := causeOfThePair(t, Options{}, before, after); got.Kind != Quota || got.Detail != "lim1/1" {
		t.Errorf("%s %q", got.Kind, got.Detail)
	}
}

func TestSubjobsBehindTheOneThatWasTriedWaitForTheSame(t *testing.T) {
	p := &model.Plan{Decisions: []model.Decision{{Job: 8, Tasks: []model.Range{{Min: 3, Max: 3, Step: 1}}, Verdict: model.Never,
		Why: []model.Reason{{Kind: model.ReasonLimit, Text: "Number of concurrent running subjobs limit reached"}}}}}
	d := byTask(p, nil)
	if got := d.waits(Task{8, 5}); got.Kind != Quota {
		t.Errorf("%+v", got)
	}
	if got := d.waits(Task{9, 1}); got.Kind != Unknown { // nothing tells of it
		t.Errorf("%+v", got)
	}
}

func TestUnknownSaysThatThePlanIsNotThatOfTheRun(t *testing.T) {
	before := cluster(noon, 100, 0)
	got := causeOfThePair(t, Options{}, before, started(before, 2, noon.Add(5*time.Second)))
	if got.Kind != Unknown || !strings.Contains(got.Detail, "other tasks") {
		t.Errorf("%+v", got)
	}
}

// TestAReservationThatTheScheduleFileLacksIsNoCause has a plan that reserves for job 1, and a record of the run that does not.
func TestAReservationThatTheScheduleFileLacksIsNoCause(t *testing.T) {
	before := cluster(noon, 100, 0)
	before.Policy.MaxReservation = 10
	before.Jobs[0].Reserve, before.Jobs[0].Hard = true, []model.Request{{Resource: "license", Value: "1"}}
	before.Resources = append(before.Resources, model.Resource{Name: "license", Shortcut: "l", Type: model.TypeInt, Relop: "<=",
		Requestable: "YES", Consumable: model.ConsumeYes, Default: "0", Urgency: "0"})
	before.Hosts[0].Capacity = []model.Setting{{Name: "license", Value: "1"}}
	third := cluster(noon, 0, 0, 0).Jobs[2]
	third.Hard = before.Jobs[0].Hard
	other := before.Instances[0]
	other.Name, other.Host = "all.q@b", "b"
	other.Slots = 2
	before.Hosts, before.Instances = append(before.Hosts, model.Host{Name: "b"}), append(before.Instances, other)
	before.Jobs = append(before.Jobs, third)
	before = started(before, 3, noon.Add(-time.Minute))
	before.TakenAt = noon
	after := started(before, 2, noon.Add(5*time.Second))
	if got := causeOfThePair(t, Options{}, before, after); got.Kind != Backfilled || got.Start.IsZero() {
		t.Fatalf("the plan should reserve for it: %+v", got)
	}
	after.Runs = []model.RunRecord{{Lines: []model.ScheduleLine{
		{Job: 2, Task: 1, State: "STARTING", Start: noon.Add(5 * time.Second), Duration: time.Hour, Level: "Q", Object: "all.q@b",
			Resource: "slots", Amount: 1}}}}
	if got := causeOfThePair(t, Options{}, before, after); got.Kind != Unknown {
		t.Errorf("%+v", got)
	}
}
