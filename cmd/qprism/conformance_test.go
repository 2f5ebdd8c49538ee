package main

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"qprism/engine/audit"
	"qprism/engine/model"
	"qprism/fixtures/master"
	"qprism/importer"
)

var (
	conformanceN    = flag.Int("conformance.n", 12, "random `scenarios` to play on a real master")
	conformanceSeed = flag.Uint64("conformance.seed", 1, "`seed` of the random scenarios")
	conformanceOpen = flag.Int("conformance.open", 2, "how many `scenarios` may leave numbers unexplained: what happens between a run and its bundle is a race")
	conformanceKeep = flag.String("conformance.keep", "", "`folder` for the bundles of scenarios that do not agree")
)

// TestRealMasterConforms plays random scenarios on real 8.1.9 masters, some side by side, and compares every number they
// print after each run: five with simulated hosts for each one with a real execution host and real usage.
func TestRealMasterConforms(t *testing.T) {
	master.Require(t)
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
	t.Logf("%d scenarios from seed %d, %d runs: %d of %d printed numbers agree (%.3f %%), %d stale, %d for want of input, %d unexplained",
		*conformanceN, *conformanceSeed, tally.runs, sum.Agree, sum.Reported, 100*float64(sum.Agree)/float64(max(sum.Reported, 1)),
		sum.Stale, sum.Missing, sum.Unexplained)
}

// A tally adds up what scenarios that run side by side count.
type tally struct {
	sync.Mutex
	runs int
	open int // scenarios with unexplained numbers
	sum  audit.Count
}

func (t *tally) add(c audit.Count) {
	t.Lock()
	defer t.Unlock()
	t.runs++
	t.sum = t.sum.Plus(c)
}

// playAndAudit plays one scenario and audits the bundle after each of its runs.
func playAndAudit(t *testing.T, kind master.Kind, seed uint64, tally *tally) {
	dir := t.TempDir()
	unexplained := 0
	for _, run := range master.Play(t, master.Random(rand.New(rand.NewPCG(seed, 0)), kind), dir) {
		sum := auditRun(t, run)
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

// auditRun audits the bundle after a run.
func auditRun(t *testing.T, run master.Run) audit.Count {
	bundle, closer, err := importer.Open(run.After)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	r := auditOf(read(t, bundle))
	sum := r.Sum()
	if gone := gone(t, run.Before, r.View.Snapshot); sum.Unexplained > 0 && len(gone) > 0 {
		t.Logf("run %d: %d numbers for want of input: tasks that took part ended before the bundle was made: %s", run.Number, sum.Unexplained, strings.Join(gone, " "))
		sum.Missing, sum.Unexplained = sum.Missing+sum.Unexplained, 0
		return sum
	}
	for _, d := range r.Disagreements {
		if d.Class == audit.Unexplained {
			t.Logf("run %d: job %d.%s (%s) %s: master %s, recomputed %s: %s %s", run.Number, d.Job.Number, taskText(d.Task), d.Task.State, d.Field,
				d.Field.Print(d.Reported), d.Field.Print(d.Computed), d.Class, d.Why)
		}
	}
	if len(r.View.Snapshot.Jobs) > 0 && sum.Reported == 0 {
		t.Errorf("run %d: nothing to compare", run.Number)
	}
	return sum
}

// gone are the tasks of the bundle before a run that the one after it lacks.
func gone(t *testing.T, before string, after *model.Snapshot) []string {
	if before == "" {
		return nil
	}
	bundle, closer, err := importer.Open(before)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	there := map[string]bool{}
	for id := range taskNames(after) {
		there[id] = true
	}
	var list []string
	for id := range taskNames(read(t, bundle)) {
		if !there[id] {
			list = append(list, id)
		}
	}
	return list
}

// taskNames are all tasks of a snapshot, "12.3".
func taskNames(s *model.Snapshot) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, j := range s.Jobs {
			for _, task := range j.Tasks {
				for _, r := range task.IDs {
					for id := range r.All() {
						if !yield(fmt.Sprintf("%d.%d", j.Number, id)) {
							return
						}
					}
				}
			}
		}
	}
}

// keep copies a scenario's bundles to where they can be looked at.
func keep(t *testing.T, dir, name string) {
	if err := os.CopyFS(filepath.Join(*conformanceKeep, name), os.DirFS(dir)); err != nil {
		t.Log(err)
	}
}
