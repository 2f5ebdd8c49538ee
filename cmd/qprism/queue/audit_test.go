package queue

import (
	"bytes"
	"testing"

	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
)

func TestTheAuditsOfBothSystemsPrintOneSheet(t *testing.T) {
	var b bytes.Buffer
	list := []batch.Difference{
		{Job: batch.Value{Is: uint32(7), Text: "7"}, Tasks: "2", Field: "prio", Master: batch.Value{Is: 0.5, Text: "0.50000"}, Class: batch.Stale,
			Why: "later"},
		{Job: batch.Text("8.server"), Field: "start", Master: batch.Text("starts"), Class: batch.Unexplained},
	}
	if err := printDifferences(show.Output{W: &b, Terminal: true, Format: "table"}, list, false); err != nil {
		t.Fatal(err)
	}
	want := "job       field  master   recomputed  class        why\n8.server  start  starts   -           unexplained\n7.2       prio   0.50000  -           stale        later\n\n"
	if got := b.String(); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
}
