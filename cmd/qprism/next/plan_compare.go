package next

import (
	"cmp"
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

// A Recorded is the last run that a bundle records.
type Recorded struct {
	Plan   *model.Plan
	At     lastrun.Moment
	Starts bool // the record has only starts; reservations are unknown
}

// comparable is an error for a format that a comparison does not have.
func comparable(format string) error {
	if format == "schedule" || format == "svg" {
		return fmt.Errorf("a comparison cannot be printed as %s; use table, tsv, csv or json", format)
	}
	return nil
}

// A comparison has the plan of a run, and the record of this run in a bundle.
type comparison struct {
	planned *model.Plan
	Recorded
	rows  []record.Row
	ended []TaskID // that ran in the bundle and had ended when the run took place
	early bool     // the run took place while the bundle was captured
}

// runCompare compares a run or cycle with its record in a later bundle.
func runCompare(ctx context.Context, d *cli.Deps, s *subject.Subject, opts planOptions, w io.Writer) error {
	if err := comparable(d.Format); err != nil {
		return err
	}
	c, err := subject.Choose(s.Snapshot, comparedGridEngine, comparedPBS)(ctx, d, s, opts)
	if err != nil {
		return err
	}
	c.rows = record.Compare(c.planned, c.Plan)
	if out := d.Output(w); d.Format == "json" {
		err = out.JSON(c.json(s))
	} else {
		c.print(out, s)
	}
	return cli.Found(err, slices.ContainsFunc(c.rows, func(r record.Row) bool { return r.Outcome.Differs() }))
}

// comparedGridEngine plans a run that a bundle records in its schedule file. If the file has no lines of the
// run, it uses the start times of tasks.
func comparedGridEngine(ctx context.Context, d *cli.Deps, s *subject.Subject, opts planOptions) (
	c comparison, err error) {
	if opts.logs.Given() {
		return c, errors.New("--sched-log and --accounting are for bundles of PBS; bundles of Grid " +
			"Engine need no other files")
	}
	var before *model.Snapshot
	after := s.Snapshot
	if opts.compareWith != "" {
		if after, err = subject.LoadOther(ctx, d, opts.compareWith, opts.KeepGoing); err != nil {
			return c, err
		}
		before = s.Snapshot
	}
	if c.Recorded, err = LastRun(before, after, s.Look); err != nil {
		return c, err
	}
	if before == nil {
		s = without(s, c.Recorded)
	} else {
		c.early = record.Known(before) < len(before.Runs)
		before, c.ended = settled(before, after, c.Recorded)
		s = subject.NewSubject(before, s.Rules, s.Look)
	}
	c.planned = s.Batch.Plan(c.At.At)
	if c.Starts {
		c.planned.Decisions = slices.DeleteFunc(c.planned.Decisions, func(d model.Decision) bool {
			return d.Verdict == model.Later
		})
	}
	return c, nil
}

// without is a snapshot without the record of a run that it shows the result of: the order of equal places
// is learned from the runs before.
func without(s *subject.Subject, actual Recorded) *subject.Subject {
	earlier := *s.Snapshot
	earlier.Runs = slices.DeleteFunc(slices.Clone(s.Runs), func(run model.RunRecord) bool {
		at := record.Plan(run).RunAt
		return !at.IsZero() && !at.Before(actual.At.At.Truncate(time.Second))
	})
	return subject.NewSubject(&earlier, s.Rules, s.Look)
}

// LastRun returns the recorded run between two snapshots. Without an earlier snapshot, it returns the last run
// that the bundle records.
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
	return Recorded{Plan: record.StartsBetween(before, s, at.At), At: at, Starts: true}, nil
}

// atFirstStart corrects the moment of a run by its first start. Newer releases count microseconds, and start
// tasks a moment later.
func atFirstStart(s *model.Snapshot, run lastrun.Moment) lastrun.Moment {
	first, ok := record.FirstStart(&model.Snapshot{TakenAt: run.At}, s)
	if ok && first.Sub(run.At) < 2*time.Second {
		run.At = first
	}
	return run
}

// momentBetween finds the moment of the run between two snapshots, by starts before the later one. If nothing
// started, the last run in the later snapshot may be from before both. Then it returns the time of the earlier
// snapshot.
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
		return errors.New("the bundle does not show when the last run was; give its time with --now")
	}
	return nil
}

