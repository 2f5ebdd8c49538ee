package forecast

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

var zero = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC) // a Saturday

const minute = time.Minute

// firstFit plans as simply as can be: jobs in order, each task on the first instance with enough free slots. It looks at the
// slots that the cluster says are used, at states, holds, dependencies and times.
func firstFit(s *model.Snapshot, at time.Time, _ bool) *model.Plan {
	p := &model.Plan{RunAt: at}
	used := map[string]int{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if len(j.Predecessors) > 0 || j.ExecutionTime.After(at) {
			continue
		}
		for _, t := range j.Tasks {
			if !t.Started.IsZero() || t.State != "qw" && t.State != "Rq" {
				continue
			}
			for _, r := range t.IDs {
				for n := range r.All() {
					d := model.Decision{Job: j.Number, Tasks: only(n), Verdict: model.Never, Start: at}
					for k := range s.Instances {
						q := &s.Instances[k]
						if len(j.HardQueues) > 0 && j.HardQueues[0] != q.Queue {
							continue
						}
						if q.State == "" && q.Slots-q.Used-used[q.Name] >= t.Slots {
							used[q.Name] += t.Slots
							d.Verdict, d.Slots = model.Now, []model.Grant{{Instance: q.Name, Slots: t.Slots}}
							break
						}
					}
					p.Decisions = append(p.Decisions, d)
				}
			}
		}
	}
	return p
}

func job(number uint32, tasks string, limit time.Duration) model.Job {
	j := model.Job{Number: number, Submitted: zero}
	var r model.Range
	if n, _ := fmt.Sscanf(tasks, "%d-%d:%d", &r.Min, &r.Max, &r.Step); n < 3 {
		r = model.Range{Min: 1, Max: 1, Step: 1}
	}
	j.Tasks = []model.Task{{IDs: []model.Range{r}, State: "qw", Slots: 1}}
	if limit > 0 {
		j.Hard = []model.Request{{Resource: "h_rt", Value: fmt.Sprint(int(limit.Seconds()))}}
	}
	return j
}

func cluster(slots int, jobs ...model.Job) *model.Snapshot {
	return &model.Snapshot{Jobs: jobs, Instances: []model.QueueInstance{{Name: "q@a", Queue: "q", Host: "a", Slots: slots}},
		Policy: model.Policy{ScheduleInterval: 15 * time.Second, DefaultDuration: model.Forever}}
}

func with(j model.Job, change func(*model.Job)) model.Job { change(&j); return j }

