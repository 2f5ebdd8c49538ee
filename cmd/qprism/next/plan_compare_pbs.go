package next

import (
	"context"
	"errors"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/pbs"
)

// comparedPBS plans the cycle in the scheduler's log: the next one after the bundle. If the log ends before, it
// plans the last one before the bundle.
func comparedPBS(ctx context.Context, d *cli.Deps, s *subject.Subject, opts planOptions) (c comparison, err error) {
	told, logs := subject.OpenPBS{Subject: s}, subject.AuditOptions{Logs: opts.logs, Bundle: opts.bundle}
	if opts.compareWith != "" {
		after, err := s.LoadOther(ctx, d, opts.compareWith, opts.KeepGoing)
		if err != nil {
			return c, err
		}
		told = subject.OpenPBS{Subject: subject.NewSubject(after, s.Rules, s.Look)}
		logs.Bundle, logs.Before = opts.compareWith, s.Snapshot
	}
	report, err := told.Retrace(logs)
	if err != nil {
		return c, err
	}
	if report.Cycle == nil {
		return c, errors.New("no scheduler log has a cycle to compare; --sched-log FILE names a log")
	}
	at := lastrun.Moment{At: report.Cycle.Start, Source: pbs.MomentOf(report).Source}
	return comparison{planned: report.Plan, Recorded: Recorded{Plan: report.Recorded(told.Snapshot), At: at}}, nil
}
