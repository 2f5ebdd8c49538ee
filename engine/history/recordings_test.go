package history_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qprism/compat"
	"qprism/engine/gridengine"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/history"
	"qprism/engine/model"
	"qprism/engine/pbs"
	"qprism/engine/pbs/cycle"
	"qprism/fixtures/archive"
	recordings "qprism/fixtures/pbs"
	"qprism/importer/cluster"

	"io/fs"
)

// read reads a bundle of a recording.
func read(t *testing.T, path string) *model.Snapshot {
	t.Helper()
	bundle, err := archive.At("../../fixtures/gridengine/" + path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.Read(bundle, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func standings(s *model.Snapshot) []model.Standing {
	if s.PBS != nil {
		return history.Standings(s, cycle.Run(s, cycle.Options{At: s.TakenAt}), pbs.NewChances(s).Never)
	}
	_, quirks := compat.For(s.Release)
	return history.Standings(s, schedule.Run(split.WithEndedTasks(s, s.TakenAt), schedule.Options{At: s.TakenAt, Quirks: quirks}),
		gridengine.NewChances(s, quirks).Never)
}

// TestReservedSlotsAndLowerPriorityAreToldApart: before the run job 3 has a reservation, and two slots are free that 4 and 5
// may not have; after it 6 and 7 run on them until before the reservation, and 4 and 5 just come after 3.
func TestReservedSlotsAndLowerPriorityAreToldApart(t *testing.T) {
	type line struct {
		Rank  int
		Cause model.Cause
		Rival uint32
	}
	for bundle, want := range map[string]map[uint32]line{
		"before": {3: {1, model.CauseBusy, 0}, 4: {2, model.CauseReserved, 3}, 5: {3, model.CauseReserved, 3}, 6: {4, model.CauseStarts, 0},
			7: {5, model.CauseStarts, 0}},
		"after": {3: {1, model.CauseBusy, 0}, 4: {2, model.CausePriority, 3}, 5: {3, model.CausePriority, 3}},
	} {
		got := map[uint32]line{}
		for _, st := range standings(read(t, "8.1.9-backfill-large-parallel.tar.gz/run2/"+bundle)) {
			got[st.Job] = line{st.Rank, st.Cause, st.Rival}
			if st.Job == 3 && st.Start.IsZero() {
				t.Errorf("%s: job 3 has no reservation", bundle)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", bundle, diff)
		}
	}
}

// TestEveryWaitingJobOfTheRecordingsHasACause looks at each bundle of each recording: all that waits stands somewhere, ranks
// have no gaps, and no cause is unknown.
func TestEveryWaitingJobOfTheRecordingsHasACause(t *testing.T) {
	bundles, jobs := 0, 0
	check := func(name string, s *model.Snapshot) {
		bundles++
		ranks := map[int]int{}
		list := standings(s)
		known := map[uint32]bool{}
		for _, st := range list {
			jobs++
			known[st.Job] = true
			if st.Rank > 0 {
				ranks[st.Rank]++
			}
			if st.Cause == model.CauseUnknown || st.Cause == "" {
				t.Errorf("%s: job %d waits for %q", name, st.Job, st.Cause)
			}
		}
		for rank := 1; rank <= len(ranks); rank++ {
			if ranks[rank] != 1 {
				t.Errorf("%s: %d jobs have rank %d of %d", name, ranks[rank], rank, len(ranks))
			}
		}
		for i := range s.Jobs {
			for _, task := range s.Jobs[i].Tasks {
				if strings.ContainsAny(task.State, "qw") && !known[s.Jobs[i].Number] {
					t.Errorf("%s: job %d waits and stands nowhere", name, s.Jobs[i].Number)
				}
			}
		}
	}
	archives, err := filepath.Glob("../../fixtures/gridengine/8.1.9-*.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range archives {
		for _, run := range []string{"run1", "run2"} {
			for _, when := range []string{"before", "after"} {
				name := filepath.Base(a) + "/" + run + "/" + when
				bundle, err := archive.At("../../fixtures/gridengine/" + name)
				if err != nil {
					continue // a recording of one run
				}
				s, err := cluster.Read(bundle, cluster.Options{})
				if err != nil {
					t.Fatal(err)
				}
				check(name, s)
			}
		}
	}
	for _, name := range []string{"backfill-strict", "limits", "job-zoo", "preemption", "queue-order"} {
		scenario, err := recordings.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		folders, err := fs.Glob(scenario, "*/before/qstat_f.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range folders {
			step, err := fs.Sub(scenario, strings.TrimSuffix(f, "/qstat_f.json"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := cluster.Read(step, cluster.Options{})
			if err != nil {
				t.Fatal(err)
			}
			check(name+"/"+f, s)
		}
	}
	if bundles < 50 || jobs < 300 {
		t.Errorf("only %d bundles, %d jobs", bundles, jobs)
	}
}

// TestAJobThatCanNeverRunWaitsForNothing: its cause is that it fits nowhere, also where the run ended before its turn, and it is before
// nobody.
func TestAJobThatCanNeverRunWaitsForNothing(t *testing.T) {
	const hopeless = 7 // asks for four slots of a parallel environment that lets its owner have one
	for _, st := range standings(read(t, "8.1.9-essc-departments.tar.gz/run2/after")) {
		if st.Job == hopeless && (st.Cause != model.CauseMisfit || st.Rival != 0) {
			t.Errorf("job %d waits for %q, rival %d", st.Job, st.Cause, st.Rival)
		}
		if st.Rival == hopeless {
			t.Errorf("job %d waits behind job %d, which can never run", st.Job, st.Rival)
		}
	}
}