func TestForecasts(t *testing.T) {
	runs := func(number uint32, since, limit time.Duration) model.Job {
		return with(job(number, "", limit), func(j *model.Job) {
			j.Tasks[0].State, j.Tasks[0].Started, j.Tasks[0].Granted = "r", zero.Add(-since), []model.Grant{{Instance: "q@a", Slots: 1}}
		})
	}
	full := func(s *model.Snapshot) *model.Snapshot { s.Instances[0].Used = s.Instances[0].Slots; return s }
	for name, c := range map[string]struct {
		s        *model.Snapshot
		estimate time.Duration
		flush    time.Duration
		want     string
		ending   Ending
	}{
		"jobs follow each other at the runs of the scheduler": {cluster(1, job(1, "", 100*time.Second), job(2, "", minute), job(3, "", minute)),
			0, 0,
			"1.1 0s, 2.1 1m45s, 3.1 2m45s", AllStarted},
		"the end of a job pulls a run forward": {cluster(1, job(1, "", 100*time.Second), job(2, "", minute)), 0, 2 * time.Second,
			"1.1 0s, 2.1 1m41s", AllStarted},
		"tasks of an array one by one": {cluster(2, job(1, "2-8:2", minute)), 0, 0, "1.2 0s, 1.4 0s, 1.6 1m0s, 1.8 1m0s", AllStarted},
		"a job without limit lasts as the user guesses": {cluster(1, job(1, "", 0), job(2, "", 0)), 10 * minute, 0,
			"1.1 0s, 2.1 10m0s", AllStarted},
		"a job without limit or guess never ends": {cluster(1, job(1, "", 0), job(2, "", minute)), 0, 0, "1.1 0s", NothingEnds},
		"a running job ends after its start": {full(cluster(1, runs(1, 40*time.Second, minute), job(2, "", minute))), 0, 0, "2.1 30s",
			AllStarted},
		"an overdue job is gone with the second run": {full(cluster(1, runs(1, 40*minute, minute), job(2, "", minute))), 0, 0,
			"2.1 15s", AllStarted},
		"a dependent job follows its predecessor": {cluster(2, job(1, "", minute),
			with(job(2, "", minute), func(j *model.Job) { j.Predecessors = []uint32{1} })), 0, 0,
			"1.1 0s, 2.1 1m0s", AllStarted},
		"what waits for another job is shown as held, and follows it": {cluster(2, job(1, "", minute),
			with(job(2, "", minute), func(j *model.Job) {
				j.Predecessors, j.Tasks[0].State = []uint32{1}, "hqw"
			}), with(job(3, "1-2:1", minute), func(j *model.Job) { j.Predecessors, j.Tasks[0].State = []uint32{1, 2}, "hqw" })), 0, 0,
			"1.1 0s, 2.1 1m0s, 3.1 2m0s, 3.2 2m0s", AllStarted},
		"tasks follow the tasks they wait for": {cluster(1, job(1, "1-2:1", minute), with(job(2, "1-2:1", minute), func(j *model.Job) {
			j.ArrayPredecessor, j.Tasks[0].State = []uint32{1}, "hqw"
		})), 0, 0, "1.1 0s, 1.2 1m0s, 2.1 2m0s, 2.2 3m0s", AllStarted},
		"a job waits for its time": {cluster(1, with(job(1, "", minute),
			func(j *model.Job) { j.ExecutionTime = zero.Add(7*minute + time.Second) })), 0, 0,
			"1.1 7m15s", AllStarted},
		"a held job never starts": {cluster(1, with(job(1, "", minute), func(j *model.Job) { j.Tasks[0].State = "hqw" })), 0, 0, "",
			OnlyHeld},
		"a job in error never starts": {cluster(1, with(job(1, "", minute), func(j *model.Job) { j.Tasks[0].State = "Eqw" })), 0, 0, "",
			OnlyHeld},
		"a job too large never starts, and others pass it": {cluster(2, with(job(1, "", minute), func(j *model.Job) { j.Tasks[0].Slots = 3 }),
			job(2, "", minute)), 0, 0,
			"2.1 0s", NothingEnds},
		"a limit of the queue ends a job": {func() *model.Snapshot {
			s := cluster(1, job(1, "", 0), job(2, "", 0))
			s.Instances[0].Limits = []model.Setting{{Name: "s_rt", Value: "INFINITY"}, {Name: "h_rt", Value: "0:5:0"}}
			return s
		}(), 0, 0, "1.1 0s, 2.1 5m0s", AllStarted},
		"the first of two limits ends a job": {cluster(1, with(job(1, "", minute), func(j *model.Job) {
			j.Hard = append(j.Hard, model.Request{Resource: "s_rt", Value: "30"})
		}), job(2, "", minute)), 0, 0, "1.1 0s, 2.1 30s", AllStarted},
		"a queue opens by its calendar": {func() *model.Snapshot {
			s := cluster(1, job(1, "", minute))
			s.Instances[0].Calendar, s.Instances[0].State = "nights", "D"
			s.Calendars = []model.Calendar{{Name: "nights", Week: []model.WeekEntry{{Times: []model.Daytime{{From: 6 * time.Hour,
				To: 10 * time.Hour}}, State: "off"}}}}
			s.Location = "+0100"
			return s
		}(), 0, 0, "1.1 1h0m15s", AllStarted}, // the second in which a calendar's entry ends still belongs to it
	} {
		t.Run(name, func(t *testing.T) {
			c.s.Policy.FlushFinish = c.flush
			f := Run(c.s, Options{At: zero, Plan: firstFit, Estimate: c.estimate, MostRuns: 1000})
			var got []string
			for _, s := range f.Starts {
				got = append(got, fmt.Sprintf("%d.%d %v", s.Job, s.Task, s.At.Sub(zero)))
			}
			if text := strings.Join(got, ", "); text != c.want || f.Ending != c.ending {
				t.Errorf("got  %s: %s\nwant %s: %s", text, f.Ending, c.want, c.ending)
			}
		})
	}
}

func TestAForecastPassesOverRunsInWhichNothingHappens(t *testing.T) {
	weighs := func(s *model.Snapshot) {
		s.Policy.LoadAdjustments, s.Policy.LoadAdjustmentDecay = []model.Setting{{Name: "np_load_avg", Value: "0.50"}}, 10*minute
	}
	for name, c := range map[string]struct {
		slots  int
		change func(*model.Snapshot)
		runs   int
	}{
		"a slot is free, but not enough for job 2":     {2, func(*model.Snapshot) {}, 3},
		"a slot is free, and starts weigh on the host": {2, weighs, 42},
		"no slot is free": {1, weighs, 2},
		"the free slots are in a queue instance that is disabled": {1, func(s *model.Snapshot) {
			s.Instances = append(s.Instances, model.QueueInstance{Name: "q@b", Queue: "q", Host: "b", Slots: 4, State: "d"})
		}, 2},
		"complex_values has other slots": {1, func(s *model.Snapshot) {
			s.Instances[0].Capacity = []model.Setting{{Name: "slots", Value: "2"}}
		}, 3},
	} {
		s := cluster(c.slots, job(1, "", 24*time.Hour), with(job(2, "", minute), func(j *model.Job) { j.Tasks[0].Slots = c.slots }))
		c.change(s)
		f := Run(s, Options{At: zero, Plan: firstFit})
		if f.Runs != c.runs || len(f.Starts) != 2 || !f.Last.Equal(zero.Add(24*time.Hour)) {
			t.Errorf("%s: %d runs, want %d; %d starts, the last run at %v", name, f.Runs, c.runs, len(f.Starts), f.Last)
		}
	}
}

