package exporter_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/assign"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/gridengine"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// newPusher pushes to a stand-in; time passes only while it sleeps.
func newPusher(m *master, j *journal) *exporter.Pusher {
	now := noon
	return &exporter.Pusher{Journal: j, System: gridengine.Priorities{},
		Controller: exporter.Controller{Runner: m, Locks: j, Holder: "root@here:1", Limits: exporter.Gentle,
			Now: func() time.Time { return now }, Sleep: func(_ context.Context, d time.Duration) error {
				now = now.Add(d)
				return nil
			}}}
}

// reversed is a push that turns the master's order around.
func reversed(t testing.TB, m *master) *model.Push {
	wanted := m.order()
	slices.Reverse(wanted)
	return pushOf(t, m, wanted)
}

// pushOf plans a push with the planner, by what the master has.
func pushOf(t testing.TB, m *master, wanted []string) *model.Push {
	var numbers []uint32
	for _, w := range wanted {
		n, _ := strconv.ParseUint(w, 10, 32)
		numbers = append(numbers, uint32(n))
	}
	st, err := assign.Steer(numbers, assign.Scale{Weight: 1, Min: gridengine.MinP, Max: gridengine.MaxP}, m.native)
	if err != nil {
		t.Fatal(err)
	}
	return &model.Push{Cluster: "test", Kind: "qalter -p", Wanted: wanted, SnapshotAt: noon,
		Orders: gridengine.Priorities{}.Orders(priorityChanges(st.Changes))}
}

func priorityChanges(changes []assign.Change) (list []exporter.PriorityChange) {
	for _, c := range changes {
		list = append(list, exporter.PriorityChange{Job: strconv.FormatUint(uint64(c.Job), 10), From: c.From, To: c.To})
	}
	return list
}

// native are the waiting jobs as the master would rank them after changes.
func (m *master) native(changes []assign.Change) (list []assign.Waiting) {
	after := &master{}
	for _, j := range m.jobs {
		changed := *j
		for _, c := range changes {
			if int(c.Job) == j.number {
				changed.p = c.To
			}
		}
		after.jobs = append(after.jobs, &changed)
	}
	after.schedule()
	for _, number := range after.order() {
		j := m.job(number)
		list = append(list, assign.Waiting{Job: uint32(j.number), P: j.p})
	}
	return list
}

func TestAPushMakesTheMastersOrderTheWantedOne(t *testing.T) {
	m, j := newMaster(60), newJournal()
	push := reversed(t, m)
	r, err := newPusher(m, j).Send(context.Background(), push)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Agrees || !r.Taken || !slices.Equal(m.order(), push.Wanted) ||
		r.Count(model.OrderConfirmed) != len(push.Orders) {
		t.Errorf("agrees %v, taken %v, order %v: %s", r.Agrees, r.Taken, m.order(), r.Push.Outcome)
	}
	if stored, _ := j.Push(context.Background(), r.Push.ID); stored.Open() ||
		stored.Orders[0].State != model.OrderConfirmed ||
		stored.Orders[0].Words == "" {
		t.Errorf("stored is %+v", stored)
	}
	if len(j.locks) > 0 {
		t.Errorf("locks left: %v", j.locks)
	}
}

func TestASecondPushSendsNothing(t *testing.T) {
	m, j := newMaster(20), newJournal()
	first := reversed(t, m)
	must(t, newPusher(m, j), first)
	sent := len(m.commands)
	second := pushOf(t, m, first.Wanted)
	must(t, newPusher(m, j), second)
	if len(second.Orders) > 0 || len(m.commands) > sent || len(j.pushes) > 1 {
		t.Errorf("the second push has %d orders and ran %v", len(second.Orders), m.commands[sent:])
	}
}

