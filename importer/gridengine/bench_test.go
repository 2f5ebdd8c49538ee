package gridengine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"qprism/fixtures/generate"
	"qprism/importer"
	"qprism/importer/gridengine"
)

// BenchmarkRead imports a bundle of 100,000 pending jobs, 120 MB of XML, from a folder. Live is what the snapshot
// keeps, peak the largest heap seen on the way.
func BenchmarkRead(b *testing.B) {
	const jobs = 100_000
	dir := b.TempDir()
	if err := generate.Bundle(dir, jobs); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "qstat.xml"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	var peak, live uint64
	for b.Loop() {
		runtime.GC()
		before := heap()
		stop := watchHeap(&peak)
		bundle, closer, err := importer.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		s, err := gridengine.Read(bundle, gridengine.Options{})
		if err != nil {
			b.Fatal(err)
		}
		stop()
		closer.Close()
		runtime.GC()
		live = heap() - before
		if len(s.Jobs) != jobs || len(s.Unknown) > 0 {
			b.Fatalf("%d jobs, unknown %v", len(s.Jobs), s.Unknown)
		}
		runtime.KeepAlive(s)
	}
	b.ReportMetric(jobs*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(live)/1e6, "live-MB")
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// watchHeap notes the largest heap until it is stopped.
func watchHeap(peak *uint64) (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			*peak = max(*peak, heap())
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return func() {
		close(done)
		wait.Wait()
	}
}
