package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"qprism/engine/gridengine/record"
	"qprism/engine/model"
)

// compare compares a plan with the cycle that the scheduler's log tells: the next one after the bundle, or the last one before it
// where the log ends there.
func (s pbsOutlook) compare(ctx context.Context, d *deps, opts planOptions, w io.Writer) error {
	if err := comparable(d.format); err != nil {
		return err
	}
	told, bundle, before := s.openPBS, opts.bundle, (*model.Snapshot)(nil)
	if opts.compareWith != "" {
		after, err := loadPBS(ctx, d, opts.compareWith, opts.keepGoing)
		if err != nil {
			return err
		}
		told, bundle, before = openPBS{newSubject(after, s.rules, s.look)}, opts.compareWith, s.Snapshot
	}
	report, err := told.retrace(&opts.logs, bundle, before)
	if err != nil {
		return err
	}
	if report.Cycle == nil {
		return errors.New("no scheduler's log tells of a cycle to compare with; --sched-log FILE names one")
	}
	actual := recorded{plan: report.Recorded(told.Snapshot), at: cycleMoment(report)}
	rows := record.Compare(report.Plan, actual.plan)
	if out := d.output(w); d.format == "json" {
		err = out.json(cyclesJSON(s.subject, actual, rows))
	} else {
		err = printCycles(out, s.subject, actual, rows)
	}
	if err == nil && slices.ContainsFunc(rows, func(r record.Row) bool { return r.Outcome.Differs() }) {
		err = &disagreementError{}
	}
	return err
}

func printCycles(out output, s *subject, actual recorded, rows []record.Row) error {
	printHeader(out, s, actual.at, true)
	t := sheet{columns: columns("job", "outcome", "planned", "recorded")}
	for _, r := range rows {
		recorded := sideText(out, r.Recorded)
		if r.Outcome == record.Same && out.people() {
			recorded = "as planned"
		}
		t.add(eitherID(&r), string(r.Outcome), sideText(out, r.Planned), recorded)
	}
	if err := out.rows(t); err != nil {
		return err
	}
	out.say("%s", countsText(rows))
	out.say("%s", s.hint("Next: qprism audit compares the order of all jobs, and every reason."))
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
func cyclesJSON(s *subject, actual recorded, rows []record.Row) jsonComparison {
	j := jsonComparison{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.rules, RunAt: rfc3339(actual.at.At), RunAtSource: actual.at.Source,
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
