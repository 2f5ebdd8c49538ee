package lint

import (
	"testing"

	"qprism/engine/lint"
	"qprism/engine/model"
)

// TestAListingWithoutRequestsIsNotJobsWithoutWalltime: what is not shown is not known.
func TestAListingWithoutRequestsIsNotJobsWithoutWalltime(t *testing.T) {
	jobs := []model.Job{{PBS: &model.PBSJob{ID: "7", State: "Q"}}, {PBS: &model.PBSJob{ID: "8", State: "R"}}}
	s := &model.Snapshot{System: model.Torque, PBS: &model.PBS{}, Jobs: jobs}
	l := &pbsLinter{Input: lint.Input{Lines: func(string) []string { return nil }}, Snapshot: s, pbs: s.PBS}
	if traps := runtimesUnknown(l); len(traps) > 0 {
		t.Errorf("got %+v", traps)
	}
	s.Jobs[1].Hard = []model.Request{{Resource: "ncpus", Value: "4"}}
	if traps := runtimesUnknown(l); len(traps) != 1 {
		t.Errorf("got %+v", traps)
	}
}
