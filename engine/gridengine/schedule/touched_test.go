package schedule

import (
	"testing"
	"time"

	"qprism/engine/model"
)

func slotsLine(job uint32, state, host string) model.ScheduleLine {
	return model.ScheduleLine{Job: job, Task: 1, State: state, Start: noon.Add(-time.Minute), Duration: 50 * time.Second, Level: levelQueue,
		Object: "all.q@" + host, Resource: slotsName, Amount: 1}
}

// Tasks 8 and 9 ran in the last run and have ended since, 9 before 8.
func TestTheAccountingFileTellsWhichEndedLast(t *testing.T) {
	l := newLab(2, 1)
	l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(8, "STARTING", "a"), slotsLine(9, "STARTING", "b")}}}
	l.submit("")
	expect(t, "without an accounting file", l, fixed, "1 starts on a")
	l.memory = Memory{}
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

// Job 1 was altered between two runs and so stands behind job 2, as the last section of the schedule file shows.
func TestRunningTasksAreWrittenInTheOrderOfTheLastRun(t *testing.T) {
	l := newLab(2, 1)
	l.runs(time.Minute, "-l h_rt=50", "all.q@a")
	l.runs(time.Minute, "-l h_rt=50", "all.q@b")
	l.Runs = []model.RunRecord{{Complete: true, Lines: []model.ScheduleLine{slotsLine(1, "STARTING", "a"), slotsLine(2, "STARTING", "b")}},
		{Complete: true, Lines: []model.ScheduleLine{slotsLine(2, "RUNNING", "b"), slotsLine(1, "RUNNING", "a")}}}
	if lines := l.plan(fixed).Lines; len(lines) != 2 || lines[0].Job != 2 {
		t.Errorf("%+v", lines)
	}
}
