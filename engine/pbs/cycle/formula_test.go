package cycle_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/pbs/cycle"
)

// A formulaCycle is a cycle under a job_sort_formula: formulas.json of the recordings.
type formulaCycle struct {
	Formula    string
	Cycle      string // time, empty where the server refused the formula or the scheduler died of it
	Considered []string
}

// notComputed are the recorded formulas that only Python knows.
var notComputed = []string{"[1,2][ncpus]", "len(str(ncpus))", "sum([ncpus,job_priority])", "ncpus\\n"}

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
			snap, p := *before, *before.PBS
			snap.PBS, p.Formula = &p, f.Formula
			c := cycleTruth{Start: f.Cycle}
			plan := cycle.Run(&snap, cycle.Options{At: c.at()})
			if slices.Contains(notComputed, f.Formula) {
				if !strings.Contains(fmt.Sprint(plan.Notes), "qprism cannot compute job_sort_formula (column") {
					t.Errorf("%s: notes %v", f.Formula, plan.Notes)
				}
				continue
			}
			cycles++
			got := tellPlan(plan, p.Server.Name)
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

// TestEligibleTimeGrowsByWholeSeconds: the server counts from whole second to whole second; a snapshot is
// taken between two.
func TestEligibleTimeGrowsByWholeSeconds(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{}}}
	s := c.snapshot()
	s.PBS.Formula, s.PBS.Server.EligibleTimeEnable = "eligible_time", true
	s.TakenAt = noon.Add(900 * time.Millisecond)
	s.Jobs[0].PBS.AccrueType, s.Jobs[0].PBS.EligibleTime = 2, 5*time.Second
	for after, want := range map[time.Duration]float32{0: 5, 900 * time.Millisecond: 5, time.Second: 6, 3 * time.Second: 8,
		3999 * time.Millisecond: 8} {
		if got := cycle.Run(s, cycle.Options{At: noon.Add(after)}).Ratings[0].Formula; got != want {
			t.Errorf("%v later: %v seconds, want %v", after, got, want)
		}
	}
}
