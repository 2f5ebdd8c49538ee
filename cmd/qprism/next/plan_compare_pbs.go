package next

import (
	"context"
	"errors"
	"io"
	"slices"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/record"
	"qprism/engine/pbs"
)

// compare compares a plan with the cycle that the scheduler's log tells: the next one after the bundle, or the last one before it
// where the log ends there.
func (s pbsOutlook) compare(ctx context.Context, d *cli.Deps, opts planOptions, w io.Writer) error {
	if err := comparable(d.Format); err != nil {
		return err
	}
	told, logs := s.OpenPBS, subject.AuditOptions{Logs: opts.logs, Bundle: opts.bundle}
	if opts.compareWith != "" {
		after, err := s.LoadOther(ctx, d, opts.compareWith, opts.KeepGoing)
		if err != nil {
			return err
		}
		told = subject.OpenPBS{Subject: subject.NewSubject(after, s.Rules, s.Look)}
		logs.Bundle, logs.Before = opts.compareWith, s.Snapshot
	}
	report, err := told.Retrace(logs)
	if err != nil {
		return err
	}
	if report.Cycle == nil {
		return errors.New("no scheduler's log tells of a cycle to compare with; --sched-log FILE names one")
	}
	actual := Recorded{Plan: report.Recorded(told.Snapshot), At: lastrun.Moment{At: report.Cycle.Start, Source: pbs.MomentOf(report).Source}}
	rows := record.Compare(report.Plan, actual.Plan)
	if out := d.Output(w); d.Format == "json" {
		err = out.JSON(cyclesJSON(s.Subject, actual, rows))
	} else {
		err = printCycles(out, s.Subject, actual, rows)
	}
	if err == nil && slices.ContainsFunc(rows, func(r record.Row) bool { return r.Outcome.Differs() }) {
		err = &cli.DisagreementError{}
	}
	return err
}

func printCycles(out show.Output, s *subject.Subject, actual Recorded, rows []record.Row) error {
	subject.PrintHeader(out, s, actual.At.At, actual.At.Source)
	t := show.Sheet{Columns: show.Columns("job", "outcome", "planned", "recorded")}
	for _, r := range rows {
		recorded := sideText(out, r.Recorded)
		if r.Outcome == record.Same && out.People() {
			recorded = "as planned"
		}
		t.Add(eitherID(&r), string(r.Outcome), sideText(out, r.Planned), recorded)
	}
	if err := out.Rows(t); err != nil {
		return err
	}
	out.Say("%s", countsText(rows))
	out.Say("%s", s.Hint("Next: qprism audit compares the order of all jobs, and every reason."))
	return nil
}

// eitherID is the id of the job that a row is about.
func eitherID(r *record.Row) string {
	if r.Planned != nil {
		return r.Planned.ID
	}
	return r.Recorded.ID
}

// cyclesJSON is a comparison in JSON, as that of Grid Engine but for its file of schedule lines.
func cyclesJSON(s *subject.Subject, actual Recorded, rows []record.Row) jsonComparison {
	j := jsonComparison{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.Rules, RunAt: show.Rfc3339(actual.At.At), RunAtSource: actual.At.Source,
		Counts: map[string]int{}, Rows: []jsonPair{}}
	for _, o := range record.Outcomes {
		j.Counts[string(o)] = record.Count(rows)[o]
	}
	for i := range rows {
		r := &rows[i]
		j.Rows = append(j.Rows, jsonPair{Job: jobKey{id: eitherID(r)}, Outcome: string(r.Outcome), Planned: pairJSON(r.Planned), Recorded: pairJSON(r.Recorded)})
	}
	return j
}
