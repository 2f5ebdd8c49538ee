package cycle_test

import (
	"encoding/json"
	"io/fs"
	"testing"

	"qprism/engine/cycle"
)

// A formulaCycle is a cycle under a job_sort_formula: formulas.json of the recordings.
type formulaCycle struct {
	Formula    string
	Cycle      string // time, empty where the server refused the formula or the scheduler died of it
	Considered []string
}

// TestFormulasOrderTheJobsAsRecorded sorts the same jobs by a hundred formulas.
func TestFormulasOrderTheJobsAsRecorded(t *testing.T) {
	cycles, same := 0, 0
	for _, s := range scenarios(t) {
		text, err := fs.ReadFile(s.files, "formulas.json")
		if err != nil {
			continue
		}
		var all struct{ Formulas []formulaCycle }
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		before := s.snapshot(t, "before")
		for _, f := range all.Formulas {
			if f.Cycle == "" || len(f.Considered) == 0 {
				continue
			}
			cycles++
			snap, p := *before, *before.PBS
			snap.PBS, p.Formula = &p, f.Formula
			c := cycleTruth{Start: f.Cycle}
			got := tellPlan(cycle.Run(&snap, cycle.Options{At: c.at()}), p.Server.Name)
			if want := line(f.Considered); got.considered == want {
				same++
			} else {
				t.Errorf("%s:\nwant %s\ngot  %s", f.Formula, want, got.considered)
			}
		}
	}
	t.Logf("%d of %d formulas order the jobs as recorded", same, cycles)
	if cycles < 50 {
		t.Errorf("only %d formulas are recorded", cycles)
	}
}
