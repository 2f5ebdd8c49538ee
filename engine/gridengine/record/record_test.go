package record

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer/gridengine"
)

const second = time.Second

func at(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

func line(job, task uint32, state string, start int64, length time.Duration, level, object, resource string,
	amount float64) model.ScheduleLine {
	return model.ScheduleLine{Job: job, Task: task, State: state, Start: at(start), Duration: length, Level: level, Object: object,
		Resource: resource, Amount: amount}
}

func one(number uint32) []model.Range { return []model.Range{{Min: number, Max: number, Step: 1}} }

func TestASectionBecomesAPlan(t *testing.T) {
	lines := []model.ScheduleLine{
		line(1, 1, "RUNNING", 900, 500*second, "Q", "all.q@a", "slots", 1),
		line(0, 0, "RESERVING", 2000, 60*second, "Q", "all.q@a", "slots", 1), // an advance reservation
		line(4, 1, "STARTING", 1000, 90*second, "P", "mpi", "slots", 3),
		line(4, 1, "STARTING", 1000, 90*second, "G", "global", "lic", 4),
		line(4, 1, "STARTING", 1000, 90*second, "H", "b", "mem", 1e9),
		line(4, 1, "STARTING", 1000, 90*second, "Q", "all.q@b", "slots", 2),
		line(4, 1, "STARTING", 1000, 90*second, "Q", "all.q@b", "disk", 7),
		line(4, 1, "STARTING", 1000, 90*second, "Q", "all.q@a", "slots", 1),
		line(2, 7, "RESERVING", 0, 90*second, "Q", "all.q@b", "slots", 1),
		line(2, 8, "RESERVING", 1090, (1<<32-1-1090)*second, "Q", "all.q@b", "slots", 1),
		line(2, 8, "RESERVING", 1090, (1<<32-1-1090)*second, "L", "set", "/////", 1),
	}
	p := Plan(model.RunRecord{Lines: lines, Complete: true})
	want := &model.Plan{RunAt: at(1000), Lines: lines, Decisions: []model.Decision{
		{Job: 4, Tasks: one(1), Verdict: model.Now, Start: at(1000), Duration: 90 * second, PE: "mpi",
			Slots: []model.Grant{{Instance: "all.q@b", Slots: 2}, {Instance: "all.q@a", Slots: 1}}},
		{Job: 2, Tasks: one(7), Verdict: model.Later, Start: at(0), Duration: 90 * second, Slots: []model.Grant{{Instance: "all.q@b", Slots: 1}}},
		{Job: 2, Tasks: one(8), Verdict: model.Later, Start: at(1090), Duration: model.Forever,
			Slots: []model.Grant{{Instance: "all.q@b", Slots: 1}}},
	}}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
}

func TestARunThatStartsNothingHasNoMoment(t *testing.T) {
	for name, lines := range map[string][]model.ScheduleLine{
		"without lines":         nil,
		"with running jobs":     {line(1, 1, "RUNNING", 900, 500*second, "Q", "all.q@a", "slots", 1)},
		"with reservation only": {line(1, 1, "RESERVING", 900, 500*second, "Q", "all.q@a", "slots", 1)},
	} {
		if p := Plan(model.RunRecord{Lines: lines}); !p.RunAt.IsZero() {
			t.Errorf("%s: %v", name, p.RunAt)
		}
	}
}

func TestTheNextRunIsTheFirstThatDecidesAnything(t *testing.T) {
	run := func(job uint32, state string) model.RunRecord {
		return model.RunRecord{Lines: []model.ScheduleLine{line(job, 1, state, 900, 500*second, "Q", "all.q@a", "slots", 1)}}
	}
	one, idle, two, three, old := run(1, "STARTING"), run(1, "RUNNING"), run(2, "RESERVING"), run(3, "STARTING"), run(9, "STARTING")
	for name, c := range map[string]struct {
		before, after []model.RunRecord
		want          *model.RunRecord
	}{
		"none":                            {nil, nil, nil},
		"the only one":                    {nil, []model.RunRecord{two}, &two},
		"without the file before":         {nil, []model.RunRecord{idle, two, three}, &two},
		"behind those known":              {[]model.RunRecord{one}, []model.RunRecord{one, idle, two, three}, &two},
		"nothing decided":                 {[]model.RunRecord{one}, []model.RunRecord{one, idle}, &idle},
		"none since":                      {[]model.RunRecord{one, two}, []model.RunRecord{one, two}, &two},
		"in a file that lost its begin":   {[]model.RunRecord{old}, []model.RunRecord{one, two, three}, &three},
		"in a file that is shorter since": {[]model.RunRecord{one, two, idle}, []model.RunRecord{one, three}, &three},
	} {
		got, ok := Next(&model.Snapshot{Runs: c.before}, &model.Snapshot{Runs: c.after})
		if ok != (c.want != nil) || ok && !reflect.DeepEqual(got, *c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestRecordedRunsStartWhatTheMasterStarted reads recordings of real masters: what the schedule file says of the last run
// is what qstat then shows as started in it, in both formats of the file.
func TestRecordedRunsStartWhatTheMasterStarted(t *testing.T) {
	compared := 0
	for _, bundle := range []string{
		"../../../fixtures/gridengine/8.1.9-reservation-licence.tar.gz/run1/after",
		"../../../fixtures/gridengine/8.1.9-reservation-licence.tar.gz/run2/after",
		"../../../fixtures/gridengine/8.1.9-reservation-licence.tar.gz/run3/after",
		"../../../fixtures/gridengine/8.1.9-dispatch-8.tar.gz/run1/after",
		"../../../fixtures/gridengine/8.1.9-dispatch-2.tar.gz/run2/after",
		"../../../fixtures/gridengine/8.1.9-backfill-large-parallel.tar.gz/run1/after",
		"../../../importer/gridengine/testdata/9.0.13-reservation.tar.gz",
	} {
		s := open(t, bundle)
		recorded := Plan(s.Runs[len(s.Runs)-1])
		if recorded.RunAt.IsZero() {
			continue
		}
		started := Starts(s, recorded.RunAt)
		recorded.Decisions = slices.DeleteFunc(recorded.Decisions, func(d model.Decision) bool { return d.Verdict != model.Now })
		for _, r := range Compare(recorded, started) {
			compared++
			if r.Outcome != Same {
				t.Errorf("%s: job %d.%d: %s: schedule file %+v, qstat %+v", bundle, r.Job, r.Task, r.Outcome, r.Planned, r.Recorded)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d tasks compared", compared)
	}
}

func open(t *testing.T, path string) *model.Snapshot {
	t.Helper()
	bundle, err := archive.At(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPlansAreComparedTaskByTask(t *testing.T) {
	grants := func(text string) (list []model.Grant) {
		for _, field := range strings.Fields(text) {
			g := model.Grant{}
			g.Instance, _, _ = strings.Cut(field, "=")
			fmt.Sscanf(field, g.Instance+"=%d", &g.Slots)
			list = append(list, g)
		}
		return list
	}
	now := func(slots string, tied ...string) *model.Decision {
		return &model.Decision{Job: 1, Tasks: one(1), Verdict: model.Now, Start: at(100), Duration: 60 * second, Slots: grants(slots), Tied: tied}
	}
	with := func(d *model.Decision, change func(*model.Decision)) *model.Decision { change(d); return d }
	for name, c := range map[string]struct {
		planned, recorded *model.Decision
		want              Outcome
	}{
		"alike": {now("q@a=1"), now("q@a=1"), Same},
		"within the second": {with(now("q@a=1"),
			func(d *model.Decision) { d.Start = d.Start.Add(999 * time.Millisecond) }), now("q@a=1"), Same},
		"not planned": {nil, now("q@a=1"), OnlyRecorded},
		"let wait": {with(now(""), func(d *model.Decision) { d.Verdict = model.Never }), now("q@a=1"),
			OnlyRecorded},
		"not recorded": {now("q@a=1"), nil, OnlyPlanned},
		"reserved for": {now("q@a=1"), with(now("q@a=1"), func(d *model.Decision) { d.Verdict = model.Later }),
			OtherVerdict},
		"at another time": {now("q@a=1"), with(now("q@a=1"), func(d *model.Decision) { d.Start = at(101) }), OtherTime},
		"at time zero":    {now("q@a=1"), with(now("q@a=1"), func(d *model.Decision) { d.Start = at(0) }), OtherTime},
		"for another time": {now("q@a=1"), with(now("q@a=1"), func(d *model.Decision) { d.Duration = model.Forever }),
			OtherTime},
		"for a time that is not known": {now("q@a=1"), with(now("q@a=1"), func(d *model.Decision) { d.Duration = 0 }), Same},
		"with more slots":              {now("q@a=2"), now("q@a=2 q@b=1"), OtherSlots},
		"with another parallel environment": {with(now("q@a=2"), func(d *model.Decision) { d.PE = "x" }),
			with(now("q@a=2"), func(d *model.Decision) { d.PE = "y" }), OtherSlots},
		"elsewhere":                                {now("q@a=1"), now("q@b=1"), OtherHost},
		"elsewhere in part":                        {now("q@a=1 q@b=1"), now("q@a=1 q@c=1"), OtherHost},
		"spread otherwise":                         {now("q@a=2 q@b=1"), now("q@a=1 q@b=2"), OtherHost},
		"with another master":                      {now("q@a=1 q@b=1"), now("q@b=1 q@a=1"), OtherHost},
		"with slaves in another order":             {now("q@a=1 q@b=1 q@c=1"), now("q@a=1 q@c=1 q@b=1"), Same},
		"where another was as good":                {now("q@a=1", "q@b"), now("q@b=1"), Tie},
		"where another was as good, and still":     {now("q@a=1", "q@b"), now("q@a=1"), Tie},
		"where another was as good, but elsewhere": {now("q@a=1", "q@b"), now("q@c=1"), OtherHost},
		"where another was as good, but later": {now("q@a=1", "q@b"), with(now("q@b=1"), func(d *model.Decision) { d.Start = at(101) }),
			OtherTime},
		"where another was as good in part":         {now("q@a=1 q@b=1", "q@c"), now("q@a=1 q@c=1"), Tie},
		"on instances of which slots are not known": {now("q@a=1 q@b=1"), now("q@a=0"), Same},
		"on another, of which slots are not known":  {now("q@a=1 q@b=1"), now("q@b=0"), OtherHost},
	} {
		t.Run(name, func(t *testing.T) {
			rows := Compare(planOf(c.planned), planOf(c.recorded))
			if len(rows) != 1 || rows[0].Outcome != c.want {
				t.Errorf("got %+v, want %s", rows, c.want)
			}
		})
	}
}

func planOf(d *model.Decision) *model.Plan {
	if d == nil {
		return &model.Plan{}
	}
	return &model.Plan{Decisions: []model.Decision{*d}}
}

func TestRowsAreSortedAndTasksReservedTwiceArePaired(t *testing.T) {
	d := func(job, number uint32, verdict model.Verdict) model.Decision {
		return model.Decision{Job: job, Tasks: one(number), Verdict: verdict, Start: at(5), Slots: []model.Grant{{Instance: "q@a", Slots: 1}}}
	}
	planned := &model.Plan{Decisions: []model.Decision{d(9, 1, model.Now), d(3, 2, model.Later), d(3, 2, model.Later), d(3, 1, model.Now),
		d(4, 1, model.Never)}}
	recorded := &model.Plan{Decisions: []model.Decision{d(3, 2, model.Later), d(3, 1, model.Now), d(2, 1, model.Now)}}
	var got []string
	rows := Compare(planned, recorded)
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%d.%d %s", r.Job, r.Task, r.Outcome))
	}
	want := []string{"2.1 only recorded", "3.1 same", "3.2 same", "3.2 only planned", "9.1 only planned"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if c := Count(rows); c[Same] != 2 || c[OnlyPlanned] != 2 || c[OnlyRecorded] != 1 {
		t.Errorf("counted %v", c)
	}
}

func TestLinesAreTheSameWhereTheyPrintTheSame(t *testing.T) {
	a := []model.ScheduleLine{line(1, 1, "STARTING", 5, 60*second, "Q", "q@a", "slots", 1),
		line(1, 1, "STARTING", 5, model.Forever, "H", "a", "mem", 1)}
	b := []model.ScheduleLine{line(1, 1, "STARTING", 5, (1<<32-6)*second, "H", "a", "mem", 1),
		line(1, 1, "STARTING", 5, 60*second, "Q", "q@a", "slots", 1)}
	if n, all := SameLines(a, b); n != 2 || all {
		t.Errorf("in another order: %d, %v", n, all)
	}
	slices.Reverse(b)
	if n, all := SameLines(a, b); n != 2 || !all {
		t.Errorf("in the same order: %d, %v", n, all)
	}
	if n, all := SameLines(a, append(b, a[0])); n != 2 || all {
		t.Errorf("one of them twice: %d, %v", n, all)
	}
}

func TestLinesOfNewerReleasesAgreeWhereTheirSecondsDo(t *testing.T) {
	planned := []model.ScheduleLine{line(1, 1, "STARTING", 5, 60*second, "Q", "q@a", "slots", 1)}
	recorded := slices.Clone(planned)
	recorded[0].Start = recorded[0].Start.Add(127041 * time.Microsecond)
	if n, all := SameLines(planned, recorded); n != 1 || !all {
		t.Errorf("within the second: %d, %v", n, all)
	}
	recorded[0].Start = recorded[0].Start.Add(time.Second)
	if n, all := SameLines(planned, recorded); n != 0 || all {
		t.Errorf("a second later: %d, %v", n, all)
	}
}

func TestTheRunBetweenTwoSnapshotsIsWhenTheFirstNewTaskStarted(t *testing.T) {
	task := func(job, number uint32, started int64) model.Job {
		return model.Job{Number: job, Tasks: []model.Task{{IDs: one(number), Started: at(started)}, {IDs: one(99)}}}
	}
	before := &model.Snapshot{TakenAt: at(10).Add(second / 2), Jobs: []model.Job{task(1, 1, 3), task(2, 1, 10)}}
	after := &model.Snapshot{Jobs: []model.Job{task(1, 1, 3), task(2, 1, 10), task(3, 2, 14), task(4, 1, 10), task(5, 1, 2)}}
	if got, ok := FirstStart(before, after); !ok || !got.Equal(at(10)) {
		t.Errorf("got %v, %v: job 4 started in the second of the earlier snapshot, which does not show it", got, ok)
	}
	if got, ok := FirstStart(after, after); ok {
		t.Errorf("nothing started between, but %v", got)
	}
}

// TestComparingAPlanWithItselfAgrees shuffles the decisions: the order of decisions is not compared.
func TestComparingAPlanWithItselfAgrees(t *testing.T) {
	s := open(t, "../../../fixtures/gridengine/8.1.9-dispatch-8.tar.gz/run2/after")
	p := Plan(s.Runs[len(s.Runs)-1])
	shuffled := *p
	shuffled.Decisions = slices.Clone(p.Decisions)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(shuffled.Decisions), func(i, k int) {
		shuffled.Decisions[i], shuffled.Decisions[k] = shuffled.Decisions[k], shuffled.Decisions[i]
	})
	if c := Count(Compare(p, &shuffled)); c[Same] != len(p.Decisions) || c[Same] == 0 {
		t.Errorf("%v of %d", c, len(p.Decisions))
	}
}

// The schedule file is copied after the jobs were listed: a run in between is none that the list shows the result of.
func TestARunWhoseStartsAreListedAsWaitingIsTheNextOne(t *testing.T) {
	listed := time.Unix(1000, 500_000_000)
	started := func(job uint32, at int64) model.RunRecord {
		return model.RunRecord{Lines: []model.ScheduleLine{line(job, 1, "STARTING", at, 60*second, "Q", "all.q@a", "slots", 1)}}
	}
	waits := []model.Job{{Number: 1, Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw"}}}}
	runs := []model.Job{{Number: 1, Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r",
		Started: time.Unix(1000, 0)}}}}
	later := model.RunRecord{Lines: []model.ScheduleLine{line(1, 1, "RUNNING", 1001, 60*second, "Q", "all.q@a", "slots", 1)}}
	for name, c := range map[string]struct {
		jobs  []model.Job
		runs  []model.RunRecord
		known int
	}{
		"it waits":                 {waits, []model.RunRecord{started(9, 900), started(1, 1001)}, 1},
		"it waits, and a run more": {waits, []model.RunRecord{started(9, 900), started(1, 1001), later}, 1},
		"it runs":                  {runs, []model.RunRecord{started(9, 900), started(1, 1000)}, 2},
		"it waits again":           {waits, []model.RunRecord{started(1, 900), started(9, 1000)}, 2},
		"it is not there":          {nil, []model.RunRecord{started(1, 1001)}, 1},
	} {
		s := &model.Snapshot{TakenAt: listed, Jobs: c.jobs, Runs: c.runs}
		if got := Known(s); got != c.known {
			t.Errorf("%s: %d sections known, want %d", name, got, c.known)
		}
		after := &model.Snapshot{Runs: append(slices.Clone(c.runs), started(5, 2000))}
		want := after.Runs[c.known]
		if run, ok := Next(s, after); !ok || !slices.Equal(run.Lines, want.Lines) {
			t.Errorf("%s: the next run is %v, want %v", name, run, want)
		}
	}
}

// A task that waited in the bundle before and that the accounting file has since started in the run, though it runs no more.
func TestATaskThatHasEndedSinceStartedInTheRun(t *testing.T) {
	waiting := func(job uint32, tasks ...model.Range) model.Job {
		return model.Job{Number: job, Tasks: []model.Task{{IDs: tasks, State: "qw"}}}
	}
	runs := func(job, number uint32, since int64) model.Job {
		return model.Job{Number: job, Tasks: []model.Task{{IDs: one(number), State: "r", Started: at(since), Slots: 1,
			Granted: []model.Grant{{Instance: "all.q@a", Slots: 1}}}}}
	}
	ended := func(job, task uint32, slots int, started time.Time) model.EndedTask {
		return model.EndedTask{Job: job, Task: task, Queue: "all.q", Host: "b", Slots: slots, Started: started}
	}
	before := &model.Snapshot{Jobs: []model.Job{waiting(1, one(1)...), waiting(2, model.Range{Min: 1, Max: 4, Step: 1}), runs(3, 1, 900),
		waiting(4, one(1)...), waiting(5, one(1)...), waiting(6, one(1)...)}, Ended: []model.EndedTask{ended(4, 1, 1, time.Time{})}}
	after := &model.Snapshot{Jobs: []model.Job{runs(1, 1, 1000), waiting(2, model.Range{Min: 3, Max: 4, Step: 1})}, Ended: []model.EndedTask{
		ended(4, 1, 1, time.Time{}),  // known before
		ended(3, 1, 1, time.Time{}),  // ran before
		ended(2, 1, 1, time.Time{}),  // of a simulated host, without times
		ended(2, 4, 1, time.Time{}),  // waits again
		ended(5, 0, 3, at(1000)),     // no array, and parallel
		ended(6, 1, 1, at(998)),      // before the run
		ended(77, 1, 1, time.Time{}), // came and went
	}}
	var got []string
	for _, d := range StartsBetween(before, after, at(1000)).Decisions {
		got = append(got, fmt.Sprintf("%d.%d %v", d.Job, d.Tasks[0].Min, d.Slots))
	}
	if want := []string{"1.1 [{all.q@a 1}]", "2.1 [{all.q@b 1}]", "5.1 [{all.q@b 0}]"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
