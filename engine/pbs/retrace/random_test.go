package retrace_test

import (
	"testing"

	"qprism/engine/pbs/retrace"
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
