package diff

import (
	"fmt"
	"testing"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

func TestReasonsMakeCauses(t *testing.T) {
	license := model.Reason{Kind: model.ReasonResource, Level: "G", Object: "global", Resource: "license", Later: true}
	kept := model.Reason{Kind: model.ReasonResource, Level: "Q", Object: "all.q@a", Resource: "slots", Later: true, Reserved: true}
	denied := model.Reason{Kind: model.ReasonAccess, Level: "Q", Object: "all.q"}
	off := model.Reason{Kind: model.ReasonQueueState, Level: "Q", Object: "long.q@a", Offered: "d"}
	full := model.Reason{Kind: model.ReasonFull, Level: "Q", Object: "long.q@b", Resource: "slots", Later: true}
	for name, c := range map[string]struct {
		why, closed []model.Reason
		kind        Kind
		detail      string
	}{
		"what is short is waited for":                      {[]model.Reason{license}, nil, Resource, "license"},
		"what time mends counts more than what never fits": {[]model.Reason{denied, denied, license}, nil, Resource, "license"},
		"what is kept for others means backfilling": {[]model.Reason{license, license, kept}, nil, Backfilled,
			"slots reserved for others"},
		"a hold counts more than anything":                  {[]model.Reason{license, kept, {Kind: model.ReasonHold}}, nil, Held, "hold"},
		"no place at all":                                   {[]model.Reason{denied}, nil, Request, "access"},
		"an open queue denies the job, another one is full": {[]model.Reason{denied}, []model.Reason{full}, Resource, "slots"},
		"an open queue denies the job, another one is off":  {[]model.Reason{denied}, []model.Reason{off}, HostState, "queue state"},
		"a queue that denies the job is no hope closed": {[]model.Reason{denied},
			[]model.Reason{{Kind: model.ReasonFull, Level: "Q", Object: "all.q@b"}}, Request, "access"},
		"a wrong request does not wait for queues": {[]model.Reason{{Kind: model.ReasonUnknown, Level: "G"}}, []model.Reason{full},
			Request, "unknown resource"},
		"a run that ended: the cluster is full": {[]model.Reason{{Kind: model.ReasonStopped}}, nil, Resource, "slots"},
		"a run that ended: all queues are off": {[]model.Reason{{Kind: model.ReasonStopped}}, []model.Reason{off}, HostState,
			"queue state"},
		"quotas are named": {[]model.Reason{{Kind: model.ReasonQuota, Object: "users/1"}}, nil, Quota,
			"users/1"},
		"a limit of PBS is said in its words": {[]model.Reason{{Kind: model.ReasonLimit, Text: "Server job limit reached"}}, nil,
			Quota, "Server job limit reached"},
		"strict ordering is policy": {[]model.Reason{{Kind: model.ReasonStrictOrder}}, nil, Policy, "strict order"},
		"no reason is unknown":      {nil, nil, Unknown, "the run gives no reason"},
	} {
		d := &decided{Plan: &model.Plan{Closed: c.closed}, single: map[Task]int{}, groups: map[uint32][]int{}}
		if got := d.ofReasons(c.why); got.Kind != c.kind || got.Detail != c.detail {
			t.Errorf("%s: %s %q, want %s %q", name, got.Kind, got.Detail, c.kind, c.detail)
		}
	}
}

// TestEveryKindOfReasonHasACause looks at all conditions that the planners know, those of PBS too.
func TestEveryKindOfReasonHasACause(t *testing.T) {
	vagueKinds := map[model.ReasonKind]bool{model.ReasonReservations: true, model.ReasonStopped: true}
	for _, kind := range []model.ReasonKind{model.ReasonHold, model.ReasonError, model.ReasonDependency, model.ReasonExecutionTime,
		model.ReasonTaskLimit,
		model.ReasonUserLimit, model.ReasonAdvance, model.ReasonQueueState, model.ReasonLoad, model.ReasonFull, model.ReasonCalendar,
		model.ReasonQueueList,
		model.ReasonQueueType, model.ReasonAccess, model.ReasonProject, model.ReasonPE, model.ReasonPESlots, model.ReasonCheckpoint,
		model.ReasonForced,
		model.ReasonUnknown, model.ReasonNoRequest, model.ReasonResource, model.ReasonExclusive, model.ReasonQuota, model.ReasonReschedule,
		model.ReasonReservations, model.ReasonStopped, model.ReasonStale, model.ReasonLimit, model.ReasonDedicated, model.ReasonPrime,
		model.ReasonShares,
		model.ReasonThreshold, model.ReasonReserved, model.ReasonStrictOrder, model.ReasonPlacementSet} {
		if c, _ := ofReason(&model.Reason{Kind: kind}); (c.Kind == Unknown) != vagueKinds[kind] {
			t.Errorf("%s: %s", kind, c.Kind)
		}
	}
}

// cluster is a Grid Engine of one host with one slot, and jobs of two owners that differ by -p.
func cluster(at time.Time, priorities ...int) *model.Snapshot {
	s := &model.Snapshot{TakenAt: at, Has: []string{"sched_conf.txt"},
		Policy:    model.Policy{ScheduleInterval: 15 * time.Second, DefaultDuration: time.Hour, WeightPriority: 1, ReportPendingTickets: true},
		Hosts:     []model.Host{{Name: model.GlobalHost}, {Name: "a"}},
		Queues:    []model.Queue{{Name: "all.q"}},
		Instances: []model.QueueInstance{{Name: "all.q@a", Queue: "all.q", Host: "a", Slots: 1, Type: "BATCH INTERACTIVE", Listed: true}},
		Resources: []model.Resource{{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: "<=", Requestable: "YES",
			Consumable: model.ConsumeYes, Default: "1", Urgency: "0"}},
	}
	for i, p := range priorities {
		n := uint32(i + 1)
		s.Jobs = append(s.Jobs, model.Job{Number: n, Owner: "u", PosixPriority: p, Submitted: at.Add(-time.Hour + time.Duration(n)*time.Minute),
			Structure: []model.Range{{Min: 1, Max: 1, Step: 1}}, Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw",
				Slots: 1}}})
	}
	return s
}

