package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"qprism/engine/audit"
	"qprism/fixtures/master"
	"qprism/importer"
)

var (
	conformanceN    = flag.Int("conformance.n", 12, "random `scenarios` to play on a real master")
	conformanceSeed = flag.Uint64("conformance.seed", 1, "`seed` of the random scenarios")
	conformanceKeep = flag.String("conformance.keep", "", "`folder` for the bundles of scenarios that do not agree")
)

// TestRealMasterConforms plays random scenarios on a real 8.1.9 master and compares every number it prints after each
// run: five with simulated hosts for each one with a real execution host and real usage.
func TestRealMasterConforms(t *testing.T) {
	master.Require(t)
	var total audit.Count
	bundles := 0
	for i := range *conformanceN {
		kind := master.Priority
		if i%6 == 5 {
			kind = master.Usage
		}
		seed := *conformanceSeed*1_000_000 + uint64(i)
		t.Run(fmt.Sprintf("%s %d", kind, seed), func(t *testing.T) {
			dir := t.TempDir()
			failed := false
			for _, run := range master.Play(t, master.Random(rand.New(rand.NewPCG(seed, 0)), kind), dir) {
				sum := auditRun(t, run)
				failed = failed || sum.Unexplained+sum.Missing > 0
				bundles++
				total.Reported += sum.Reported
				total.Agree += sum.Agree
				total.Stale += sum.Stale
				total.Missing += sum.Missing
				total.Unexplained += sum.Unexplained
			}
			if failed && *conformanceKeep != "" {
				keep(t, dir, fmt.Sprintf("%s-%d", kind, seed))
			}
		})
	}
	t.Logf("%d scenarios from seed %d, %d runs: %d of %d printed numbers agree (%.3f %%), %d stale, %d for want of input, %d unexplained",
		*conformanceN, *conformanceSeed, bundles, total.Agree, total.Reported, 100*float64(total.Agree)/float64(max(total.Reported, 1)),
		total.Stale, total.Missing, total.Unexplained)
}

// auditRun audits the bundle after a run.
func auditRun(t *testing.T, run master.Run) audit.Count {
	bundle, closer, err := importer.Open(run.After)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	r := auditOf(read(t, bundle))
	for _, d := range r.Disagreements {
		if d.Class != audit.Stale {
			t.Errorf("run %d: job %d.%s (%s) %s: master %s, recomputed %s: %s %s", run.Number, d.Job.Number, taskText(d.Task), d.Task.State, d.Field,
				d.Field.Print(d.Reported), d.Field.Print(d.Computed), d.Class, d.Why)
		}
	}
	sum := r.Sum()
	if len(r.View.Snapshot.Jobs) > 0 && sum.Reported == 0 {
		t.Errorf("run %d: nothing to compare", run.Number)
	}
	return sum
}

// keep copies a scenario's bundles to where they can be looked at.
func keep(t *testing.T, dir, name string) {
	if err := os.CopyFS(filepath.Join(*conformanceKeep, name), os.DirFS(dir)); err != nil {
		t.Log(err)
	}
}
