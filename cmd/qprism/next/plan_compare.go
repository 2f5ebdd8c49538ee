package next

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/record"
	"qprism/engine/model"
)

// A Recorded run is what a bundle tells of the last run before it.
type Recorded struct {
	Plan   *model.Plan
	At     lastrun.Moment
	Starts bool // only what it started is known
}

// comparable is an error for a format that a comparison does not have.
func comparable(format string) error {
	if format == "schedule" || format == "svg" {
		return fmt.Errorf("a comparison has no format %s; use table, tsv, csv or json", format)
	}
	return nil
}

// compare compares a run with what a bundle taken after it records: its schedule file, or where the scheduler writes no
// lines into it, the start times of tasks.
func (s geOutlook) compare(ctx context.Context, d *cli.Deps, opts planOptions, w io.Writer) error {
	if err := comparable(d.Format); err != nil {
		return err
	}
	if opts.logs.Given() {
		return errors.New("--sched-log and --accounting are for bundles of PBS; those of Grid Engine hold what is needed")
	}
	var before *model.Snapshot
	after := s.Snapshot
	if opts.compareWith != "" {
		var err error
		if after, err = subject.LoadOther(ctx, d, opts.compareWith, opts.KeepGoing); err != nil {
			return err
		}
		before = s.Snapshot
	}
	actual, err := LastRun(before, after, s.Look)
	if err != nil {
		return err
	}
	if before == nil {
		s = s.without(actual)
	}
	computed := s.Plan(actual.At.At)
	if actual.Starts {
		computed.Decisions = slices.DeleteFunc(computed.Decisions, func(d model.Decision) bool { return d.Verdict == model.Later })
	}
	rows := record.Compare(computed, actual.Plan)
	out := d.Output(w)
	if d.Format == "json" {
		err = out.JSON(comparisonJSON(s.Subject, actual, computed, rows))
	} else {
		err = printComparison(out, s.Subject, actual, computed, rows)
	}
	if err == nil && slices.ContainsFunc(rows, func(r record.Row) bool { return r.Outcome.Differs() }) {
		err = &cli.DisagreementError{}
	}
	return err
}

// without is a snapshot without the record of a run that it shows the result of: the order of equal places is learned from the
// runs before.
func (s geOutlook) without(actual Recorded) geOutlook {
	own, earlier := *s.Subject, *s.Snapshot
	earlier.Runs = slices.DeleteFunc(slices.Clone(s.Runs), func(run model.RunRecord) bool {
		at := record.Plan(run).RunAt
		return !at.IsZero() && !at.Before(actual.At.At.Truncate(time.Second))
	})
	own.Snapshot = &earlier
	return geOutlook{subject.GridEngine{Subject: &own}}
}

// LastRun is the run after one snapshot that another one records; without a snapshot before it, the last that it records.
func LastRun(before, s *model.Snapshot, look lastrun.Options) (Recorded, error) {
	alone := before == nil
	if alone {
		before = &model.Snapshot{Runs: s.Runs[:max(len(s.Runs)-1, 0)]}
	}
	run, known := record.Next(before, s)
	if known && s.Policy.MaxReservation > 0 {
		p := record.Plan(run)
		r := Recorded{Plan: p, At: lastrun.Moment{At: p.RunAt, Source: "the schedule file"}}
		if !look.At.IsZero() {
			r.At = lastrun.Moment{At: look.At, Source: "--now"}
		}
		if !r.At.At.IsZero() {
			return r, nil
		}
		_, r.At = lastrun.Look(s, look)
		return r, momentKnown(r.At)
	}
	_, at := lastrun.Look(s, look)
	switch {
	case !look.At.IsZero():
	case alone:
		at = atFirstStart(s, at)
	default:
		at = momentBetween(before, s, at)
	}
	if err := momentKnown(at); err != nil {
		return Recorded{}, err
	}
	return Recorded{Plan: record.Starts(s, at.At), At: at, Starts: true}, nil
}

// atFirstStart is the moment of a run as its first start tells it: newer releases count microseconds, and carry out orders a
// moment later.
func atFirstStart(s *model.Snapshot, run lastrun.Moment) lastrun.Moment {
	first, ok := record.FirstStart(&model.Snapshot{TakenAt: run.At}, s)
	if ok && first.Sub(run.At) < 2*time.Second {
		run.At = first
	}
	return run
}

// momentBetween is when the run after one snapshot was, by what started before a later one. Where nothing did, the last run that
// the later one shows may be one before both; then the run is planned for the time of the earlier one.
func momentBetween(before, after *model.Snapshot, last lastrun.Moment) lastrun.Moment {
	if at, ok := record.FirstStart(before, after); ok {
		return lastrun.Moment{At: at, Source: "the first start after the bundle"}
	}
	if last.At.Before(before.TakenAt.Truncate(time.Second)) {
		return lastrun.Moment{At: before.TakenAt, Source: "the bundle's own time"}
	}
	return last
}

