package retrace_test

import (
	"encoding/json"
	"io/fs"
	"slices"
	"testing"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
	recordings "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

// A scenario is a recording with its logs, and its steps in the order of time.
type scenario struct {
	name  string
	files fs.FS
	steps []step
	log   []model.SchedCycle
	acct  []model.AccountingRecord
	snaps map[string]*model.Snapshot
}

// A step is a snapshot, or cycles that the scenario caused.
type step struct {
	Step   string
	Note   string
	Cycles []string // times of cycles
}

func scenarios(t *testing.T) (list []*scenario) {
	t.Helper()
	for _, name := range recordings.Scenarios() {
		files, err := recordings.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := fs.ReadFile(files, "truth.json")
		if err != nil {
			continue // holds no recorded cycles
		}
		s := &scenario{name: name, files: files, snaps: map[string]*model.Snapshot{}}
		var truth struct{ Steps []step }
		if err := json.Unmarshal(text, &truth); err != nil {
			t.Fatal(err)
		}
		s.steps = truth.Steps
		if s.log, err = pbs.ReadCycles(files, "logs/sched_log.txt", nil); err != nil {
			t.Fatal(err)
		}
		if s.acct, err = pbs.ReadAccounting(files, "logs/accounting.txt", nil); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// snapshot is a step with the logs of the scenario.
func (s *scenario) snapshot(t *testing.T, name string) *model.Snapshot {
	t.Helper()
	if snap, done := s.snaps[name]; done {
		return snap
	}
	files, err := fs.Sub(s.files, name)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := pbs.Read(files, pbs.Options{})
	if err != nil {
		s.snaps[name] = nil // not in the recording
		return nil
	}
	snap.PBS.Cycles, snap.PBS.Accounting = s.log, s.acct
	s.snaps[name] = snap
	return snap
}

// around is the nearest snapshot on one side of a step, nil where another cycle comes before it.
func (s *scenario) around(t *testing.T, i, by int) *model.Snapshot {
	t.Helper()
	for i += by; i >= 0 && i < len(s.steps); i += by {
		if s.steps[i].Step != "cycle" {
			return s.snapshot(t, s.steps[i].Step)
		}
		if by < 0 || len(s.steps[i].Cycles) > 0 {
			return nil
		}
	}
	return nil
}

func logged(text string) time.Time {
	at, err := time.Parse("01/02/2006 15:04:05", text)
	if err != nil {
		panic(err)
	}
	return at
}

// A tally is how the cycles of all recordings come out in one way of auditing them.
type tally struct {
	cycles, agree, alone int
	sum                  batch.Count
}

// TestRecordedCyclesAreRetraced audits every recorded cycle from the snapshot before it, from both
// snapshots around it, and from the one after it alone.
func TestRecordedCyclesAreRetraced(t *testing.T) {
	got := map[string]*tally{"from the bundle before": {}, "from both bundles": {}, "from the bundle after": {}}
	for _, s := range scenarios(t) {
		for i := range s.steps {
			if s.steps[i].Step != "cycle" || len(s.steps[i].Cycles) == 0 {
				continue
			}
			at, before, after := logged(s.steps[i].Cycles[0]), s.around(t, i, -1), s.around(t, i, 1)
			if before != nil {
				got["from the bundle before"].add(t, s, retrace.Run(before, retrace.Options{At: at}))
			}
			if after != nil {
				got["from the bundle after"].add(t, s, retrace.Run(after, retrace.Options{At: at}))
			}
			if before != nil && after != nil {
				got["from both bundles"].add(t, s, retrace.Run(after, retrace.Options{At: at, Before: before}))
			}
		}
	}
	for way, want := range map[string]tally{
		"from the bundle before": {cycles: 82, agree: 80, alone: 54},
		"from both bundles":      {cycles: 74, agree: 74, alone: 52},
		"from the bundle after":  {cycles: 78, agree: 78},
	} {
		g := got[way]
		t.Logf("%s: %d of %d cycles agree in everything, %d from the bundle alone; %d of %d values, %d "+
			"for want of input, %d unexplained",
			way, g.agree, g.cycles, g.alone, g.sum.Agree, g.sum.Reported, g.sum.Missing, g.sum.Unexplained)
		if g.cycles != want.cycles || g.agree != want.agree || g.alone != want.alone || g.sum.Missing > 0 || g.sum.Stale > 0 {
			t.Errorf("%s: %+v, want %+v", way, *g, want)
		}
	}
}

// reconfigured are cycles before which an administrator changed the configuration, after the bundle:
// nothing in it, nor the logs, tells of that, so that what the change did is rightly unexplained. From both
// bundles they agree.
var reconfigured = map[string]string{
	"preemption 08:17:36": "preempt_order",
	"probes 08:59:50":     "backfill_depth 0 of one queue",
}

func (g *tally) add(t *testing.T, s *scenario, r *retrace.Report) {
	t.Helper()
	if r.Cycle == nil {
		t.Fatalf("%s: no cycle", s.name)
	}
	g.cycles++
	g.sum = g.sum.Plus(r.Sum())
	if r.Agrees() {
		g.agree++
		if r.Alone {
			g.alone++
		}
	}
	for _, d := range r.Disagreements {
		if reconfigured[s.name+r.Cycle.Start.Format(" 15:04:05")] == "" {
			t.Errorf("%s %s: %s of %s: master %q, computed %q: %s %s", s.name,
				r.Cycle.Start.Format(time.TimeOnly), d.Field, d.Name, d.Master, d.Computed, d.Class, d.Why)
		}
	}
}

// TestEverythingThatPbsfsPrintedAgrees compares the tree of every snapshot of all recordings.
func TestEverythingThatPbsfsPrintedAgrees(t *testing.T) {
	var sum batch.Count
	snapshots := 0
	for name, bundle := range recordings.Bundles() {
		s, err := pbs.Read(bundle, pbs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := retrace.Run(s, retrace.Options{})
		if sum = sum.Plus(r.Sum()); r.Sum().Reported > 0 {
			snapshots++
		}
		for _, d := range r.Disagreements {
			t.Errorf("%s: %s of %s: pbsfs %q, computed %q", name, d.Field, d.Name, d.Master, d.Computed)
		}
	}
	t.Logf("%d values in %d snapshots", sum.Agree, snapshots)
	if snapshots != 134 || sum.Agree < 3000 {
		t.Errorf("only %d values in %d snapshots", sum.Agree, snapshots)
	}
}

// find is the snapshot of a step of a recording, as a copy that may be changed.
func find(t *testing.T, scenario, step string) *model.Snapshot {
	t.Helper()
	for _, s := range scenarios(t) {
		if s.name == scenario {
			if snap := s.snapshot(t, step); snap != nil {
				return snap
			}
		}
	}
	t.Fatalf("no %s/%s", scenario, step)
	return nil
}

func TestWhatTheMasterDidOtherwiseIsUnexplained(t *testing.T) {
	s := find(t, "backfill-strict", "depth2/before")
	s.PBS.Formula = "-job_priority"
	r := retrace.Run(s, retrace.Options{})
	for _, f := range []retrace.Field{retrace.Formula, retrace.Order, retrace.TopJob} {
		if c := r.Fields[f]; c.Unexplained == 0 || c.Missing+c.Stale > 0 || c.Agree+c.Unexplained != c.Reported {
			t.Errorf("%s: %+v", f, c)
		}
	}
	s = find(t, "fairshare-tree-cput", "before")
	s.PBS.Fairshare.Usage.Records[0].Usage += 77
	r = retrace.Run(s, retrace.Options{At: s.TakenAt.Add(-time.Hour)})
	if c := r.Fields[retrace.Usage]; c.Unexplained == 0 || r.Fields[retrace.Shares].Unexplained > 0 ||
		r.Agrees() || r.Cycle != nil {
		t.Errorf("%+v", c)
	}
}

func TestATreeWithoutItsFilesIsMissingInput(t *testing.T) {
	s := find(t, "fairshare-tree-cput", "before")
	s.PBS.Fairshare.Groups, s.PBS.Sources = nil, nil
	r := retrace.Run(s, retrace.Options{})
	if c := r.Fields[retrace.Shares]; c.Missing == 0 || c.Unexplained > 0 {
		t.Errorf("%+v", c)
	}
}

func TestGapsNameTheFile(t *testing.T) {
	s := find(t, "limits", "before")
	s.PBS.Cycles, s.PBS.Accounting = nil, nil
	var files []string
	for _, g := range retrace.Run(s, retrace.Options{}).Gaps {
		files = append(files, g.File)
	}
	if !slices.Contains(files, "sched_log.txt") || !slices.Contains(files, "accounting.txt") {
		t.Errorf("gaps: %v", files)
	}
	s = find(t, "limits", "before")
	s.PBS.SchedConfig.Present, s.Hosts = false, nil
	if r := retrace.Run(s, retrace.Options{}); r.Cycle != nil || len(r.Gaps) != 2 || !r.Agrees() {
		t.Errorf("%+v", r.Gaps)
	}
	if r := retrace.Run(&model.Snapshot{}, retrace.Options{}); r.Cycle != nil || !r.Agrees() {
		t.Errorf("%+v", r)
	}
}

func TestARecordedCycleIsAPlan(t *testing.T) {
	s := find(t, "backfill-strict", "depth2/before")
	r := retrace.Run(s, retrace.Options{})
	starts, tops := 0, 0
	for _, d := range r.Recorded(s).Decisions {
		switch {
		case len(d.Slots) == 0 || d.Job == 0:
			t.Errorf("%+v", d)
		case d.Verdict == model.Now:
			starts++
		case d.Verdict == model.Later && d.Start.After(r.Cycle.Start):
			tops++
		}
	}
	if starts != 2 || tops != 2 {
		t.Errorf("%d starts, %d top jobs", starts, tops)
	}
}

// TestAMissingFileExcusesNoNumberThatDoesNotComeFromIt: pbsfs printed all usage, and the tree has the same;
// who is more deserving does not differ for want of the usage file then.
func TestAMissingFileExcusesNoNumberThatDoesNotComeFromIt(t *testing.T) {
	s := find(t, "queue-order", "byq/before")
	own := *s.PBS
	s = &model.Snapshot{TakenAt: s.TakenAt, PBS: &own}
	own.FairPairs = slices.Clone(own.FairPairs)
	if _, there := model.Text(own.Sources, "usage"); there || len(own.FairPairs) == 0 {
		t.Fatal("the recording has a usage file, or no comparison")
	}
	p := &own.FairPairs[0]
	p.Winner = map[bool]string{true: p.B, false: p.A}[p.Winner == p.A]
	if c := retrace.Run(s, retrace.Options{}).Fields[retrace.Winner]; c.Unexplained != 1 || c.Missing > 0 {
		t.Errorf("%+v", c)
	}
	own.Fair, own.FairEntities = nil, nil
	if c := retrace.Run(s, retrace.Options{}).Fields[retrace.Winner]; c.Missing != 1 || c.Unexplained > 0 {
		t.Errorf("without the usage that pbsfs prints: %+v", c)
	}
}
