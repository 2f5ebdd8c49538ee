package delay

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"qprism/engine/delay"
	"qprism/engine/model"
)

var at = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// place is a queue instance that takes batch jobs.
func place(name string, slots int, state string) model.QueueInstance {
	queue, host, _ := strings.Cut(name, "@")
	return model.QueueInstance{Name: name, Queue: queue, Host: host, Slots: slots, State: state, Type: "BATCH INTERACTIVE"}
}

// waiting is a job that waits.
func waiting(number uint32) model.Job {
	return model.Job{Number: number, Tasks: []model.Task{{IDs: one(1)}}}
}

// running is a job that began an hour ago.
func running(number uint32, slots int, on string) model.Job {
	return model.Job{Number: number, Owner: "joe", Tasks: []model.Task{{IDs: one(1), Started: at.Add(-time.Hour), Slots: slots,
		Granted: []model.Grant{{Instance: on, Slots: slots}}}}}
}

func one(task uint32) []model.Range { return []model.Range{{Min: task, Max: task, Step: 1}} }

// waits is a plan that does not start job 1, for these reasons.
func waits(why ...model.Reason) *model.Plan {
	return &model.Plan{RunAt: at, Decisions: []model.Decision{{Job: 1, Tasks: one(1), Verdict: model.Never, Why: why}}}
}

// shown is groups as text: bar or kind of reason, whether time helps, places.
func shown(groups []delay.Group) (list []string) {
	for _, g := range groups {
		what := string(g.Bar)
		if g.Bar == delay.Refuses {
			what = string(g.Why.Kind)
		}
		list = append(list, fmt.Sprintf("%s %v: %s", what, g.TimeHelps(), strings.Join(g.Places, " ")))
	}
	return list
}

func TestHostsAreCountedByTheReasonThatComesNearest(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{waiting(1)}, Instances: []model.QueueInstance{
		place("a@n1", 1, ""), place("a@n2", 1, ""), place("a@n3", 1, ""), place("a@n4", 1, ""), place("b@n1", 1, ""), place("b@n2", 1, ""),
		place("b@n5", 1, "")}}
	quota := model.Reason{Kind: model.ReasonQuota, Level: "L", Object: "set/1", Resource: "joe/////", Later: true}
	d := Of(s, waits(
		model.Reason{Kind: model.ReasonQueueList, Level: "Q", Object: "b", Asked: "a"}, // a whole cluster queue
		model.Reason{Kind: model.ReasonFull, Level: "Q", Object: "a@n1", Resource: "slots", Later: true},
		model.Reason{Kind: model.ReasonQueueState, Level: "Q", Object: "a@n2", Offered: "d"},
		model.Reason{Kind: model.ReasonResource, Level: "H", Object: "n3", Resource: "mem", Asked: "8G", Reserved: true, Later: true},
		quota), &s.Jobs[0], 0)
	if got, want := shown(d.Hosts), []string{"resource true: n3", "full true: n1", "queue list false: n2 n5"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !reflect.DeepEqual(d.General, []model.Reason{quota}) || !d.Mendable() {
		t.Errorf("general %+v, mendable %v", d.General, d.Mendable())
	}
}

func TestHostsThatTheRunDidNotTryAreFullClosedOrHaveTooLittle(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{waiting(1), running(2, 2, "q@n1")},
		Instances: []model.QueueInstance{place("q@n1", 2, ""), place("q@n2", 2, "d"), place("q@n3", 2, "")}}
	everywhere := []model.Reason{{Kind: model.ReasonResource, Level: "G", Object: "global", Resource: "lic"},
		{Kind: model.ReasonPESlots, Level: "G"}}
	for what, c := range map[string]struct {
		why  []model.Reason
		want []string
	}{
		"too few slots together": {[]model.Reason{{Kind: model.ReasonPESlots, Level: "P"}},
			[]string{"partial true: n3", "taken true: n1", "queue state false: n2"}},
		"the run ended": {[]model.Reason{{Kind: model.ReasonStopped}},
			[]string{"taken true: n1", "queue state false: n2"}},
		"short everywhere, where no host was tried": {everywhere, nil},
		"held": {[]model.Reason{{Kind: model.ReasonHold}}, nil},
	} {
		if got := shown(Of(s, waits(c.why...), &s.Jobs[0], 0).Hosts); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
}

