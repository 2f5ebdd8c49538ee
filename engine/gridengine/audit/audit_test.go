package audit

import (
	"math"
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

var everyFile = []string{"MANIFEST", "complex.txt", "pes.txt", "projects.txt", "qstat-f.xml", "qstat-j.xml", "qstat.xml", "sched_conf.txt", "users.txt", "usersets.txt"}

func waiting(number uint32, owner string, age time.Duration) model.Job {
	return model.Job{Number: number, Owner: owner, Submitted: noon.Add(-age), Detailed: true, Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}}
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
			j.Reported = &model.JobReport{NPPrior: shown[lastrun.NPPrior], NUrg: shown[lastrun.NUrg], Urg: shown[lastrun.Urg], RRContr: shown[lastrun.RRContr], WTContr: shown[lastrun.WTContr], DLContr: shown[lastrun.DLContr]}
			t.Reported = &model.TaskReport{Prio: shown[lastrun.Prio], NTckts: shown[lastrun.NTckts], Tckts: shown[lastrun.Tckts], Otckt: shown[lastrun.Otckt], Ftckt: shown[lastrun.Ftckt], Stckt: shown[lastrun.Stckt], Share: shown[lastrun.Share]}
		}
	}
}

func asPrinted(f lastrun.Field, v float64) float64 {
	switch {
	case f <= lastrun.NTckts || f == lastrun.Share:
		return math.Round(v*1e5) / 1e5
	case f >= lastrun.Tckts:
		return math.Trunc(v)
	}
	return math.RoundToEven(v)
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
	if len(r.Disagreements) != 1 || r.Disagreements[0].Class != batch.Unexplained || r.Disagreements[0].Field != lastrun.Ftckt || r.Disagreements[0].Job.Number != 2 {
		t.Errorf("got %+v", r.Disagreements)
	}
}

