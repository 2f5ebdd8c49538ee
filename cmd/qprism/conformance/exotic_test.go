package conformance

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/recorded"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/record"
	"qprism/engine/model"
	"qprism/fixtures/master"
	"qprism/importer"
)

var (
	exoticN     = flag.Int("exotic.n", 4, "random `scenarios` of what few sites have to play on a real master")
	exoticTasks = flag.Float64("exotic.tasks", 0.7,
		"which `part` of the runs must start the same tasks; of a few scenarios one delay on a busy machine is much")
	exoticLines  = flag.Float64("exotic.lines", 0.5, "which `part` of the runs must have the same places and lines")
	exoticReplay = flag.String("exotic.replay", "", "compare the runs of kept `folders` again, each with runN/before and runN/after")
)

// TestRealMasterDispatchesTheExoticAsPlanned plays scenarios with advance reservations, calendars, exclusive hosts and the like on
// real 8.1.9 masters, and plans each run from the bundle before it and nothing else, as plan --compare-with does.
func TestRealMasterDispatchesTheExoticAsPlanned(t *testing.T) {
	var tally exoticTally
	if *exoticReplay != "" {
		tally.replay(t, *exoticReplay)
		t.Log(tally.String())
		return
	}
	master.Require(t)
	t.Parallel()
	t.Run("scenarios", func(t *testing.T) {
		for i := range *exoticN {
			seed := *conformanceSeed*1_000_000 + uint64(i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				master.Play(t, master.Random(rand.New(rand.NewPCG(seed, 3)), master.Exotic), dir)
				tally.compare(t, dir)
				if *conformanceKeep != "" {
					keep(t, dir, fmt.Sprintf("exotic-%d", seed))
				}
			})
		}
	})
	t.Logf("%d scenarios from seed %d: %s", *exoticN, *conformanceSeed, tally.String())
	if *exoticN > 0 && tally.runs < 2**exoticN {
		t.Errorf("%d scenarios show %d runs", *exoticN, tally.runs)
	}
	if float64(tally.sameTasks) < *exoticTasks*float64(tally.runs) {
		t.Errorf("%d of %d runs start the same tasks", tally.sameTasks, tally.runs)
	}
	if float64(tally.same+tally.otherOrder) < *exoticLines*float64(tally.runs) {
		t.Errorf("%d of %d runs have the same places and lines", tally.same+tally.otherOrder, tally.runs)
	}
}

// TestExoticRecordingsAreDispatchedAsPlanned plans recorded runs from the bundle before each. What each recording shows is in
// fixtures/exotic/README.md.
func TestExoticRecordingsAreDispatchedAsPlanned(t *testing.T) {
	archives, err := filepath.Glob("../../../fixtures/exotic/8.1.9-*.tar.gz")
	if err != nil || len(archives) != 26 {
		t.Fatalf("%d recordings, want 26: %v", len(archives), err)
	}
	var tally exoticTally
	for _, archive := range archives {
		for n := range 5 {
			dir := fmt.Sprintf("%s/run%d/", archive, n+1)
			if files, closer, err := importer.Open(dir + "after"); err != nil || files == nil {
				break
			} else if err := closer.Close(); err != nil {
				t.Fatal(err)
			}
			tally.run(t, n+1, recorded.OpenBundle(t, dir+"before"), recorded.OpenBundle(t, dir+"after"))
		}
	}
	if got, want := tally.String(), (&exoticTally{runs: 41, sameTasks: 41, same: 41}).String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An exoticTally counts runs: each has all places and lines as planned, or only but for ties, or at least the same tasks started.
type exoticTally struct {
	sync.Mutex
	runs, sameTasks, same, tied int
	otherOrder                  int // the same places and lines, those of running tasks in another order: jobs were altered since the last run
}

func (e *exoticTally) String() string {
	return fmt.Sprintf("of %d runs %d start the same tasks; %d have the same places and lines, %d the same lines in another order, %d only places that were as good",
		e.runs, e.sameTasks, e.same, e.otherOrder, e.tied)
}

func (e *exoticTally) replay(t *testing.T, pattern string) {
	folders, err := filepath.Glob(pattern)
	if err != nil || len(folders) == 0 {
		t.Fatalf("no folders %s: %v", pattern, err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) { e.compare(t, folder) })
	}
}

// compare compares the runs of a folder.
func (e *exoticTally) compare(t *testing.T, folder string) {
	for n := 1; ; n++ {
		dir := filepath.Join(folder, fmt.Sprintf("run%d", n))
		if _, err := os.Stat(filepath.Join(dir, "after")); err != nil {
			if n == 1 {
				t.Fatal(err)
			}
			return
		}
		before, after := recorded.OpenBundle(t, filepath.Join(dir, "before")), recorded.OpenBundle(t, filepath.Join(dir, "after"))
		e.run(t, n, before, after)
	}
}

func (e *exoticTally) run(t *testing.T, n int, before, after *model.Snapshot) {
	c, err := next.PlanBetween(before, after, lastrun.Options{Quirks: quirksOf(before)})
	if err != nil {
		t.Logf("run %d: left out: %v", n, err)
		return
	}
	e.Lock()
	defer e.Unlock()
	e.runs++
	var differences []string
	tasks, ties := true, false
	for _, r := range record.Compare(c.Planned, c.Plan) {
		ties = ties || r.Outcome == record.Tie
		if startsNow(r.Planned) != startsNow(r.Recorded) {
			tasks = false
		}
		if r.Outcome.Differs() {
			differences = append(differences, fmt.Sprintf("%d.%d %s: planned %s, recorded %s", r.Job, r.Task, r.Outcome, side(r.Planned),
				side(r.Recorded)))
		}
	}
	if tasks {
		e.sameTasks++
	}
	otherLines := func() string { return firstOther(scheduleText(t, before, c.Planned), scheduleText(t, before, c.Plan)) }
	common, lines := record.SameLines(c.Planned.Lines, c.Plan.Lines)
	switch {
	case len(differences) == 0 && (lines || c.Starts):
		e.same++
		return
	case len(differences) == 0 && common == len(c.Plan.Lines) && common == len(c.Planned.Lines):
		e.otherOrder++
		differences = append(differences, "the same lines in another order: "+otherLines())
	case len(differences) == 0 && ties:
		e.tied++
		differences = append(differences, "other places that were as good")
	case len(differences) == 0:
		differences = append(differences, otherLines())
	}
	t.Logf("%s run %d (same tasks: %v, starts only: %v): %s", t.Name(), n, tasks, c.Starts, strings.Join(differences, "\n\t"))
}
