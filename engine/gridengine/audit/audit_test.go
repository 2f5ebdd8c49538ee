package audit

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

var noon = time.Unix(2_000_000, 0).UTC()

// cluster is a snapshot taken a second after a run at noon: two slots, installer's weights, three users with shares.
func cluster(jobs ...model.Job) *model.Snapshot {
	s := &model.Snapshot{TakenAt: noon.Add(time.Second), Jobs: jobs, Has: everyFile,
		Policy: model.Policy{WeightTicket: 0.01, WeightUrgency: 0.1, WeightPriority: 1, WeightWaitingTime: 1, WeightUser: 1,
			FunctionalTickets: 1000, ShareOverrideTickets: true, ShareFunctionalShares: true, MaxFunctionalJobs: 200, MaxPendingTasks: 50,
			ReportPendingTickets: true, Hierarchy: "OFS", UsageWeights: []model.Amount{{Name: "cpu", Value: 1}}},
		Resources: []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: "1000"}},
		Users:     []model.User{{Name: "a", FunctionalShares: 100}, {Name: "b", FunctionalShares: 100}},
		Instances: []model.QueueInstance{{Name: "all.q@h", Slots: 8, Listed: true}},
	}
	return s
}

var everyFile = []string{"MANIFEST", "complex.txt", "pes.txt", "projects.txt", "qstat-f.xml", "qstat-j.xml", "qstat.xml", "sched_conf.txt",
	"users.txt", "usersets.txt"}

func waiting(number uint32, owner string, age time.Duration) model.Job {
	return model.Job{Number: number, Owner: owner, Submitted: noon.Add(-age), Detailed: true,
		Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}}
}

func array(number uint32, owner string, age time.Duration, started ...uint32) model.Job {
	j := waiting(number, owner, age)
	j.Array = true
	j.Tasks[0].IDs = []model.Range{{Min: uint32(len(started)) + 1, Max: 9, Step: 1}}
	for _, id := range started {
		j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: id, Max: id, Step: 1}}, State: "t", Enrolled: true, Started: noon, Slots: 1,
			Granted: []model.Grant{{Instance: "all.q@h", Slots: 1}}})
	}
	return j
}

// print makes the snapshot's reported values those that the master would show after the run at noon.
func print(s *model.Snapshot, assumed split.Assumed) {
	v := lastrun.Recompute(s, noon, compat.Profiles["8.1.9"], assumed)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			shown := v.Row(j, t).Shown
			for f := range shown {
				shown[f] = asPrinted(lastrun.Field(f), shown[f])
			}
			j.Reported = &model.JobReport{NPPrior: shown[lastrun.NPPrior], NUrg: shown[lastrun.NUrg], Urg: shown[lastrun.Urg],
				RRContr: shown[lastrun.RRContr], WTContr: shown[lastrun.WTContr], DLContr: shown[lastrun.DLContr]}
			t.Reported = &model.TaskReport{Prio: shown[lastrun.Prio], NTckts: shown[lastrun.NTckts], Tckts: shown[lastrun.Tckts],
				Otckt: shown[lastrun.Otckt], Ftckt: shown[lastrun.Ftckt], Stckt: shown[lastrun.Stckt], Share: shown[lastrun.Share]}
		}
	}
}

func asPrinted(f lastrun.Field, v float64) float64 {
	switch {
	case f <= lastrun.NTckts || f == lastrun.Share:
		return printf(5, v)
	case f >= lastrun.Tckts:
		return math.Trunc(v)
	}
	return printf(0, v)
}

// printf rounds as the master's printf does: by the digits that the value really has.
func printf(decimals int, v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64), 64)
	return rounded
}

var byRules = lastrun.Options{Quirks: compat.Profiles["8.1.9"]}

func run(s *model.Snapshot) *Report { return Run(s, Options{Options: byRules}) }

func TestWhatTheMasterShowsAgrees(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second), array(3, "a", 20*time.Second, 1, 2))
	print(s, split.Assumed{})
	if r := run(s); !r.Agrees() || !r.Moment.At.Equal(noon) {
		t.Errorf("at %v: %+v %+v", r.Moment, r.Sum(), r.Disagreements)
	}
}

func TestAWrongDigitIsUnexplained(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second))
	print(s, split.Assumed{})
	s.Jobs[1].Tasks[0].Reported.Ftckt++
	r := run(s)
	if len(r.Disagreements) != 1 || r.Disagreements[0].Class != batch.Unexplained || r.Disagreements[0].Field != lastrun.Ftckt ||
		r.Disagreements[0].Job.Number != 2 {
		t.Errorf("got %+v", r.Disagreements)
	}
}