func must(t testing.TB, p *exporter.Pusher, push *model.Push) *exporter.Report {
	t.Helper()
	r, err := p.Send(context.Background(), push)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestUndoRestoresEveryPriority(t *testing.T) {
	m, j := newMaster(30), newJournal()
	for i, job := range m.jobs {
		job.p = i % 7 * -20
	}
	m.schedule()
	before := m.priorities()
	r := must(t, newPusher(m, j), reversed(t, m))
	m.jobs[3].state = "r" // started meanwhile: its -p is restored all the same
	if _, err := newPusher(m, j).Undo(context.Background(), r.Push.ID); err != nil {
		t.Fatal(err)
	}
	if after := m.priorities(); !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

// TestAThousandOrdersTakeFewExecutions: even where each job has a priority of its own.
func TestAThousandOrdersTakeFewExecutions(t *testing.T) {
	m, j := newMaster(1001), newJournal()
	push := reversed(t, m)
	if len(push.Orders) != 1000 {
		t.Fatalf("%d orders, want 1000", len(push.Orders))
	}
	p := newPusher(m, j)
	executions := len(exporter.Batches(p.System.Commands(push.Orders), p.Limits))
	r := must(t, p, push)
	if executions > 5 || m.executions > 6 || !r.Agrees { // rights, what is there, two of orders, what came of it
		t.Errorf("%d executions, %d in all; agrees %v", executions, m.executions, r.Agrees)
	}
	t.Logf("%d commands in %d executions, %d in all", len(m.altered()), executions, m.executions)
}

func TestWhatTheMasterRefusesIsKeptInItsWords(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*master)
		state  model.OrderState
		words  string
	}{
		"a job that is gone is overtaken": {func(m *master) { m.jobs = m.jobs[:4] }, model.OrderOvertaken,
			`denied: job "5" does not exist`},
		"altering is not allowed": {func(m *master) {
			m.refuses = "rejected due to jsv_allowed_mod configuration which does not allow: p"
		},
			model.OrderRefused, "rejected due to jsv_allowed_mod configuration which does not allow: p"},
		"no altering at all": {func(m *master) {
			m.refuses = "No job modification allowed due to jsv_allowed_mod configuration"
		},
			model.OrderRefused, "No job modification allowed due to jsv_allowed_mod configuration"},
		"a JSV that sets it back": {func(m *master) { m.verify = func(int) int { return 0 } }, model.OrderRefused,
			"the master accepted the change, but priority is still 0: a job verifier (JSV) or another controller reset it"},
		"a JSV that rewrites it": {func(m *master) { m.verify = func(int) int { return 17 } }, model.OrderRefused,
			"the master accepted the change, but priority is 17: a job verifier (JSV) or another controller changed it"},
		"rights that were lost: raising": {func(m *master) { m.managers, m.user = nil, "user4" }, model.OrderRefused,
			`denied: "user4" must be operator to increase job priority`},
		"rights that were lost: a stranger's job": {func(m *master) { m.managers, m.user = nil, "user1" }, model.OrderRefused,
			`denied: "user1" must be at least owner of job 5 to change job attributes`},
	} {
		t.Run(name, func(t *testing.T) {
			m, j := newMaster(5), newJournal()
			push := pushOf(t, m, []string{"5", "1", "2", "3", "4"})
			p := newPusher(m, j)
			p.Runner = onFirst{m, "qalter", func() { c.change(m) }}
			r := must(t, p, push)
			if o := r.Push.Orders[0]; len(r.Push.Orders) != 1 || o.State != c.state || o.Words != c.words {
				t.Errorf("%s: %q\nwant %s: %q", o.State, o.Words, c.state, c.words)
			}
		})
	}
}

// onFirst does something before the first command of a name.
type onFirst struct {
	*master
	name string
	do   func()
}

func (f onFirst) Run(ctx context.Context, commands [][]string) ([]exporter.Result, error) {
	if commands[0][0] == f.name {
		f.do()
	}
	return f.master.Run(ctx, commands)
}

