package schedule

import (
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// seasoned is 8.1.9 on a lab that shows what a scheduler knows from before.
func seasoned(l *lab) string { return story(l.plan(compat.Profiles["8.1.9"])) }

// A lab in which one slot of two is kept for an advance reservation from +50 to +150: a job of 100 s fits
// beside it once.
func kept(change func(*model.AdvanceReservation, *lab)) *lab {
	l := newLab(1, 2)
	l.Reserved = []model.AdvanceReservation{{Number: 7, State: "w", Start: noon.Add(50 * time.Second),
		Duration: 100 * time.Second}}
	change(&l.Reserved[0], l)
	l.submit("-l h_rt=100")
	l.submit("-l h_rt=100")
	return l
}

func TestAnAdvanceReservationIsBookedByWhateverTellsItsGrants(t *testing.T) {
	for name, c := range map[string]struct {
		lab  *lab
		want string
	}{
		"qrstat -ar": {kept(func(ar *model.AdvanceReservation, _ *lab) {
			ar.Granted = []model.Grant{{Instance: "all.q@a", Slots: 1}}
		}), "1 starts on a; 2 waits"},
		"the lines that qrsub wrote": {kept(func(ar *model.AdvanceReservation, l *lab) {
			l.Runs = []model.RunRecord{{Complete: true, Advance: []model.ScheduleLine{
				{State: "RUNNING", Job: 1, Task: 1, Start: ar.Start, Duration: ar.Duration,
					Level: "Q", Object: "all.q@a", Resource: "slots",
					Amount: 1},
				{State: "RESERVING", Start: ar.Start, Duration: ar.Duration, Level: "Q", Object: "all.q@a",
					Resource: "slots", Amount: 1}}}}
		}), "1 starts on a; 2 waits"},
		"the lines of another one": {kept(func(ar *model.AdvanceReservation, l *lab) {
			l.Runs = []model.RunRecord{{Complete: true, Advance: []model.ScheduleLine{
				{State: "RESERVING", Start: ar.Start, Duration: time.Hour, Level: "Q", Object: "all.q@a",
					Resource: "slots", Amount: 1}}}}
		}), "1 starts on a; 2 starts on a"},
		"the slots that the instance keeps": {kept(func(_ *model.AdvanceReservation, l *lab) { l.Instances[0].Reserved = 1 }),
			"1 starts on a; 2 waits"},
		"one that is over": {kept(func(ar *model.AdvanceReservation, l *lab) { ar.State, l.Instances[0].Reserved = "x", 1 }),
			"1 starts on a; 2 starts on a"},
	} {
		if got := seasoned(c.lab); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	l := kept(func(_ *model.AdvanceReservation, l *lab) { l.Instances[0].Reserved = 1 })
	if notes := l.plan(compat.Profiles["8.1.9"]).Notes; len(notes) != 1 ||
		!strings.Contains(notes[0], "advance reservation 7") {
		t.Errorf("what is not known of it is not said: %v", notes)
	}
}

// One that waits in the snapshot and whose time has come with the run lets its jobs start.
func TestAnAdvanceReservationBeginsWithItsTime(t *testing.T) {
	for name, c := range map[string]struct {
		state string
		hard  bool // qrsub -he yes
		begin time.Duration
		want  string
	}{
		"it runs":               {"r", false, -time.Minute, "1 starts on a"},
		"it begins now":         {"w", false, 0, "1 starts on a"},
		"a warning as well":     {"W", false, 0, "1 starts on a"},
		"a hard warning":        {"W", true, 0, "1 waits"},
		"an instance is closed": {"E", false, -time.Minute, "1 starts on a"},
		"it must not be":        {"E", true, -time.Minute, "1 waits"},
		"a second later":        {"w", false, time.Second, "1 waits"},
		"it was deleted":        {"d", false, -time.Second, "1 waits"},
	} {
		l := newLab(1, 2)
		l.Reserved = []model.AdvanceReservation{{Number: 7, State: c.state, Start: noon.Add(c.begin), Duration: time.Hour,
			Granted: []model.Grant{{Instance: "all.q@a", Slots: 1}}}}
		if c.hard {
			l.Reserved[0].Settings = []model.Setting{{Name: "error_handling", Value: "true"}}
		}
		l.submit("-l h_rt=100").Reservation = 7
		if got := seasoned(l); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestWhatAnAdvanceReservationAskedForIsReadFromItsLines(t *testing.T) {
	l := newLab(2, 3).consumable("license", "5", model.ConsumeYes)
	line := func(level, object, resource string, amount float64) model.ScheduleLine {
		return model.ScheduleLine{State: "RESERVING", Start: noon, Duration: time.Minute, Level: level,
			Object: object, Resource: resource,
			Amount: amount}
	}
	l.Runs = []model.RunRecord{{Advance: []model.ScheduleLine{line("G", "global", "license", 4),
		line("Q", "all.q@a", "slots", 1), line("Q", "all.q@b", "slots", 1), line("P", "mpi", "slots", 2),
		line("Q", "all.q@a", "slots", 1), line("Q", "all.q@b", "slots", 1)}}}
	r := &cluster.Cluster{Snapshot: l.Snapshot, Complex: resource.NewComplex(l.Resources)}
	got := r.AdvanceBookings()
	if len(got) != 3 || got[0].PE != "mpi" || len(got[0].Granted) != 2 || len(got[0].Requests) != 1 ||
		got[0].Requests[0].Amount != 2 ||
		len(got[1].Granted) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestTheWeightsOfRangeSearchesAreThoseOfTheLastRun(t *testing.T) {
	for name, c := range map[string]struct {
		at   time.Duration
		text string
		want string
	}{
		"none": {0, "", "3 waits"},
		"low is cheapest": {-time.Minute, "PROF: scheduled in 0.1, 9/2 pre-send, -10/-90/-90 pe-alg",
			"3 is reserved for on b×2+a×2 at +90"},
		"high is cheapest":  {-time.Minute, "PROF: scheduled in 0.1, 9/2 pre-send, -90/-90/-10 pe-alg", "3 waits"},
		"of a run too late": {0, "PROF: scheduled in 0.1, 9/2 pre-send, -10/-90/-90 pe-alg", "3 waits"},
	} {
		l := ranged()
		l.TakenAt = noon
		l.Trace = []model.TraceLine{{At: noon.Add(c.at), Text: c.text}}
		if got := seasoned(l); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A job that could be reserved for now was tried for that in the last run, and got nothing.
func TestAJobThatFoundNoReservationIsNotReservedForAgain(t *testing.T) {
	started := model.ScheduleLine{Job: 1, Task: 1, State: "STARTING", Start: noon.Add(-10 * time.Second),
		Duration: 100 * time.Second,
		Level:    "Q", Object: "all.q@a", Resource: "slots", Amount: 1}
	reserving := func(job uint32) model.ScheduleLine {
		return model.ScheduleLine{Job: job, Task: 1, State: "RESERVING", Start: noon.Add(time.Hour),
			Duration: time.Minute, Level: "Q",
			Object: "all.q@a", Resource: "slots", Amount: 1}
	}
	gone := started
	gone.Job = 7
	atMost := func(l *lab, n string) { l.Config.Global = []model.Setting{{Name: "max_aj_instances", Value: n}} }
	const is, not = "2 is reserved for on a at +90", "2 waits"
	for name, c := range map[string]struct {
		lines  []model.ScheduleLine
		change func(l *lab, j *model.Job)
		want   string
	}{
		"no section":           {nil, nil, is},
		"a section without it": {[]model.ScheduleLine{started}, nil, not},
		"a section with it":    {[]model.ScheduleLine{started, reserving(2)}, nil, is},
		"submitted since": {[]model.ScheduleLine{started}, func(_ *lab, j *model.Job) {
			j.Submitted = noon.Add(-5 * time.Second)
		},
			is},
		"waited for its time": {[]model.ScheduleLine{started}, func(_ *lab, j *model.Job) {
			j.ExecutionTime = noon.Add(-5 * time.Second)
		},
			is},
		"waited for another job": {[]model.ScheduleLine{started}, func(_ *lab, j *model.Job) {
			j.PredecessorNames = []string{"9"}
		}, is},
		"waited for it no more: a run has ranked it": {[]model.ScheduleLine{started}, func(l *lab, j *model.Job) {
			j.PredecessorNames, l.Policy.ReportPendingTickets, j.Reported = []string{"9"}, true, &model.JobReport{NPPrior: 0.5}
		}, not},
		"a task waited for another one": {[]model.ScheduleLine{started}, func(l *lab, j *model.Job) {
			j.ArrayPredecessor, l.Policy.ReportPendingTickets, j.Reported = []uint32{9}, true, &model.JobReport{NPPrior: 0.5}
		}, is},
		"others reached max_aj_instances": {[]model.ScheduleLine{started}, func(l *lab, _ *model.Job) {
			atMost(l, "1")
		}, not},
		"its tasks did": {[]model.ScheduleLine{started, {Job: 2, Task: 5, State: "RUNNING",
			Start: noon.Add(-time.Minute), Level: "Q",
			Object: "all.q@b", Resource: "slots", Amount: 1}}, func(l *lab, _ *model.Job) { atMost(l, "1") }, is},
		"its owner reached maxujobs": {[]model.ScheduleLine{started, gone}, func(l *lab, _ *model.Job) {
			l.Policy.MaxUserJobs = 2
		}, is},
		"he did, and it was left out": {[]model.ScheduleLine{started, gone}, func(l *lab, j *model.Job) {
			l.Policy.MaxUserJobs, j.Messages = 2, []model.JobReason{{Code: 34, Text: "job dropped because of user limitations"}}
		}, is},
		"he did behind it: it was told of a place": {[]model.ScheduleLine{started, gone}, func(l *lab, j *model.Job) {
			l.Policy.MaxUserJobs, j.Messages = 2, []model.JobReason{{Code: 17, Text: "cannot run in queue"}}
		}, not},
		"max_reservation reached": {[]model.ScheduleLine{started, reserving(8)}, func(l *lab, _ *model.Job) {
			l.Policy.MaxReservation = 1
		},
			is},
		"the cluster was full": {[]model.ScheduleLine{started}, func(l *lab, _ *model.Job) {
			l.Instances = l.Instances[:1]
		}, is},
		"its like was reserved for": {[]model.ScheduleLine{started, reserving(3)},
			func(l *lab, _ *model.Job) { l.submit("-q all.q@a -l h_rt=50 -R y") }, is},
		"a lesser one was, after it": {[]model.ScheduleLine{started, reserving(3)},
			func(l *lab, _ *model.Job) { l.submit("-q all.q@b -l h_rt=50 -R y") }, not},
		"a lesser one was, before it then": {[]model.ScheduleLine{started, reserving(3)}, func(l *lab, _ *model.Job) {
			l.submit("-q all.q@b -l h_rt=50 -R y")
			l.Policy.MaxReservation, l.Policy.ReportPendingTickets = 1, true
			l.Jobs[1].Tasks[0].Reported, l.Jobs[2].Tasks[0].Reported = &model.TaskReport{Prio: 0.1}, &model.TaskReport{Prio: 0.2}
		}, is},
	} {
		l := newLab(2, 1)
		l.TakenAt = noon
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		j := l.submit("-q all.q@a -l h_rt=50 -R y")
		if c.lines != nil {
			l.Runs = []model.RunRecord{{Complete: true, Lines: c.lines}}
		}
		j.Submitted = noon.Add(-time.Hour)
		if c.change != nil {
			c.change(l, j)
		}
		if got := seasoned(l); !strings.HasPrefix(got, c.want) && !strings.HasPrefix(got, "3 starts on b; "+c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