// TestAChangedPriorityIsToldByNPPrior: all other numbers are those of the -p that the job had, and agree.
func TestAChangedPriorityIsToldByNPPrior(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second))
	print(s, split.Assumed{})
	s.Jobs[0].PosixPriority = -100
	d := run(s).Disagreements
	if len(d) != 1 || d[0].Field != lastrun.NPPrior || d[0].Class != batch.Stale || d[0].Why != alteredWhy {
		t.Errorf("got %+v", d)
	}
}

// TestAnNPPriorOfNoPriorityIsUnexplained: 0.50012 lies between those of 0 and 1.
func TestAnNPPriorOfNoPriorityIsUnexplained(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second))
	print(s, split.Assumed{})
	s.Jobs[0].Reported.NPPrior = 0.50012
	d := run(s).Disagreements
	if len(d) != 1 || d[0].Field != lastrun.NPPrior || d[0].Class != batch.Unexplained {
		t.Errorf("got %+v", d)
	}
}

// TestNumbersOfTheRunBeforeAreHeldAgainstTheBundleBefore: without it what a job that just started shows of that run is stale, whatever it
// is.
func TestNumbersOfTheRunBeforeAreHeldAgainstTheBundleBefore(t *testing.T) {
	before := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second))
	before.TakenAt = noon.Add(-5 * time.Second)
	s := cluster(running(1, "a", 100*time.Second, 0), waiting(2, "b", 50*time.Second))
	s.Trace = []model.TraceLine{{At: noon.Add(-10 * time.Second), Text: "PROF: schedd run took: 0"},
		{At: noon, Text: "PROF: schedd run took: 0"}}
	print(before, split.Assumed{})
	print(s, split.Assumed{})
	s.Jobs[0].Tasks[0].Reported.Share, before.Jobs[0].Tasks[0].Reported.Share = 0.3, 0.3
	s.Jobs[0].Reported.Urg, before.Jobs[0].Reported.Urg = 1090, 1090
	for name, c := range map[string]struct {
		before *model.Snapshot
		share  float64
		want   batch.Class
	}{"alone": {nil, 0.3, batch.Stale}, "as before": {before, 0.3, ""}, "not as before": {before, 0.2, batch.Unexplained}} {
		s.Jobs[0].Tasks[0].Reported.Share = c.share
		var got batch.Class
		for _, d := range Run(s, Options{Options: byRules, Before: c.before}).Disagreements {
			if d.Field == lastrun.Share {
				got = d.Class
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestARowOfTheBundleBeforeTellsOfEachOfItsTasks: rescheduled tasks 2 and 4 shared a row before the run, which started the first.
func TestARowOfTheBundleBeforeTellsOfEachOfItsTasks(t *testing.T) {
	row := func(state string, tasks model.Range, tickets float64) *model.Snapshot {
		j := array(1, "a", 50*time.Second)
		j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{tasks}, State: state, Enrolled: true, Slots: 1,
			Reported: &model.TaskReport{Tckts: tickets}})
		return cluster(j)
	}
	before, after := row("Rq", model.Range{Min: 2, Max: 4, Step: 2}, 1000), row("Rq", model.Range{Min: 4, Max: 4, Step: 1}, 1000)
	before.TakenAt = noon.Add(-5 * time.Second)
	after.Trace = []model.TraceLine{{At: noon.Add(-10 * time.Second), Text: "PROF: schedd run took: 0"},
		{At: noon, Text: "PROF: schedd run took: 0"}}
	v := lastrun.Recompute(after, noon, compat.Profiles["8.1.9"], split.Assumed{})
	left := v.Row(&after.Jobs[0], &after.Jobs[0].Tasks[1])
	if values, ok := newEarlier(before, v).of(&left); !ok || values[lastrun.Tckts] != 1000 {
		t.Errorf("the bundle before shows %v tickets of task 4 (%v), want 1000", values[lastrun.Tckts], ok)
	}
}

func TestAJobSubmittedAfterTheRunHasZeros(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", -time.Second))
	print(s, split.Assumed{})
	if r := run(s); !r.Agrees() || s.Jobs[1].Tasks[0].Reported.Prio != 0 {
		t.Errorf("%+v %+v", r.Sum(), r.Disagreements)
	}
}

func TestAMissingFileIsNamed(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second))
	print(s, split.Assumed{})
	s.Users, s.Has = nil, []string{"MANIFEST", "complex.txt", "qstat-f.xml", "qstat-j.xml", "qstat.xml", "sched_conf.txt", "usersets.txt"}
	r := run(s)
	if r.Sum().Missing == 0 || r.Sum().Unexplained > 0 {
		t.Errorf("%+v", r.Sum())
	}
	for _, d := range r.Disagreements {
		if d.File != "users.txt" {
			t.Errorf("%s of job %d: file %q", d.Field, d.Job.Number, d.File)
		}
	}
}