// TestAnswersOfSeveralJobsAreToldApart: a denial of missing operator rights does not name its job.
func TestAnswersOfSeveralJobsAreToldApart(t *testing.T) {
	out := "denied: \"usera\" must be operator to increase job priority\n" +
		"denied: \"usera\" must be at least owner of job 4 to change job attributes\n" +
		"denied: job \"99\" does not exist\n" +
		"usera@qmaster sets scheduling priority of job 7 to -5\n"
	var orders []model.Order
	for _, job := range []string{"3", "4", "99", "7"} {
		orders = append(orders, model.Order{Job: job, To: "-5", State: model.OrderPlanned})
	}
	c := gridengine.Priorities{}.Commands(orders)[0]
	got := gridengine.Priorities{}.Answers(c, orders, exporter.Result{Out: out, Exit: 1})
	if want := "refused refused gone agreed"; verdicts(got) != want {
		t.Errorf("got %s, want %s", verdicts(got), want)
	}
	cut := gridengine.Priorities{}.Answers(
		c, orders, exporter.Result{Out: out[:strings.Index(out, "denied: job")], Exit: 1})
	if want := "refused refused silent silent"; verdicts(cut) != want {
		t.Errorf("cut: got %s, want %s", verdicts(cut), want)
	}
}

// TestACallThatSucceedsInOtherWordsHasAgreed: newer releases say it differently.
func TestACallThatSucceedsInOtherWordsHasAgreed(t *testing.T) {
	orders := []model.Order{{Job: "3", To: "5", State: model.OrderPlanned}, {Job: "4", To: "5", State: model.OrderPlanned}}
	c := gridengine.Priorities{}.Commands(orders)[0]
	for out, want := range map[string]string{"modified priority of job 3\nmodified priority of job 4\n": "agreed agreed",
		"": "agreed agreed"} {
		if got := verdicts(gridengine.Priorities{}.Answers(c, orders, exporter.Result{Out: out})); got != want {
			t.Errorf("%q: got %s, want %s", out, got, want)
		}
	}
	if got := verdicts(gridengine.Priorities{}.Answers(
		c, orders, exporter.Result{Out: "something else\n", Exit: 1})); got != "silent silent" {
		t.Errorf("got %s", got)
	}
}

func verdicts(answers []exporter.Answer) string {
	var list []string
	for _, a := range answers {
		switch {
		case !a.Known:
			list = append(list, "silent")
		case a.Gone:
			list = append(list, "gone")
		case a.Refused:
			list = append(list, "refused")
		default:
			list = append(list, "agreed")
		}
	}
	return strings.Join(list, " ")
}

func TestAPushIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*exporter.Pusher, *master, *journal)
		says   string
	}{
		"without rights": {func(_ *exporter.Pusher, m *master, _ *journal) { m.user = "usera" },
			"usera is not a manager or operator"},
		"with too many changes": {func(p *exporter.Pusher, _ *master, _ *journal) { p.Limits.Changes = 3 },
			"4 jobs would change, but --max-changes allows 3"},
		"while another has the lock": {func(_ *exporter.Pusher, _ *master, j *journal) { j.locks["test"] = "ann@there:7" },
			"ann@there:7 has the lock of test"},
		"with a stop file": {func(p *exporter.Pusher, _ *master, _ *journal) {
			p.Stop = func() error { return errors.New("stopped") }
		}, "stopped"},
		"after somebody else changed a job": {func(_ *exporter.Pusher, m *master, _ *journal) { m.jobs[4].p = 9 },
			"job 5 now has priority 9, not 0"},
		"while an earlier one is open": {func(_ *exporter.Pusher, _ *master, j *journal) {
			j.pushes = append(j.pushes, &model.Push{ID: 1, Cluster: "test"})
		}, "push 1 was not finished"},
		"where it cannot be stored": {func(_ *exporter.Pusher, _ *master, j *journal) { j.budget = 0 },
			"nothing was sent, because the push could not be stored: no space left"},
		"where the master is stopped": {func(_ *exporter.Pusher, m *master, _ *journal) { m.down = true }, "got s"},
	} {
		t.Run(name, func(t *testing.T) {
			m, j := newMaster(5), newJournal()
			push := reversed(t, m)
			p := newPusher(m, j)
			c.change(p, m, j)
			_, err := p.Send(context.Background(), push)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			if sent := m.altered(); len(sent) > 0 {
				t.Errorf("sent all the same: %v", sent)
			}
		})
	}
}

