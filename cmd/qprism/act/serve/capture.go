package serve

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/subject"
	"qprism/importer/collect"
)

func (s *Served) capture(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	figures, _, err := s.captured(ctx, inTurn)
	return figures, err
}

// captured captures the cluster, and stores the bundle as a snapshot, when it has its turn: inTurn, or atOnce if a push or
// drive needs a fresh snapshot.
func (s *Served) captured(ctx context.Context, wait func(context.Context, func() error) error) (
	figures []slog.Attr, id int64, err error) {
	// only for this run (see exclusively); a killed run may have left files
	folder := filepath.Join(beside(s.Deps), s.Name+".part") // an archive would be packed, and read as a whole into memory
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(folder)
	o := subject.CaptureOptions{Reach: s.Reach(), Collect: CollectOptions(s.Capture)}
	report, err := o.Into(ctx, s.Deps, folder)
	if err != nil {
		return nil, 0, err
	}
	store, err := subject.MakeStore(s.Deps)
	if err != nil {
		return nil, 0, err
	}
	defer store.Close()
	var k keep.KeptBundle
	if err := wait(ctx, func() (err error) {
		k, err = keep.KeepBundle(ctx, store, keep.ImportOptions{Cluster: s.Known}, folder, s.source())
		return err
	}); err != nil {
		return nil, 0, err
	}
	figures = []slog.Attr{slog.Int64("snapshot", k.ID), slog.Int("jobs", len(k.Snapshot.Jobs)),
		slog.Int64("stored_bytes", k.Bytes),
		slog.Int("commands", report.Cost.Commands), slog.Float64("master_seconds", seconds3(report.Cost.Busy))}
	if len(report.Lacking) > 0 {
		figures = append(figures, slog.String("not_captured", strings.Join(report.Lacking, "; ")))
	}
	return figures, k.ID, nil
}

// turn is taken by the cluster whose snapshot is read, stored or audited: serve needs the memory for one, and clusters
// that write to the store wait in a queue, which SQLite has not.
var turn = make(chan struct{}, 1)

// inTurn does something when no other cluster has its turn.
func inTurn(ctx context.Context, do func() error) error {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
		return do()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// atOnce does something without a turn.
func atOnce(_ context.Context, do func() error) error { return do() }

// seconds3 is a time in seconds, to the millisecond.
func seconds3(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// CollectOptions returns the options of a capture. Without a capture task, a push captures with the routine
// options.
func CollectOptions(t *cadence.Capture) collect.Options {
	o := collect.Routine()
	if t == nil {
		return o
	}
	o.Full, o.Tasks, o.Environment, o.Scheduler = t.Full, t.Tasks, t.Environment, t.Scheduler
	for _, n := range []struct {
		to  *int
		set int
	}{{&o.Accounting, t.Accounting}, {&o.Records, t.Records}, {&o.Reporting, t.Reporting}} {
		if n.set >= 0 {
			*n.to = n.set
		}
	}
	if t.ConfigAge > 0 {
		o.ConfigAge = t.ConfigAge
	}
	if t.Slow > 0 {
		o.Slow = t.Slow
	}
	return o
}