// TestClosedPlacesAreToldOnceByReason has a host over its load threshold, which time mends, and a queue that does not take the job.
func TestClosedPlacesAreToldOnceByReason(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{waiting(1)}, Instances: []model.QueueInstance{place("q@a", 2, "a"), place("p@b", 2, ""),
		place("q@c", 2, "a")}}
	over := func(place string) model.Reason {
		return model.Reason{Kind: model.ReasonLoad, Level: "Q", Object: place, Resource: "np_load_avg", Asked: "1.75", Offered: "3", Later: true}
	}
	p := waits(model.Reason{Kind: model.ReasonQueueList, Level: "Q", Object: "p", Asked: "q"})
	p.Closed = []model.Reason{over("q@a"), {Kind: model.ReasonFull, Level: "Q", Object: "q@d", Later: true}, over("q@c")}
	d := Of(s, p, &s.Jobs[0], 0)
	if got, want := shown(d.Hosts), []string{"load threshold true: a c", "queue list false: b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("hosts: got %q", got)
	}
	if got, want := shown(d.Closed), []string{"load threshold true: q@a q@c"}; !reflect.DeepEqual(got, want) {
		t.Errorf("closed: got %q", got)
	}
	p.Decisions[0].Why = []model.Reason{{Kind: model.ReasonHold}}
	if d := Of(s, p, &s.Jobs[0], 0); d.Closed != nil || d.Ahead != nil {
		t.Error("a held job does not care what is closed, or comes before it")
	}
	p.Decisions[0] = model.Decision{Job: 1, Tasks: one(1), Verdict: model.Now}
	if d := Of(s, p, &s.Jobs[0], 0); d.Decision != nil || len(d.Starts) != 1 || d.Closed != nil {
		t.Errorf("a job that starts: %+v", d)
	}
}

// TestAJobWaitsForNoSlotThatItCanNeverHave has two full queue instances of one host, of which one's queue is too short for the job,
// and a third whose access list bars it, as it bars it from another host.
func TestAJobWaitsForNoSlotThatItCanNeverHave(t *testing.T) {
	s := &model.Snapshot{Policy: model.Policy{DefaultDuration: 2 * time.Hour},
		Usersets:  []model.Userset{{Name: "staff", Entries: []string{"root"}, ACL: true}},
		Jobs:      []model.Job{waiting(1), running(2, 1, "long@a"), running(3, 1, "short@a"), running(4, 1, "own@a"), running(5, 1, "own@b")},
		Instances: []model.QueueInstance{place("long@a", 1, ""), place("short@a", 1, ""), place("own@a", 1, ""), place("own@b", 1, "")}}
	s.Instances[2].ACL, s.Instances[3].ACL = []string{"staff"}, []string{"staff"}
	p := waits(model.Reason{Kind: model.ReasonResource, Level: "Q", Object: "short", Resource: "h_rt", Asked: "3600"},
		model.Reason{Kind: model.ReasonStopped})
	d := Of(s, p, &s.Jobs[0], 0)
	want := []delay.Holder{{Of: delay.Place{Level: "Q", Object: "long@a", Resource: "slots"}, Job: 2, Task: 1, Owner: "joe",
		State: delay.Running, Amount: 1, Until: at.Add(time.Hour),
		Free: 1}}
	if !reflect.DeepEqual(d.Holders, want) {
		t.Errorf("it waits for %+v", d.Holders)
	}
	if got, want := shown(d.Hosts), []string{"taken true: a", "access false: b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("hosts: got %q", got)
	}
}

// TestHoldersEndAtTheirLimits has a plan with lines: what they book ends DURATION_OFFSET sooner, or when a queue ends it. Reservations for
// jobs behind, or for a time that is over, stand in no one's way. Each says how much is free then.
func TestHoldersEndAtTheirLimits(t *testing.T) {
	short := model.Reason{Kind: model.ReasonResource, Level: "G", Object: "global", Resource: "lic", Later: true}
	p := waits(short)
	reserved := func(job uint32) model.Decision {
		return model.Decision{Job: job, Tasks: one(1), Verdict: model.Later, Start: at.Add(time.Hour)}
	}
	p.Decisions = []model.Decision{reserved(2), reserved(7), p.Decisions[0], reserved(3)}
	line := func(job uint32, state delay.State, start, length time.Duration, amount float64) model.ScheduleLine {
		return model.ScheduleLine{Job: job, Task: 1, State: string(state), Start: at.Add(start), Duration: length, Level: "G", Object: "global",
			Resource: "lic", Amount: amount}
	}
	p.Lines = []model.ScheduleLine{line(3, delay.Reserving, 2*time.Hour, time.Hour, 4),
		line(2, delay.Reserving, time.Hour+time.Minute, time.Hour+time.Minute, 3),
		line(4, delay.Starting, 0, time.Hour+time.Minute, 2), line(5, delay.Suspended, -time.Hour, model.Forever, 1),
		line(6, delay.Running, -time.Hour, 24*time.Hour, 1), line(7, delay.Reserving, -3*time.Hour, time.Hour, 4)}
	p.Utilization = []model.Utilization{{Level: "G", Object: "global", Resource: "lic", Total: 4}}
	s := &model.Snapshot{Jobs: []model.Job{waiting(1), waiting(2), waiting(3), waiting(4), running(6, 1, "q@a")},
		Instances: []model.QueueInstance{place("q@a", 2, "")}}
	s.Instances[0].Limits = []model.Setting{{Name: "h_rt", Value: "5400"}}
	d := Of(s, p, &s.Jobs[0], 0)
	var got []string
	for _, h := range d.Holders {
		until := "no end"
		if !h.Until.IsZero() {
			until = h.Until.Sub(at).String()
		}
		got = append(got, fmt.Sprintf("%d %s %v until %s, free %v", h.Job, h.State, h.Amount, until, h.Free))
	}
	want := []string{"6 RUNNING 1 until 30m0s, free 1", "4 STARTING 2 until 1h0m0s, free 0", "2 RESERVING 3 until 2h0m0s, free 3",
		"5 SUSPENDED 1 until no end, free NaN"}
	if !reflect.DeepEqual(got, want) || d.Slack != 0 {
		t.Errorf("got  %q\nwant %q, slack %v", got, want, d.Slack)
	}
	if p.Decisions[3].Why = []model.Reason{short}; Of(s, p, &s.Jobs[2], 0).Slack != time.Minute {
		t.Error("a reservation comes DURATION_OFFSET after such an end")
	}
}

