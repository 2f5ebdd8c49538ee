package model

import (
	"slices"
	"testing"
	"time"
)

// TestTheZoneOfAClusterIsNeverThatOfThisMachine: a time whose offset this machine has too is parsed into
// this machine's zone, which moves its clocks in summer.
func TestTheZoneOfAClusterIsNeverThatOfThisMachine(t *testing.T) {
	own := time.Local
	defer func() { time.Local = own }()
	time.Local = time.FixedZone("machine", 2*60*60)
	s := Snapshot{Location: "+0200"}
	if zone := s.Zone(); zone == time.Local || time.Unix(0, 0).In(zone).Format("15:04") != "02:00" {
		t.Errorf("%v", zone)
	}
	for _, text := range []string{"", "CEST"} {
		if s.Location = text; s.Zone() != time.UTC {
			t.Errorf("%q: %v", text, s.Zone())
		}
	}
}

func TestJobsOfBothSystemsAnswerTheSameQuestions(t *testing.T) {
	array := Job{Number: 7, Tasks: []Task{{State: "r", IDs: []Range{{Min: 1, Max: 1}}},
		{State: "hqw", IDs: []Range{{Min: 2, Max: 9, Step: 2}}}},
		Messages: []JobReason{{Text: "no queue"}}}
	for name, c := range map[string]struct {
		job            Job
		known, states  string
		waits, subjobs bool
		told           []string
	}{
		"an array of Grid Engine": {array, "7", "1 r, 4 hqw", true, false, []string{"no queue"}},
		"a task that runs":        {Job{Number: 8, Tasks: []Task{{State: "Rr"}}}, "8", "Rr", false, false, nil},
		"a job of PBS": {Job{Number: 9, PBS: &PBSJob{ID: "9.vm", State: "Q", Comment: "Not Running"}},
			"9.vm", "Q", true, false,
			[]string{"Not Running"}},
		"an array that began": {Job{Number: 5, PBS: &PBSJob{ID: "5[].vm", State: "B",
			ArrayRemaining: []Range{{Min: 3, Max: 4}}}}, "5[].vm",
			"B", true, false, nil},
		"an array all of it runs": {Job{Number: 5, PBS: &PBSJob{ID: "5[].vm", State: "B"}}, "5[].vm", "B", false, false, nil},
		"a subjob that waits": {Job{Number: 5, PBS: &PBSJob{ID: "5[3].vm", Array: "5[].vm", State: "Q"}},
			"5[3].vm", "Q", true, true, nil},
		"a subjob that runs": {Job{Number: 5, PBS: &PBSJob{ID: "5[2].vm", Array: "5[].vm", State: "R"}},
			"5[2].vm", "R", false, false, nil},
	} {
		j := &c.job
		if j.KnownAs() != c.known || j.States() != c.states || j.Waits() != c.waits || j.IsWaitingSubjob() != c.subjobs ||
			!slices.Equal(j.SchedulerMessages(), c.told) {
			t.Errorf("%s: %s, %s, waits %v, subjob %v, told %q", name, j.KnownAs(), j.States(),
				j.Waits(), j.IsWaitingSubjob(), j.SchedulerMessages())
		}
	}
}
