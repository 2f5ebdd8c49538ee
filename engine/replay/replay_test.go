package replay_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/compat"
	"qprism/engine/model"
	"qprism/engine/replay"
	"qprism/engine/whatif"
	"qprism/fixtures/generate"
	"qprism/importer"
	"qprism/importer/gridengine"
)

// steps are the snapshots of a recorded period.
const steps = 12

// recorded is a cluster that goes on for some hours, seen every half hour, by a policy that ranks as the generator does.
func recorded(t testing.TB, hosts, jobs int) *replay.Record {
	t.Helper()
	recording, closer, err := importer.Open("../../fixtures/gridengine/8.1.9-share-2.tar.gz/run2/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	e, err := generate.Evolve(recording, hosts, jobs, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := replay.NewRecord()
	for range steps {
		files, err := e.Files()
		if err != nil {
			t.Fatal(err)
		}
		bundle := fstest.MapFS{}
		for name, data := range files {
			bundle[name] = &fstest.MapFile{Data: data}
		}
		s, err := gridengine.Read(bundle, gridengine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.Add(s, s.Ended)
		e.Step(30 * time.Minute)
	}
	return r
}

func never() bool { return false }

func under(r *replay.Record, change func(*model.Snapshot)) *whatif.Case {
	own := *r.First
	change(&own)
	_, quirks := compat.For(own.Release)
	return &whatif.Case{Snapshot: &own, Quirks: quirks}
}

// TestAReplayByTheRecordedPolicyIsTheRecord: the generator starts by urgency, tickets and -p as the scheduler does, but that it splits
// tickets evenly; so as many tasks start, and who waits, waits as long.
func TestAReplayByTheRecordedPolicyIsTheRecord(t *testing.T) {
	r := recorded(t, 20, 300)
	was := group(r.Recorded(), "", "")
	got := r.Play([]*whatif.Case{under(r, func(*model.Snapshot) {})}, 1, never)[0]
	now := group(got, "", "")
	if was.Started < 50 || now.Started < was.Started*95/100 || now.Started > was.Started*105/100 || was.Tasks != now.Tasks {
		t.Errorf("%d of %d tasks started, in the record %d of %d", now.Started, now.Tasks, was.Started, was.Tasks)
	}
	if d := (now.Median - was.Median).Abs(); d > 30*time.Minute {
		t.Errorf("the median wait is %v, in the record %v", now.Median, was.Median)
	}
	i := slices.IndexFunc(got.Waited, func(w replay.Waited) bool { return w.Cause == model.CauseHold })
	if i < 0 || got.Waited[i].For != 11*30*time.Minute {
		t.Errorf("one job is held for all the time: %v", got.Waited)
	}
}

// TestAPolicyDecidesWhoWaits lets -p decide alone, which the recorded policy hardly looks at: jobs with a lower one wait to the end.
func TestAPolicyDecidesWhoWaits(t *testing.T) {
	r := recorded(t, 20, 300)
	before := slices.Clone(r.First.Jobs)
	outcomes := r.Play([]*whatif.Case{under(r, func(*model.Snapshot) {}), under(r, func(s *model.Snapshot) {
		s.Policy.WeightTicket, s.Policy.WeightUrgency, s.Policy.WeightPriority = 0, 0, 1
		s.Jobs = slices.Clone(s.Jobs)
		for i := range s.Jobs {
			if s.Jobs[i].Owner == "usr1" && s.Jobs[i].Waits() {
				s.Jobs[i].PosixPriority = 1000
			}
		}
	})}, 2, never)
	if a, b := group(outcomes[0], "user", "usr1"), group(outcomes[1], "user", "usr1"); b.Started <= a.Started || !(b.Got > a.Got) {
		t.Errorf("usr1: %d started and got %g, with -p %d and %g", a.Started, a.Got, b.Started, b.Got)
	}
	if !reflect.DeepEqual(before, r.First.Jobs) {
		t.Error("a replay changes what was recorded")
	}
	again := r.Play([]*whatif.Case{under(r, func(*model.Snapshot) {}), under(r, func(*model.Snapshot) {})}, 1, never)
	if text(again[0]) != text(outcomes[0]) || text(again[1]) != text(outcomes[0]) {
		t.Errorf("the same policy, three times:\n%s\n%s\n%s", text(outcomes[0]), text(again[0]), text(again[1]))
	}
}

// text has no two forms of one outcome; of NaN, DeepEqual says that it differs.
func text(o *replay.Outcome) string { return fmt.Sprintf("%+v", *o) }

// TestWhatHappenedBetweenTwoSnapshotsCounts: a job is withdrawn, one is released, one came and went unseen, and one ended as accounting
// says.
func TestWhatHappenedBetweenTwoSnapshotsCounts(t *testing.T) {
	at := time.Unix(1_800_000_000, 0).UTC()
	minute := func(n int) time.Time { return at.Add(time.Duration(n) * time.Minute) }
	waits := func(number uint32, state string) model.Job {
		return model.Job{Number: number, Owner: "ann", Submitted: minute(-1), Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}},
			State: state, Slots: 1}}}
	}
	runs := func(number uint32, since int) model.Job {
		j := waits(number, "r")
		j.Tasks[0].Started, j.Tasks[0].Granted = minute(since), []model.Grant{{Instance: "all.q@a", Slots: 1}}
		return j
	}
	seen := func(after int, jobs ...model.Job) *model.Snapshot {
		return &model.Snapshot{TakenAt: minute(after), Jobs: jobs, Users: []model.User{{Name: "ann"}},
			Hosts: []model.Host{{Name: "a", Processors: 1}}, Queues: []model.Queue{{Name: "all.q"}},
			Instances: []model.QueueInstance{{Name: "all.q@a", Queue: "all.q", Host: "a", Slots: 1, Type: "BATCH"}}}
	}
	r := replay.NewRecord()
	r.Add(seen(0, runs(1, -5), waits(2, "qw"), waits(3, "hqw")), nil)
	r.Add(seen(10, runs(1, -5), waits(3, "qw")), nil) // 2 is withdrawn, 3 is released
	r.Add(seen(20, runs(3, 12)), []model.EndedTask{
		{Job: 1, Task: 1, Owner: "ann", Slots: 1, Submitted: minute(-6), Started: minute(-5), Ended: minute(11)},
		{Job: 4, Task: 1, Owner: "ann", Slots: 1, Submitted: minute(11), Started: minute(11), Ended: minute(12)}})
	r.Add(seen(30), nil) // 3 ended: at 25, for all that is known
	o := r.Play([]*whatif.Case{under(r, func(*model.Snapshot) {})}, 1, never)[0]
	// at 20, 3 starts where 1 ended; it ran for 13 minutes, so that 4 waits at the end
	if g := group(o, "user", "ann"); g.Tasks != 2 || g.Started != 1 || g.Median != 21*time.Minute || g.Got != 1 {
		t.Errorf("%+v", *g)
	}
	if g := group(r.Recorded(), "user", "ann"); g.Tasks != 2 || g.Started != 2 || g.Median != 13*time.Minute {
		t.Errorf("recorded: %+v", *g)
	}
}

func TestAGridIsAllCombinations(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1 2\n# c\n\nproject/b=x3 # d\n": "[[a=1 project/b=x3] [a=2 project/b=x3]]",
		"a=1 2\nb=3 4":                       "[[a=1 b=3] [a=1 b=4] [a=2 b=3] [a=2 b=4]]",
		"a":                                  `line 1: "a" is not KEY = VALUE with one value or more`,
		"a=1\n= 2":                           `line 2: "= 2" is not KEY = VALUE with one value or more`,
		"#":                                  "no line KEY = VALUE",
		strings.Repeat("a=1 2 3 4 5 6 7 8 9 0\n", 5): "line 5: more than 10000 policies",
	} {
		got, err := replay.ParseGrid(text)
		if s := fmt.Sprint(got); err != nil && err.Error() != want || err == nil && s != want {
			t.Errorf("%q: %s, %v; want %s", text, s, err, want)
		}
	}
}

// group is the one of a kind and name.
func group(o *replay.Outcome, kind, name string) *replay.Group {
	return &o.Groups[slices.IndexFunc(o.Groups, func(g replay.Group) bool { return g.Kind == kind && g.Name == name })]
}
