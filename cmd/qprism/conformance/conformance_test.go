package conformance

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"qprism/cmd/qprism/recorded"
	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

var (
	conformanceN    = flag.Int("conformance.n", 8, "random `scenarios` to play on a real master")
	conformanceSeed = flag.Uint64("conformance.seed", 1, "`seed` of the random scenarios")
	conformanceOpen = flag.Int("conformance.open", 2,
		"how many `scenarios` may leave numbers unexplained: what happens between a run and its bundle is a race")
	conformanceSay  = flag.Bool("conformance.say", false, "say of each number that is excused what excuses it")
	conformanceKeep = flag.String("conformance.keep", "", "`folder` for the bundles of scenarios that do not agree")
)

// Scenarios mostly wait for their masters: without -parallel twice as many as there are processors are played at a time.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", fmt.Sprint(2*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}

// TestRealMasterConforms plays random scenarios on real 8.1.9 masters, some side by side, and compares every number they
// print after each run: five with simulated hosts for each one with a real execution host and real usage.
func TestRealMasterConforms(t *testing.T) {
	master.Require(t)
	t.Parallel()
	var tally tally
	t.Run("scenarios", func(t *testing.T) {
		for i := range *conformanceN {
			kind := master.Priority
			if i%6 == 5 {
				kind = master.Usage
			}
			seed := *conformanceSeed*1_000_000 + uint64(i)
			t.Run(fmt.Sprintf("%s %d", kind, seed), func(t *testing.T) {
				t.Parallel()
				playAndAudit(t, kind, seed, &tally)
			})
		}
	})
	sum := tally.sum
	if tally.open > *conformanceOpen {
		t.Errorf("%d of %d scenarios leave numbers unexplained", tally.open, *conformanceN)
	}
	if excused := float64(sum.Stale+sum.Missing) / float64(max(sum.Reported, 1)); excused > *mostExcused {
		t.Errorf("%.2f %% of the numbers are excused, more than %.1f %%", 100*excused, 100**mostExcused)
	}
	t.Logf("%d scenarios from seed %d, %d runs: %d of %d printed numbers agree (%.3f %%), %d stale, %d for want of input, %d unexplained",
		*conformanceN, *conformanceSeed, tally.runs, sum.Agree, sum.Reported, 100*float64(sum.Agree)/float64(max(sum.Reported, 1)),
		sum.Stale, sum.Missing, sum.Unexplained)
	t.Logf("without the bundles before the runs %d are stale, %d want input, %d are unexplained", tally.alone.Stale, tally.alone.Missing,
		tally.alone.Unexplained)
}

// mostExcused is how much of what masters print may be stale or lack an input. Few scenarios on a busy machine vary more than many.
var mostExcused = flag.Float64("conformance.excused", 0.03, "which `part` of the numbers may be excused")

// A tally adds up what scenarios that run side by side count.
type tally struct {
	sync.Mutex
	runs  int
	open  int // scenarios with unexplained numbers
	sum   batch.Count
	alone batch.Count // without the bundles before the runs
}

func (t *tally) addAlone(c batch.Count) {
	t.Lock()
	defer t.Unlock()
	t.alone = t.alone.Plus(c)
}

func (t *tally) add(c batch.Count) {
	t.Lock()
	defer t.Unlock()
	t.runs++
	t.sum = t.sum.Plus(c)
}

// playAndAudit plays one scenario and audits the bundle after each of its runs.
func playAndAudit(t *testing.T, kind master.Kind, seed uint64, tally *tally) {
	dir := t.TempDir()
	unexplained := 0
	var changes changes
	for _, run := range master.Play(t, master.Random(rand.New(rand.NewPCG(seed, 0)), kind), dir) {
		sum := auditRun(t, run, tally, &changes)
		unexplained += sum.Unexplained
		tally.add(sum)
	}
	if unexplained > 0 {
		tally.Lock()
		tally.open++
		tally.Unlock()
	}
	if unexplained > 0 && *conformanceKeep != "" {
		keep(t, dir, fmt.Sprintf("%s-%d", kind, seed))
	}
}

// auditRun audits the bundle after a run with the one before it, which shows what the run before had computed. Where that leaves numbers
// unexplained it is audited again with the order in which jobs were submitted, altered and started. What agrees then lacked an input.
func auditRun(t *testing.T, run master.Run, tally *tally, changes *changes) batch.Count {
	after := recorded.OpenBundle(t, run.After)
	opts := audit.Options{Options: lastrun.Options{Quirks: quirksOf(after)}}
	tally.addAlone(audit.Run(after, opts).Sum())
	if run.Before != "" {
		opts.Before = recorded.OpenBundle(t, run.Before)
	}
	r := audit.Run(after, opts)
	sum := r.Sum()
	changes.add(run.Changed...)
	if first := sum; first.Unexplained > 0 {
		opts.Sequence = changes.sequence()
		if r = audit.Run(after, opts); r.Sum().Unexplained < first.Unexplained {
			sum = r.Sum()
			t.Logf("run %d: %d numbers agree with the true order of changes", run.Number, first.Unexplained-sum.Unexplained)
			more := max(0, sum.Agree-first.Agree)
			sum.Agree, sum.Missing = sum.Agree-more, sum.Missing+more
		}
	}
	for _, id := range r.View.Started {
		changes.add(id.Job)
	}
	for _, d := range r.Disagreements {
		if d.Class == batch.Unexplained || *conformanceSay {
			t.Logf("run %d: job %d.%s (%s) %s: master %s, recomputed %s: %s %s", run.Number, d.Job.Number, model.TaskText(d.Task.IDs), d.Task.State,
				d.Field,
				d.Field.Print(d.Reported), d.Field.Print(d.Computed), d.Class, d.Why)
		}
	}
	if len(r.View.Snapshot.Jobs) > 0 && sum.Reported == 0 {
		t.Errorf("run %d: nothing to compare", run.Number)
	}
	return sum
}

// quirksOf are those of the release that a snapshot was taken of.
func quirksOf(s *model.Snapshot) model.Quirks {
	_, quirks := compat.For(s.Release)
	return quirks
}

// changes are the jobs of a scenario in the order in which they were submitted, altered and started.
type changes []uint32

func (c *changes) add(jobs ...uint32) { *c = append(*c, jobs...) }

// sequence is each job's place: that of its last change.
func (c *changes) sequence() map[uint32]int {
	places := map[uint32]int{}
	for i, job := range *c {
		places[job] = i
	}
	return places
}

// keep copies a scenario's bundles to where they can be looked at.
func keep(t *testing.T, dir, name string) {
	if err := os.CopyFS(filepath.Join(*conformanceKeep, name), os.DirFS(dir)); err != nil {
		t.Log(err)
	}
}
