package split

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

var noon = time.Unix(2_000_000, 0)

func ids(text string) []model.Range {
	var list []model.Range
	for _, part := range strings.Fields(text) {
		r := model.Range{Step: 1}
		if n, _ := fmt.Sscanf(part, "%d-%d:%d", &r.Min, &r.Max, &r.Step); n == 1 {
			r.Max = r.Min
		}
		list = append(list, r)
	}
	return list
}

func text(ranges []model.Range) string {
	var parts []string
	for _, r := range ranges {
		if r.Min == r.Max {
			parts = append(parts, fmt.Sprint(r.Min))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d:%d", r.Min, r.Max, r.Step))
		}
	}
	return strings.Join(parts, " ")
}

// TestLists says where the tasks of one job go in a run at noon.
func TestLists(t *testing.T) {
	quirks := model.Quirks{ZeroInstancesExcludes: true, FirstRangeOnly: true}
	waits := func(numbers string) model.Task { return model.Task{IDs: ids(numbers), State: "qw"} }
	runs := func(number, state string, since time.Duration) model.Task {
		return model.Task{IDs: ids(number), State: state, Enrolled: true, Started: noon.Add(since)}
	}
	for name, c := range map[string]struct {
		job                                model.Job
		running, suspended, pending, aside string
	}{
		"a waiting job is pending": {job: model.Job{Tasks: []model.Task{waits("1")}}, pending: "1"},
		"a held job is aside":      {job: model.Job{Tasks: []model.Task{{IDs: ids("1"), State: "hqw"}}}, aside: "1"},
		"an erroneous task is aside": {job: model.Job{Tasks: []model.Task{{IDs: ids("1"), State: "Eqw", Enrolled: true}}},
			aside: "1"},
		"a rescheduled task is pending": {job: model.Job{Tasks: []model.Task{{IDs: ids("1"), State: "Rq", Enrolled: true}}},
			pending: "1"},
		"a held rescheduled task is aside": {job: model.Job{Tasks: []model.Task{{IDs: ids("1"), State: "hRq", Enrolled: true}}},
			aside: "1"},
		"a job before its -a time is aside": {job: model.Job{ExecutionTime: noon.Add(time.Second), Tasks: []model.Task{waits("1")}},
			aside: "1"},
		"a job at its -a time is pending":            {job: model.Job{ExecutionTime: noon, Tasks: []model.Task{waits("1")}}, pending: "1"},
		"a job that waits for another is aside":      {job: model.Job{Predecessors: []uint32{3}, Tasks: []model.Task{waits("1")}}, aside: "1"},
		"a task that started before runs":            {job: model.Job{Tasks: []model.Task{runs("1", "r", -1)}}, running: "1"},
		"a task that started in the run was pending": {job: model.Job{Tasks: []model.Task{runs("1", "t", 0)}}, pending: "1"},
		"a deleted task that still runs takes part":  {job: model.Job{Tasks: []model.Task{runs("1", "dr", -1)}}, running: "1"},
		"a suspended task takes no part":             {job: model.Job{Tasks: []model.Task{runs("1", "s", -1)}}, suspended: "1"},
		"one suspended by a queue takes no part":     {job: model.Job{Tasks: []model.Task{runs("1", "S", -1)}}, suspended: "1"},
		"started numbers join those after them": {job: model.Job{Tasks: []model.Task{runs("2", "t", 0), waits("4-10:2")}},
			pending: "2-10:2"},
		"-tc leaves the rest aside": {job: model.Job{MaxRunningTasks: 2,
			Tasks: []model.Task{runs("1", "r", -1), waits("2-9:1")}}, running: "1", pending: "2", aside: "3-9:1"},
		"-tc that is reached leaves all aside": {job: model.Job{MaxRunningTasks: 1,
			Tasks: []model.Task{runs("1", "r", -1), waits("2-9:1")}}, running: "1", aside: "2-9:1"},
		"a limit only cuts the first ranges (Q40)": {job: model.Job{MaxRunningTasks: 2, Tasks: []model.Task{waits("1-3:1 5-9:1")}},
			pending: "1-2:1 5-9:1", aside: "3"},
		"a limit at the end of a range is used up, too": {job: model.Job{MaxRunningTasks: 3, Tasks: []model.Task{waits("1-3:1 5-9:1")}},
			pending: "1-3:1 5-9:1"},
		"waiting and held tasks part": {job: model.Job{Tasks: []model.Task{waits("1 4-8:1"), {IDs: ids("2 3"), State: "hqw"}}},
			pending: "1 4-8:1", aside: "2-3:1"},
	} {
		t.Run(name, func(t *testing.T) {
			c.job.Number, c.job.Submitted = 7, noon.Add(-time.Hour)
			lists := Jobs(&model.Snapshot{Jobs: []model.Job{c.job}}, noon, quirks, Assumed{})
			for list, want := range map[string]struct {
				entries []Entry
				ids     string
			}{"running": {lists.Running, c.running}, "suspended": {lists.Suspended, c.suspended}, "pending": {lists.Pending, c.pending},
				"aside": {lists.Blocked, c.aside}} {
				var got []model.Range
				for _, e := range want.entries {
					for _, task := range e.Tasks {
						got = append(got, model.Range{Min: task.Number, Max: task.Number, Step: 1})
					}
					got = append(got, e.Waiting...)
				}
				if text(join(got)) != text(join(ids(want.ids))) {
					t.Errorf("%s: got %q, want %q", list, text(got), want.ids)
				}
			}
		})
	}
}

