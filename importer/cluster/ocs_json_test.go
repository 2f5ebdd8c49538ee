package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"qprism/engine/model"
)

// ofOCS are the documents in testdata/ocs-9.2, in the form that -fmt json of Open Cluster Scheduler 9.2
// has, and what is in each.
var ofOCS = map[string]model.Counts{
	"qstat.json":    {Jobs: 2, Running: 1, Waiting: 5},
	"qstat-f.json":  {Jobs: 2, Running: 1, Waiting: 1, Hosts: 2, Queues: 1, QueueInstances: 2},
	"qstat-gc.json": {Queues: 1},
	"qstat-j.json":  {Jobs: 1, Running: 1, Waiting: 7},
	"qhost.json":    {Jobs: 1, Running: 1, Hosts: 1, Queues: 1, QueueInstances: 1},
}

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "ocs-9.2", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestJSONOfOpenClusterSchedulerIsRead(t *testing.T) {
	all := map[string]table{}
	for name, want := range ofOCS {
		text := document(t, name)
		all[name] = table{text: text, want: want}
		all[name+" in one line"] = table{text: strings.Join(strings.Fields(text), " "), want: want}
		all[name+" without its head"] = table{text: "{" +
			text[strings.Index(text, "schema.json\",")+len("schema.json\","):], want: want}
	}
	checkTables(t, all)
}

// TestADocumentIsReadAsTheFormItSays: what each of its values means. Its times are UTC, whatever the cluster's zone.
func TestADocumentIsReadAsTheFormItSays(t *testing.T) {
	row := read(t, document(t, "qstat.json")).Jobs
	first := row[0]
	if first.PE != "mytestpe" || len(first.PERange) != 1 || first.PERange[0].Max != 8 ||
		len(first.HardQueues) != 1 || len(first.Hard) != 1 ||
		first.Hard[0].Contribution != 10 || first.Hard[0].Amount != 3600 ||
		len(first.Predecessors) != 1 || len(first.PredecessorNames) != 2 ||
		first.Tasks[0].Reported.Share != 0.25 || first.Tasks[0].Granted[0].Instance != "all.q@h1" {
		t.Errorf("%+v, %+v", first, first.Tasks)
	}
	if row[1].Name != `x "y" <z>` || model.CountOf(row[0].Tasks[1].IDs) != 4 {
		t.Errorf("%+v, %+v", row[1], row[0].Tasks)
	}
	j := read(t, document(t, "qstat-j.json")).Jobs[0]
	if j.PosixPriority != -10 || !j.Reserve || j.MaxRunningTasks != 2 || j.PE != "mytestpe" ||
		j.Hard[0].Amount != 3600 || j.Tasks[0].Slots != 2 ||
		!j.Tasks[0].Started.Equal(time.Date(2026, 3, 28, 18, 16, 36, 640e6, time.UTC)) {
		t.Errorf("%+v, %+v", j, j.Tasks)
	}
	bundle := fstest.MapFS{"a": {Data: []byte(document(t, "qstat.json"))},
		"MANIFEST": {Data: []byte("taken_at 1774722000\nutc_offset +0200\n")}}
	s, err := Read(bundle, Options{})
	if err != nil || !s.Jobs[1].Submitted.Equal(time.Date(2026, 3, 28, 18, 16, 30, 0, time.UTC)) {
		t.Errorf("%v, %v", err, s)
	}
}

// TestDocumentsOfOneClusterGoTogether: jobs from qstat, queue instances and hosts from the others.
func TestDocumentsOfOneClusterGoTogether(t *testing.T) {
	bundle := fstest.MapFS{}
	for name := range ofOCS {
		bundle[name] = &fstest.MapFile{Data: []byte(document(t, name))}
	}
	s, err := Read(bundle, Options{})
	want := model.Counts{Jobs: 2, Running: 1, Waiting: 5, Hosts: 2, Queues: 1, QueueInstances: 2}
	if err != nil || s.Counts() != want || len(s.Unknown)+len(s.LeftOut) > 0 || len(s.NotListed()) > 0 {
		t.Errorf("%v, %+v, unknown %v, left out %v", err, s.Counts(), s.Unknown, s.LeftOut)
	}
}

// TestADocumentThatIsCutOffIsRefused: as XML is; and one of a kind that nobody reads is said.
func TestADocumentThatIsCutOffIsRefused(t *testing.T) {
	text := document(t, "qstat.json")
	for _, length := range []int{300, 800, len(text) - 10} {
		if s, err := Read(fstest.MapFS{"a": {Data: []byte(text[:length])}}, Options{}); err == nil {
			t.Errorf("%d bytes: %+v", length, s.Counts())
		}
	}
	quota := &fstest.MapFile{Data: []byte(`{"$id":"ocs-qquota-root.schema.json","x":[]}`)}
	s, err := Read(fstest.MapFS{"a": {Data: []byte(text)}, "quota.json": quota}, Options{})
	if err != nil || len(s.Unknown) != 1 || s.Unknown[0].File != "quota.json" {
		t.Errorf("%v, %v", err, s.Unknown)
	}
}

// TestQueueSummariesAreKept: qstat -g c tells slots, and nothing of hosts or jobs.
func TestQueueSummariesAreKept(t *testing.T) {
	for _, what := range []string{"qstat -g c", "qstat -g c of 6.1", "qstat -g c -ext", "qstat -g c -xml"} {
		s := read(t, shapes[what].text)
		q := s.Summaries[0]
		if q.Queue != "all.q" || q.Load != 0.54 || q.Used != 34 || q.Available != 14 || q.Total != 64 ||
			q.Manual != 16 || len(s.NotListed()) != 3 {
			t.Errorf("%s: %+v, not listed %v", what, q, s.NotListed())
		}
	}
	unknown := model.Amount{Name: "unknown", Value: 8}
	if q := read(t, shapes["qstat -g c -ext"].text).Summaries[0]; len(q.States) != 2 || q.States[0] != unknown {
		t.Errorf("%+v", q.States)
	}
}

// TestJSONOfQconfIsReadAsItsText reads the same objects as documents and as text.
func TestJSONOfQconfIsReadAsItsText(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "ocs-9.2", "qconf.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]fstest.MapFS{"json": {}, "text": {}}
	for _, f := range archive.Files {
		form, name, _ := strings.Cut(f.Name, "/")
		forms[form][name] = &fstest.MapFile{Data: f.Data}
	}
	read := func(form string) *model.Snapshot {
		forms[form]["qstat.json"] = &fstest.MapFile{Data: []byte(document(t, "qstat.json"))}
		s, err := Read(forms[form], Options{})
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		return s
	}
	got, want := read("json"), read("text")
	got.Has, want.Has = nil, nil
	sameNumber := cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })
	if diff := cmp.Diff(want, got, sameNumber); diff != "" {
		t.Error(diff)
	}
	if len(got.Unknown) > 0 || len(got.Queues) != 2 || got.ShareTree == nil {
		t.Errorf("unknown %v, queues %d", got.Unknown, len(got.Queues))
	}
}
