package schedule

import (
	"testing"
	"time"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/memory"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

func slotsLine(job uint32, state, host string) model.ScheduleLine {
	return model.ScheduleLine{Job: job, Task: 1, State: state, Start: noon.Add(-time.Minute),
		Duration: 50 * time.Second, Level: resource.LevelQueue,
		Object: "all.q@" + host, Resource: resource.SlotsName, Amount: 1}
}

// Tasks 8 and 9 ran in the last run and have ended since, 9 before 8.
func TestTheAccountingFileTellsWhichEndedLast(t *testing.T) {
	l := newLab(2, 1)
	l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(8, "STARTING", "a"),
		slotsLine(9, "STARTING", "b")}}}
	l.submit("")
	expect(t, "without an accounting file", l, fixed, "1 starts on a")
	l.memory = memory.Memory{}
	l.Ended = []model.EndedTask{{Job: 9, Task: 0}, {Job: 8, Task: 0}}
	expect(t, "with it", l, fixed, "1 starts on b")
}

// A request for an advance reservation changes what it keeps, and so does its end.
func TestAdvanceReservationsChangeWhatTheyKeep(t *testing.T) {
	booked := slotsLine(0, "RESERVING", "a")
	booked.Start = noon.Add(time.Hour)
	for name, c := range map[string]struct {
		change func(l *lab)
		want   string
	}{
		"none": {func(*lab) {}, "1 starts on a"},
		"one is kept": {func(l *lab) {
			l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(9, "RUNNING", "c")},
				Advance: []model.ScheduleLine{booked}}}
			l.Reserved = []model.AdvanceReservation{{Number: 1, State: "w", Start: booked.Start, Duration: booked.Duration}}
		}, "1 starts on b"},
		"one is gone": {func(l *lab) {
			l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(9, "RUNNING", "b")},
				Advance: []model.ScheduleLine{booked}}}
		}, "1 starts on b"},
		"one is kept, without reservations": {func(l *lab) {
			l.Policy.MaxReservation = 0
			l.Runs = []model.RunRecord{{Complete: true, Advance: []model.ScheduleLine{slotsLine(8, "RUNNING", "a"), booked}}}
			l.Reserved = []model.AdvanceReservation{{Number: 1, State: "w", Start: booked.Start, Duration: booked.Duration}}
		}, "1 starts on b"},
		"one is gone, without reservations": {func(l *lab) {
			l.Policy.MaxReservation = 0
			l.Runs = []model.RunRecord{{Complete: true, Advance: []model.ScheduleLine{booked}}}
		}, "1 starts on b"},
		"its request is known, without a schedule file": {func(l *lab) {
			l.Reserved = []model.AdvanceReservation{{Number: 1, State: "w", Start: booked.Start, Duration: booked.Duration,
				Submitted: noon.Add(-time.Minute),
				Granted:   []model.Grant{{Instance: "all.q@a", Slots: 1}}}}
		}, "1 starts on b"},
	} {
		l := newLab(2, 1)
		c.change(l)
		l.submit("-l h_rt=60")
		expect(t, name, l, fixed, c.want)
	}
}

// The request came behind the start of job 1 on b, and before that of job 2 on c.
func TestARequestCameBehindTheStartsThatItsLinesTell(t *testing.T) {
	l := newLab(3, 2)
	l.Policy.MaxReservation = 0
	l.runs(60*time.Second, "", "all.q@b")
	l.runs(30*time.Second, "", "all.q@c")
	booked := slotsLine(0, "RESERVING", "a")
	booked.Start = noon.Add(time.Hour)
	l.Runs = []model.RunRecord{{Complete: true, Advance: []model.ScheduleLine{slotsLine(1, "RUNNING", "b"), booked}}}
	l.Reserved = []model.AdvanceReservation{{Number: 1, State: "w", Start: booked.Start, Duration: booked.Duration}}
	for range 5 {
		l.submit("-l h_rt=60")
	}
	expect(t, "", l, fixed, "3 starts on b; 4 starts on a; 5 starts on a; 6 starts on c; 7 waits")
}

// A parallel task without times has ended: the accounting file names a, a line tells of b, and a changed before b.
func TestTheInstanceOfTheMasterTaskChangesFirst(t *testing.T) {
	l := newLab(2, 1)
	l.Policy.MaxReservation = 0
	l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(9, "STARTING", "b")}}}
	l.Ended = []model.EndedTask{{Job: 9, Task: 0, Queue: "all.q", Host: "a"}}
	l.submit("")
	expect(t, "", l, fixed, "1 starts on a")
}

// Jobs 1 and 2 started in one second, and no schedule file tells which first: job 2, which has the higher priority.
func TestStartsOfOneSecondCameInTheOrderOfPriorities(t *testing.T) {
	l := newLab(2, 2)
	l.runs(10*time.Second, "", "all.q@a").PosixPriority = -10
	l.runs(10*time.Second, "", "all.q@b").PosixPriority = 0
	l.submit("")
	p := expect(t, "", l, fixed, "3 starts on b")
	if len(p.Decisions[0].Tied) > 0 {
		t.Errorf("it is said to be as good elsewhere: %v", p.Decisions[0].Tied)
	}
}

