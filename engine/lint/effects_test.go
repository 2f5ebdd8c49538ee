package lint_test

import (
	"slices"
	"strings"
	"testing"

	"qprism/engine/lint"
	"qprism/engine/model"
)

// trapIn finds a trap in a clean policy with edits, nil for none.
func trapIn(t *testing.T, policy, name string, edits ...edit) *lint.Trap {
	t.Helper()
	c := cleanPolicies(t)[policy]
	files, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	r, _ := check(t, bundle(t, files, c.step, slices.Concat(c.edits, edits)...))
	for i := range r.Traps {
		if r.Traps[i].Name == name {
			return &r.Traps[i]
		}
	}
	return nil
}

// TestATimeThatNoDurationHoldsIsInYears has slots of the stock urgency, and of a great one.
func TestATimeThatNoDurationHoldsIsInYears(t *testing.T) {
	trap := trapIn(t, "departments", "waiting-too-slow", replace("complex.txt", "14.4", "1000000000000000"))
	// 10^15 ÷ 0.004 s
	if trap == nil || !strings.Contains(trap.What, "A wait of 7922000000 years counts as much as one slot") {
		t.Errorf("%+v", trap)
	}
}

// TestOnlyWaitingTimeStretchesTheScale has running jobs that are more urgent than waiting ones by what they ask for, and have been there no
// longer.
func TestOnlyWaitingTimeStretchesTheScale(t *testing.T) {
	if trap := trapIn(t, "departments", "running-jobs-stretch-urgency", sched("weight_waiting_time", "100000")); trap == nil {
		t.Fatal("waiting time stretches the scale, and nothing is said")
	}
	if trap := trapIn(t, "departments", "running-jobs-stretch-urgency",
		replace("complex.txt", "YES         NO         0        1000", "YES         NO         0        100000000")); trap != nil {
		t.Errorf("%+v", trap)
	}
}

func TestWhereNoJobWaitsNothingIsSaidOfTheBest(t *testing.T) {
	c := cleanPolicies(t)["users"]
	files, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	r, s := check(t, bundle(t, files, "run1/after", sched("weight_user", "0.5"), sched("weight_job", "0.5")))
	for _, j := range s.Jobs {
		if slices.ContainsFunc(j.Tasks, isWaiting) {
			t.Fatalf("job %d waits", j.Number)
		}
	}
	at := slices.IndexFunc(r.Traps, func(trap lint.Trap) bool { return trap.Name == "category-weights-unused" })
	if at < 0 || r.Traps[at].Effect != "no job waits now" {
		t.Errorf("%+v", r.Traps)
	}
}

// TestAWeightBelowZeroLosesNoTickets has what no master takes, but a damaged file can hold.
func TestAWeightBelowZeroLosesNoTickets(t *testing.T) {
	c := cleanPolicies(t)["users"]
	files, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	r, _ := check(t, bundle(t, files, "run1/after", sched("weight_project", "-5")))
	if slices.ContainsFunc(r.Traps, func(trap lint.Trap) bool { return trap.Name == "category-weights-unused" }) {
		t.Errorf("%+v", r.Traps)
	}
}

func isWaiting(t model.Task) bool { return t.Started.IsZero() }