func TestASnapshotThatForbidsPushing(t *testing.T) {
	snapshot := func(change func(*model.Snapshot)) *model.Snapshot {
		s := &model.Snapshot{TakenAt: noon, Policy: model.Policy{ScheduleInterval: 15 * time.Second}}
		change(s)
		return s
	}
	for name, c := range map[string]struct {
		change func(*model.Snapshot)
		says   string
	}{
		"a fresh one does not": {func(*model.Snapshot) {}, ""},
		"JC_FILTER": {func(s *model.Snapshot) { s.Policy.Params = []model.Setting{{Name: "JC_FILTER", Value: "true"}} },
			"JC_FILTER"},
		"JC_FILTER that is off": {func(s *model.Snapshot) {
			s.Policy.Params = []model.Setting{{Name: "JC_FILTER", Value: "0"}}
		}, ""},
		"a JSV and no p to be modified": {func(s *model.Snapshot) {
			s.Config.Global = jsv("ac,h,i,e,o,j,M,N,w")
		}, "jsv_allowed_mod lacks p"},
		"a JSV and p to be modified": {func(s *model.Snapshot) { s.Config.Global = jsv("ac,h,i,e,o,j,M,N,p,w") }, ""},
	} {
		err := exporter.Unsafe(snapshot(c.change), "p")
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
}

func TestTheAgeOfASnapshotCountsFromTheEndOfTheListing(t *testing.T) {
	for name, c := range map[string]struct {
		taken, listed time.Duration // before now; no listing is noted for 0
		says          string
	}{
		"fresh":                            {10 * time.Second, 0, ""},
		"older than one interval":          {16 * time.Second, 0, "16 s old"},
		"listed slowly":                    {18 * time.Second, 9 * time.Second, ""},
		"listed slowly and long ago":       {48 * time.Second, 29 * time.Second, "29 s old"},
		"of the same second":               {-time.Second, -time.Second, ""},
		"from the future":                  {-2 * time.Hour, -2 * time.Hour, "from the future (by 2 h)"},
		"from the future, without listing": {-time.Minute, 0, "from the future (by 1 min)"},
	} {
		s := &model.Snapshot{TakenAt: noon.Add(-c.taken), Policy: model.Policy{ScheduleInterval: 15 * time.Second}}
		if c.listed != 0 {
			s.ListedAt = noon.Add(-c.listed)
		}
		err := exporter.Age(s, noon)
		var old *exporter.StaleError
		if errors.As(err, &old) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
}

func jsv(allowed string) []model.Setting {
	return []model.Setting{{Name: "jsv_url", Value: "script:/opt/jsv.sh"}, {Name: "jsv_allowed_mod", Value: allowed}}
}

// TestAfterAnyInterruptionAPushIsFinishedOrTakenBack cuts the connection, or fills the disk, at any point
// of a push: in all cases each order's state is true, Resume reaches the wanted order, and Undo what was
// there before.
func TestAfterAnyInterruptionAPushIsFinishedOrTakenBack(t *testing.T) {
	interrupted := 0
	rapid.Check(t, func(rt *rapid.T) {
		m, j := newMaster(rapid.IntRange(2, 8).Draw(rt, "jobs")), newJournal()
		for _, job := range m.jobs {
			job.p = rapid.IntRange(-5, 5).Draw(rt, "p")
		}
		m.schedule()
		before := m.priorities()
		push := pushOf(t, m, rapid.Permutation(m.order()).Draw(rt, "wanted"))
		p := newPusher(m, j)
		p.Limits.Commands = rapid.IntRange(1, 3).Draw(rt, "commands")
		if rapid.Bool().Draw(rt, "disk") {
			j.budget = rapid.IntRange(0, 12).Draw(rt, "writes")
		} else {
			m.budget, m.answerLost = rapid.IntRange(0, 12).Draw(rt, "until"), rapid.Bool().Draw(rt, "lost")
		}
		_, err := p.Send(context.Background(), push)
		if err != nil {
			interrupted++
		}
		m.budget, j.budget = -1, -1
		if len(j.pushes) == 0 {
			if len(m.altered()) > 0 {
				rt.Fatalf("sent without a record: %v", m.altered())
			}
			return
		}
		checkStates(rt, m, j)
		if err != nil && rapid.Bool().Draw(rt, "resume") {
			resume(rt, m, j, push)
		}
		undo(rt, m, j, before)
	})
	if interrupted == 0 {
		t.Error("no push was interrupted")
	}
}

// checkStates holds the states in the journal against what the master has.
func checkStates(t *rapid.T, m *master, j *journal) {
	for _, o := range j.pushes[0].Orders {
		p := strconv.Itoa(m.job(o.Job).p)
		if o.State == model.OrderPlanned && p != o.From || o.State == model.OrderConfirmed && p != o.To {
			t.Fatalf("job %s has %s, and its order is %+v", o.Job, p, o)
		}
	}
}

func resume(t *rapid.T, m *master, j *journal, push *model.Push) {
	r, err := newPusher(m, j).Resume(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.order(), push.Wanted) || !r.Agrees || r.Count(model.OrderConfirmed) != len(push.Orders) {
		t.Fatalf("after it: %v, wanted %v; %s", m.order(), push.Wanted, r.Push.Outcome)
	}
	if j.pushes[0].Open() {
		t.Fatal("still open")
	}
}

// undo takes the push back, with an interruption of its own that is resumed.
func undo(t *rapid.T, m *master, j *journal, before map[int]int) {
	m.budget, m.answerLost = rapid.IntRange(0, 10).Draw(t, "undone until"), rapid.Bool().Draw(t, "lost in undo")
	_, err := newPusher(m, j).Undo(context.Background(), 1)
	m.budget = -1
	if err != nil {
		if last := j.pushes[len(j.pushes)-1]; last.Undoes == 1 && last.Open() {
			_, err = newPusher(m, j).Resume(context.Background(), last.ID)
		} else {
			_, err = newPusher(m, j).Undo(context.Background(), 1)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if after := m.priorities(); !maps.Equal(before, after) {
		t.Fatalf("before %v, after %v", before, after)
	}
	for _, p := range j.pushes {
		if p.Open() {
			t.Fatalf("push %d is open", p.ID)
		}
	}
}

func TestAPushWaitsForTheNextSchedulerRun(t *testing.T) {
	m, j := newMaster(6), newJournal()
	m.runEvery = 5
	if r := must(t, newPusher(m, j), reversed(t, m)); !r.Taken || !r.Agrees || m.listings != 5 {
		t.Errorf("taken %v, agrees %v after %d listings", r.Taken, r.Agrees, m.listings)
	}
	m, j = newMaster(6), newJournal()
	m.runEvery = 0
	r := must(t, newPusher(m, j), reversed(t, m))
	if r.Taken || r.Count(model.OrderConfirmed) != 5 || !strings.Contains(r.Push.Outcome, "no scheduler run was seen") {
		t.Errorf("taken %v: %s", r.Taken, r.Push.Outcome)
	}
}

func ExamplePusher_Send() {
	m, j := newMaster(6), newJournal()
	wanted := []string{"4", "5", "1", "2", "3", "6"}
	r, _ := newPusher(m, j).Send(context.Background(), pushOf(nil, m, wanted))
	fmt.Println(strings.Join(m.altered(), "; "))
	fmt.Println(r.Push.Outcome)
	// Output:
	// qalter -p 1 4,5
	// 2 confirmed, 0 refused, 0 overtaken, 0 unknown; the order of the master is as wanted
}

// TestTwoStoresThatPushOverOneHostSeeEachOther: the lock on the host holds for every store, and is given
// back; why it cannot be taken is said.
func TestTwoStoresThatPushOverOneHostSeeEachOther(t *testing.T) {
	m := newMaster(6)
	pusher := func(holder string) *exporter.Pusher {
		p := newPusher(m, newJournal()) // each with a store of its own
		p.Holder, p.HasLock, p.LockDir = holder, true, "/srv"
		return p
	}
	var other error
	first := pusher("ann@here:1")
	first.Runner = onFirst{m, "qalter", func() {
		_, other = pusher("bob@there:2").Send(context.Background(), reversed(t, m))
	}}
	must(t, first, reversed(t, m))
	if want := "refused: ann@here:1 has the lock of this cluster on the host: qprism-lock: " +
		"/srv/test.lock is locked. Nothing was sent"; other == nil ||
		other.Error() != want {
		t.Errorf("the other one: %v\nwant %s", other, want)
	}
	if m.locked != "" {
		t.Errorf("the lock is left: %v", m.locked)
	}
	m.unlockable = "mkdir: cannot create directory '/srv': Permission denied\n"
	m.jobs[0].p++ // there is something to push
	m.schedule()
	if _, err := pusher("ann@here:1").Send(context.Background(), reversed(t, m)); err == nil ||
		!strings.Contains(err.Error(), "cannot create directory '/srv': Permission denied; --lock-dir") {
		t.Errorf("%v", err)
	}
}

// identityOf is a cluster of which all is known.
func identityOf(root string) model.Identity {
	return model.Identity{Host: "vm", Root: root, Cell: "default", Port: "6444", Config: "1 2", Made: "3"}
}

// TestNothingIsSentToAnotherCluster: not by a push, nor by what takes it back or finishes it; and each
// execution asks anew, since a new connection can lead elsewhere.
func TestNothingIsSentToAnotherCluster(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		meant, now model.Identity
		want       string
	}{
		"another root": {identityOf("/opt/a"), identityOf("/opt/b"),
			"this is another cluster. The changes are for test. The commands here reach " +
				"another cluster: its root folder (SGE_ROOT, PBS_HOME) is /opt/b, not /opt/a"},
		"a plan of no cluster": {model.Identity{}, identityOf("/opt/a"),
			"reach test: for the wanted cluster, its master is not known. Capture and import again. Or give the cluster"},
		"a silent cluster": {identityOf("/opt/a"), model.Identity{},
			"reach test: for the cluster that the commands reach, its master is not known"},
	} {
		m, j := newMaster(6), newJournal()
		p := newPusher(m, j)
		push := reversed(t, m)
		push.Identity = identityOf("/opt/a")
		p.Identify = func(context.Context) (model.Identity, error) { return identityOf("/opt/a"), nil }
		p.Limits.Await = 0
		r := must(t, p, push)
		sent := len(m.altered())
		j.pushes[0].Identity, j.pushes[0].Ended = c.meant, time.Time{}
		p.Identify = func(context.Context) (model.Identity, error) { return c.now, nil }
		again := reversed(t, m)
		again.Identity = c.meant
		for what, do := range map[string]func() (*exporter.Report, error){
			"a push": func() (*exporter.Report, error) { return p.Send(ctx, again) },
			"undo":   func() (*exporter.Report, error) { return p.Undo(ctx, r.Push.ID) },
			"resume": func() (*exporter.Report, error) { return p.Resume(ctx, r.Push.ID) },
		} {
			if _, err := do(); err == nil || !strings.Contains(err.Error(), c.want) || len(m.altered()) != sent {
				t.Errorf("%s, %s: %v; %v", name, what, err, m.altered()[sent:])
			}
		}
	}
	m, j := newMaster(6), newJournal()
	p := newPusher(m, j)
	push := reversed(t, m)
	push.Identity, p.Limits.Commands = identityOf("/opt/a"), 1
	asked := 0
	p.Identify = func(context.Context) (model.Identity, error) {
		if asked++; asked > 3 {
			return identityOf("/opt/b"), nil
		}
		return identityOf("/opt/a"), nil
	}
	if _, err := p.Send(ctx, push); err == nil || !strings.Contains(err.Error(), "this is another cluster") ||
		len(m.altered()) != 2 {
		t.Errorf("%v after %v", err, m.altered())
	}
}

// TestWhatMayStillBeOnItsWayIsOrderedBackBehindIt: of a push that is cut at its first call, that call may
// reach the master later. Undo orders what its jobs have; the calls behind it never started.
func TestWhatMayStillBeOnItsWayIsOrderedBackBehindIt(t *testing.T) {
	m, j := newMaster(5), newJournal()
	push := reversed(t, m)
	m.budget = 4 // id, qconf, qconf, qstat
	if _, err := newPusher(m, j).Send(context.Background(), push); err == nil || len(m.altered()) > 0 {
		t.Fatalf("%v; sent %v", err, m.altered())
	}
	for i, o := range j.pushes[0].Orders {
		if want := map[bool]model.OrderState{true: model.OrderSent, false: model.OrderPlanned}[o.Call == 0]; o.State != want {
			t.Errorf("order %d of call %d is %s, want %s", i, o.Call, o.State, want)
		}
	}
	m.budget = -1
	if _, err := newPusher(m, j).Undo(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.altered(), "; "); got != "qalter -p 0 5" {
		t.Errorf("undo sent %s", got)
	}
}

// TestAPushLeavesWhatIsDriven: its orders for jobs that a drive of the same store decides about lapse, also
// those of an interrupted push, and all others go through. A PBS server is driven as a whole.
func TestAPushLeavesWhatIsDriven(t *testing.T) {
	m, j := newMaster(20), newJournal()
	push := reversed(t, m)
	driven, before := push.Orders[0].Job, push.Orders[0].From
	j.drives = []model.Drive{{System: model.GridEngine, By: "root@there:9",
		Claims: []model.Claim{{Job: driven, Attribute: "hold"}}}}
	r, err := newPusher(m, j).Send(context.Background(), push)
	if err != nil || r.Count(model.OrderConfirmed) != len(push.Orders)-1 {
		t.Fatalf("%v: %+v", err, r)
	}
	if o := r.Push.Orders[0]; o.State != model.OrderOvertaken || !strings.Contains(o.Words, "qprism drive") {
		t.Errorf("the order for the driven job is %s: %s", o.State, o.Words)
	}
	if p := strconv.Itoa(m.job(driven).p); p != before {
		t.Errorf("the driven job has -p %s", p)
	}

	m, j = newMaster(20), newJournal()
	push = reversed(t, m)
	j.pushes = []*model.Push{{ID: 1, Cluster: push.Cluster, Kind: push.Kind, Begun: noon,
		Orders: slices.Clone(push.Orders)}}
	j.drives = []model.Drive{{System: model.GridEngine, Claims: []model.Claim{{Job: driven, Attribute: "hold"}}}}
	if r, err = newPusher(m, j).Resume(context.Background(), 1); err != nil ||
		r.Count(model.OrderConfirmed) != len(push.Orders)-1 ||
		j.pushes[0].Orders[0].State != model.OrderOvertaken {
		t.Errorf("resumed: %v: %+v", err, j.pushes[0].Orders[0])
	}

	m, j = newMaster(20), newJournal()
	j.drives = []model.Drive{{System: model.PBSSystem, By: "root@there:9", Begun: noon,
		Claims: []model.Claim{{Attribute: "scheduling"}}}}
	var refusal *exporter.RefusalError
	if _, err := newPusher(m, j).Send(context.Background(), reversed(t, m)); !errors.As(err, &refusal) ||
		!strings.Contains(err.Error(), "root@there:9") {
		t.Errorf("of a driven server: %v", err)
	}
	if len(m.altered()) > 0 || len(j.pushes) > 0 || len(j.locks) > 0 {
		t.Errorf("something came of it: %v, %d pushes, %v", m.altered(), len(j.pushes), j.locks)
	}
}