// started is the snapshot with a job running.
func started(s *model.Snapshot, job uint32, at time.Time) *model.Snapshot {
	c := forecast.NewCluster(s)
	c.TakenAt = at.Add(time.Second)
	c.Apply(&model.Plan{RunAt: at, Decisions: []model.Decision{{Job: job, Tasks: []model.Range{{Min: 1, Max: 1, Step: 1}}, Verdict: model.Now,
		Start: at,
		Slots: []model.Grant{{Instance: "all.q@a", Slots: 1}}}}})
	return c.Snapshot
}

func TestAChangedPriorityIsNamed(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	then := cluster(at, 100, 0) // job 1 is expected first
	expect := func(s *model.Snapshot, at time.Time) *forecast.Forecast {
		return &forecast.Forecast{Starts: []forecast.Start{{Job: 1, Task: 1, At: at}, {Job: 2, Task: 1, At: at.Add(time.Hour)}}}
	}
	for name, c := range map[string]struct {
		change func(s *model.Snapshot)
		want   Cause
	}{
		"qalter -p": {func(s *model.Snapshot) { s.Jobs[1].PosixPriority = 200 }, Cause{Kind: Changed, Detail: "job altered (qalter)"}},
		"weights": {func(s *model.Snapshot) {
			s.Policy.WeightPriority, s.Policy.WeightUrgency, s.Jobs[1].Reserve = 0, 0, false
			s.Jobs[1].Submitted = at.Add(-2 * time.Hour)
		}, Cause{Kind: Changed, Detail: "policy changed"}},
		"a hold":   {func(s *model.Snapshot) { s.Jobs[0].Tasks[0].State = "hqw" }, Cause{Kind: Held, Detail: "hold"}},
		"an error": {func(s *model.Snapshot) { s.Jobs[0].Tasks[0].State = "Eqw" }, Cause{Kind: Held, Detail: "error state"}},
		"a time (-a)": {func(s *model.Snapshot) { s.Jobs[0].ExecutionTime = at.Add(time.Hour) },
			Cause{Kind: Held, Detail: "execution time"}},
		"a job to wait for": {func(s *model.Snapshot) { s.Jobs[0].Predecessors = []uint32{2} }, Cause{Kind: Held, Detail: "dependency"}},
	} {
		t.Run(name, func(t *testing.T) {
			now := cluster(at.Add(10*time.Second), 100, 0)
			for i := range now.Jobs {
				now.Jobs[i].Submitted = then.Jobs[i].Submitted
			}
			c.change(now)
			runs := Compare([]*model.Snapshot{then, now, started(now, 2, at.Add(20*time.Second))}, Options{Predict: ByForecast, Forecast: expect})
			if len(runs) == 0 || len(runs[0].Pairs) != 1 {
				t.Fatalf("%+v", runs)
			}
			got := runs[0].Pairs[0].Cause
			if got.Kind != c.want.Kind || got.Detail != c.want.Detail {
				t.Errorf("%s %q, want %s %q", got.Kind, got.Detail, c.want.Kind, c.want.Detail)
			}
		})
	}
}

