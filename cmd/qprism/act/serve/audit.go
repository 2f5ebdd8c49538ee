package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
)

// audit recomputes the last run of the newest snapshot and keeps the figures.
func (s *Served) audit(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	i, err := s.newest(ctx)
	if err != nil {
		return nil, err
	}
	var a *batch.Audit
	if err := inTurn(ctx, func() (err error) {
		a, err = queue.AuditStored(ctx, s.Deps, i.ID)
		return err
	}); err != nil {
		return nil, fmt.Errorf("snapshot %d: %w", i.ID, err)
	}
	sum := a.Fields.Sum()
	if sum.Unexplained > 0 {
		s.log.Warn("unexplained numbers of the master", "task", "audit", "snapshot",
			i.ID, "unexplained", sum.Unexplained,
			"next", fmt.Sprintf("qprism audit --store %s --snapshot %d", cli.ShellWord(s.Store), i.ID))
		s.note(alert{Kind: "unexplained", Text: fmt.Sprintf(
			"%d of %d numbers of the master are unexplained; qprism audit --snapshot %d --store %s",
			sum.Unexplained, sum.Reported, i.ID, cli.ShellWord(s.Store))})
	}
	var found error
	if s.once && sum.Unexplained > 0 {
		found = &cli.DisagreementError{}
	}
	run := ""
	if at := show.Rfc3339(a.At.Time); at != nil {
		run = *at
	}
	figures := []slog.Attr{slog.Int64("snapshot", i.ID), slog.String("taken_at", i.TakenAt.Format(time.RFC3339)),
		slog.String("run_at", run), slog.Int("jobs", i.Jobs), slog.Int("numbers", sum.Reported), slog.Int("agree", sum.Agree),
		slog.Int("stale", sum.Stale), slog.Int("input_missing", sum.Missing), slog.Int("unexplained", sum.Unexplained)}
	err = s.keepFigures("audit.csv", figures)
	return without(figures, "taken_at", "run_at", "jobs"), errors.Join(err, found)
}
