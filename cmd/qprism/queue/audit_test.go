package queue

import (
	"bytes"
	"path/filepath"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
)

func TestTheAuditsOfBothSystemsPrintOneSheet(t *testing.T) {
	var b bytes.Buffer
	list := []batch.Difference{
		{Job: batch.Value{Is: uint32(7), Text: "7"}, Tasks: "2", Field: "prio",
			Master: batch.Value{Is: 0.5, Text: "0.50000"}, Class: batch.Stale,
			Why: "later"},
		{Job: batch.Text("8.server"), Field: "start", Master: batch.Text("starts"), Class: batch.Unexplained},
	}
	printDifferences(show.Output{W: &b, Terminal: true, Format: "table"}, list, false)
	want := "job       field  master   recomputed  class        why\n8.server  start  starts   -        " +
		"   unexplained\n7.2       prio   0.50000  -           stale        later\n\n"
	if got := b.String(); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
}

// TestTheStoredSnapshotBeforeIsAskedWhereNumbersDoNotAgree: a job that just started has numbers of the run before.
func TestTheStoredSnapshotBeforeIsAskedWhereNumbersDoNotAgree(t *testing.T) {
	d, ctx := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db")}, t.Context()
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	states := recorded.RecordedStates(t)
	for _, name := range []string{"8.1.9-job-filter run 2 before", "8.1.9-job-filter run 2"} {
		if _, err := store.Import(ctx, states[name], name, recorded.Read(t, states[name])); err != nil {
			t.Fatal(err)
		}
	}
	_, a, err := Audited(ctx, d, AuditOptions{Selection: subject.Selection{Snapshot: 2}}, nil)
	if err != nil || !a.Agrees || a.From != "the snapshot, and the earlier snapshot 1" {
		t.Errorf("%v: %+v, from %q", err, a.Fields.Sum(), a.From)
	}
	_, a, err = Audited(ctx, d, AuditOptions{Selection: subject.Selection{Snapshot: 1}}, nil)
	if err != nil || a.From != "" {
		t.Errorf("of the first: %v, from %q", err, a.From)
	}
}
