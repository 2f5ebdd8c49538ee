package retrace

import (
	"testing"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/pbs"
)

// TestCyclesOfOneSecondAreToldApart audits each of 31 cycles, up to seven of which began in the same second,
// from one snapshot taken after them, on a server that started and ended jobs in those very seconds.
func TestCyclesOfOneSecondAreToldApart(t *testing.T) {
	s := readSeconds(t)
	var sum batch.Count
	for i := range s.PBS.Cycles {
		r := &Report{}
		r.retrace(s, &s.PBS.Cycles[i], Options{})
		sum = sum.Plus(r.Sum())
		for _, d := range r.Disagreements {
			t.Errorf("cycle %d, %s: %s of %s: master %q, computed %q: %s %s", i,
				r.Cycle.Start.Format(time.TimeOnly), d.Field, d.Name, d.Master, d.Computed, d.Class, d.Why)
		}
	}
	t.Logf("%d values of %d cycles", sum.Agree, len(s.PBS.Cycles))
	if len(s.PBS.Cycles) != 31 || sum.Agree != 1606 {
		t.Errorf("%d values of %d cycles", sum.Agree, len(s.PBS.Cycles))
	}
}

// The server counts eligible time from whole second to whole second; a bundle is taken between two.
func TestEligibleTimeIsCountedInWholeSeconds(t *testing.T) {
	cycle := time.Date(2026, 11, 21, 23, 50, 46, 0, time.UTC)
	s := &model.Snapshot{TakenAt: cycle.Add(3422 * time.Millisecond), PBS: &model.PBS{}, Jobs: []model.Job{
		{Number: 14, PBS: &model.PBSJob{ID: "14.srv", State: "Q", AccrueType: 2, EligibleTime: 5 * time.Second}}}}
	x := takenBack(s, &model.SchedCycle{Start: cycle})
	if got := x.Jobs[0].PBS.EligibleTime; got != 2*time.Second {
		t.Errorf("%v of eligible time, want 2s", got)
	}
}

func TestAnEndInTheSecondOfACycleIsNotedWhereNothingTellsWhichCameFirst(t *testing.T) {
	at := time.Date(2026, 11, 21, 23, 17, 22, 0, time.UTC)
	ended := model.AccountingRecord{Type: "E", ID: "7.srv", At: at,
		Fields: []model.Setting{{Name: "exec_vnode", Value: "(n1:ncpus=1)"}}}
	s := &model.Snapshot{TakenAt: at.Add(5 * time.Second), PBS: &model.PBS{Accounting: []model.AccountingRecord{ended}}}
	logged := model.CycleEvent{Kind: model.EventFormula, Object: "7.srv", Text: "0"}
	for name, c := range map[string]struct {
		cycle model.SchedCycle
		there bool
		noted int
	}{
		"a log without formulas": {model.SchedCycle{Start: at}, false, 1},
		"a log that has the job": {model.SchedCycle{Start: at, Events: []model.CycleEvent{logged}}, true, 0},
		"a log that has only others": {model.SchedCycle{Start: at, Events: []model.CycleEvent{{Kind: model.EventFormula, Object: "8.srv"}}},
			false, 0},
		"a cycle in the second before": {model.SchedCycle{Start: at.Add(-time.Second)}, true, 0},
	} {
		x := newState(s)
		x = takenBack(x.Snapshot, &c.cycle)
		if got := x.jobs["7.srv"] != nil; got != c.there || len(x.ended) != c.noted {
			t.Errorf("%s: there %v, noted %q", name, got, x.ended)
		}
	}
}

// TestACycleInTheSecondOfItsBundleMayHaveBegunBefore moves the moment of a bundle into the second of the
// cycle that came just before it.
func TestACycleInTheSecondOfItsBundleMayHaveBegunBefore(t *testing.T) {
	s := readSeconds(t)
	last := &s.PBS.Cycles[len(s.PBS.Cycles)-1]
	s.TakenAt = last.Start.Add(900 * time.Millisecond)
	r := &Report{}
	r.retrace(s, last, Options{})
	if !r.Agrees() || r.Later {
		t.Errorf("later %v, from %s: %+v", r.Later, r.From, r.Disagreements)
	}
}

// TestALogThatEndedBeforeACycleTellsNothingOfIt plays a bundle on with the logs of a later one: what the
// cycle started, it started.
func TestALogThatEndedBeforeACycleTellsNothingOfIt(t *testing.T) {
	s := readSeconds(t)
	for i := range s.PBS.Cycles {
		c := &s.PBS.Cycles[i]
		for _, log := range [][]model.SchedCycle{s.PBS.Cycles, s.PBS.Cycles[:i]} {
			second := newSecond(log, c)
			for _, e := range c.Of(model.EventRun) {
				if !second.after(&model.AccountingRecord{Type: "S", ID: e.Object, At: c.Start}) {
					t.Errorf("cycle %d of a log of %d: the start of %s came before it", i, len(log), e.Object)
				}
			}
		}
	}
}

func readSeconds(t *testing.T) *model.Snapshot {
	t.Helper()
	bundle, closer, err := importer.Open("testdata/cycles-in-one-second.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	s, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