func TestAForecastIsBounded(t *testing.T) {
	s := cluster(1, with(job(1, "", minute), func(j *model.Job) { j.Tasks[0].Slots = 9 }))
	s.Instances[0].Calendar = "nights"
	s.Calendars = []model.Calendar{{Name: "nights", Week: []model.WeekEntry{{Times: []model.Daytime{{From: 6 * time.Hour, To: 10 * time.Hour}},
		State: "off"}}}}
	if f := Run(s, Options{At: zero, Plan: firstFit, MostRuns: 50}); f.Ending != Bounded || f.Runs != 50 {
		t.Errorf("%d runs: %s", f.Runs, f.Ending)
	}
	asked := 0
	f := Run(s, Options{At: zero, Plan: firstFit, Stop: func() bool { asked++; return asked > 3 }})
	if f.Ending != Stopped || f.Runs != 3 || len(f.Waits) != 1 || f.Waits[0].Job != 1 {
		t.Errorf("%d runs: %s; jobs that wait: %+v", f.Runs, f.Ending, f.Waits)
	}
}

func TestAPlanIsCarriedOutOnACopy(t *testing.T) {
	s := cluster(4, job(1, "1-9:1", minute), with(job(2, "", minute), func(j *model.Job) { j.Tasks[0].IDs = nil }))
	before := fmt.Sprintf("%+v", s)
	c := NewCluster(s)
	grant := []model.Grant{{Instance: "q@a", Slots: 2}, {Instance: "unknown@b", Slots: 1}}
	started := c.Apply(&model.Plan{RunAt: zero, Decisions: []model.Decision{
		{Job: 1, Tasks: only(5), Verdict: model.Now, Start: zero, Slots: grant, PE: "mpi"},
		{Job: 1, Tasks: only(5), Verdict: model.Now, Start: zero, Slots: grant}, // it runs already
		{Job: 1, Tasks: only(1), Verdict: model.Later, Start: zero, Slots: grant},
		{Job: 3, Tasks: only(1), Verdict: model.Now, Start: zero, Slots: grant}, // not there
		{Job: 2, Tasks: only(1), Verdict: model.Now},
		{Job: 2, Verdict: model.Now},
	}})
	if len(started) != 2 || started[0].Task != 5 || len(started[0].On) != 1 || started[0].On[0].Used != 2 || !started[1].At.Equal(zero) {
		t.Errorf("started %+v", started)
	}
	want := []model.Task{
		{IDs: []model.Range{{Min: 1, Max: 4, Step: 1}, {Min: 6, Max: 9, Step: 1}}, State: "qw", Slots: 1},
		{IDs: only(5), State: "r", Enrolled: true, Started: zero, Slots: 3, Granted: grant, PE: "mpi"},
	}
	if !reflect.DeepEqual(c.Jobs[0].Tasks, want) {
		t.Errorf("got  %+v\nwant %+v", c.Jobs[0].Tasks, want)
	}
	c.End(1, 5)
	c.End(1, 5)
	c.End(7, 1)
	if c.Instances[0].Used != 0 || len(c.Jobs[0].Tasks) != 1 {
		t.Errorf("after the end: %+v, %+v", c.Instances[0].Used, c.Jobs[0].Tasks)
	}
	c.End(2, 1)
	if c.Settle(zero); len(c.Jobs) != 1 {
		t.Errorf("a job without tasks is still there: %+v", c.Jobs)
	}
	if after := fmt.Sprintf("%+v", s); after != before {
		t.Errorf("the snapshot changed:\n%s\n%s", before, after)
	}
}

