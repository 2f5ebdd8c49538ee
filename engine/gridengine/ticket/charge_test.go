package ticket

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// TestBookedAddsJobsOnceAndChangesNothingOfTheSnapshot: the lists of a snapshot have free capacity, which others may use.
func TestBookedAddsJobsOnceAndChangesNothingOfTheSnapshot(t *testing.T) {
	cpu := func(v float64) []model.Amount { return []model.Amount{{Name: "cpu", Value: v}} }
	booked := make([]model.JobUsage, 0, 8)
	booked = append(booked, model.JobUsage{Job: 3, Usage: cpu(7)}, model.JobUsage{Job: 3, Usage: cpu(8)})
	s := &model.Snapshot{Users: []model.User{{Name: "al", Booked: booked}, {Name: "bo"}}, Projects: []model.Project{{Name: "p"}}}
	entry := func(number uint32, owner, project string, used float64) split.Entry {
		return split.Entry{Job: &model.Job{Number: number, Owner: owner, Project: project},
			Tasks: []split.Task{{Number: 1, Usage: cpu(used)}}}
	}
	got := Booked(s, split.Lists{Running: []split.Entry{entry(9, "al", "", 1), entry(3, "al", "", 2), entry(5, "al", "", 3),
		entry(6, "nobody", "p", 4), entry(8, "nobody", "", 5)}})
	want := []model.User{{Name: "al", Booked: []model.JobUsage{{Job: 3, Usage: cpu(7)}, {Job: 3, Usage: cpu(8)}, {Job: 9, Usage: cpu(1)},
		{Job: 5, Usage: cpu(3)}}}, {Name: "bo"}}
	if diff := cmp.Diff(want, got.Users); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]model.Project{{Name: "p", Booked: []model.JobUsage{{Job: 6, Usage: cpu(4)}}}}, got.Projects); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(s.Users[0].Booked) != 2 || booked[:3][2].Job != 0 || s.Projects[0].Booked != nil {
		t.Errorf("the snapshot has changed: %v, %v", s.Users, booked[:3])
	}
}

// TestTheFirstBookingOfAJobCounts: a forged list can have two.
func TestTheFirstBookingOfAJobCounts(t *testing.T) {
	a := Account{Booked: []model.JobUsage{{Job: 3, Usage: []model.Amount{{Name: "cpu", Value: 7}}}, {Job: 3}}}
	if got := a.bookedUsage(3); len(got) != 1 || got[0].Value != 7 {
		t.Errorf("booked: %v", got)
	}
	a.setBooked(3, nil)
	a.setBooked(4, nil)
	if a.Booked[0].Usage != nil || len(a.Booked) != 3 || a.Booked[2].Job != 4 {
		t.Errorf("after setBooked: %v", a.Booked)
	}
}
