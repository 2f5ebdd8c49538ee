package cycle_test

import (
	"slices"
	"testing"
	"time"

	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/simulate"
)

// TestCyclesThatFollowAreAsRecorded carries out the plans of recorded cycles, and plans the cycles that
// followed at once: no snapshot was taken in between, so that their input is what the plan made of the
// cluster. The jobs just started have no stime yet, for which the scheduler takes the next second.
func TestCyclesThatFollowAreAsRecorded(t *testing.T) {
	cycles, same := 0, 0
	for _, s := range scenarios(t) {
		for i := range s.truth.Steps {
			step, before, after := &s.truth.Steps[i], s.around(t, i, -1), s.around(t, i, 1)
			if step.Step != "cycle" || before == nil || after == nil || len(step.Cycles) < 2 {
				continue
			}
			first := slices.IndexFunc(s.truth.Cycles, func(c cycleTruth) bool { return c.Start == step.Cycles[0] })
			way, _, used := s.compute(nil, &s.truth.Cycles[first], before, after)
			if way == ways {
				continue
			}
			m := &cycle.Memory{}
			plan := cycle.Run(used.snap, cycle.Options{At: used.at, Memory: m})
			cluster := simulate.NewCluster(used.snap)
			for n := 1; n < len(step.Cycles) && first+n < len(s.truth.Cycles); n++ {
				for _, j := range cluster.Apply(plan) {
					j.PBS.Started, j.PBS.Substate = time.Time{}, 41 // its host has not started it yet
				}
				cluster.Compact()
				c := &s.truth.Cycles[first+n]
				plan = cycle.Run(cluster.Snapshot, cycle.Options{At: c.at(), Memory: m})
				cycles++
				want := s.told(c, after)
				if got := tellPlan(plan, before.PBS.Server.Name).onlyOf(want); got == want {
					same++
				} else {
					t.Errorf("%s %s (%s):\nwant %+v\ngot  %+v", s.name, c.Start[11:], step.Note, want, got)
				}
			}
		}
	}
	if cycles == 0 {
		t.Error("none is recorded")
	}
	t.Logf("%d of %d cycles that followed are as recorded", same, cycles)
}
