package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestEveryReasonHasWords reads the kinds of reasons from the model, so that a new one cannot be forgotten.
func TestEveryReasonHasWords(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../engine/model/plan.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if typ, isName := specType(spec, ok); isName && typ == "ReasonKind" {
			kind, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			kinds++
			r := model.Reason{Kind: model.ReasonKind(kind), Level: "Q", Object: "x", Resource: "y", Asked: "1", Offered: "0", Later: true}
			if text := reasonText(&r); text == kind || text == "" || strings.Contains(text, "  ") || strings.TrimSpace(text) != text {
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
	groups := groupReasons(why)
	if len(groups) != 4 || groups[0].count != 3 || !reflect.DeepEqual(groups[0].objects, []string{"a.q", "c.q", "d.q"}) {
		t.Errorf("groups %+v", groups)
	}
	if got := summary(why); got != "short of mem; after job 3; 2 more reasons" {
		t.Errorf("summary %q", got)
	}
	if got := summary(why[:4]); got != "short of mem; not in -q (3)" {
		t.Errorf("summary %q", got)
	}
}

func TestScheduleLinesCountAsTheFileDoes(t *testing.T) {
	at := time.Unix(1795248534, 123456000).UTC()
	lines := []model.ScheduleLine{
		{Job: 3127, Task: 1, State: "STARTING", Start: at, Duration: 30 * time.Second, Level: "G", Object: "global", Resource: "license", Amount: 4},
		{Job: 2, Task: 7, State: "RESERVING", Start: time.Unix(0, 0), Duration: model.Forever, Level: "H", Object: "n", Resource: "mem", Amount: 8589934592.5},
		{Job: 2, Task: 8, State: "RUNNING", Start: at, Duration: 5000000000 * time.Second, Level: "Q", Object: "q@n", Resource: "slots", Amount: 1},
	}
	for release, want := range map[model.Release]string{
		{Product: "SGE", Version: "8.1.9"}: "3127:1:STARTING:1795248534:30:G:global:license:4.000000\n2:7:RESERVING:0:4294967295:H:n:mem:8589934592.500000\n2:8:RUNNING:1795248534:2499718761:Q:q@n:slots:1.000000\n",
		{Product: "OCS", Version: "9.1.4"}: "3127:1:STARTING:1795248534123456:30000000:G:global:license:4.000000\n2:7:RESERVING:0:4294967295000000:H:n:mem:8589934592.500000\n2:8:RUNNING:1795248534123456:5000000000000000:Q:q@n:slots:1.000000\n",
	} {
		var b bytes.Buffer
		if err := writeSchedule(&b, &model.Snapshot{Release: release}, lines); err != nil || b.String() != want {
			t.Errorf("%s: got %s, want %s", release, b.String(), want)
		}
	}
}

func TestAPictureWithoutLinesShowsSlots(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	s := &model.Snapshot{Policy: model.Policy{DefaultDuration: time.Hour}, Instances: []model.QueueInstance{{Name: "q@a", Slots: 2}, {Name: "q@b", Slots: 2}, {Name: "q@none"}},
		Jobs: []model.Job{{Number: 1, Tasks: []model.Task{{IDs: []model.Range{{Min: 4, Max: 4, Step: 1}}, Started: at.Add(-time.Minute), Slots: 2, Granted: []model.Grant{{Instance: "q@a"}}}}}, {Number: 2}}}
	p := &model.Plan{RunAt: at, Decisions: []model.Decision{
		{Job: 2, Tasks: []model.Range{{Min: 1, Max: 1, Step: 1}}, Verdict: model.Now, Start: at, Duration: time.Minute, Slots: []model.Grant{{Instance: "q@b", Slots: 1}}},
		{Job: 2, Verdict: model.Never}}}
	full := pictured(s, p)
	want := []model.ScheduleLine{
		{Job: 1, Task: 4, State: "RUNNING", Start: at.Add(-time.Minute), Duration: time.Hour, Level: "Q", Object: "q@a", Resource: "slots", Amount: 2},
		{Job: 2, Task: 1, State: "STARTING", Start: at, Duration: time.Minute, Level: "Q", Object: "q@b", Resource: "slots", Amount: 1},
	}
	if !reflect.DeepEqual(full.Lines, want) || len(full.Utilization) != 2 || len(p.Lines)+len(p.Utilization) > 0 {
		t.Errorf("got %+v, %+v", full.Lines, full.Utilization)
	}
}

func TestHostsAreCountedByTheReasonThatComesNearest(t *testing.T) {
	s := &model.Snapshot{Instances: []model.QueueInstance{
		{Name: "a@n1", Queue: "a", Host: "n1"}, {Name: "a@n2", Queue: "a", Host: "n2"}, {Name: "a@n3", Queue: "a", Host: "n3"}, {Name: "a@n4", Queue: "a", Host: "n4"},
		{Name: "b@n1", Queue: "b", Host: "n1"}, {Name: "b@n2", Queue: "b", Host: "n2"}, {Name: "b@n5", Queue: "b", Host: "n5"},
	}}
	r := &explanation{decision: &model.Decision{Why: []model.Reason{
		{Kind: model.ReasonQueueList, Level: "Q", Object: "b", Asked: "a"}, // a whole cluster queue
		{Kind: model.ReasonFull, Level: "Q", Object: "a@n1", Resource: "slots", Later: true},
		{Kind: model.ReasonQueueState, Level: "Q", Object: "a@n2", Offered: "d"},
		{Kind: model.ReasonResource, Level: "H", Object: "n3", Resource: "mem", Asked: "8G", Reserved: true, Later: true},
		{Kind: model.ReasonQuota, Level: "L", Object: "set/1", Resource: "joe/////", Later: true},
	}}}
	r.sortReasons(s)
	var got []string
	for _, g := range r.hosts {
		got = append(got, strings.Join(g.names, ",")+": "+g.text)
	}
	want := []string{"n3: mem is free for now, but reserved for others", "n1: no slot is free",
		"n2,n5: not in the queue list that the job asks for (a)"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(r.general) != 1 || r.general[0].text() != "quota set/1 (joe) is used up" {
		t.Errorf("general %+v", r.general)
	}
}
