package cycle_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/simulate"
)

func TestForecastPlaysCyclesUntilEveryJobHasStarted(t *testing.T) {
	c := complex{at: noon, vnodes: 2, ncpus: 4, mem: 8, jobs: []request{
		{ncpus: 4, walltime: 1000, vnode: "(n0000:ncpus=4)"}, {chunks: 2, ncpus: 4, walltime: 500}, {ncpus: 2, walltime: 100},
		{ncpus: 3, walltime: 2000},
	}}
	f := simulate.Forecast(c.snapshot(), forecast.Options{At: noon})
	want := map[uint32]time.Duration{3: 0, 4: 100 * time.Second, 2: 2100 * time.Second}
	for _, s := range f.Starts {
		if at, ok := want[s.Job]; !ok || s.At != noon.Add(at) {
			t.Errorf("job %d starts at %v", s.Job, s.At)
		}
		delete(want, s.Job)
	}
	if len(want) > 0 || f.Ending != forecast.AllStarted {
		t.Errorf("%v have not started; %s", want, f.Ending)
	}
}

// TestForecastEndsAShrunkJobWhenItsShorterTimeIsOver: what starts behind a job that was shrunk to fit
// before dedicated time starts sooner.
func TestForecastEndsAShrunkJobWhenItsShorterTimeIsOver(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{ncpus: 4, walltime: 2000},
		{ncpus: 4, walltime: 100}}}
	s := c.snapshot()
	s.Jobs[0].Hard = append(s.Jobs[0].Hard, model.Request{Resource: "min_walltime", Value: "300", Amount: 300})
	s.PBS.SchedConfig.DedicatedPrefix = "ded"
	s.PBS.Dedicated = []model.Period{{Start: noon.Add(600 * time.Second), End: noon.Add(700 * time.Second)}}
	want := map[uint32][2]time.Duration{1: {0, 600 * time.Second}, 2: {700 * time.Second, 800 * time.Second}}
	f := simulate.Forecast(s, forecast.Options{At: noon})
	for _, b := range f.Starts {
		if at := want[b.Job]; b.At != noon.Add(at[0]) || b.End != noon.Add(at[1]) {
			t.Errorf("job %d from %v to %v", b.Job, b.At.Sub(noon), b.End.Sub(noon))
		}
	}
	if len(f.Starts) != 2 {
		t.Errorf("%d starts", len(f.Starts))
	}
}

func TestForecastStartsArraysSubjobBySubjob(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 2, mem: 8, jobs: []request{{ncpus: 1, walltime: 60}}}
	s := c.snapshot()
	s.Jobs[0].Array, s.Jobs[0].PBS.ID, s.Jobs[0].PBS.ArrayRemaining = true, "1[].srv",
		[]model.Range{{Min: 2, Max: 10, Step: 2}}
	f := simulate.Forecast(s, forecast.Options{At: noon})
	if len(f.Starts) != 5 || f.Starts[4].Task != 10 || f.Starts[4].At != noon.Add(2*time.Minute) {
		t.Errorf("%+v", f)
	}
}

func TestForecastLetsDependentJobsGo(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 2, mem: 8, jobs: []request{{ncpus: 1, walltime: 60},
		{ncpus: 1, walltime: 60}}}
	s := c.snapshot()
	s.Jobs[1].PBS.State, s.Jobs[1].PBS.Holds, s.Jobs[1].PBS.Depend = "H", "s", "afterok:1.srv@srv"
	f := simulate.Forecast(s, forecast.Options{At: noon})
	if len(f.Starts) != 2 || f.Starts[1].At != noon.Add(time.Minute) {
		t.Errorf("%+v", f)
	}
}

func TestAForecastStartsEveryJobAtMostOnceAndEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawComplex(t)
		policy := c.sched
		c.sched = func(conf *model.SchedConfig) { policy(conf); conf.Prime.Preemptive = false }
		s := c.snapshot()
		f := simulate.Forecast(s, forecast.Options{At: noon, Estimate: time.Hour, MostRuns: 200})
		seen := map[uint32]bool{}
		for _, j := range f.Starts {
			if seen[j.Job] {
				t.Fatalf("job %d starts twice", j.Job)
			}
			seen[j.Job] = true
		}
		if f.Ending == forecast.Bounded || f.Ending == "" {
			t.Fatalf("%d runs, %q", f.Runs, f.Ending)
		}
	})
}

// TestEndedJobsAreThoseThatRan: an array's own record is none of a job that ran.
func TestEndedJobsAreThoseThatRan(t *testing.T) {
	fields := func(pairs ...string) (list []model.Setting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, model.Setting{Name: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	began := time.Unix(1795251209, 0).UTC()
	got := accounting.Ended([]model.AccountingRecord{
		{Type: "S", ID: "1501.srv"},
		{Type: "E", ID: "1507[].srv", Fields: fields("user", "bob")},
		{Type: "E", ID: "1507[3].srv", Fields: fields("user", "bob", "jobname", "arr", "start",
			"1795251209", "end", "1795251219",
			"Exit_status", "-11", "Resource_List.ncpus", "2", "Resource_List.walltime", "00:01:40",
			"resources_used.cput", "00:00:07")},
	})
	want := []model.EndedTask{{Job: 1507, Task: 3, Array: true, Owner: "bob", Name: "arr", Slots: 2, Started: began,
		Ended:      began.Add(10 * time.Second),
		ExitStatus: -11, Wallclock: 10 * time.Second, CPU: 7, Category: "-l h_rt=100"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestAWalltimeBeyondFiveYearsIsNone: it would also be more than a Duration holds.
func TestAWalltimeBeyondFiveYearsIsNone(t *testing.T) {
	for text, want := range map[string]time.Duration{"01:30:00": 90 * time.Minute, "5400": 90 * time.Minute,
		"99999999:00:00": model.Forever, "x": model.Forever} {
		if got := simulate.Length(&model.Job{Hard: []model.Request{{Resource: "walltime", Value: text}}}); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
