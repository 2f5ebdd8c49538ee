package cycle_test

import (
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// sharing is a cluster with fair_share over walltime: alice and bob run a job each on two processors, and
// each has one that waits.
func sharing(scheduling bool) *model.Snapshot {
	taken := time.Unix(1_000_000, 0).UTC()
	job := func(number uint32, owner, state string) model.Job {
		p := &model.PBSJob{ID: string(rune('0'+number)) + ".s", State: state, Queue: "q", Select: "1:ncpus=2",
			SchedSelect: "1:ncpus=2", Place: "free", QueueRank: int64(number)}
		if state == "R" {
			p.Substate, p.Started, p.ExecVnode = 42, taken.Add(-100*time.Second), "(n:ncpus=2)"
			p.Used = []model.Request{{Resource: "ncpus", Value: "2", Amount: 2}, {Resource: "walltime", Value: "90", Amount: 90}}
		}
		return model.Job{Number: number, Owner: owner, Group: "g", PBS: p,
			Hard: []model.Request{{Resource: "ncpus", Value: "2", Amount: 2}, {Resource: "walltime", Value: "500", Amount: 500}}}
	}
	fair := model.DefaultFairsharePolicy()
	fair.UsageResource = "ncpus*walltime"
	return &model.Snapshot{System: model.PBSSystem, TakenAt: taken,

		Hosts: []model.Host{{Name: "n", Capacity: []model.Setting{{Name: "ncpus", Value: "8"}},
			PBS: &model.PBSHost{State: []string{"free"}, Jobs: []string{"1.s/0", "2.s/0"}}}},
		Queues: []model.Queue{{Name: "q", PBS: &model.PBSQueue{Type: "Execution", Started: true, Enabled: true}}},
		Jobs:   []model.Job{job(1, "alice", "R"), job(2, "bob", "R"), job(3, "alice", "Q"), job(4, "bob", "Q")},
		PBS: &model.PBS{Server: model.PBSServer{Scheduling: scheduling},
			SchedConfig: model.SchedConfig{Present: true, DedicatedPrefix: "ded", PrimetimePrefix: "p_",
				NonprimetimePrefix: "np_",
				Prime:              model.CyclePolicy{FairShare: true}, NonPrime: model.CyclePolicy{FairShare: true}},
			Fairshare: model.Fairshare{Policy: fair,
				Groups: []model.ResourceGroup{{Line: 1, Name: "alice", Group: 10, Parent: "root", Shares: 10},
					{Line: 2, Name: "bob", Group: 11, Parent: "root", Shares: 10}}}}}
}

func chargeOf(t *testing.T, s *model.Snapshot, entity string) cycle.Charge {
	t.Helper()
	for _, c := range cycle.Charges(s, s.TakenAt) {
		if c.Entity == entity {
			return c
		}
	}
	t.Fatalf("nothing of %s", entity)
	return cycle.Charge{}
}

func TestAChargeLiesBetweenWhatTheLastCycleLeavesPossible(t *testing.T) {
	s := sharing(true)
	// a cycle may just have been; the job ran 100 s on 2
	if c := chargeOf(t, s, "alice"); c.Least != 0 || c.Likely != 0 || c.Most != 200 {
		t.Errorf("of a server that calls its scheduler: %+v", c)
	}
	s = sharing(false)
	if c := chargeOf(t, s, "alice"); c.Least != 0 || c.Likely != 180 || c.Most != 200 {
		t.Errorf("of one that does not: %+v", c)
	}
	s.PBS.Cycles = []model.SchedCycle{{Start: s.TakenAt.Add(-30 * time.Second)}}
	if c := chargeOf(t, s, "alice"); c.Least != 0 || c.Likely != 60 || c.Most != 200 {
		t.Errorf("30 s after a cycle: %+v", c)
	}
	// the host measured 90 s of walltime 10 s ago
	s.PBS.Cycles[0].Start = s.TakenAt.Add(-5 * time.Second)
	if c := chargeOf(t, s, "alice"); c.Least != 0 || c.Likely != 0 || c.Most != 200 {
		t.Errorf("of usage that the last cycle saw: %+v", c)
	}
	s.PBS.Accounting = []model.AccountingRecord{{Type: "z", ID: s.Jobs[0].PBS.ID, At: s.TakenAt.Add(-time.Minute)}}
	if c := chargeOf(t, s, "alice"); c.Likely != 10 {
		t.Errorf("of a job whose walltime stood still: %+v", c)
	}
	s.PBS.Accounting = nil
	s.PBS.Cycles[0].Start = s.TakenAt.Add(-9 * time.Second)
	if c := chargeOf(t, s, "alice"); c.Likely != 18 {
		t.Errorf("of usage that may have arrived after the last cycle: %+v", c)
	}
	s.PBS.Cycles[0].Start = s.Jobs[0].PBS.Started
	if c := chargeOf(t, s, "alice"); c.Least != 180 || c.Likely != 180 || c.Most != 200 {
		t.Errorf("of a job that the last cycle started: %+v", c)
	}
	if s.PBS.SchedConfig.Prime.FairShare, s.PBS.SchedConfig.NonPrime.FairShare = false,
		false; len(cycle.Charges(s, s.TakenAt)) > 0 {
		t.Error("charged without fair_share")
	}
}

func TestTheOrderIsAsSureAsTheChargesAre(t *testing.T) {
	s := sharing(false)
	alice, bob := model.Rating{ID: "3.s", Entity: "alice"}, model.Rating{ID: "4.s", Entity: "bob"}
	if got := cycle.DoubtOf(s, s.TakenAt).Between(alice, bob); got != cycle.Tied {
		t.Errorf("of equal estimates with a width: %s", got)
	}
	s.Jobs[0].PBS.Used[1].Amount, s.Jobs[0].PBS.Used[1].Value = 50, "50"
	if got := cycle.DoubtOf(s, s.TakenAt).Between(alice, bob); got != cycle.Likely {
		t.Errorf("of estimates that differ by less than their width: %s", got)
	}
	s.PBS.Fairshare.Usage = model.FairshareUsage{Version: 2, Records: []model.EntityUsage{{Name: "bob", Usage: 5000}}}
	if got := cycle.DoubtOf(s, s.TakenAt).Between(alice, bob); got != cycle.Certain {
		t.Errorf("where no charge can turn it: %s", got)
	}
	if p := cycle.Run(s, cycle.Options{At: s.TakenAt}); len(p.Notes) != 1 ||
		!strings.Contains(p.Notes[0], "alice 100 (0 to 200), bob 180 (0 to 200)") {
		t.Errorf("%q", p.Notes)
	}
}

func TestAJobThatPreemptionRequeuedGoesFirst(t *testing.T) {
	s := sharing(true)
	s.PBS.SchedConfig.Prime = model.CyclePolicy{Preemptive: true}
	s.PBS.SchedConfig.NonPrime = s.PBS.SchedConfig.Prime
	s.Jobs[3].PBS.RunCount = 1
	first := func() string {
		for _, d := range cycle.Run(s, cycle.Options{At: s.TakenAt}).Decisions {
			if d.Tried {
				return d.ID
			}
		}
		return ""
	}
	if got := first(); got != "3.s" {
		t.Errorf("%s is first, though preemption suspends", got)
	}
	s.PBS.Cycles = []model.SchedCycle{{Start: s.TakenAt.Add(-time.Minute),
		Events: []model.CycleEvent{{At: s.TakenAt.Add(-time.Minute), Kind: model.EventPreempted, Object: "4.s"}}}}
	if got := first(); got != "4.s" {
		t.Errorf("%s is first, though the log tells that 4.s was preempted", got)
	}
	s.PBS.Cycles = append(s.PBS.Cycles, model.SchedCycle{Start: s.TakenAt.Add(-time.Second),
		Events: []model.CycleEvent{{Kind: model.EventRun, Object: "4.s"}}})
	if got := first(); got != "3.s" {
		t.Errorf("%s is first, though 4.s was started again since", got)
	}
	s.PBS.Cycles = nil
	s.PBS.Schedulers = []model.PBSScheduler{{Name: "default", PreemptOrder: "R", PreemptPrio: "express_queue, normal_jobs",
		PreemptQueuePrio: 150}}
	if p := cycle.Run(s, cycle.Options{At: s.TakenAt}); len(p.Notes) != 1 ||
		!strings.Contains(p.Notes[0], "treats these jobs as preempted") || !strings.Contains(p.Notes[0], "4.s") {
		t.Errorf("%q", p.Notes)
	}
}
