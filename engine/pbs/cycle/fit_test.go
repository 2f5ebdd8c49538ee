package cycle_test

import (
	"strings"
	"testing"

	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/simulate"
)

// TestFitsSayWhyAVnodeHasNoRoom looks at the top jobs of a recording, in the cluster as it is after the cycle.
func TestFitsSayWhyAVnodeHasNoRoom(t *testing.T) {
	snap := recorded(t, "backfill_strict", "depth2/before")
	p := cycle.Run(snap, cycle.Options{At: snap.TakenAt})
	after := simulate.NewCluster(snap)
	after.Apply(p)
	waits, full := 0, 0
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if len(d.Why) == 0 {
			continue
		}
		waits++
		fits := cycle.Fits(after.Snapshot, snap.TakenAt, d.ID)
		if len(fits) != len(snap.Hosts) {
			t.Fatalf("%s: %d vnodes of %d", d.ID, len(fits), len(snap.Hosts))
		}
		for _, f := range fits {
			if !f.Room && (f.Why.Kind == "" || f.Why.Object != f.Vnode || !f.Why.Later) {
				t.Errorf("%s on %s: %+v", d.ID, f.Vnode, f.Why)
			}
			if strings.Contains(f.Why.Offered, "job-busy") || f.Why.Resource == "ncpus" {
				full++
			}
		}
	}
	if waits == 0 || full == 0 {
		t.Errorf("%d jobs wait, %d vnodes are full for them", waits, full)
	}
	if len(cycle.Fits(snap, snap.TakenAt, "nobody")) > 0 {
		t.Error("a job that is not there fits")
	}
}

func TestEveryJobThatIsReadIsRated(t *testing.T) {
	snap := recorded(t, "fairshare_tree_cput", "before")
	ratings := cycle.Run(snap, cycle.Options{At: snap.TakenAt}).Ratings
	if len(ratings) != len(snap.Jobs) {
		t.Fatalf("%d ratings of %d jobs", len(ratings), len(snap.Jobs))
	}
	for _, r := range ratings {
		if r.Entity == "scott" && (r.Perc != 0.24000001 || r.TreeUsage != 0.8329725) {
			t.Errorf("%+v", r)
		}
	}
}
