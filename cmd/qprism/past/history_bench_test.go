package past

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/generate"
	"qprism/importer"
)

// BenchmarkHistory measures a store of many snapshots of a cluster of 5,000 jobs, half an hour apart, which evolve from a
// recording: what a snapshot takes, how long history and the snapshot of a moment take, and what pruning gives back.
// QPRISM_SNAPSHOTS sets how many (2,000 for the figures in the README; 20 else), QPRISM_HISTORY where the store is kept, to
// measure it again; QPRISM_DETAIL=1 has bundles with qstat-j.xml.
func BenchmarkHistory(b *testing.B) {
	snapshots := 20
	if n, err := strconv.Atoi(os.Getenv("QPRISM_SNAPSHOTS")); err == nil {
		snapshots = n
	}
	path := os.Getenv("QPRISM_HISTORY")
	if path == "" {
		path = filepath.Join(b.TempDir(), "history.db")
	}
	d, ctx := &cli.Deps{Store: path, Format: "json"}, context.Background()
	last := evolveInto(b, path, snapshots)
	waiting := waitingJob(b, d)
	commands := map[string]func() error{
		"history/held":    func() error { return runHistory(ctx, d, historyOptions{}, []string{"1001"}, io.Discard) },
		"history/waiting": func() error { return runHistory(ctx, d, historyOptions{}, []string{fmt.Sprint(waiting)}, io.Discard) },
		"explain": func() error {
			at := last.Add(-time.Duration(snapshots) * 15 * time.Minute).Format(time.RFC3339) // the middle
			return queue.RunExplain(ctx, d, queue.ExplainOptions{At: at}, []string{fmt.Sprint(waiting)}, io.Discard)
		},
		"timeline": func() error { return runTimeline(ctx, d, TimelineOptions{}, nil, io.Discard) },
	}
	for name, run := range commands {
		b.Run(name, func(b *testing.B) {
			used := processorTime(b)
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(processorTime(b)-used)/float64(b.N), "cpu-ns/op")
		})
	}
	pruneCopy(b, path, last)
}

// processorTime is what the process has used, which the other work of a busy machine does not change.
func processorTime(b *testing.B) int64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// waitingJob is a job that waits in the middle of the history.
func waitingJob(b *testing.B, d *cli.Deps) uint32 {
	b.Helper()
	store, err := subject.OpenStore(d)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	infos, err := store.Snapshots(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	a, err := store.Analysis(context.Background(), infos[len(infos)/2].ID)
	if err != nil || a == nil || len(a.Standings) == 0 {
		b.Fatal("no analysis ", err)
	}
	return a.Standings[len(a.Standings)/2].Job
}

// evolveInto imports as many snapshots as the store lacks, and returns when the last was taken.
func evolveInto(b *testing.B, path string, snapshots int) time.Time {
	b.Helper()
	recording, closer, err := importer.Open("../../../fixtures/gridengine/8.1.9-share-2.tar.gz/run2/after")
	if err != nil {
		b.Fatal(err)
	}
	defer closer.Close()
	e, err := generate.Evolve(recording, 100, 5000, 1)
	if err != nil {
		b.Fatal(err)
	}
	e.Detail = os.Getenv("QPRISM_DETAIL") == "1"
	store, err := sqlite.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	infos, err := store.Snapshots(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	start, raw := time.Now(), int64(0)
	for x := range readAll(evolve(e, len(infos), snapshots)) {
		if x.err != nil {
			b.Fatal(x.err)
		}
		done, err := store.Import(context.Background(), x.bundle, "evolved", x.snapshot)
		if err != nil {
			b.Fatal(err)
		}
		if err := store.SetAnalysis(context.Background(), done.ID, x.analysis); err != nil {
			b.Fatal(err)
		}
		raw = subject.Size(x.bundle)
	}
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	if n := snapshots - len(infos); n > 0 {
		b.Logf("%d snapshots imported, %v each; a bundle has %d bytes", n, time.Since(start)/time.Duration(n), raw)
	}
	b.Logf("%d snapshots: the store has %d bytes, %d a snapshot", snapshots, store.Size(), store.Size()/int64(snapshots))
	return e.Now
}

// An evolved is one bundle of an evolution, on its way into a store.
type evolved struct {
	bundle   fstest.MapFS
	snapshot *model.Snapshot
	analysis *sqlite.Analysis
	err      error
}

// evolve makes the bundles of an evolution from one place to another.
func evolve(e *generate.Evolution, from, to int) <-chan evolved {
	out := make(chan evolved, 2)
	go func() {
		defer close(out)
		for i := range to {
			if i >= from {
				files, err := e.Files()
				x := evolved{bundle: fstest.MapFS{}, err: err}
				for name, data := range files {
					x.bundle[name] = &fstest.MapFile{Data: data}
				}
				out <- x
			}
			if i+1 < to {
				e.Step(30 * time.Minute)
			}
		}
	}()
	return out
}

// readAll reads and analyses bundles beside the one that is stored.
func readAll(in <-chan evolved) <-chan evolved {
	out := make(chan evolved, 2)
	go func() {
		defer close(out)
		for x := range in {
			if x.err == nil {
				x.snapshot, x.err = subject.ReadBundle(x.bundle, false)
			}
			if x.err == nil {
				x.analysis = Analyze(x.snapshot)
			}
			out <- x
		}
	}()
	return out
}

// pruneCopy prunes a copy of the store to its last 30 days, or its last half.
func pruneCopy(b *testing.B, path string, last time.Time) {
	b.Helper()
	store, err := sqlite.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	infos, err := store.Snapshots(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	store.Close()
	keep := min(30*24*time.Hour, last.Sub(infos[0].TakenAt)/2)
	copied := filepath.Join(b.TempDir(), "copy.db")
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(copied, text, 0o644); err != nil {
		b.Fatal(err)
	}
	if store, err = sqlite.Open(copied); err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	before, start := store.Size(), time.Now()
	old, err := store.Prune(context.Background(), last.Add(-keep), false)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("prune --keep %v deletes %d of %d snapshots in %v: %d bytes, before %d", keep, len(old), len(infos), time.Since(start),
		store.Size(), before)
	if store.Size() >= before {
		b.Error("the store did not shrink")
	}
}
