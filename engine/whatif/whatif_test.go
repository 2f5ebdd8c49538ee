package whatif_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/whatif"
	"qprism/fixtures/archive"
	"qprism/fixtures/pbs"
	"qprism/importer"
	"qprism/importer/gridengine"
	pbsfiles "qprism/importer/pbs"
)

func recording(t *testing.T, name string) *whatif.Case {
	t.Helper()
	files, err := archive.At("../../fixtures/gridengine/8.1.9-" + name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gridengine.Read(files, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, quirks := compat.For(s.Release)
	return &whatif.Case{Snapshot: s, Quirks: quirks}
}

func recordedPBS(t *testing.T, scenario, step string) *whatif.Case {
	t.Helper()
	files, err := pbs.Scenario(scenario)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := importer.Within(files, scenario, step)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbsfiles.Read(bundle, pbsfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &whatif.Case{Snapshot: s}
}

// values are those of a variant in a case.
func values(c *whatif.Case, v whatif.Variant) (got map[uint32]float64) {
	own := *c
	own.Variant = func(in whatif.Input) map[uint32]float64 {
		got = v(in)
		return got
	}
	own.Order(c.Snapshot.TakenAt)
	return got
}

// TestLinearTicketsAreThoseThatThereAre computes by hand: user B has three waiting jobs and user C two, with 100 shares each, so
// that one of B gets 500000/3 tickets and one of C 500000/2.
func TestLinearTicketsAreThoseThatThereAre(t *testing.T) {
	c := recording(t, "blog-functional.tar.gz/run2/before")
	p := &c.Snapshot.Policy
	got := values(c, whatif.Linear)
	for job, tickets := range map[uint32]float64{4: 500000.0 / 3, 5: 500000.0 / 3, 6: 500000.0 / 3, 7: 250000, 8: 250000} {
		want := p.WeightTicket * tickets / 250000 // urgencies are all 0, and so are priorities
		if math.Abs(got[job]-want) > 1e-12 {
			t.Errorf("job %d: %g, want %g", job, got[job], want)
		}
	}
	if len(got) != 5 {
		t.Errorf("%v", got)
	}
}

func TestLinearPriorityIsZeroByDefault(t *testing.T) {
	c := recording(t, "blog-posix-ladder.tar.gz/run1/before")
	c.Snapshot.Policy.WeightUrgency = 0
	got := values(c, whatif.Linear)
	for _, j := range c.Snapshot.Jobs {
		if v, waits := got[j.Number]; waits && math.Abs(v-c.Snapshot.Policy.WeightPriority*float64(j.PosixPriority)/1024) > 1e-12 {
			t.Errorf("job %d with -p %d: %g", j.Number, j.PosixPriority, v)
		}
	}
	if len(got) < 10 {
		t.Errorf("%d jobs", len(got))
	}
}

// TestRunningJobsAreInNoNormalization takes the running jobs out: the others' values stay.
func TestRunningJobsAreInNoNormalization(t *testing.T) {
	removed := 0
	for _, name := range []string{"prio-1.tar.gz/run2/before", "prio-9.tar.gz/run2/before", "blog-urgency-slots.tar.gz/run2/before"} {
		c := recording(t, name)
		own := *c.Snapshot
		own.Policy.ShareTreeTickets, own.ShareTree = 0, nil // tickets that rest on what runs
		for i := range own.Jobs {
			own.Jobs[i].OverrideTickets = 0 // which jobs that run share
		}
		own.Policy.ShareOverrideTickets = false
		alone := own
		alone.Jobs = slices.DeleteFunc(slices.Clone(own.Jobs), func(j model.Job) bool {
			return !slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Started.IsZero() })
		})
		removed += len(own.Jobs) - len(alone.Jobs)
		a, b := values(&whatif.Case{Snapshot: &own, Quirks: c.Quirks}, whatif.Linear),
			values(&whatif.Case{Snapshot: &alone, Quirks: c.Quirks}, whatif.Linear)
		for job, v := range b {
			if math.Abs(a[job]-v) > 1e-12 {
				t.Errorf("%s: job %d %g, without running jobs %g", name, job, a[job], v)
			}
		}
		if len(a) != len(b) || len(b) == 0 {
			t.Errorf("%s: %d jobs wait, %d without those that run", name, len(a), len(b))
		}
	}
	if removed == 0 {
		t.Error("no job runs")
	}
}

// TestFairshareIsTheFactorOfPBS compares with the tree that stands for a share tree: an owner who used nothing has factor 1, one
// who used more than his target less than 0.5.
func TestFairshareIsTheFactorOfPBS(t *testing.T) {
	s := &model.Snapshot{ShareTree: &model.ShareNode{Name: "Root",
		Children: []*model.ShareNode{{Name: "p", Project: true, Shares: 50, Children: []*model.ShareNode{
			{Name: "default", Shares: 10}}}, {Name: "ann", Shares: 25}, {Name: "bob", Shares: 25}}},
		Projects: []model.Project{{Name: "p"}},
		Policy:   model.Policy{UsageWeights: []model.Amount{{Name: "cpu", Value: 1}, {Name: "mem", Value: 0}}},
		Users: []model.User{{Name: "ann", Usage: model.Usage{Decayed: []model.Amount{{Name: "mem", Value: 1e9}, {Name: "cpu", Value: 900}}}},
			{Name: "eve", Projects: []model.ProjectUsage{{Project: "p", Decayed: []model.Amount{{Name: "cpu", Value: 100}}}}}},
		Jobs: []model.Job{{Number: 1, Owner: "ann"}, {Number: 2, Owner: "bob"}, {Number: 3, Owner: "eve", Project: "p"},
			{Number: 4, Owner: "eve"}}}
	tree := whatif.NewTree(s)
	ann, bob, eve, stray := tree.Node(&s.Jobs[0]), tree.Node(&s.Jobs[1]), tree.Node(&s.Jobs[2]), tree.Node(&s.Jobs[3])
	if math.Abs(float64(ann.Perc)-0.25) > 1e-6 || math.Abs(float64(eve.Perc)-0.5) > 1e-6 || stray.Perc != 0 {
		t.Errorf("targets %g, %g, %g", ann.Perc, eve.Perc, stray.Perc)
	}
	if f := ann.Factor(); f >= 0.2 || f != math.Pow(2, -float64(ann.TreeUsage/ann.Perc)) {
		t.Errorf("ann, who used 9/10 of all with a target of 1/4: %g", f)
	}
	if bob.Factor() < 0.99 || !(eve.Factor() > 0.8) || stray.Factor() != 0 {
		t.Errorf("bob %g, eve in her project %g, outside %g", bob.Factor(), eve.Factor(), stray.Factor())
	}
}

func TestFormulasKnowWhatQstatPrints(t *testing.T) {
	c := recording(t, "blog-functional.tar.gz/run2/before")
	for text, same := range map[string]bool{"ftckt": true, "1000*ntckts": true, "-job_priority": true, "eligible_time": true,
		"slots*fairshare_factor + walltime": true, "mem_free": true} {
		v, err := whatif.Formula(c.Snapshot, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := values(c, v); (len(got) == 5) != same {
			t.Errorf("%s: %v", text, got)
		}
	}
	v, _ := whatif.Formula(c.Snapshot, "tckts")
	own := *c
	own.Variant = v
	if got, want := own.Order(c.Snapshot.TakenAt), c.Order(c.Snapshot.TakenAt); !slices.Equal(got, want) {
		t.Errorf("by tickets %v, by the scheduler %v", got, want)
	}
	for _, text := range []string{"slots +", "import os", "nonsense_name", "\"x\""} {
		if v, err := whatif.Formula(c.Snapshot, text); err == nil {
			for job, value := range values(c, v) {
				if value != 0 && value != -1 {
					t.Errorf("%q: job %d has %g", text, job, value)
				}
			}
		} else if !strings.Contains(err.Error(), "formula") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAGivenOrderIsObeyed gives random orders to both systems, in part or in full.
func TestAGivenOrderIsObeyed(t *testing.T) {
	ge, server := recording(t, "dispatch-2.tar.gz/run2/before"), recordedPBS(t, "external-driver", "before")
	rapid.Check(t, func(t *rapid.T) {
		for _, c := range []*whatif.Case{ge, server} {
			at := c.Snapshot.TakenAt
			all := c.Order(at)
			want := rapid.Permutation(all).Draw(t, "order")
			own := *c
			if c.Snapshot.PBS != nil {
				own.Snapshot = whatif.GivenPBS(c.Snapshot, want)
			} else {
				own.Variant = whatif.Given(want)
			}
			if got := own.Order(at); !slices.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
			some := want[:rapid.IntRange(0, len(want)).Draw(t, "some")]
			if c.Snapshot.PBS == nil {
				own.Variant = whatif.Given(some)
				if got := own.Order(at); !slices.Equal(got[:len(some)], some) {
					t.Fatalf("%v, want %v first", got, some)
				}
			}
		}
	})
}

// TestNothingChangesNothing compares cases with themselves.
func TestNothingChangesNothing(t *testing.T) {
	for _, c := range []*whatif.Case{recording(t, "dispatch-3.tar.gz/run2/before"), recording(t, "prio-2.tar.gz/run2/before"),
		recordedPBS(t, "queue-order", "byq/before")} {
		at := c.Snapshot.TakenAt
		r := whatif.Compare(c, c, at, &forecast.Options{At: at, Estimate: time.Hour, MostRuns: 50})
		if len(r.Jobs) == 0 {
			t.Error("no job waits")
		}
		if r.TauB != 1 && len(r.Jobs) > 1 || r.Starts[0] != r.Starts[1] {
			t.Errorf("tau-b %g, starts %v", r.TauB, r.Starts)
		}
		for i := range r.Jobs {
			if j := &r.Jobs[i]; j.Climbs() != 0 || j.ChangeWait != 0 || j.Never[0] != j.Never[1] || j.Verdict[0] != j.Verdict[1] {
				t.Errorf("job %d: %+v", j.Job.Number, j)
			}
		}
		for _, g := range r.Groups {
			if g.Climbs != 0 || g.GainsWait() != 0 {
				t.Errorf("%+v", g)
			}
		}
	}
}

// TestWhatGroupsGainAddsUp: places are only exchanged, so that users' gains, weighed by their jobs, cancel.
func TestWhatGroupsGainAddsUp(t *testing.T) {
	c := recording(t, "dispatch-2.tar.gz/run2/before")
	all := c.Order(c.Snapshot.TakenAt)
	slices.Reverse(all)
	then := *c
	then.Variant = whatif.Given(all)
	r := whatif.Compare(c, &then, c.Snapshot.TakenAt, nil)
	if r.TauB != -1 {
		t.Errorf("tau-b of the reverse order is %g", r.TauB)
	}
	known := *c
	known.Made = sync.OnceValue(func() *whatif.Made { return c.Run(c.Snapshot.TakenAt) })
	for range 2 {
		if again := whatif.Compare(&known, &then, c.Snapshot.TakenAt, nil); !reflect.DeepEqual(again.Jobs, r.Jobs) {
			t.Error("held against a run that is made already, another policy does something else")
		}
	}
	sums := map[string]float64{}
	counts := map[string]int{}
	for _, g := range r.Groups {
		sums[g.Kind] += g.Climbs * float64(g.Jobs)
		counts[g.Kind] += g.Jobs
	}
	for _, kind := range []string{whatif.ByUser, whatif.BySize, whatif.ByDepartment} {
		if math.Abs(sums[kind]) > 1e-9 || counts[kind] != len(r.Jobs) {
			t.Errorf("%s: places %g, %d of %d jobs", kind, sums[kind], counts[kind], len(r.Jobs))
		}
	}
}

// TestATaskThatEndedCountsInTheFirstRunAlone has an array that may run one task at a time, and one that ended since the last run:
// the next run starts none of it, those after it do.
func TestATaskThatEndedCountsInTheFirstRunAlone(t *testing.T) {
	c := recording(t, "dispatch-8.tar.gz/run1/before")
	at := c.Snapshot.TakenAt.Truncate(time.Second).Add(time.Second)
	i := slices.IndexFunc(c.Snapshot.Jobs, func(j model.Job) bool { return j.Array })
	array := &c.Snapshot.Jobs[i]
	array.MaxRunningTasks = 1
	c.Snapshot.Trace = append(c.Snapshot.Trace, model.TraceLine{At: at.Add(-10 * time.Second), Text: "PROF: schedd run took: 0.010 s"})
	c.Snapshot.Ended = []model.EndedTask{{Job: array.Number, Task: 99, Array: true, Started: at.Add(-time.Hour),
		Ended: at.Add(-5 * time.Second)}}
	var starts []time.Time
	for _, b := range c.Forecast(forecast.Options{At: at, Estimate: time.Minute}).Starts {
		if b.Job == array.Number {
			starts = append(starts, b.At)
		}
	}
	if len(starts) != 5 || !starts[0].After(at) {
		t.Errorf("job %d starts at %v, the run is at %v", array.Number, starts, at)
	}
}