func TestAChangedPriorityMakesAJobStale(t *testing.T) {
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second))
	print(s, split.Assumed{})
	s.Jobs[0].PosixPriority = -100
	for _, d := range run(s).Disagreements {
		if d.Job.Number == 1 && (d.Class != batch.Stale || d.Why != "-p was changed after the run") {
			t.Errorf("got %+v", d)
		}
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

// TestAnAlteredJobIsFoundByItsTickets: without F in the hierarchy, equal jobs get tickets in the scheduler's own order.
func TestAnAlteredJobIsFoundByItsTickets(t *testing.T) {
	s := cluster(waiting(1, "a", 50*time.Second), waiting(2, "a", 40*time.Second), waiting(3, "a", 30*time.Second), waiting(4, "b", 20*time.Second))
	s.Policy.Hierarchy = "OS"
	print(s, split.Assumed{Order: split.Order{1: 3}})
	r := run(s)
	sum := r.Sum()
	if sum.Unexplained != 0 || sum.Missing == 0 {
		t.Fatalf("%+v %+v", sum, r.Disagreements)
	}
	if why := r.Disagreements[0].Why; !strings.Contains(why, "agrees if job 1 moved back") {
		t.Error(why)
	}
}

func TestAnAlteredJobIsSearchedForWhereWaitingTasksPrintNothing(t *testing.T) {
	s := cluster(waiting(1, "a", 50*time.Second), array(2, "a", 40*time.Second, 1), waiting(3, "a", 30*time.Second))
	s.Policy.Hierarchy, s.Policy.ReportPendingTickets = "OS", false
	s.Jobs[1].Version = 1
	print(s, split.Assumed{Order: split.Order{2: 3}})
	if sum := run(s).Sum(); sum.Unexplained != 0 || sum.Missing == 0 {
		t.Errorf("%+v", sum)
	}
}

// TestAJobThatShowsNoSignOfBeingAlteredIsSearchedFor: only the tickets of the one that came before it tell.
func TestAJobThatShowsNoSignOfBeingAlteredIsSearchedFor(t *testing.T) {
	s := cluster(waiting(1, "a", 50*time.Second), array(2, "a", 40*time.Second, 1), waiting(3, "b", 30*time.Second))
	s.Policy.Hierarchy, s.Policy.ReportPendingTickets = "OS", false
	print(s, split.Assumed{Order: split.Order{1: 3}})
	r := run(s)
	if sum := r.Sum(); sum.Unexplained != 0 || sum.Missing == 0 || !strings.Contains(r.Disagreements[0].Why, "job 1 moved back") {
		t.Errorf("%+v %+v", sum, r.Disagreements)
	}
	if sum := Run(s, Options{Options: byRules, Sequence: map[uint32]int{1: 0, 2: 1, 3: 2}}).Sum(); sum.Unexplained == 0 {
		t.Errorf("though the order is known: %+v", sum)
	}
}

// TestTasksThatHaveEndedStillCount: a limit on running tasks counts those that are not yet buried.
func TestTasksThatHaveEndedStillCount(t *testing.T) {
	s := cluster(array(1, "a", 50*time.Second), waiting(2, "a", 40*time.Second))
	s.Jobs[0].MaxRunningTasks = 1
	print(s, split.Assumed{Aside: map[uint32]bool{1: true}})
	r := run(s)
	if sum := r.Sum(); sum.Unexplained != 0 || sum.Missing == 0 {
		t.Fatalf("%+v", sum)
	}
	if why := r.Disagreements[0].Why; !strings.Contains(why, "tasks that have ended since still counted against the limit of job 1") {
		t.Error(why)
	}
}

func TestATaskThatEndedSinceIsMissed(t *testing.T) {
	gone := waiting(9, "b", 60*time.Second)
	gone.Tasks[0].State, gone.Tasks[0].Started = "r", noon.Add(-30*time.Second)
	here := waiting(1, "a", 90*time.Second)
	here.Tasks[0].State, here.Tasks[0].Started = "r", noon.Add(-30*time.Second)
	s := cluster(here, waiting(2, "a", 40*time.Second), gone)
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:2]
	r := run(s)
	if sum := r.Sum(); sum.Unexplained != 0 || sum.Missing == 0 {
		t.Fatalf("%+v %+v", sum, r.Disagreements)
	}
	if why := r.Gaps[len(r.Gaps)-1].What; !strings.Contains(why, "had 50 % of the running tickets") {
		t.Error(why)
	}
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
	if r := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]); !strings.Contains(r.Why[lastrun.Prio], "Q18") || !math.IsNaN(r.Shown[lastrun.Prio]) || math.IsNaN(r.Shown[lastrun.Tckts]) {
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
	if r := v.Row(&s.Jobs[0], &s.Jobs[0].Tasks[0]); !math.IsNaN(r.Shown[lastrun.Tckts]) || !strings.Contains(r.Why[lastrun.Tckts], "use up its limit") {
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
	print(s, split.Assumed{Stopped: map[uint32]bool{1: true}})
	if r := run(s); r.Sum().Unexplained > 0 || r.Sum().Missing == 0 || !strings.Contains(r.Disagreements[len(r.Disagreements)-1].Why, "held job 1 for suspended") {
		t.Errorf("%+v %+v", r.Sum(), r.Disagreements)
	}
}

// TestStartsOfOneSecondMayStandInAnyOrder: sums of functional shares depend on it in their last bit.
func TestStartsOfOneSecondMayStandInAnyOrder(t *testing.T) {
	ran := func(number uint32, owner string, tasks ...uint32) model.Job {
		j := array(number, owner, time.Hour, tasks...)
		j.Tasks = j.Tasks[1:]
		for i := range j.Tasks {
			j.Tasks[i].State, j.Tasks[i].Started = "r", noon.Add(-time.Minute)
		}
		return j
	}
	s := cluster(ran(1, "a", 1), ran(2, "b", 1, 2, 3))
	s.Policy.FunctionalTickets = 10000
	print(s, split.Assumed{Order: split.Order{1: 2}})
	if got := s.Jobs[0].Tasks[0].Reported.Ftckt; got != 5000 {
		t.Fatalf("%v tickets", got)
	}
	if r := run(s); r.Sum().Unexplained > 0 || r.Sum().Missing == 0 || !strings.Contains(r.Disagreements[0].Why, "starting a job") {
		t.Errorf("%+v %+v", r.Sum(), r.Disagreements)
	}
}

// TestARunMayCrossASecond: the priorities of a run can be of the second after its first one, in which it says that tasks start.
func TestARunMayCrossASecond(t *testing.T) {
	s := cluster(waiting(1, "a", 50*time.Second), waiting(2, "b", 20*time.Second))
	print(s, split.Assumed{})
	s.Runs = []model.RunRecord{{Lines: []model.ScheduleLine{{Job: 9, Task: 1, State: "STARTING", Start: noon.Add(-time.Second), Level: "Q", Object: "all.q@h", Resource: "slots", Amount: 1}}}}
	if r := run(s); !r.Agrees() || !r.Moment.At.Equal(noon) {
		t.Errorf("%+v %+v", r.Moment, r.Sum())
	}
	s.Runs = nil
	s.Users[0].Usage.At = noon.Add(time.Second) // the stamp on usage comes later still
	if r := run(s); !r.Agrees() || !r.Moment.At.Equal(noon) {
		t.Errorf("%+v %+v", r.Moment, r.Sum())
	}
}