// TestEndedJobsLeaveAndTheOthersStay ends each set of five jobs. Then a job comes, and the rest ends.
func TestEndedJobsLeaveAndTheOthersStay(t *testing.T) {
	for ended := range 32 {
		var jobs []model.Job
		for n := range uint32(5) {
			jobs = append(jobs, job(n+1, "", time.Minute))
		}
		c := NewCluster(cluster(1, jobs...))
		var left []uint32
		for n := range uint32(5) {
			if ended>>n&1 > 0 {
				c.Withdraw(n+1, nil)
			} else {
				left = append(left, n+1)
			}
		}
		for _, want := range [][]uint32{left, append(slices.Clone(left), 6)} {
			c.Settle(zero)
			var got []uint32
			for i := range c.Jobs {
				got = append(got, c.Jobs[i].Number)
			}
			for n := range uint32(7) {
				if j := c.Job(n); (j != nil) != slices.Contains(want, n) || j != nil && j.Number != n {
					t.Errorf("ended %b: job %d is %v", ended, n, j)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("ended %b: jobs %v, not %v", ended, got, want)
			}
			next := job(6, "", time.Minute)
			c.Come([]*model.Job{&next})
		}
	}
}

// TestEveryTaskThatFitsStartsOnceAndNothingIsOversubscribed plays random queues on random clusters.
func TestEveryTaskThatFitsStartsOnceAndNothingIsOversubscribed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 4).Draw(t, "slots")
		var jobs []model.Job
		tasks := 0
		for n := range rapid.IntRange(1, 8).Draw(t, "jobs") {
			count := rapid.IntRange(1, 5).Draw(t, "tasks")
			j := job(uint32(n+1), fmt.Sprintf("1-%d:1", count), time.Duration(rapid.IntRange(0, 100).Draw(t, "seconds"))*time.Second+1)
			j.Hard[0].Value = fmt.Sprint(rapid.IntRange(0, 100).Draw(t, "limit"))
			j.Tasks[0].Slots = rapid.IntRange(1, slots).Draw(t, "width")
			tasks += count
			jobs = append(jobs, j)
		}
		s := cluster(slots, jobs...)
		f := Run(s, Options{At: zero, Plan: firstFit})
		if f.Ending != AllStarted || len(f.Starts) != tasks {
			t.Fatalf("%s: %d of %d tasks started", f.Ending, len(f.Starts), tasks)
		}
		for _, a := range f.Starts {
			used := 0
			for _, b := range f.Starts {
				if !b.At.After(a.At) && b.End.After(a.At) {
					used += b.Slots[0].Slots
				}
			}
			if used > slots {
				t.Fatalf("%d of %d slots at %v: %+v", used, slots, a.At, f.Starts)
			}
		}
		if again := Run(s, Options{At: zero, Plan: firstFit}); !reflect.DeepEqual(again, f) {
			t.Fatalf("twice not the same: %+v, %+v", f, again)
		}
	})
}

// Each wave of jobs adds to the range of the next: the interval, and what the master takes to hear of an end.
func TestAStartHasARange(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		flush, latency time.Duration
		last           time.Time
		want           string
	}{
		"without latency":                {0, 0, time.Time{}, "1: 0s 0s to 15s, 2: 1m0s 1m0s to 1m31s, 3: 2m0s 2m0s to 2m47s"},
		"with latency":                   {0, 4 * second, time.Time{}, "1: 0s 0s to 23s, 2: 1m15s 1m0s to 1m47s, 3: 2m30s 2m0s to 3m11s"},
		"where an end pulls a run ahead": {2 * second, 0, time.Time{}, "1: 0s 0s to 15s, 2: 1m0s 1m0s to 1m18s, 3: 2m0s 2m0s to 2m21s"},
		"from the next run on":           {0, 0, zero.Add(-5 * second), "1: 10s 0s to 15s, 2: 1m10s 1m0s to 1m31s, 3: 2m10s 2m0s to 2m47s"},
		"the last run was long ago":      {0, 0, zero.Add(-time.Hour), "1: 0s 0s to 15s, 2: 1m0s 1m0s to 1m31s, 3: 2m0s 2m0s to 2m47s"},
	} {
		s := cluster(1, job(1, "", minute), job(2, "", minute), job(3, "", minute))
		s.Policy.FlushFinish = c.flush
		var got []string
		for _, b := range Run(s, Options{At: zero, Plan: firstFit, Latency: c.latency, LastRun: c.last}).Starts {
			got = append(got, fmt.Sprintf("%d: %v %v to %v", b.Job, b.At.Sub(zero), b.Earliest.Sub(zero), b.Latest.Sub(zero)))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, ", "), c.want)
		}
	}
}

// Real moments lie between the bounds, and the forecast does too.
func TestAForecastIsInItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := cluster(rapid.IntRange(1, 3).Draw(t, "slots"))
		for n := range rapid.IntRange(1, 12).Draw(t, "jobs") {
			s.Jobs = append(s.Jobs, job(uint32(n+1), "", time.Duration(rapid.IntRange(1, 300).Draw(t, "limit"))*time.Second))
		}
		s.Policy.FlushFinish = time.Duration(rapid.IntRange(0, 3).Draw(t, "flush")) * time.Second
		o := Options{At: zero, Plan: firstFit, Latency: time.Duration(rapid.IntRange(0, 9).Draw(t, "latency")) * time.Second}
		for _, b := range Run(s, o).Starts {
			if b.At.Before(b.Earliest) || b.At.After(b.Latest) {
				t.Fatalf("%+v", b)
			}
		}
	})
}
