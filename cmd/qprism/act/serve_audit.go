package act

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

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/subject"
)

// audit recomputes the last run of the newest snapshot and keeps the figures.
func (s *served) audit(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	i, before, err := s.newest(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.audited(ctx, queue.AuditOptions{Selection: subject.Selection{Snapshot: i.ID}})
	if err == nil && r.sum().Unexplained > 0 && before != 0 { // the snapshot before may tell of jobs that have ended since
		var with auditFigures
		with, err = s.audited(ctx, queue.AuditOptions{Selection: subject.Selection{Snapshot: i.ID}, Before: strconv.FormatInt(before, 10)})
		if err == nil && with.sum().Unexplained < r.sum().Unexplained {
			r = with
		}
	}
	if err != nil {
		return nil, fmt.Errorf("snapshot %d: %w", i.ID, err)
	}
	sum := r.sum()
	if sum.Unexplained > 0 {
		s.log.Warn("numbers of the master that nothing explains", "task", "audit", "snapshot", i.ID, "unexplained", sum.Unexplained,
			"next", fmt.Sprintf("qprism audit --store %s --snapshot %d", cli.ShellWord(s.Store), i.ID))
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

// audited are the figures of the audit command. That numbers disagree is no error.
func (s *served) audited(ctx context.Context, opts queue.AuditOptions) (r auditFigures, err error) {
	err = decoded(&r, func(w io.Writer) error { return queue.RunAudit(ctx, s.Deps, opts, nil, w) })
	var disagreement *cli.DisagreementError
	if errors.As(err, &disagreement) {
		err = nil
	}
	return r, err
}

// auditFigures are the figures of an auditReport.
type auditFigures struct {
	RunAt  *string                     `json:"run_at"`
	Fields map[string]queue.AuditCount `json:"fields"`
}

func (f *auditFigures) sum() (sum queue.AuditCount) {
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
