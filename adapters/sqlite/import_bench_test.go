package sqlite

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"qprism/engine/model"
)

// BenchmarkImport imports a snapshot of 100,000 jobs, the first of its cluster and then another one a little later, and
// reports the most memory that the import took on top of the snapshot.
func BenchmarkImport(b *testing.B) {
	c := newFakeCluster(1, 100_000, 1000)
	first, firstBundle := c.snapshot(), c.onDisk(b)
	c.step(5*time.Minute, 200)
	second, secondBundle := c.snapshot(), c.onDisk(b)
	for _, run := range []struct {
		name   string
		before bool
		snap   *model.Snapshot
		bundle fs.FS
	}{{"first", false, first, firstBundle}, {"second", true, second, secondBundle}} {
		b.Run(run.name, func(b *testing.B) {
			var most uint64
			for b.Loop() {
				b.StopTimer()
				s := openTemp(b)
				if run.before {
					mustImport(b, s, firstBundle, first)
				}
				runtime.GC()
				done := watchHeap(&most)
				b.StartTimer()
				mustImport(b, s, run.bundle, run.snap)
				b.StopTimer()
				close(done)
				s.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(len(run.snap.Jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric(float64(most>>20), "MiB-peak")
		})
	}
}

// onDisk writes what qstat prints to a folder.
func (c *fakeCluster) onDisk(tb testing.TB) fs.FS {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "qstat.xml"), []byte(c.qstat()), 0o644); err != nil {
		tb.Fatal(err)
	}
	return os.DirFS(dir)
}

// watchHeap notes the most memory that the heap takes beyond what it takes now, until done is closed.
func watchHeap(most *uint64) (done chan struct{}) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapInuse
	}
	done, start := make(chan struct{}), heap()
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				*most = max(*most, heap()-min(start, heap()))
			}
		}
	}()
	return done
}

func openTemp(tb testing.TB) *Store {
	tb.Helper()
	s, err := Open(filepath.Join(tb.TempDir(), "store.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func mustImport(tb testing.TB, s *Store, bundle fs.FS, snap *model.Snapshot) Imported {
	tb.Helper()
	done, err := s.Import(context.Background(), bundle, "a test", snap)
	if err != nil {
		tb.Fatal(err)
	}
	return done
}