// TestWhatIsSuspendedAfterARunTookPartInIt: the run counts suspended jobs, none of them where 9.1.4 suspended one after it.
func TestWhatIsSuspendedAfterARunTookPartInIt(t *testing.T) {
	for suspended, want := range map[string]int{"0": 1, "1": 0} {
		s := &model.Snapshot{Jobs: []model.Job{{Number: 1, Tasks: []model.Task{{IDs: ids("1"), State: "S", Started: noon.Add(-time.Minute)}}}},
			Trace: []model.TraceLine{{At: noon.Add(time.Millisecond),
				Text: "PROF: scheduled in 0.010 (u 0.010 + s 0.000 = 0.010): 0 sequential, 0 parallel, 10 orders, 3 H, 1 Q, 4 QA, 3 J(qw), 3 J(r), " +
					suspended + " J(s), 0 J(h), 0 J(e), 0 J(x), 7 J(all), 53 C"}}}
		if lists := Jobs(s, noon, model.Quirks{}, Assumed{}); len(lists.Running) != want {
			t.Errorf("%s suspended jobs: %d run in it, want %d", suspended, len(lists.Running), want)
		}
	}
}

func TestMaxAjInstancesOfZeroLetsNoTaskStart(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{{Number: 1, Tasks: []model.Task{{IDs: ids("1-4:1"), State: "qw"}}}},
		Config: model.Config{Global: []model.Setting{{Name: "max_aj_instances", Value: "0"}}}}
	for quirk, pending := range map[bool]int{true: 0, false: 1} {
		if lists := Jobs(s, noon, model.Quirks{ZeroInstancesExcludes: quirk}, Assumed{}); len(lists.Pending) != pending {
			t.Errorf("quirk %v: %d pending jobs, want %d", quirk, len(lists.Pending), pending)
		}
	}
}

func TestAJobSubmittedAfterTheRunIsInNoList(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{{Number: 1, Submitted: noon.Add(time.Second), Tasks: []model.Task{{IDs: ids("1"), State: "qw"}}}}}
	if lists := Jobs(s, noon, model.Quirks{}, Assumed{}); len(lists.Pending) != 0 {
		t.Errorf("got %v", lists.Pending)
	}
}

// TestOrder: the scheduler holds jobs in the order of their last change.
func TestOrder(t *testing.T) {
	job := func(number uint32, age time.Duration, tasks ...model.Task) model.Job {
		return model.Job{Number: number, Submitted: noon.Add(-age), Tasks: append(tasks, model.Task{IDs: ids("5"), State: "qw"})}
	}
	s := &model.Snapshot{Jobs: []model.Job{job(3, 10*time.Second),
		job(1, 30*time.Second, model.Task{IDs: ids("1"), State: "r", Started: noon.Add(-5 * time.Second)}), job(2, 20*time.Second),
		job(4, 20*time.Second)}}
	for name, c := range map[string]struct {
		assumed Assumed
		want    string
	}{
		"a task that started moves its job":       {want: "2 4 3 1"},
		"an altered job is behind another one":    {assumed: Assumed{Order: Order{2: 3}}, want: "4 3 2 1"},
		"altered jobs follow each other":          {assumed: Assumed{Order: Order{2: 1, 3: 2}}, want: "4 1 2 3"},
		"a circle of altered jobs does no harm":   {assumed: Assumed{Order: Order{2: 3, 3: 2}}, want: ""},
		"a job behind one that is gone stays put": {assumed: Assumed{Order: Order{2: 99}}, want: "2 4 3 1"},
		"the known sequence, and a job without a place": {assumed: Assumed{Sequence: map[uint32]int{1: 0, 4: 1, 3: 2}},
			want: "1 4 3 2"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, e := range Jobs(s, noon, model.Quirks{}, c.assumed).Pending {
				got = append(got, fmt.Sprint(e.Job.Number))
			}
			if c.want != "" && strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
			if len(got) != len(s.Jobs) {
				t.Errorf("got %v of %d jobs", got, len(s.Jobs))
			}
		})
	}
}

