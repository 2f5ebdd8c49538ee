package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"
)

// audit recomputes the last run of the newest snapshot and keeps the figures.
func (s *served) audit(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	i, err := s.newest(ctx)
	if err != nil {
		return nil, err
	}
	var r auditFigures
	err = decoded(&r, func(w io.Writer) error {
		return runAudit(ctx, s.deps, auditOptions{selection: selection{snapshot: i.ID}}, nil, w)
	})
	var disagreement *disagreementError
	if err != nil && !errors.As(err, &disagreement) {
		return nil, fmt.Errorf("snapshot %d: %w", i.ID, err)
	}
	sum := r.sum()
	if sum.Unexplained > 0 {
		s.log.Warn("numbers of the master that nothing explains", "task", "audit", "snapshot", i.ID, "unexplained", sum.Unexplained,
			"next", fmt.Sprintf("qprism audit --snapshot %d", i.ID))
	}
	run := ""
	if r.RunAt != nil {
		run = *r.RunAt
	}
	err = s.keepFigures("audit.csv", []string{"snapshot", "taken_at", "run_at", "jobs", "numbers", "agree", "stale", "input_missing", "unexplained"},
		[]string{strconv.FormatInt(i.ID, 10), i.TakenAt.Format(time.RFC3339), run, strconv.Itoa(i.Jobs), strconv.Itoa(sum.Reported), strconv.Itoa(sum.Agree),
			strconv.Itoa(sum.Stale), strconv.Itoa(sum.Missing), strconv.Itoa(sum.Unexplained)})
	return []slog.Attr{slog.Int64("snapshot", i.ID), slog.Int("numbers", sum.Reported), slog.Int("agree", sum.Agree), slog.Int("stale", sum.Stale),
		slog.Int("input_missing", sum.Missing), slog.Int("unexplained", sum.Unexplained)}, err
}

// auditFigures are the figures of an auditReport.
type auditFigures struct {
	RunAt  *string               `json:"run_at"`
	Fields map[string]auditCount `json:"fields"`
}

func (f *auditFigures) sum() (sum auditCount) {
	for _, c := range f.Fields {
		sum.Reported += c.Reported
		sum.Agree += c.Agree
		sum.Stale += c.Stale
		sum.Missing += c.Missing
		sum.Unexplained += c.Unexplained
	}
	return sum
}

// decoded runs a command that prints JSON and reads what it printed, also where it printed and failed.
func decoded(to any, run func(io.Writer) error) error {
	var out bytes.Buffer
	err := run(&out)
	if out.Len() == 0 {
		return err
	}
	return errors.Join(json.Unmarshal(out.Bytes(), to), err)
}
