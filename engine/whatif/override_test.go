package whatif_test

import (
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// TestOverrideTicketsRankUntilTheyAreTakenBack: bert's job comes first for as long as he, or his job, is given override tickets.
func TestOverrideTicketsRankUntilTheyAreTakenBack(t *testing.T) {
	at := time.Unix(2_000_000, 0)
	s := &model.Snapshot{TakenAt: at, Users: []model.User{{Name: "anna", FunctionalShares: 1}}, Projects: []model.Project{{Name: "p"}},
		Usersets: []model.Userset{{Name: "d", Department: true}}}
	s.Policy = model.Policy{WeightTicket: 1, ShareOverrideTickets: true, ReportPendingTickets: true, MaxPendingTasks: 50, Hierarchy: "OFS"}
	for i, owner := range []string{"anna", "bert"} {
		j := model.Job{Number: uint32(i + 1), Owner: owner, Submitted: at.Add(-time.Minute),
			Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw"}}}
		if owner == "bert" {
			j.Project, j.Department = "p", "d"
		}
		s.Jobs = append(s.Jobs, j)
	}
	for _, o := range []whatif.Override{{Kind: whatif.ByUser, Name: "bert", Tickets: 9}, {Kind: whatif.ByProject, Name: "p", Tickets: 9},
		{Kind: whatif.ByDepartment, Name: "d", Tickets: 9}, {Kind: whatif.ByJob, Job: 2, Tickets: 9}} {
		if err := o.Check(s); err != nil {
			t.Error(err)
		}
		c := whatif.Case{Snapshot: s, Quirks: compat.Profiles["8.1.9"], Overrides: []whatif.Override{o}, Until: at.Add(time.Hour)}
		if during, after := c.Order(at)[0], c.Order(at.Add(time.Hour))[0]; during != 2 || after != 1 {
			t.Errorf("%s: job %d is first, and job %d afterwards", o.Kind, during, after)
		}
	}
	if s.Jobs[1].OverrideTickets != 0 || len(s.Users) != 1 || s.Projects[0].OverrideTickets != 0 {
		t.Error("the snapshot itself is changed")
	}
	for _, o := range []whatif.Override{{Kind: whatif.ByProject, Name: "q"}, {Kind: whatif.ByJob, Job: 3}, {Kind: "host"}} {
		if o.Check(s) == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