// The same two jobs, and a policy that is only tried: job 2 has started first all the same.
func TestWhatStartedKeepsItsOrderWhateverPolicyIsTried(t *testing.T) {
	l := newLab(2, 2)
	l.runs(10*time.Second, "", "all.q@a").PosixPriority = -10
	l.runs(10*time.Second, "", "all.q@b").PosixPriority = 0
	l.submit("")
	other := *l.Snapshot
	other.Policy.WeightPriority = 0
	for past, want := range map[*memory.Past]string{nil: "3 starts on a", memory.NewPast(l.Snapshot): "3 starts on b"} {
		for range 2 { // the second time it is known
			if got := story(Run(&other, Options{At: noon, Quirks: fixed, Past: past})); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

// Job 1 was altered between two runs and so stands behind job 2, as the last section of the schedule file shows.
func TestRunningTasksAreWrittenInTheOrderOfTheLastRun(t *testing.T) {
	l := newLab(2, 1)
	l.runs(time.Minute, "-l h_rt=50", "all.q@a")
	l.runs(time.Minute, "-l h_rt=50", "all.q@b")
	l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(1, "STARTING", "a"),
		slotsLine(2, "STARTING", "b")}},
		{Complete: true, Lines: []model.ScheduleLine{slotsLine(2, "RUNNING", "b"), slotsLine(1, "RUNNING", "a")}}}
	if lines := l.plan(fixed).Lines; len(lines) != 2 || lines[0].Job != 2 {
		t.Errorf("%+v", lines)
	}
}

// Task 9 ran on a and has ended: after all that runs, as far as a file tells.
func TestWhatEndedLastIsTriedLast(t *testing.T) {
	ended := func(at time.Time) []model.EndedTask {
		return []model.EndedTask{{Job: 9, Queue: "all.q", Host: "a", Ended: at}}
	}
	for name, c := range map[string]struct {
		change func(l *lab)
		want   string
	}{
		"nothing tells of it": {func(*lab) {}, "2 starts on a"},
		"a request for an advance reservation counted it": {func(l *lab) {
			l.Policy.MaxReservation = 0
			l.Runs = []model.RunRecord{{Complete: true, Advance: []model.ScheduleLine{slotsLine(9, "RUNNING", "a")}}}
		}, "2 starts on b"},
		"the accounting file, with its time": {func(l *lab) {
			l.Ended = ended(noon.Add(-time.Second))
		}, "2 starts on b"},
		"it ended before the last start": {func(l *lab) {
			l.Ended = ended(noon.Add(-time.Minute))
		}, "2 starts on a"},
		"without a time, submitted before another": {func(l *lab) {
			l.Ended = ended(time.Time{})
			l.Jobs[1].Submitted = noon
		}, "2 starts on b"},
		"without a time, submitted long ago": {func(l *lab) {
			l.Ended, l.Jobs[1].Number = ended(time.Time{}), 12
			l.Jobs[0].Submitted, l.Jobs[1].Submitted = noon.Add(-time.Hour), noon
			l.runs(time.Minute, "", "all.q@c").Submitted = noon.Add(-time.Hour)
		}, "12 starts on a"},
		"before a request booked b": {func(l *lab) {
			booked := slotsLine(0, "RESERVING", "b")
			booked.Start = noon.Add(time.Hour)
			l.Runs = []model.RunRecord{{Complete: true,
				Lines: []model.ScheduleLine{slotsLine(9, "STARTING", "a"), slotsLine(1, "STARTING", "c"),
					slotsLine(3, "RUNNING", "a")}, Advance: []model.ScheduleLine{slotsLine(3, "RUNNING", "a"),
					slotsLine(1, "RUNNING", "c"), booked}}}
			l.runs(20*time.Second, "", "all.q@a")
			l.Reserved = []model.AdvanceReservation{{Number: 1, State: "w", Start: booked.Start, Duration: booked.Duration}}
		}, "2 starts on a"},
		"after it": {func(l *lab) {
			booked := slotsLine(0, "RESERVING", "b")
			booked.Start = noon.Add(time.Hour)
			l.Runs = []model.RunRecord{{Complete: true,
				Lines:   []model.ScheduleLine{slotsLine(9, "STARTING", "a"), slotsLine(1, "STARTING", "c")},
				Advance: []model.ScheduleLine{slotsLine(9, "RUNNING", "a"), booked}}}
			l.Reserved = []model.AdvanceReservation{{Number: 1, State: "w", Start: booked.Start, Duration: booked.Duration}}
		}, "2 starts on b"},
	} {
		l := newLab(3, 2)
		l.Instances[2].State = "d"
		l.runs(10*time.Second, "", "all.q@c")
		l.submit("-l h_rt=60")
		c.change(l)
		expect(t, name, l, fixed, c.want)
	}
}

// A task of two queue instances counts in set one in both and in set two in the first: the second brings
// one behind two.
func TestQuotaSetsMoveBehindEachQueueInstanceOfATask(t *testing.T) {
	r := &memory.Recall{Cluster: &cluster.Cluster{}}
	r.Quotas = []*cluster.QuotaSet{{QuotaSet: &model.QuotaSet{Name: "one"}}, {QuotaSet: &model.QuotaSet{Name: "two"}}}
	for _, p := range []cluster.Place{{Job: 1, Task: 1, Level: resource.LevelQueue, Where: "all.q@a"},
		{Job: 1, Task: 1, Level: resource.LevelQuota, Where: "one"},
		{Job: 1, Task: 1, Level: resource.LevelQuota, Where: "two"},
		{Job: 1, Task: 1, Level: resource.LevelQueue, Where: "all.q@b"},
		{Job: 1, Task: 1, Level: resource.LevelQuota, Where: "one"}} {
		r.Change(p)
	}
	r.OrderQuotas()
	if first := r.Quotas[0].Name; first != "two" {
		t.Errorf("%s comes first", first)
	}
}