// TestWorkAheadIsWhatIsTriedBeforeAndWhatRuns leaves out jobs that are held, and counts what nothing ends.
func TestWorkAheadIsWhatIsTriedBeforeAndWhatRuns(t *testing.T) {
	limited := func(j model.Job) model.Job {
		j.Hard = []model.Request{{Resource: "h_rt", Value: "7200"}}
		return j
	}
	array, parallel := limited(waiting(2)), limited(waiting(3))
	parallel.PE, parallel.PERange = "mpi", []model.Range{{Min: 4, Max: 8, Step: 1}}
	s := &model.Snapshot{Policy: model.Policy{DefaultDuration: model.Forever},
		Jobs:      []model.Job{waiting(1), array, parallel, waiting(4), limited(waiting(5)), limited(running(6, 3, "q@a")), running(7, 1, "q@a")},
		Instances: []model.QueueInstance{place("q@a", 4, "")}}
	p := waits()
	own := p.Decisions[0]
	p.Decisions = []model.Decision{{Job: 2, Tasks: []model.Range{{Min: 1, Max: 3, Step: 1}}}, {Job: 3, Tasks: one(1)}, {Job: 4, Tasks: one(1)},
		{Job: 5, Tasks: one(1), Why: []model.Reason{{Kind: model.ReasonHold}}}, {Job: 1, Tasks: one(1), Verdict: model.Now}, own,
		{Job: 2, Tasks: one(9)}}
	want := &delay.Work{Jobs: 3, Tasks: 5, Hours: 3*2 + 4*2, Endless: 1, Running: 3 * 1, RunningEndless: 1}
	if got := Of(s, p, &s.Jobs[0], 0).Ahead; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestATaskIsAskedAboutByItself(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{{Number: 1, Array: true, Predecessors: []uint32{2},
		Tasks: []model.Task{{IDs: one(1), Started: at.Add(-time.Hour)},
			{IDs: []model.Range{{Min: 2, Max: 9, Step: 1}}}}}, running(2, 1, "q@a")}}
	p := &model.Plan{RunAt: at, Decisions: []model.Decision{{Job: 1, Tasks: []model.Range{{Min: 2, Max: 2, Step: 1}}, Verdict: model.Now},
		{Job: 1, Tasks: []model.Range{{Min: 3, Max: 3, Step: 1}}, Verdict: model.Never},
		{Job: 1, Tasks: []model.Range{{Min: 4, Max: 4, Step: 1}}, Verdict: model.Never}}}
	for task, want := range map[uint32]string{0: "1 runs, 1 starts, 3, 1 more", 1: "1 runs, 0 starts, 0, 0 more",
		2: "0 runs, 1 starts, 0, 0 more", 4: "0 runs, 0 starts, 4, 0 more"} {
		d := Of(s, p, &s.Jobs[0], task)
		number := uint32(0)
		if d.Decision != nil {
			if number = d.Decision.Tasks[0].Min; !d.Awaited {
				t.Error("job 2 runs")
			}
		}
		if got := fmt.Sprintf("%d runs, %d starts, %d, %d more", d.Running, len(d.Starts), number, len(d.Others)); got != want {
			t.Errorf("task %d: got %s, want %s", task, got, want)
		}
	}
}

// TestAJobWaitsForThoseOnHostsWithSomeRoom has a full host and one with too few free slots: an end on either may let the job start.
func TestAJobWaitsForThoseOnHostsWithSomeRoom(t *testing.T) {
	s := &model.Snapshot{Policy: model.Policy{DefaultDuration: 3 * time.Hour},
		Jobs:      []model.Job{waiting(1), running(2, 4, "q@full"), running(3, 3, "q@part")},
		Instances: []model.QueueInstance{place("q@full", 4, ""), place("q@part", 4, ""), place("q@shut", 4, "d")}}
	s.Jobs[2].Tasks[0].Started = at.Add(-2 * time.Hour)
	d := Of(s, waits(model.Reason{Kind: model.ReasonPESlots, Level: "P", Rule: "$pe_slots"}), &s.Jobs[0], 0)
	var got []string
	for _, h := range d.Holders {
		got = append(got, fmt.Sprintf("%d on %s until %s", h.Job, h.Of.Object, h.Until.Format("15:04")))
	}
	if want := []string{"3 on q@part until 09:00", "2 on q@full until 10:00"}; !reflect.DeepEqual(got, want) {
		t.Errorf("it waits for %q, not %q", got, want)
	}
}