func TestWithoutAPolicyNothingIsInvented(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second))
	print(s, split.Assumed{})
	s.Has = []string{"qstat.xml"}
	if r := run(s); r.View != nil || r.Agrees() || r.Sum().Agree != 0 || len(r.Gaps) < 5 || r.Gaps[0].File != "sched_conf.txt" {
		t.Errorf("%+v %+v", r.Sum(), r.Gaps)
	}
}

// TestATaskThatEndedSinceIsNoExcuseUnlessAFileTellsOfIt: its tickets could be fitted to any numbers.
func TestATaskThatEndedSinceIsNoExcuseUnlessAFileTellsOfIt(t *testing.T) {
	gone := waiting(9, "b", 60*time.Second)
	gone.Tasks[0].State, gone.Tasks[0].Started = "r", noon.Add(-30*time.Second)
	here := waiting(1, "a", 90*time.Second)
	here.Tasks[0].State, here.Tasks[0].Started = "r", noon.Add(-30*time.Second)
	s := cluster(here, waiting(2, "a", 40*time.Second), gone)
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:2]
	if sum := run(s).Sum(); sum.Unexplained == 0 || sum.Missing+sum.Stale > 0 {
		t.Errorf("%+v", sum)
	}
	s.Ended = []model.EndedTask{record(gone, noon.Add(time.Second))}
	allAgree(t, run(s))
}

func TestARunAtTheLastSlotLeavesTheNextTaskUnranked(t *testing.T) {
	s := cluster(array(1, "a", 50*time.Second, 1))
	s.Instances[0].Slots, s.Instances[0].Used = 1, 1
	s.Trace = []model.TraceLine{{At: noon.Add(-time.Minute), Text: "PROF: schedd run took: 0"}, {At: noon, Text: "PROF: schedd run took: 0"}}
	v := lastrun.Recompute(s, noon, compat.Profiles["8.1.9"], split.Assumed{})
	left, started := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]), v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[1])
	if left.Shown[lastrun.Tckts] != 0 || started.Shown[lastrun.Share] == 0 || started.Shown[lastrun.NPPrior] == 0 {
		t.Errorf("left %v, started %v", left.Shown, started.Shown)
	}
}

func TestNewTasksOfARescheduledJobKeepAnOldPrio(t *testing.T) {
	j := array(1, "a", 50*time.Second)
	j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: 99, Max: 99, Step: 1}}, State: "Rq", Enrolled: true, Slots: 1})
	s := cluster(j)
	v := lastrun.Recompute(s, noon, compat.Profiles["8.1.9"], split.Assumed{})
	if r := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]); !strings.Contains(r.Why[lastrun.Prio], "Q18") || !math.IsNaN(r.Shown[lastrun.Prio]) ||
		math.IsNaN(r.Shown[lastrun.Tckts]) {
		t.Errorf("shown %v: %v", r.Shown, r.Why)
	}
	v = lastrun.Recompute(s, noon, compat.Without("8.1.9", "Q18"), split.Assumed{})
	if r := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]); math.IsNaN(r.Shown[lastrun.Prio]) {
		t.Errorf("without the quirk: %v", r.Shown)
	}
}

func TestRescheduledTasksUseUpTheLimitOfAnArray(t *testing.T) {
	j := array(1, "a", 50*time.Second)
	j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: 99, Max: 99, Step: 1}}, State: "Rq", Enrolled: true, Slots: 1})
	s := cluster(j)
	s.Policy.MaxPendingTasks = 1
	v := lastrun.Recompute(s, noon, compat.Profiles["8.1.9"], split.Assumed{})
	if r := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]); !math.IsNaN(r.Shown[lastrun.Tckts]) ||
		!strings.Contains(r.Why[lastrun.Tckts], "use up the limit") {
		t.Errorf("shown %v: %v", r.Shown, r.Why)
	}
}

// TestRescheduledTasksThatAreLeftGetOrders: of two rescheduled tasks of a job the run starts one and sends an order for the
// other, if it leaves as many slots free; otherwise it is not known which of them the order was for.
func TestRescheduledTasksThatAreLeftGetOrders(t *testing.T) {
	for name, c := range map[string]struct {
		left    uint32
		change  func(s *model.Snapshot)
		ordered bool
	}{
		"one is left":                {1, func(*model.Snapshot) {}, true},
		"two are left, and a slot":   {2, func(*model.Snapshot) {}, true},
		"three are left, and a slot": {3, func(*model.Snapshot) {}, false},
		"pending jobs get no orders": {1, func(s *model.Snapshot) { s.Policy.ReportPendingTickets = false }, false},
	} {
		j := array(1, "a", 50*time.Second, 2)
		j.Tasks = j.Tasks[1:]
		j.Tasks[0].State = "Rt"
		for id := range c.left {
			j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: id + 3, Max: id + 3, Step: 1}}, State: "Rq", Enrolled: true, Slots: 1})
		}
		s := cluster(j)
		s.Instances[0].Slots, s.Instances[0].Used = 2, 1
		c.change(s)
		v := lastrun.Recompute(s, noon, compat.Profiles["8.1.9"], split.Assumed{})
		started, left := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]), v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[1])
		if left.Shown[lastrun.Tckts] > 0 != c.ordered || c.ordered && started.Shown[lastrun.Share] != 0 {
			t.Errorf("%s: left %v, started %v", name, left.Shown, started.Shown)
		}
		if got := v.Ranked(&s.Jobs[0], &s.Jobs[0].Tasks[1])[lastrun.Tckts]; s.Policy.ReportPendingTickets && !left.Agrees(lastrun.Tckts, got) {
			t.Errorf("%s: %v tickets do not agree, though the order may have been for that task", name, got)
		}
	}
}