func TestFiguresOfAForecast(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	s := cluster(at, 100, 0)
	expect := func(*model.Snapshot, time.Time) *forecast.Forecast {
		return &forecast.Forecast{Starts: []forecast.Start{{Job: 1, Task: 1, At: at}, {Job: 2, Task: 1, At: at.Add(time.Hour)}}}
	}
	runs := Compare([]*model.Snapshot{s, started(s, 1, at.Add(30*time.Second))}, Options{Predict: ByForecast, Forecast: expect})
	f := runs[0].Figures
	if f.Tasks != 2 || f.Started != 1 || f.Inversions != 0 || f.TauB != 1 || f.Overlap != 1 || f.Errors.Known != 1 || f.Errors.P50 != 30 ||
		f.Errors.Late != 1 || f.Errors.Missed != 1 {
		t.Errorf("%+v", f)
	}
}

func TestATaskThatIsGoneIsLostAndOneThatOnlyAccountingKnowsIsNew(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	before, after := cluster(at, 100, 0), cluster(at.Add(time.Minute), 100, 0)
	after.Jobs = after.Jobs[1:]
	after.Ended = []model.EndedTask{{Job: 3, Owner: "u", Queue: "all.q", Host: "a", Started: at.Add(5 * time.Second),
		Ended: at.Add(7 * time.Second)}}
	r := Compare([]*model.Snapshot{before, after}, Options{})[0]
	if len(r.Lost) != 1 || r.Lost[0].Job != 1 || len(r.New) != 1 || r.New[0].Job != 3 {
		t.Errorf("lost %v, new %v", r.Lost, r.New)
	}
}

