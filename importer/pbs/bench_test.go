package pbs

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"qprism/fixtures/generate"
)

// BenchmarkRead imports 100,000 queued jobs from a folder. Live is what the snapshot keeps, peak the
// largest heap seen on the way.
func BenchmarkRead(b *testing.B) {
	for file, write := range map[string]func(io.Writer, int) error{"qstat_f.json": generate.PBSJSON,
		"qstat_f.txt": generate.PBSText} {
		b.Run(file, func(b *testing.B) { benchmarkRead(b, file, write) })
	}
}

func benchmarkRead(b *testing.B, file string, write func(io.Writer, int) error) {
	const jobs = 100_000
	dir := b.TempDir()
	b.SetBytes(writeFile(b, filepath.Join(dir, file), jobs, write))
	b.ReportAllocs()
	var peak, live uint64
	for b.Loop() {
		runtime.GC()
		before := heap()
		stop := watchHeap(&peak)
		s, err := Read(os.DirFS(dir), Options{})
		stop()
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		live = heap() - before
		if len(s.Jobs) != jobs || len(s.Unknown) > 0 || len(s.PBS.Repairs) > 0 {
			b.Fatalf("%d jobs, unknown %v, repaired %v", len(s.Jobs), s.Unknown, s.PBS.Repairs)
		}
		runtime.KeepAlive(s)
	}
	b.ReportMetric(jobs*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(live)/1e6, "live-MB")
}

func writeFile(tb testing.TB, path string, jobs int, write func(io.Writer, int) error) (size int64) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := write(f, jobs); err != nil {
		tb.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return info.Size()
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
