package sqlite

import (
	"context"
	"testing"
	"time"
)

// BenchmarkReading reads one snapshot of 10,000 jobs, the list of 200 snapshots, and the history of a job
// through them: what verifying costs is in all of them.
func BenchmarkReading(b *testing.B) {
	s, c, ctx := openTemp(b), newFakeCluster(1, 2000, 50), context.Background()
	for range 200 {
		mustImport(b, s, c.bundle(), c.snapshot())
		c.step(5*time.Minute, 20)
	}
	big := newFakeCluster(2, 10000, 100)
	snap := big.snapshot()
	snap.Cluster = "big/default"
	id := mustImport(b, s, big.bundle(), snap).ID
	for name, read := range map[string]func() error{
		"snapshot of 10,000 jobs":       func() error { _, err := s.Snapshot(ctx, id); return err },
		"list of 201 snapshots":         func() error { _, err := s.Snapshots(ctx); return err },
		"history through 200 snapshots": func() error { _, err := s.History(ctx, "master/default", 2500); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
