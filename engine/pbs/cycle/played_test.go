package cycle_test

import (
	"io/fs"
	"path"
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/importer/pbs"
)

// TestGroupsHaveTheUsageThatTheSchedulerRemembers plans the cycles of a scheduler that charges accounts and groups. The
// order depends on usage of groups that no file has.
func TestGroupsHaveTheUsageThatTheSchedulerRemembers(t *testing.T) { plansAsPlayed(t, "entities", 8) }

// TestUsageThatArrivesAfterACycleIsChargedByTheNext has hosts that measured usage in the second of a cycle. It reached
// the server after that cycle.
func TestUsageThatArrivesAfterACycleIsChargedByTheNext(t *testing.T) { plansAsPlayed(t, "reported", 3) }

// TestPlacementSetsRememberWhatTheyNotedLast has vnodes that belong to two placement sets, and jobs that want vnodes alone.
func TestPlacementSetsRememberWhatTheyNotedLast(t *testing.T) { plansAsPlayed(t, "sets", 7) }

// TestPlansWithGroupsOfHostsAfterAPackedJob has a packed job before another one with place=group=host.
func TestPlansWithGroupsOfHostsAfterAPackedJob(t *testing.T) { plansAsPlayed(t, "packed", 1) }

// TestJobsAreChosenForPreemptionAsPlayed has running jobs of one level that started in the same second (P49), and a job
// that started in the cycle and is over a soft limit then (P50).
func TestJobsAreChosenForPreemptionAsPlayed(t *testing.T) { plansAsPlayed(t, "preempted", 4) }

// TestPreemptionFollowsTheOrderOfQueues has two jobs that started together in queues that are not sorted (P49). The
// server could not suspend the chosen one so early and requeued it, which no plan can know: only starts are compared.
func TestPreemptionFollowsTheOrderOfQueues(t *testing.T) {
	files := unpacked(t, "../../../fixtures/pbs/played/queues.tar.gz")
	bundle, err := fs.Sub(files, "849/1/before")
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	told, err := pbs.ReadCycles(files, "849/1/cycle.txt", nil)
	if err != nil || len(told) != 1 {
		t.Fatal(err, len(told))
	}
	var starts, started []string
	for _, d := range cycle.Run(s, cycle.Options{At: told[0].Start}).Decisions {
		if d.Verdict == model.Now {
			starts = append(starts, d.ID)
		}
	}
	for _, e := range told[0].Of(model.EventRun) {
		started = append(started, e.Object)
	}
	if !slices.Equal(starts, started) {
		t.Errorf("starts %v, not %v", starts, started)
	}
}

// plansAsPlayed compares the plans of bundles with the cycles that followed: the jobs in order, and those that started.
func plansAsPlayed(t *testing.T, name string, atLeast int) {
	t.Helper()
	files := unpacked(t, "../../../fixtures/pbs/played/"+name+".tar.gz")
	steps, _ := fs.Glob(files, "*/*/before")
	for _, step := range steps {
		bundle, err := fs.Sub(files, step)
		if err != nil {
			t.Fatal(err)
		}
		s, err := pbs.Read(bundle, pbs.Options{})
		if err != nil {
			t.Fatal(step, err)
		}
		told, err := pbs.ReadCycles(files, path.Join(path.Dir(step), "cycle.txt"), nil)
		if err != nil || len(told) != 1 {
			t.Fatal(step, err, len(told))
		}
		samePlan(t, step, s, &told[0])
	}
	if len(steps) < atLeast {
		t.Errorf("%d steps", len(steps))
	}
}

func samePlan(t *testing.T, step string, s *model.Snapshot, c *model.SchedCycle) {
	t.Helper()
	var order, starts, started []string
	reasons := map[string]string{}
	for _, d := range cycle.Run(s, cycle.Options{At: c.Start}).Decisions {
		if d.Tried {
			order = append(order, d.ID)
		}
		if d.Verdict == model.Now {
			starts = append(starts, d.ID)
		} else if len(d.Why) > 0 {
			reasons[d.ID] = d.Why[0].Text
		}
	}
	if want := c.Considered(); !slices.Equal(order, want) {
		t.Errorf("%s: order\n got %v\nwant %v", step, order, want)
	}
	for _, e := range c.Events {
		switch e.Kind {
		case model.EventRun:
			started = append(started, e.Object)
		case model.EventNotRun:
			if got, ok := reasons[e.Object]; ok && got != e.Text {
				t.Errorf("%s: %s waits: %q, not %q", step, e.Object, got, e.Text)
			}
		}
	}
	if !slices.Equal(starts, started) {
		t.Errorf("%s: starts %v, not %v", step, starts, started)
	}
}
