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
func TestGroupsHaveTheUsageThatTheSchedulerRemembers(t *testing.T) {
	files := unpacked(t, "../../../fixtures/pbs/entities/entities.tar.gz")
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
		c := told[0]
		var order, starts []string
		for _, d := range cycle.Run(s, cycle.Options{At: c.Start}).Decisions {
			if order = append(order, d.ID); d.Verdict == model.Now {
				starts = append(starts, d.ID)
			}
		}
		if want := c.Considered(); !slices.Equal(order, want) {
			t.Errorf("%s: order\n got %v\nwant %v", step, order, want)
		}
		var want []string
		for _, e := range c.Events {
			if e.Kind == model.EventRun {
				want = append(want, e.Object)
			}
		}
		if !slices.Equal(starts, want) {
			t.Errorf("%s: starts %v, not %v", step, starts, want)
		}
	}
	if len(steps) < 8 {
		t.Errorf("%d steps", len(steps))
	}
}
