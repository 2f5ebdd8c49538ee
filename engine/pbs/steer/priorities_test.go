package steer_test

import (
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/steer"
)

// TestPrioritiesSortAsWantedWhereTheFormulaRisesWithThem: the formula adds walltime to them, and queues come before it.
func TestPrioritiesSortAsWantedWhereTheFormulaRisesWithThem(t *testing.T) {
	for _, formula := range []string{"job_priority", "10*job_priority + walltime/60", "job_priority/4 - ncpus"} {
		s := recordedPBS(t, "external-driver", "before").WithFormula(formula)
		s.PBS.SchedConfig.Prime.RoundRobin, s.PBS.SchedConfig.NonPrime.RoundRobin = false, false
		c, err := steer.NewPriorities(s, s.TakenAt)
		if err != nil {
			t.Fatal(err)
		}
		wanted := reversed(numbers(c.Native(nil)))
		st, _, err := c.Steer(wanted)
		if err != nil {
			t.Fatal(err)
		}
		first := st.Wanted[0]
		if got := numbers(c.Native(st.Changes)); st.Drifts || !slices.Equal(got, st.Wanted) || len(got) < 9 {
			t.Errorf("%s: got %v, wanted %v", formula, got, st.Wanted)
		}
		for _, change := range st.Changes {
			if change.To < -1024 || change.To > 1023 {
				t.Errorf("%s: job %d gets %d, which qalter does not take", formula, change.Job, change.To)
			}
		}
		if i := slices.Index(wanted, first); i < 0 {
			t.Errorf("%s: job %d was not wanted", formula, first)
		}
	}
}

func TestPrioritiesDoNotSteerAnUnevenFormula(t *testing.T) {
	for _, formula := range []string{"ncpus", "-job_priority", "job_priority*ncpus", "job_priority*job_priority",
		"abs(job_priority)", "1"} {
		s := recordedPBS(t, "external-driver", "before").WithFormula(formula)
		if _, err := steer.NewPriorities(s, s.TakenAt); err == nil && !sameWidth(s) {
			t.Errorf("%s is steered", formula)
		}
	}
}

// sameWidth reports whether all waiting jobs ask for as many cpus.
func sameWidth(s *model.Snapshot) bool {
	width := map[float64]bool{}
	for _, j := range s.Jobs {
		for _, r := range j.Hard {
			if r.Resource == "ncpus" && j.PBS.State == "Q" {
				width[r.Amount] = true
			}
		}
	}
	return len(width) < 2
}

// TestTheNextCycleTakesJobsByTheirPlaces: exchanges count within a queue alone, after what comes before them.
func TestTheNextCycleTakesJobsByTheirPlaces(t *testing.T) {
	s := recordedPBS(t, "external-driver", "before").WithFormula("")
	s.PBS.SchedConfig.Prime.RoundRobin, s.PBS.SchedConfig.NonPrime.RoundRobin = false, false
	before := steer.AfterExchanges(s, s.TakenAt, nil)
	ranks := map[string]int64{}
	for i, id := range before {
		ranks[id] = int64(len(before) - i)
	}
	after := steer.AfterExchanges(s, s.TakenAt, ranks)
	if slices.Equal(before, after) || len(before) != len(after) || len(before) < 9 {
		t.Errorf("%v, then %v", before, after)
	}
}