// TestTasksThatTheirQueueSuspendsTakePart: the scheduler does not hear of it, unless something else changes them meanwhile.
func TestTasksThatTheirQueueSuspendsTakePart(t *testing.T) {
	suspended := array(1, "a", time.Hour, 1)
	suspended.Tasks = suspended.Tasks[1:]
	suspended.Tasks[0].State, suspended.Tasks[0].Started = "S", noon.Add(-time.Minute)
	s := cluster(suspended, waiting(2, "a", time.Minute), waiting(3, "b", time.Minute))
	print(s, split.Assumed{})
	if r := run(s); !r.Agrees() {
		t.Errorf("%+v %+v", r.Sum(), r.Disagreements)
	}
}

// TestARunMayCrossASecond: the priorities of a run can be of the second after its first one, in which it says that tasks start.
func TestARunMayCrossASecond(t *testing.T) {
	s := cluster(waiting(1, "a", 50*time.Second), waiting(2, "b", 20*time.Second))
	print(s, split.Assumed{})
	s.Runs = []model.RunRecord{{Lines: []model.ScheduleLine{{Job: 9, Task: 1, State: "STARTING", Start: noon.Add(-time.Second), Level: "Q",
		Object: "all.q@h", Resource: "slots", Amount: 1}}}}
	if r := run(s); !r.Agrees() || !r.Moment.At.Equal(noon) {
		t.Errorf("%+v %+v", r.Moment, r.Sum())
	}
	s.Runs = nil
	s.Users[0].Usage.At = noon.Add(time.Second) // the stamp on usage comes later still
	if r := run(s); !r.Agrees() || !r.Moment.At.Equal(noon) {
		t.Errorf("%+v %+v", r.Moment, r.Sum())
	}
}

// TestAnAlteredJobIsFoundByItsTickets: without F in the hierarchy, equal jobs get tickets in the scheduler's own order. A job that shows no
// sign of having been altered, and tickets that are not the same ones in another order, are no excuse.
func TestAnAlteredJobIsFoundByItsTickets(t *testing.T) {
	for name, c := range map[string]struct {
		version, share uint32
		more           float64
		want           bool
	}{"altered": {1, 0, 0, true}, "not altered": {0, 0, 0, false}, "altered, with other tickets": {1, 0, 1, false},
		"with -js, of which versions do not count changes": {0, 7, 0, true}} {
		s := cluster(waiting(1, "a", 50*time.Second), waiting(2, "a", 40*time.Second), waiting(3, "a", 30*time.Second),
			waiting(4, "b", 20*time.Second))
		s.Policy.Hierarchy = "OS"
		for i := range s.Jobs[:3] {
			s.Jobs[i].JobShare = c.share
		}
		print(s, split.Assumed{Order: split.Order{1: 3}})
		s.Jobs[0].Version = c.version
		s.Jobs[3].Tasks[0].Reported.Ftckt += c.more
		r := run(s)
		excused := r.Sum().Unexplained == 0 && r.Sum().Missing > 0
		if excused != c.want || c.want && !strings.Contains(r.Disagreements[0].Why, "altered job 1 later") {
			t.Errorf("%s: %+v %+v", name, r.Sum(), r.Disagreements)
		}
	}
}

// TestAnAlteredJobIsFoundAmongOthersWithAsManyPrintedTickets: override tickets of 50 are 2 from the 17th job on.
func TestAnAlteredJobIsFoundAmongOthersWithAsManyPrintedTickets(t *testing.T) {
	s := cluster()
	for number := uint32(1); number <= 25; number++ {
		s.Jobs = append(s.Jobs, waiting(number, "a", time.Duration(100-number)*time.Second))
	}
	s.Policy.Hierarchy, s.Users[0].OverrideTickets = "FS", 50
	print(s, split.Assumed{Order: split.Order{1: 23}})
	s.Jobs[0].Version = 1
	if r := run(s); r.Sum().Unexplained > 0 || r.Sum().Missing == 0 {
		t.Errorf("%+v %+v", r.Sum(), r.Disagreements)
	}
}
