package retrace_test

import (
	"io/fs"
	"os"
	"testing"

	"qprism/engine/pbs/retrace"
	"qprism/fixtures/archive"
	"qprism/importer/pbs"
)

// TestCyclesOfRandomPoliciesAreRetraced has policies and queues that were drawn at random on a real OpenPBS
// 23.06.06: orders by queue, by turns, by formula and fairshare, hosts of several vnodes, placement sets,
// limits, preemption, shrink-to-fit, arrays, exclusive jobs. What the log tells of each cycle is what comes
// out of the bundle before it.
func TestCyclesOfRandomPoliciesAreRetraced(t *testing.T) {
	cycles := 0
	for _, b := range bundlesOf(t, "random") {
		r := retrace.Run(b.snap, retrace.Options{At: b.at})
		if r.Cycle == nil {
			t.Errorf("%s: no cycle", b.name)
			continue
		}
		cycles++
		for _, d := range r.Disagreements {
			t.Errorf("%s: %s of %s: master %q, computed %q: %s %s", b.name, d.Field, d.Name,
				d.Master, d.Computed, d.Class, d.Why)
		}
	}
	if t.Logf("%d cycles", cycles); cycles < 30 {
		t.Errorf("only %d cycles", cycles)
	}
}

// TestCyclesOverPlacementSetsAreRetracedFromAfter has vnodes that were given to two jobs, vnodes that list jobs which the
// server no longer has, and states that nothing on the vnode explains.
func TestCyclesOverPlacementSetsAreRetracedFromAfter(t *testing.T) {
	cycles := 0
	for _, name := range []string{"sets", "packed"} {
		data, err := os.ReadFile("../../../fixtures/pbs/played/" + name + ".tar.gz")
		if err != nil {
			t.Fatal(err)
		}
		files, err := archive.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		steps, _ := fs.Glob(files, "*/*/after")
		for _, step := range steps {
			cycles++
			agreesAfter(t, files, step)
		}
	}
	if cycles < 8 {
		t.Errorf("only %d cycles", cycles)
	}
}

func agreesAfter(t *testing.T, files fs.FS, step string) {
	t.Helper()
	bundle, err := fs.Sub(files, step)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatal(step, err)
	}
	r := retrace.Run(s, retrace.Options{})
	if r.Cycle == nil {
		t.Fatal(step, "no cycle")
	}
	for _, d := range r.Disagreements {
		t.Errorf("%s: %s of %s: master %q, computed %q: %s %s", step, d.Field, d.Name, d.Master, d.Computed, d.Class, d.Why)
	}
}
