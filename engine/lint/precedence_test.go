package lint_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// campus is the policy of the document on managing relative priorities, with 42 waiting jobs of Privileged and then one of ClusterGrid that
// asks for the urgent resource: 0.2 for tickets by department, 1000 shares and 1, and weights of urgency.
func campus(urgency string) *model.Snapshot {
	weight, _ := model.ParseNumber(urgency)
	noon := time.Unix(2_000_000, 0).UTC()
	s := &model.Snapshot{TakenAt: noon, Has: []string{"MANIFEST", "complex.txt", "qstat-f.xml", "qstat-j.xml", "qstat.xml", "sched_conf.txt",
		"usersets.txt"},
		Policy: model.Policy{WeightTicket: 0.2, WeightUrgency: weight, FunctionalTickets: 1_000_000, WeightDepartment: 1,
			ShareFunctionalShares: true,
			ShareOverrideTickets:  true, MaxFunctionalJobs: 200, MaxPendingTasks: 50, ReportPendingTickets: true, Hierarchy: "OFS",
			MaxReservation: 10},
		Resources: []model.Resource{{Name: "high_priority", Type: model.TypeBool, Urgency: "1000"}},
		Usersets: []model.Userset{{Name: "Privileged", Department: true, FunctionalShares: 1000},
			{Name: "ClusterGrid", Department: true, FunctionalShares: 1}},
		Instances: []model.QueueInstance{{Name: "all.q@h", Slots: 100, Listed: true}}}
	for number := range uint32(45) {
		j := model.Job{Number: number + 1, Owner: "pri", Department: "Privileged", Submitted: noon.Add(-time.Hour), Detailed: true,
			Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}}
		if number >= 42 {
			j.Owner, j.Department, j.Hard = "grid", "ClusterGrid", []model.Request{{Resource: "high_priority", Value: "true", Amount: 1,
				Contribution: math.NaN()}}
		}
		s.Jobs = append(s.Jobs, j)
	}
	return s
}

func tooNear(t *testing.T, s *model.Snapshot) *lint.Trap {
	t.Helper()
	r := checked(lint.Input{Snapshot: s, Quirks: compat.Profiles["8.1.9"]})
	if i := slices.IndexFunc(r.Traps, func(trap lint.Trap) bool { return trap.Name == "weights-too-near" }); i >= 0 {
		return &r.Traps[i]
	}
	return nil
}

// TestAFactorOfTenGivesNoPrecedenceToSharesThatArePartedAmongJobs has the document's weights, and a factor of ten.
func TestAFactorOfTenGivesNoPrecedenceToSharesThatArePartedAmongJobs(t *testing.T) {
	for urgency, want := range map[string]string{"0.1": "2nd", "0.02": "10th"} {
		trap := tooNear(t, campus(urgency))
		if trap == nil || !strings.Contains(trap.What, "an owner's "+want+" waiting job can come") {
			t.Fatalf("weight_urgency %s: %+v", urgency, trap)
		}
		if !strings.Contains(trap.Effect, "of grid (ClusterGrid) comes before job") {
			t.Errorf("no pair of two departments: %s", trap.Effect)
		}
		if fix := fmt.Sprint(trap.Fix); fix != "[qconf -ssconf | sed -e 's/^weight_urgency[[:space:]].*/weight_urgency 0.0002/' > sched_conf && qconf -Msconf sched_conf]" ||
			!strings.Contains(trap.Effect,
				"The fix is enough for up to 450 waiting jobs. After the fix, if jobs have equal shares, the oldest job gets the most tickets and comes first") {
			t.Errorf("%s; %v", trap.Effect, trap.Fix)
		}
	}
	if trap := tooNear(t, campus("0.0002")); trap != nil {
		t.Errorf("the remedy leaves the trap: %+v", trap)
	}
}

// TestNoWeightIsNamedWhereNoneWouldDo has departments whose shares are so near that their second waiting jobs fall behind at any weight.
func TestNoWeightIsNamedWhereNoneWouldDo(t *testing.T) {
	s := campus("0.1")
	s.Usersets[1].FunctionalShares = 900
	if trap := tooNear(t, s); trap == nil || len(trap.Fix) > 0 || !strings.Contains(trap.Effect, "No weight of urgency corrects this") {
		t.Errorf("%+v", trap)
	}
}
