package serve

import (
	"context"
	"path/filepath"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/subject"
	"qprism/importer"
)

// TestAnAuditIsCountedOnce: after the audit task, the page needs no audit of its own.
func TestAnAuditIsCountedOnce(t *testing.T) {
	bundle, closer, err := importer.Open("../../../../fixtures/gridengine/8.1.9-blog-functional.tar.gz/run2/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	snapshot, err := subject.ReadBundle(bundle, false)
	if err != nil {
		t.Fatal(err)
	}
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db")}
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	done, err := store.Import(t.Context(), bundle, "recorded", snapshot)
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	sel := subject.Selection{Snapshot: done.ID}
	if counts, err := queue.CountsOf(over, d, done.Cluster, sel, nil); err == nil {
		t.Errorf("counts before any audit: %v", counts)
	}
	a, err := queue.AuditStored(t.Context(), d, done.ID)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := queue.CountsOf(over, d, done.Cluster, sel, nil)
	if err != nil || counts.Sum() != a.Fields.Sum() || counts.Sum().Reported == 0 {
		t.Errorf("counts %v, %v; want %v", counts.Sum(), err, a.Fields.Sum())
	}
}
