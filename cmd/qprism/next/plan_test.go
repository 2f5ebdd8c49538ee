package next

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// TestEveryReasonHasWords reads the kinds of reasons from the model, so that a new one cannot be forgotten.
func TestEveryReasonHasWords(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../../engine/model/plan.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if typ, isName := specType(spec, ok); isName && typ == "ReasonKind" {
			kind, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			kinds++
			r := model.Reason{Kind: model.ReasonKind(kind), Level: "Q", Object: "x", Resource: "y",
				Asked: "1", Offered: "0", Later: true}
			if text := words.ReasonText(&r); text == kind || text == "" || strings.Contains(text, "  ") ||
				strings.TrimSpace(text) != text {
				t.Errorf("%s: %q", kind, text)
			}
		}
		return true
	})
	if kinds < 28 {
		t.Errorf("only %d kinds found", kinds)
	}
}

func specType(spec *ast.ValueSpec, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	id, ok := spec.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

func TestReasonsAreGroupedAndTheSummaryNamesWhatTimeMendsFirst(t *testing.T) {
	why := []model.Reason{
		{Kind: model.ReasonQueueList, Level: "Q", Object: "a.q", Asked: "b.q"},
		{Kind: model.ReasonQueueList, Level: "Q", Object: "c.q", Asked: "b.q"},
		{Kind: model.ReasonResource, Level: "H", Object: "n1", Resource: "mem", Asked: "8G", Offered: "4G", Later: true},
		{Kind: model.ReasonQueueList, Level: "Q", Object: "d.q", Asked: "b.q"},
		{Kind: model.ReasonDependency, Object: "job 3", Later: true},
		{Kind: model.ReasonDependency, Object: "job 4", Later: true},
	}
	groups := words.GroupReasons(why)
	if len(groups) != 4 || groups[0].Count != 3 || !reflect.DeepEqual(groups[0].Objects, []string{"a.q", "c.q", "d.q"}) {
		t.Errorf("groups %+v", groups)
	}
	if got := words.Summary(why); got != "short of mem; after job 3; 2 more reasons" {
		t.Errorf("summary %q", got)
	}
	if got := words.Summary(why[:4]); got != "short of mem; not in -q (3)" {
		t.Errorf("summary %q", got)
	}
}

func TestScheduleLinesCountAsTheFileDoes(t *testing.T) {
	at := time.Unix(1795248534, 123456000).UTC()
	lines := []model.ScheduleLine{
		{Job: 3127, Task: 1, State: "STARTING", Start: at, Duration: 30 * time.Second, Level: "G",
			Object: "global", Resource: "license",
			Amount: 4},
		{Job: 2, Task: 7, State: "RESERVING", Start: time.Unix(0, 0), Duration: model.Forever,
			Level: "H", Object: "n", Resource: "mem",
			Amount: 8589934592.5},
		{Job: 2, Task: 8, State: "RUNNING", Start: at, Duration: 5000000000 * time.Second,
			Level: "Q", Object: "q@n", Resource: "slots",
			Amount: 1},
	}
	for release, want := range map[model.Release]string{
		{Product: "SGE", Version: "8.1.9"}: "3127:1:STARTING:1795248534:30:G:global:license:4.000000\n2:7:RESERVING:0:4294967295:H:n:mem:8589934592.500000\n2:8:RUNNING:1795248534:2499718761:Q:q@n:slots:1.000000\n",
		{Product: "OCS", Version: "9.1.4"}: "3127:1:STARTING:1795248534123456:30000000:G:global:license:4.000000\n2:7:RESERVING:0:4294967295000000:H:n:mem:8589934592.500000\n2:8:RUNNING:1795248534123456:5000000000000000:Q:q@n:slots:1.000000\n",
	} {
		var b bytes.Buffer
		if err := WriteSchedule(&b, &model.Snapshot{Release: release}, lines); err != nil || b.String() != want {
			t.Errorf("%s: got %s, want %s", release, b.String(), want)
		}
	}
}

// shown is what a terminal shows of a plan.
func shown(t *testing.T, bundle string, all bool) string {
	t.Helper()
	s := recorded.OpenBundle(t, "../../../fixtures/gridengine/"+bundle)
	_, quirks := compat.For(s.Release)
	subject := subject.NewSubject(s, "8.1.9", lastrun.Options{Quirks: quirks})
	at, err := subject.Moment()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := printPlan(show.Output{W: &text, Terminal: true, Format: "table"}, subject, at,
		subject.Batch.Plan(at.At), all); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestATerminalShowsTheTasksOfAnArrayThatStartTogetherInOneLine(t *testing.T) {
	text := shown(t, "8.1.9-dispatch-2.tar.gz/run2/before", false)
	for _, want := range []string{
		"\n 22  1-8:1  usr4   start    now       0:06:00      8  all.q@node05=3 all.q@node06=3 all.q@node07=2\n",
		"\n  9      3  usr2   reserve  08:26:59  1:01:00      1  all.q@node03; short of license\n",
		"\n 16      1  usr3   wait                               held\n",
		"\nTasks that start now: 18. Tasks that get a reservation: 2. Jobs that wait: 10.\n",
		"\nNext: see why job 9 does not start\n    qprism why 9",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

func TestAReservationForATimeThatIsOverIsExplained(t *testing.T) {
	if text := shown(t, "8.1.9-reservation-licence.tar.gz/run1/before", false); !strings.Contains(text,
		"\nNote: the reservation of job 2 is at a past time, so the scheduler keeps no slots free for job 2. This is a fault of "+
			"release 8.1.9; \"qprism releases 8.1.9\" explains it (D1, D2).") {
		t.Error(text)
	}
}

func TestATerminalShowsNoMoreLinesThanPeopleRead(t *testing.T) {
	p := &model.Plan{RunAt: time.Unix(1795248534, 0)}
	for n := range uint32(show.ManyLines + 7) {
		p.Decisions = append(p.Decisions, model.Decision{Job: n + 1, Verdict: model.Never},
			model.Decision{Job: n + 1000, Verdict: model.Now})
	}
	sheet, hidden := peopleSheet(show.Output{}, subject.NewSubject(&model.Snapshot{}, "", lastrun.Options{}), p, false)
	if len(sheet.Rows) != 2*show.ManyLines || hidden != "7 more that start, 7 more that wait" {
		t.Errorf("%d lines, left out: %s", len(sheet.Rows), hidden)
	}
	if sheet, hidden := peopleSheet(show.Output{}, subject.NewSubject(&model.Snapshot{}, "", lastrun.Options{}), p,
		true); len(sheet.Rows) != len(p.Decisions) || hidden != "" {
		t.Errorf("with --all %d lines, left out: %s", len(sheet.Rows), hidden)
	}
}

func TestTasksAreJoinedWhereTheyStartTogether(t *testing.T) {
	at := time.Unix(1795248534, 0)
	task := func(job, number uint32, start time.Time, on string) model.Decision {
		return model.Decision{Job: job, Tasks: []model.Range{{Min: number, Max: number, Step: 1}},
			Verdict: model.Now, Start: start,
			Slots: []model.Grant{{Instance: on, Slots: 1}}, Tied: []string{"x"}}
	}
	got := joinTasks([]model.Decision{task(1, 1, at, "a"), task(1, 2, at, "b"), task(1, 4, at, "a"),
		task(1, 5, at.Add(time.Second), "a"),
		task(2, 6, at, "a"), {Job: 2, Verdict: model.Never}})
	var lines []string
	for _, d := range got {
		lines = append(lines, fmt.Sprintf("%d.%s %s %d", d.Job, model.TaskText(d.Tasks), whereText(&d), len(d.Tied)))
	}
	want := []string{"1.1-2:1,4 a=2 b=1 0", "1.5 a (or 1 other) 1", "2.6 a (or 1 other) 1", "2.1  0"}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
}

// TestNoReasonRefersToAJobThatRuns plans runs from every recorded state on, with and without reservations.
// What waits has reasons of its own: those that name another job name one whose end it waits for
// (-hold_jid), never one like it that runs or starts.
func TestNoReasonRefersToAJobThatRuns(t *testing.T) {
	waiting := 0
	for name, bundle := range recorded.RecordedStates(t) {
		for _, reservations := range []int{0, 5} {
			s := subject.NewSubject(recorded.Read(t, bundle), "", lastrun.Options{})
			_, s.Look.Quirks = compat.For(s.Release)
			s.Policy.MaxReservation = reservations
			plan := subject.GridEngine{Subject: s}.Planner()
			forecast.Run(s.Snapshot, forecast.Options{At: s.TakenAt, MostRuns: 10,
				Plan: func(now *model.Snapshot, at time.Time, _ bool) *model.Plan {
					p := plan(now, at, true)
					waiting += ownReasons(t, name, subject.NewSubject(now, "", s.Look), p)
					return p
				}})
		}
	}
	if waiting < 1000 {
		t.Errorf("only %d decisions about what waits", waiting)
	}
}

var anotherJob = regexp.MustCompile(`\bjob [0-9]`)

// ownReasons checks the decisions about what waits, and counts them.
func ownReasons(t *testing.T, name string, s *subject.Subject, p *model.Plan) (waiting int) {
	t.Helper()
	text := WaitText(s, p)
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if d.Verdict == model.Now {
			continue
		}
		waiting++
		if len(d.Why) == 0 || text(d) == "" {
			t.Errorf("%s: job %d waits for no reason", name, d.Job)
		}
		for k := range d.Why {
			r := &d.Why[k]
			// which closes the queue
			if r.Kind == model.ReasonDependency || strings.Contains(words.ReasonText(r), "by the start of") {
				continue
			}
			if words := words.ReasonText(r) + words.ShortReason(r); anotherJob.MatchString(words) {
				t.Errorf("%s: job %d: %s", name, d.Job, words)
			}
		}
	}
	return waiting
}