// TestOrderOfOneSecond: job 4 was submitted before job 5 and started with it, so that 4 was there when 2 started, and 6 was
// perhaps not. A rescheduled job's submission is of another moment of that second.
func TestOrderOfOneSecond(t *testing.T) {
	then := noon.Add(-time.Minute)
	job := func(number uint32, tasks ...model.Task) model.Job {
		return model.Job{Number: number, Submitted: then, Tasks: append(tasks, model.Task{IDs: ids("5"), State: "qw"})}
	}
	started := model.Task{IDs: ids("1"), State: "r", Started: then}
	s := &model.Snapshot{Jobs: []model.Job{job(2, started), job(3), job(4), job(5, started), job(6), job(1)}}
	s.Jobs[1].Tasks[0].State = "Rq"
	var got []string
	for _, e := range Jobs(s, noon, model.Quirks{}, Assumed{}).Pending {
		got = append(got, fmt.Sprint(e.Job.Number))
	}
	if got, want := strings.Join(got, " "), "1 4 2 3 5 6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFreeSlots counts what was free before the run.
func TestFreeSlots(t *testing.T) {
	s := &model.Snapshot{
		Instances: []model.QueueInstance{
			{Name: "a", Slots: 4, Used: 3, Listed: true}, {Name: "off", Slots: 4, Listed: true, State: "d"},
			{Name: "over", Slots: 1, Used: 2, Listed: true}, {Name: "unseen", Slots: 9}},
		Jobs: []model.Job{{Tasks: []model.Task{{State: "t", Started: noon, Slots: 2, Granted: []model.Grant{{Instance: "a"}}},
			{State: "r", Started: noon.Add(-1), Slots: 1, Granted: []model.Grant{{Instance: "a"}}}}}},
	}
	if free := FreeSlots(s, noon); free != 3 {
		t.Errorf("at the run: %d", free)
	}
	if free := LeftSlots(s, noon); free != 1 {
		t.Errorf("now: %d", free)
	}
	if free := FreeSlots(&model.Snapshot{}, noon); free != unlimited {
		t.Errorf("without any instance: %d", free)
	}
}

// TestAQueueThatAStartSuspendedWasFreeInItsRun: prio.q suspends low.q of its host with two slots in use.
func TestAQueueThatAStartSuspendedWasFreeInItsRun(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		started []time.Duration // of its tasks, one slot each
		host    string          // of low.q
		state   string
		want    uint32
	}{
		"both started in the run":     {[]time.Duration{0, 0}, "h", "S", 7},
		"one of them":                 {[]time.Duration{0, -time.Minute}, "h", "S", 6},
		"both ran before":             {[]time.Duration{-time.Minute, -time.Minute}, "h", "S", 2},
		"one more than needed":        {[]time.Duration{0, -time.Minute, -time.Minute}, "h", "S", 2},
		"too few to suspend it":       {[]time.Duration{0}, "h", "S", 4},
		"on another host":             {[]time.Duration{0, 0}, "i", "S", 4},
		"it is disabled, too":         {[]time.Duration{0, 0}, "h", "dS", 4},
		"it is suspended by somebody": {[]time.Duration{0, 0}, "h", "s", 4},
	} {
		s := &model.Snapshot{Instances: []model.QueueInstance{{Name: "prio.q@h", Queue: "prio.q", Host: "h", Slots: 4, Used: len(c.started),
			Listed: true, Subordinates: []model.Subordinate{{Queue: "other.q", Threshold: 1}, {Queue: "low.q", Threshold: 2}}},
			{Name: "low.q@h", Queue: "low.q", Host: c.host, Slots: 3, Listed: true, State: c.state}}}
		for i, d := range c.started {
			s.Jobs = append(s.Jobs, model.Job{Number: uint32(i + 1), Tasks: []model.Task{{State: "r", Started: at.Add(d), Slots: 1,
				IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, Granted: []model.Grant{{Instance: "prio.q@h", Slots: 1}}}}})
		}
		if got := FreeSlots(s, at); got != c.want {
			t.Errorf("%s: %d free slots, want %d", name, got, c.want)
		}
	}
}

func TestATaskThatEndedWhileTheBundleWasMadeStillHoldsItsSlots(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	task := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r", Started: at.Add(-time.Minute), Slots: 2,
		Granted: []model.Grant{{Instance: "q@h", Slots: 2}}}
	for name, c := range map[string]struct {
		slots, used int
		want        uint32
	}{
		"the queue's listing is later":            {4, 0, 6},
		"both show it":                            {4, 2, 6},
		"the queue runs what no job's list shows": {4, 3, 5},
		"half of it ran elsewhere":                {1, 0, 3},
		"the queue has lost a slot since":         {1, 2, 4},
	} {
		s := &model.Snapshot{Jobs: []model.Job{{Number: 1, Tasks: []model.Task{task}}},
			Instances: []model.QueueInstance{{Name: "q@h", Slots: c.slots, Used: c.used, Listed: true}, {Name: "q@i", Slots: 4, Listed: true}}}
		if got := FreeSlots(s, at); got != c.want {
			t.Errorf("%s: %d free slots, want %d", name, got, c.want)
		}
	}
}

func TestTasksThatStartAgainAreTakenByNumber(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	j := model.Job{Number: 1, Array: true}
	for _, number := range []uint32{2, 1} { // as qstat lists them, by queue instance
		j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: number, Max: number, Step: 1}}, State: "Rt", Started: at, Slots: 1})
	}
	lists := Jobs(&model.Snapshot{Jobs: []model.Job{j}}, at, model.Quirks{}, Assumed{})
	if got := lists.Pending[0].Tasks; len(got) != 2 || got[0].Number != 1 {
		t.Errorf("%+v", got)
	}
}