func (c *comparison) print(out show.Output, s *subject.Subject) {
	subject.PrintHeader(out, s, c.At.At, c.At.Source)
	t := show.NewSheet(">job", ">task", "outcome", "planned", "recorded")
	for i := range c.rows {
		r := &c.rows[i]
		recorded := sideText(out, r.Recorded)
		if r.Outcome == record.Same && out.People() {
			recorded = "as planned"
		}
		t.Add(cmp.Or(r.ID(), show.Number32(r.Job)), show.Number32(r.Task), string(r.Outcome),
			sideText(out, r.Planned), recorded)
	}
	s.Batch.Words().Adapt(&t)
	out.Rows(t)
	out.Say("%s", c.countsText())
	if len(c.ended) > 0 {
		out.Say("%s of the bundle had ended before the run, so qprism removed them: %s.", show.Plural(len(c.ended), "task"),
			tasksText(c.ended))
	}
	if c.early {
		out.Say("The run took place during the capture, after qstat had listed the jobs.")
	}
	switch {
	case s.KeepsCycleLog():
		out.Say("Next: %s", show.Step("compare order and reasons of all jobs with the scheduler's log", s.Command("audit")))
	case c.Starts:
		out.Say("qprism could not compare reservations, because the schedule file has no lines of the run.")
	default:
		out.Say("%s", linesText(c.planned.Lines, c.Plan.Lines))
	}
}

// tasksText names tasks, the first few of many.
func tasksText(ids []TaskID) string {
	const most = 10
	var parts []string
	for _, id := range ids[:min(len(ids), most)] {
		parts = append(parts, fmt.Sprintf("%d.%d", id.Job, id.Task))
	}
	if len(ids) > most {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

// sideText describes the decision of one side about a task.
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
func (c *comparison) countsText() string {
	switch {
	case len(c.rows) == 0 && c.Starts:
		return "The plan agrees with what the scheduler recorded: no task starts."
	case len(c.rows) == 0:
		return "The plan agrees with what the scheduler recorded: no task starts, and none gets a reservation."
	}
	count := record.Count(c.rows)
	var parts []string
	for _, o := range record.Outcomes {
		if count[o] > 0 {
			parts = append(parts, fmt.Sprintf("%q for %s", o, show.Plural(count[o], "task")))
		}
	}
	text := fmt.Sprintf("qprism compared the plan with the recorded run. Outcomes: %s.", strings.Join(parts, ", "))
	if count[record.Same] > 0 {
		text += ` The outcome "same" means the same verdict, time, slots and hosts.`
	}
	if count[record.Tie] > 0 {
		text += " In a tie, the scheduler used one of several equally good queue instances."
	}
	return text
}

func linesText(computed, actual []model.ScheduleLine) string {
	common, all := record.SameLines(computed, actual)
	switch {
	case all:
		return fmt.Sprintf("All %s of the schedule file agree with the plan.", show.Plural(len(actual), "line"))
	case common == len(actual) && common == len(computed):
		return fmt.Sprintf("All %s of the schedule file agree with the plan, but in another order.", show.Plural(len(actual), "line"))
	}
	return fmt.Sprintf("Of the %s in the schedule file, %d are as planned; the plan has %d.",
		show.Plural(len(actual), "line"), common, len(computed))
}

// jsonPlanComparison is a comparison in JSON.
type jsonPlanComparison struct {
	Cluster     string    `json:"cluster"`
	Release     string    `json:"release"`
	Quirks      string    `json:"quirks"`
	RunAt       time.Time `json:"run_at"`
	RunAtSource string    `json:"run_at_source"`
	OnlyStarts  bool      `json:"only_starts"` // reservations are not recorded
	// tasks that ran in the bundle and had ended when the run took place
	Ended  []string       `json:"ended,omitempty"`
	Early  bool           `json:"early,omitempty"` // the run took place while the bundle was captured
	Counts map[string]int `json:"counts"`
	Lines  *jsonLines     `json:"lines,omitempty"`
	Rows   []jsonPair     `json:"rows"`
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

func (c *comparison) json(s *subject.Subject) jsonPlanComparison {
	j := jsonPlanComparison{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.Rules,
		RunAt: c.At.At, RunAtSource: c.At.Source,
		OnlyStarts: c.Starts, Early: c.early, Counts: map[string]int{}, Rows: []jsonPair{}}
	for _, o := range record.Outcomes {
		j.Counts[string(o)] = record.Count(c.rows)[o]
	}
	if !c.Starts && !s.KeepsCycleLog() {
		common, all := record.SameLines(c.planned.Lines, c.Plan.Lines)
		j.Lines = &jsonLines{Planned: len(c.planned.Lines), Recorded: len(c.Plan.Lines), Common: common, Same: all}
	}
	for _, id := range c.ended {
		j.Ended = append(j.Ended, fmt.Sprintf("%d.%d", id.Job, id.Task))
	}
	for i := range c.rows {
		r := &c.rows[i]
		pair := jsonPair{jobKey{r.Job, r.ID()}, r.Task, string(r.Outcome), pairJSON(r.Planned), pairJSON(r.Recorded)}
		if r.ID() != "" {
			pair.Task = 0
		}
		j.Rows = append(j.Rows, pair)
	}
	return j
}

func pairJSON(d *model.Decision) *jsonDecision {
	if d == nil {
		return nil
	}
	return new(decisionJSON(d, fewPlaces))
}
