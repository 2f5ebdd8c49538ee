package retrace_test

import (
	"os"
	"testing"

	"qprism/engine/pbs/retrace"
	"qprism/fixtures/archive"
)

// TestACycleOfAnOlderReleaseIsRetraced has the queue of 50 jobs on OpenPBS 22.05.11, which calls itself
// 20.0.0: order, starts, vnodes and reasons are those of its log, from the bundle before the cycle and from
// the one after it, by the rules of 23.06.06.
func TestACycleOfAnOlderReleaseIsRetraced(t *testing.T) {
	data, err := os.ReadFile("../../../fixtures/pbs/releases/22.05.11.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{"before", "after"} {
		b := bundleOfCycles{name: step}
		if !b.read(t, files, step) {
			t.Fatalf("%s: no cycle", step)
		}
		r := retrace.Run(b.snap, retrace.Options{At: b.at})
		for _, d := range r.Disagreements {
			t.Errorf("%s: %s of %s: master %q, computed %q: %s %s", step, d.Field, d.Name, d.Master, d.Computed, d.Class, d.Why)
		}
		if n := r.Fields[retrace.Order].Agree; n < 50 || b.snap.Release.String() != "20.0.0" {
			t.Errorf("%s of %s: %d places", step, b.snap.Release, n)
		}
	}
}
