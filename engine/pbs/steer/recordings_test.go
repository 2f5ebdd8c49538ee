package steer_test

import (
	"slices"
	"testing"

	"qprism/engine/assign"
	"qprism/engine/model"
	"qprism/engine/pbs/steer"
	"qprism/fixtures/pbs"
	"qprism/importer"
	pbsfiles "qprism/importer/pbs"
)

// TestAFormulaOfOneResourceSortsAsWanted: in the recorded queues a cycle takes jobs in the wanted order
// once the priorities are set. Queues in turn come before any formula, and are switched off.
func TestAFormulaOfOneResourceSortsAsWanted(t *testing.T) {
	checked := 0
	for _, at := range []struct{ scenario, step string }{{"external-driver", "before"}, {"ge-style-formula", "before"},
		{"queue-order", "one/before"}, {"backfill-strict", "depth2/before"}} {
		s := recordedPBS(t, at.scenario, at.step)
		s.PBS.SchedConfig.Prime.RoundRobin, s.PBS.SchedConfig.NonPrime.RoundRobin = false, false
		s.PBS.SchedConfig.Prime.ByQueue, s.PBS.SchedConfig.NonPrime.ByQueue = false, false
		c := steer.NewCycle(s, s.TakenAt, "xprio")
		wanted := reversed(numbers(c.Native(nil)))
		st, groups, err := c.Steer(wanted)
		if err != nil {
			t.Fatal(err)
		}
		if got := numbers(c.Native(st.Changes)); st.Drifts || groups != 1 || !slices.Equal(got, wanted) {
			t.Errorf("%s/%s: got %v in %d groups, wanted %v", at.scenario, at.step, got, groups, wanted)
		}
		checked += len(wanted)
	}
	if checked < 30 {
		t.Errorf("only %d jobs", checked)
	}
}

func recordedPBS(t *testing.T, scenario, step string) *model.Snapshot {
	t.Helper()
	files, err := pbs.Scenario(scenario)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := importer.Within(files, scenario, step)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbsfiles.Read(bundle, pbsfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func numbers(jobs []assign.Waiting) (list []uint32) {
	for _, j := range jobs {
		list = append(list, j.Job)
	}
	return list
}

func reversed(order []uint32) []uint32 {
	list := slices.Clone(order)
	slices.Reverse(list)
	return list
}
