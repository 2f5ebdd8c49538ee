package conformance

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

var forecastN = flag.Int("forecast.n", 2, "random `scenarios` to let a real master work through, and to compare with a forecast")

// interval is that between scheduler runs, which the median error has to stay below.
const interval = 5 * time.Second

// TestRealMasterStartsWhenForecast lets real masters work through jobs with dependencies and arrays by themselves, with a run every five
// seconds, and compares each start with the forecast from a bundle of the begin.
func TestRealMasterStartsWhenForecast(t *testing.T) {
	master.Require(t)
	t.Parallel()
	var tally forecastTally
	t.Run("scenarios", func(t *testing.T) {
		for i := range *forecastN {
			seed := *conformanceSeed*1_000_000 + uint64(i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				watch(t, master.Random(rand.New(rand.NewPCG(seed, 4)), master.Waves), dir)
				tally.compare(t, dir)
				if *conformanceKeep != "" {
					keep(t, dir, fmt.Sprintf("forecast-%d", seed))
				}
			})
		}
	})
	slices.Sort(tally.errors)
	n := len(tally.errors)
	if n == 0 {
		t.Fatal("nothing started")
	}
	median := tally.errors[n/2]
	t.Logf("%d scenarios, %d starts behind the first run: %d in the range, the median error is %v; %d that were forecast never to start did, %d that were not forecast to start",
		*forecastN, n, tally.inside, median, tally.never, tally.unknown)
	most, inside := interval, 0.9
	if *forecastN < 10 { // a busy machine delays the runs of a few scenarios more than it does those of many
		most, inside = 2*most, 0.7
	}
	if tally.never > 0 || median >= most || float64(tally.inside) < inside*float64(n) {
		t.Error("forecasts do not hold")
	}
}

// A forecastTally adds up what scenarios that run side by side count.
type forecastTally struct {
	sync.Mutex
	errors                 []time.Duration // without sign
	inside, never, unknown int
}

// watch lets a master work through a scenario's first step: a bundle of the begin, and one of the end.
func watch(t *testing.T, s master.Scenario, dir string) {
	m := master.Start(t, master.Options{})
	if err := m.Apply(s); err != nil {
		t.Fatal(err)
	}
	for _, j := range s.Steps[0].Jobs {
		if _, err := m.Submit(j); err != nil {
			t.Logf("not submitted: %v", err)
		}
	}
	if err := m.SetSchedConf(master.Object{"schedule_interval": "0:0:5"}); err != nil {
		t.Fatal(err)
	}
	if err := m.Capture(filepath.Join(dir, "before")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Second)
	if err := m.Capture(filepath.Join(dir, "after")); err != nil {
		t.Fatal(err)
	}
}

func (f *forecastTally) compare(t *testing.T, dir string) {
	before, after := recorded.OpenBundle(t, filepath.Join(dir, "before")), recorded.OpenBundle(t, filepath.Join(dir, "after"))
	release, quirks := compat.For(before.Release)
	s := subject.NewSubject(before, release, lastrun.Options{Quirks: quirks})
	p := s.Batch.Forecast(forecast.Options{At: before.TakenAt, Latency: next.Latency(before)})
	predicted := map[taskName]*forecast.Start{}
	for i := range p.Starts {
		predicted[taskName{p.Starts[i].Job, p.Starts[i].Task}] = &p.Starts[i]
	}
	never := map[uint32]bool{}
	for _, d := range p.Waits {
		never[d.Job] = true
	}
	f.Lock()
	defer f.Unlock()
	for id, at := range startsIn(after, before.TakenAt) {
		b := predicted[id]
		switch {
		case b == nil && never[id.job]:
			f.never++
			t.Logf("%v was forecast never to start, and did at %v", id, at)
			continue
		case b == nil:
			f.unknown++
			continue
		}
		f.errors = append(f.errors, b.At.Sub(at).Abs())
		if !at.Before(b.Earliest.Truncate(time.Second)) && !at.After(b.Latest) {
			f.inside++
			continue
		}
		from := func(at time.Time) time.Duration { return at.Sub(before.TakenAt).Round(time.Second) }
		t.Logf("%v started at +%v, forecast +%v, from +%v to +%v", id, from(at), from(b.At), from(b.Earliest), from(b.Latest))
	}
}

// startsIn are the starts after a moment, as the schedule file tells them.
func startsIn(s *model.Snapshot, after time.Time) map[taskName]time.Time {
	starts := map[taskName]time.Time{}
	for _, run := range s.Runs {
		for _, l := range run.Lines {
			if l.State == "STARTING" && l.Start.After(after) {
				starts[taskName{l.Job, l.Task}] = l.Start
			}
		}
	}
	return starts
}