func momentKnown(at lastrun.Moment) error {
	if at.At.IsZero() {
		return errors.New("nothing in the bundle shows when the last run was; give its moment with --now")
	}
	return nil
}

func printComparison(out show.Output, s *subject.Subject, actual Recorded, computed *model.Plan, rows []record.Row) error {
	subject.PrintHeader(out, s, actual.At.At, actual.At.Source)
	t := show.Sheet{Columns: show.Columns(">job", ">task", "outcome", "planned", "recorded")}
	for _, r := range rows {
		recorded := sideText(out, r.Recorded)
		if r.Outcome == record.Same && out.People() {
			recorded = "as planned"
		}
		t.Add(show.Number32(r.Job), show.Number32(r.Task), string(r.Outcome), sideText(out, r.Planned), recorded)
	}
	if err := out.Rows(t); err != nil {
		return err
	}
	out.Say("%s", countsText(rows))
	if actual.Starts {
		out.Say("The schedule file has no lines of the run: only what it started could be compared.")
	} else {
		out.Say("%s", linesText(computed.Lines, actual.Plan.Lines))
	}
	return nil
}

// sideText says what one side does about a task.
func sideText(out show.Output, d *model.Decision) string {
	if d == nil {
		return "-"
	}
	text := string(d.Verdict)
	if d.Verdict == model.Later {
		text += " " + out.Moment(d.Start)
	}
	if d.Duration != 0 {
		text += " for " + show.SpanText(d.Duration)
	}
	if d.PE != "" {
		text += " in " + d.PE
	}
	return strings.TrimSpace(text + " " + whereText(d))
}

// countsText counts the outcomes, agreement first.
func countsText(rows []record.Row) string {
	if len(rows) == 0 {
		return "Nothing started and nothing was reserved for, on either side."
	}
	count := record.Count(rows)
	var parts []string
	for _, o := range record.Outcomes {
		if count[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[o], o))
		}
	}
	return fmt.Sprintf("%s: %s.", show.Plural(len(rows), "task"), strings.Join(parts, ", "))
}

func linesText(computed, actual []model.ScheduleLine) string {
	common, all := record.SameLines(computed, actual)
	switch {
	case all:
		return fmt.Sprintf("All %s of the schedule file agree.", show.Plural(len(actual), "line"))
	case common == len(actual) && common == len(computed):
		return fmt.Sprintf("All %s of the schedule file agree, in another order.", show.Plural(len(actual), "line"))
	}
	return fmt.Sprintf("Of the schedule file's %s, %d are as planned; %d were planned.", show.Plural(len(actual), "line"), common, len(computed))
}

// jsonComparison is a comparison in JSON.
type jsonComparison struct {
	Cluster     string         `json:"cluster"`
	Release     string         `json:"release"`
	Quirks      string         `json:"quirks"`
	RunAt       *string        `json:"run_at"`
	RunAtSource string         `json:"run_at_source"`
	OnlyStarts  bool           `json:"only_starts"` // reservations are not recorded
	Counts      map[string]int `json:"counts"`
	Lines       *jsonLines     `json:"lines,omitempty"`
	Rows        []jsonPair     `json:"rows"`
}

type jsonLines struct {
	Planned  int  `json:"planned"`
	Recorded int  `json:"recorded"`
	Common   int  `json:"common"`
	Same     bool `json:"same"` // all, in the same order
}

type jsonPair struct {
	Job      jobKey        `json:"job"`
	Task     uint32        `json:"task,omitempty"` // not of PBS, whose ids name subjobs
	Outcome  string        `json:"outcome"`
	Planned  *jsonDecision `json:"planned"`
	Recorded *jsonDecision `json:"recorded"`
}

func comparisonJSON(s *subject.Subject, actual Recorded, computed *model.Plan, rows []record.Row) jsonComparison {
	j := jsonComparison{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.Rules, RunAt: show.Rfc3339(actual.At.At), RunAtSource: actual.At.Source,
		OnlyStarts: actual.Starts, Counts: map[string]int{}, Rows: []jsonPair{}}
	for _, o := range record.Outcomes {
		j.Counts[string(o)] = record.Count(rows)[o]
	}
	if !actual.Starts {
		common, all := record.SameLines(computed.Lines, actual.Plan.Lines)
		j.Lines = &jsonLines{Planned: len(computed.Lines), Recorded: len(actual.Plan.Lines), Common: common, Same: all}
	}
	for _, r := range rows {
		j.Rows = append(j.Rows, jsonPair{jobKey{number: r.Job}, r.Task, string(r.Outcome), pairJSON(r.Planned), pairJSON(r.Recorded)})
	}
	return j
}

func pairJSON(d *model.Decision) *jsonDecision {
	if d == nil {
		return nil
	}
	j := decisionJSON(d, false)
	return &j
}
