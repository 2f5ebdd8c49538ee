package next

import (
	"context"
	"errors"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// comparedPBS plans the cycle that the scheduler's log tells: the next one after the bundle, or the last one before it where the
// log ends there.
func comparedPBS(ctx context.Context, d *cli.Deps, s *subject.Subject, opts planOptions) (c comparison, err error) {
	told, bundle, before := subject.OpenPBS{Subject: s}, opts.bundle, (*model.Snapshot)(nil)
	if opts.compareWith != "" {
		after, err := queue.LoadPBS(ctx, d, opts.compareWith, opts.KeepGoing)
		if err != nil {
			return c, err
		}
		told, bundle, before = subject.OpenPBS{Subject: subject.NewSubject(after, s.Rules, s.Look)}, opts.compareWith, s.Snapshot
	}
	report, err := told.Retrace(&opts.logs, bundle, before)
	if err != nil {
		return c, err
	}
	if report.Cycle == nil {
		return c, errors.New("no scheduler's log tells of a cycle to compare with; --sched-log FILE names one")
	}
	return comparison{planned: report.Plan, Recorded: Recorded{Plan: report.Recorded(told.Snapshot), At: queue.CycleMoment(report)}}, nil
}
