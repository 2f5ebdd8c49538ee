package serve

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/diff"
	"qprism/engine/model"
	"qprism/exporter"
)

// diff compares the expected order with the starts, in the snapshots of some time. It compares each with the
// next, so that no more than two are in memory.
func (s *Served) diff(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	list, err := s.snapshots(ctx)
	if err != nil {
		return nil, err
	}
	list = since(list, time.Now().Add(-s.Diff.Over))
	if len(list) < 2 {
		return nil, fmt.Errorf("%s of %s in the last %s; a comparison needs two", show.Plural(len(list), "snapshot"),
			s.Name, exporter.Span(s.Diff.Over))
	}
	var sum startFigures
	var before *model.Snapshot
	for _, i := range list {
		after, err := subject.LoadStored(ctx, s.Deps, i.ID)
		if err != nil {
			return nil, err
		}
		if before != nil {
			if err := s.addDiff(ctx, &sum, before, after); err != nil {
				return nil, fmt.Errorf("snapshot %d and the one before: %w", i.ID, err)
			}
		}
		before = after
	}
	first, last := list[0], list[len(list)-1]
	if s.alerts != nil && sum.tauB() < s.alerts.TauB {
		s.note(alert{Kind: "order",
			Text: fmt.Sprintf("jobs start in another order than expected: rank correlation (tau-b) %s, "+
				"limit %s; qprism timeline --passed --by cause --store %s",
				show.Ratio(sum.tauB()), show.Ratio(s.alerts.TauB), cli.ShellWord(s.Store))})
	}
	figures := []slog.Attr{slog.String("from", first.TakenAt.Format(time.RFC3339)),
		slog.String("until", last.TakenAt.Format(time.RFC3339)), slog.Int64("first_snapshot", first.ID),
		slog.Int64("last_snapshot", last.ID), slog.Int("snapshots", len(list)), slog.Int("runs", sum.runs),
		slog.Int("started", sum.started), slog.String("tau_b", figure(sum.tauB())),
		slog.String("footrule", figure(sum.footrule())),
		slog.Int64("inversions", sum.inversions), slog.Int("unknown", sum.unknown)}
	err = s.keepFigures("diff.csv", figures)
	return without(figures, "from", "until", "first_snapshot", "last_snapshot"), err
}

// since are the snapshots after a moment, and the last before it: starts are known from that on.
func since(list []sqlite.Info, at time.Time) []sqlite.Info {
	for i := range list {
		if list[i].ImportedAt.After(at) {
			return list[max(i-1, 0):]
		}
	}
	return nil
}

// addDiff adds the runs between two snapshots.
func (s *Served) addDiff(ctx context.Context, sum *startFigures, before, after *model.Snapshot) error {
	opts := past.DiffOptions{Predict: s.Diff.Predict}
	o, _, err := opts.Compared(ctx, before)
	if err != nil {
		return err
	}
	for _, run := range diff.Compare([]*model.Snapshot{before, after}, o) {
		sum.add(&run)
	}
	return ctx.Err()
}

type startFigures struct {
	runs, started, unknown int
	inversions             int64
	tauBs, footrules       float64
	tauBRuns, footruleRuns int
}

func (f *startFigures) add(run *diff.Run) {
	if run.Figures.Started == 0 {
		return
	}
	f.runs++
	f.started += run.Figures.Started
	f.inversions += run.Figures.Inversions
	if v := run.Figures.TauB; !math.IsNaN(v) {
		f.tauBs += v
		f.tauBRuns++
	}
	if v := run.Figures.Footrule; !math.IsNaN(v) {
		f.footrules += v
		f.footruleRuns++
	}
	for _, p := range run.Pairs {
		if p.Cause.Kind == diff.Unknown {
			f.unknown++
		}
	}
}

// tauB and footrule are means over the runs that have one; NaN without any.
func (f *startFigures) tauB() float64     { return f.tauBs / float64(f.tauBRuns) }
func (f *startFigures) footrule() float64 { return f.footrules / float64(f.footruleRuns) }

func figure(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}
