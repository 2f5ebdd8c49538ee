package retrace_test

import (
	"io/fs"
	"testing"
	"time"

	"qprism/importer/pbs"
)

// TestCyclesOfRandomPoliciesAreRetraced has policies and queues that were drawn at random on a real OpenPBS
// 23.06.06: orders by queue, by turns, by formula and fairshare, hosts of several vnodes, placement sets,
// limits, preemption, shrink-to-fit, arrays, exclusive jobs. What the log tells of each cycle is what comes
// out of the bundle before it.
func TestCyclesOfRandomPoliciesAreRetraced(t *testing.T) {
	cycles := 0
	for _, b := range bundlesOf(t, "random") {
		if retraced(t, b.name, b.snap, b.at) {
			cycles++
		}
	}
	if t.Logf("%d cycles", cycles); cycles < 30 {
		t.Errorf("only %d cycles", cycles)
	}
}

// TestCyclesOverPlacementSetsAreRetracedFromAfter has vnodes that were given to two jobs, vnodes that list jobs which the
// server no longer has, and states that nothing on the vnode explains.
func TestCyclesOverPlacementSetsAreRetracedFromAfter(t *testing.T) {
	retracedFromAfter(t, 8, "sets", "packed")
}

// TestPreemptionInTheSecondOfACycleIsRetraced has two cycles in one second: the first preempts or starts jobs that the
// second one knows as preempted, or as running. A job alone on its vnode ends between two commands of the bundle.
func TestPreemptionInTheSecondOfACycleIsRetraced(t *testing.T) { retracedFromAfter(t, 3, "preempted") }

// retracedFromAfter retraces the cycle before each bundle of some archives.
func retracedFromAfter(t *testing.T, atLeast int, names ...string) {
	t.Helper()
	cycles := 0
	for _, name := range names {
		files := unpacked(t, "../../../fixtures/pbs/played/"+name+".tar.gz")
		steps, _ := fs.Glob(files, "*/*/after")
		for _, step := range steps {
			bundle, err := fs.Sub(files, step)
			if err != nil {
				t.Fatal(err)
			}
			s, err := pbs.Read(bundle, pbs.Options{})
			if err != nil {
				t.Fatal(step, err)
			}
			if retraced(t, step, s, time.Time{}) {
				cycles++
			}
		}
	}
	if cycles < atLeast {
		t.Errorf("only %d cycles", cycles)
	}
}