// TestAJobThatCameBetweenTwoSnapshotsIsExpected has job 3 submitted after the first snapshot, in the very second of the run that
// starts it.
func TestAJobThatCameBetweenTwoSnapshotsIsExpected(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	then := cluster(at, 0, 0)
	for name, c := range map[string]struct {
		priority, place int
	}{"before all others": {100, 0}, "behind them": {-100, 2}} {
		t.Run(name, func(t *testing.T) {
			now := cluster(at, 0, 0, c.priority)
			now.Jobs[2].Submitted = at.Add(5 * time.Second)
			runs := Compare([]*model.Snapshot{then, started(now, 3, at.Add(5*time.Second))}, Options{})
			r := runs[0]
			if len(runs) != 1 || len(r.New)+len(r.Lost) > 0 || len(r.Items) != 3 || r.Items[c.place].Task.Job != 3 ||
				r.Figures.Inversions != int64(c.place) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestWhatTheSchedulerSaysOfTheRunIsTheCause(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	shortOf := func(text string) model.JobReason { return model.JobReason{Text: text} }
	for name, c := range map[string]struct {
		message model.JobReason
		want    Cause
	}{
		"a full PE": {model.JobReason{Code: 24, Text: `cannot run in PE "smp" because it only offers 0 slots`},
			Cause{Kind: Resource, Detail: "slots"}},
		"a quota": {model.JobReason{Code: 50, Text: `cannot run because it exceeds limit "u/" in rule "lim1/1"`},
			Cause{Kind: Quota, Detail: "lim1/1"}},
		"a consumable": {shortOf(`(-l license=2) cannot run globally because it offers only gc:license=1.000000`),
			Cause{Kind: Resource, Detail: "license"}},
		"what is reserved": {shortOf(`(-l h_rt=9) cannot run in queue "all.q@a" because it offers only qc:slots=0.000000 due to a reservation`),
			Cause{Kind: Backfilled, Detail: "slots reserved for others"}},
		"a fixed value": {shortOf(`(-l a=r1) cannot run at host "a" because it offers only hc:slots=0.000000it offers only hf:appver=r2`),
			Cause{Kind: Request, Detail: "appver"}},
		"an unknown resource": {shortOf(`(-l x=1) cannot run in queue "all.q@a" because job requests unknown resource (x)`),
			Cause{Kind: Request, Detail: "unknown resource"}},
		"what says nothing": {shortOf(`(-l h_rt=7200) cannot run in queue "all.q@a" because of cluster queue`),
			Cause{Kind: Unknown, Detail: `the scheduler says: (-l h_rt=7200) cannot run in queue "all.q@a" because of cluster queue`}},
	} {
		t.Run(name, func(t *testing.T) {
			before := cluster(at, 100, 0) // a plan starts job 1, the master starts job 2
			after := started(before, 2, at.Add(5*time.Second))
			after.Jobs[0].Messages = []model.JobReason{c.message}
			r := Compare([]*model.Snapshot{before, after}, Options{})[0]
			if len(r.Pairs) != 1 {
				t.Fatalf("%+v", r)
			}
			if got := r.Pairs[0].Cause; got.Kind != c.want.Kind || got.Detail != c.want.Detail {
				t.Errorf("%s %q, want %s %q", got.Kind, got.Detail, c.want.Kind, c.want.Detail)
			}
		})
	}
}

func TestAReservationOfTheRecordedRunIsTheCause(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	before := cluster(at, 100, 0)
	after := started(before, 2, at.Add(5*time.Second))
	line := func(job uint32, state string, at time.Time) model.ScheduleLine {
		return model.ScheduleLine{Job: job, Task: 1, State: state, Start: at, Duration: time.Hour, Level: "Q", Object: "all.q@a",
			Resource: "slots", Amount: 1}
	}
	reserved := at.Add(time.Hour)
	after.Runs = []model.RunRecord{{Lines: []model.ScheduleLine{line(2, "STARTING", at.Add(5*time.Second)), line(1, "RESERVING", reserved)}}}
	r := Compare([]*model.Snapshot{before, after}, Options{})[0]
	if len(r.Pairs) != 1 || r.Pairs[0].Cause.Kind != Backfilled || !r.Pairs[0].Cause.Start.Equal(reserved) {
		t.Errorf("%+v", r.Pairs)
	}
}

func TestIdsOfPBSAreTasks(t *testing.T) {
	for id, want := range map[string]Task{"12.server": {12, 1}, "12[3].server": {12, 3}, "7": {7, 1}} {
		if got, ok := taskOf(id); !ok || got != want {
			t.Errorf("%s: %v %v", id, got, ok)
		}
	}
	for _, id := range []string{"", "server", "12[].server", "12[x].s", "99999999999.s", "R12.s"} {
		if got, ok := taskOf(id); ok {
			t.Errorf("%q is task %v", id, got)
		}
	}
}

func FuzzTaskOf(f *testing.F) {
	f.Add("12[3].server")
	f.Fuzz(func(t *testing.T, id string) {
		if task, ok := taskOf(id); ok && task.Job == 0 && id[0] != '0' && id[0] != '[' {
			t.Errorf("%q is %v", id, task)
		}
	})
}

// TestDriftHasTheFiguresOfCompare: of the order and of a forecast.
func TestDriftHasTheFiguresOfCompare(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	s := cluster(at, 100, 0)
	expect := func(*model.Snapshot, time.Time) *forecast.Forecast {
		return &forecast.Forecast{Starts: []forecast.Start{{Job: 1, Task: 1, At: at}, {Job: 2, Task: 1, At: at.Add(time.Hour)}}}
	}
	both := []*model.Snapshot{s, started(s, 2, at.Add(30*time.Second))}
	tried, foreseen := Drift(both, Options{Forecast: expect})
	for _, c := range []struct {
		drift []Run
		by    Prediction
	}{{tried, ByOrder}, {foreseen, ByForecast}} {
		want := Compare(both, Options{Predict: c.by, Forecast: expect})
		if len(c.drift) != 1 || len(want) != 1 || fmt.Sprint(c.drift[0].Figures) != fmt.Sprint(want[0].Figures) {
			t.Errorf("%s: %+v, want %+v", c.by, c.drift, want)
		}
	}
}
