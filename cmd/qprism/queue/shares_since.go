package queue

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/when"
	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/usage"
	"qprism/exporter/chart"
)

// A period is the time for which shares are shown, in addition to the last run.
type period struct {
	since, until, by string
}

// chartSteps is into how many parts a picture cuts the period.
const chartSteps = 30

// kinds are the values of --by. Without --by, the first kind with a target is shown.
var kinds = []string{batch.ByProject, batch.ByUser, batch.ByDepartment}

// bounds returns the moments of a period. A duration counts back from its end. The end is the snapshot's
// moment, or --until.
func (p period) bounds(s *subject.Subject) (from, to time.Time, err error) {
	from, to, err = cli.Period(cmp.Or(p.since, "7d"), p.until, s.TakenAt)
	if err == nil && !from.Before(to) {
		err = fmt.Errorf("the period ends before it starts: --since %s, --until %s", from.Format(time.RFC3339),
			to.Format(time.RFC3339))
	}
	return from, to, err
}

// runSharesSince prints usage and targets in a period.
func runSharesSince(ctx context.Context, d *cli.Deps, sel subject.Selection, p period, args []string,
	w io.Writer) error {
	if p.by != "" && !slices.Contains(kinds, p.by) {
		return fmt.Errorf("--by %q: use %s", p.by, show.JoinOr(kinds))
	}
	s, err := subject.Of(ctx, d, &sel, args)
	if err != nil {
		return err
	}
	from, to, err := p.bounds(s)
	if err != nil {
		return err
	}
	ended := s.Batch.Ended()
	if len(args) == 0 && sel.Live.From == "" {
		if ended, err = endedSince(ctx, d, s, from); err != nil {
			return err
		}
	}
	r := received(s, ended, usage.Query{By: p.by, From: from, To: to, Steps: chartSteps, Due: s.Batch.Due})
	out := d.Output(w)
	switch d.Format {
	case "json":
		return out.JSON(sharesSince(s, r))
	case "svg":
		return chart.Draw(w, sharesChart(s, r))
	}
	return printSharesSince(out, s, r)
}

// endedSince are the tasks that ended since a moment, by the store.
func endedSince(ctx context.Context, d *cli.Deps, s *subject.Subject, from time.Time) ([]model.EndedTask, error) {
	store, err := subject.OpenStore(d)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return subject.EndedSince(ctx, store, s, from)
}

// received returns the report of the requested kind. Without one it uses the first kind with targets, or else
// users.
func received(s *subject.Subject, ended []model.EndedTask, q usage.Query) *usage.Report {
	if q.By != "" {
		return usage.Of(s.Snapshot, ended, q)
	}
	for _, q.By = range kinds {
		if r := usage.Of(s.Snapshot, ended, q); r.Policy != "" {
			return r
		}
	}
	q.By = batch.ByUser
	return usage.Of(s.Snapshot, ended, q)
}

// printSharesSince prints a line for each, and how the numbers are meant.
func printSharesSince(out show.Output, s *subject.Subject, r *usage.Report) error {
	out.Say("%s; from %s to %s", subject.Title(s.Snapshot), out.Moment(r.From), out.Zoned(r.To))
	out.Say("")
	if len(r.Rows) == 0 {
		out.Say("Nobody used the cluster in this period, and no job waits.")
		return nil
	}
	t := show.NewSheet(r.By, ">target%", ">got%", ">owed hours", ">used hours", ">ended", ">running",
		">waiting")
	digits := digitsOf(r.Total)
	for i := range r.Rows {
		w := &r.Rows[i]
		t.Add(cmp.Or(w.Name, "(none)"), show.Decimal(100*w.Target, 1), show.Decimal(100*w.Got, 1), owed(w.Owed/3600, digits),
			show.Decimal(w.Used/3600, digits),
			show.Blank(w.Ended), show.Blank(w.Running), show.Blank(w.Waiting))
	}
	out.Sheet(t)
	out.Say("")
	for _, line := range sharesSinceWords(out, s, r) {
		out.Say("%s", line)
	}
	return nil
}

// sharesSinceWords says what the numbers mean, and what they lack.
func sharesSinceWords(out show.Output, s *subject.Subject, r *usage.Report) (lines []string) {
	lines = append(lines, "Hours are slot-hours.")
	if r.Policy != "" {
		lines[0] += fmt.Sprintf(" Target: share by the %s, if only those with jobs count. Owed: target "+
			"multiplied by the total of %s hours, minus used hours.", r.Policy,
			show.Decimal(r.Total/3600, digitsOf(r.Total)))
	} else {
		lines[0] += fmt.Sprintf(" No active policy has shares for a %s, so there are no targets.", r.By)
	}
	switch {
	case r.Known.IsZero():
		lines = append(lines, "There is no accounting: qprism counts only running jobs, because ended jobs are not known.")
	case r.Known.After(r.From):
		lines = append(lines, fmt.Sprintf("The accounting starts with jobs that ended at %s; jobs that "+
			"ended earlier are missing.", out.Zoned(r.Known)))
	}
	since := r.To.Sub(r.From).Round(time.Second)
	return append(lines, "Next: "+show.Step("draw it",
		s.Command("shares", "--since", when.Short(since), "--by", r.By, "--format", "svg")))
}

// digitsOf is the number of decimals of hours: small numbers have more.
func digitsOf(seconds float64) int {
	if seconds < 36000 {
		return 3
	}
	return 1
}

// owed has a sign.
func owed(v float64, digits int) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%+.*f", digits, v)
}

// jsonReceived is usage by project, user or department in a period, as JSON.
type jsonReceived struct {
	Cluster string            `json:"cluster"`
	By      string            `json:"by"`
	Policy  string            `json:"policy"` // whose shares are the targets; empty where none are
	From    time.Time         `json:"from"`
	To      time.Time         `json:"to"`
	Known   time.Time         `json:"known_since"` // the first end that accounting tells of; null where it tells of none
	Hours   float64           `json:"slot_hours"`
	Steps   []time.Time       `json:"steps"` // the period in equal steps, for a chart: when each ends
	Rows    []jsonReceivedRow `json:"rows"`
}

type jsonReceivedRow struct {
	Name    string      `json:"name"`   // empty for what has none
	Target  batch.Value `json:"target"` // part of one
	Got     batch.Value `json:"got"`    // part of one
	Hours   float64     `json:"slot_hours"`
	Owed    batch.Value `json:"owed_slot_hours"`
	Ended   int         `json:"ended"` // tasks, in the period
	Running int         `json:"running"`
	Waiting int         `json:"waiting"`

	Steps []batch.Value `json:"got_by_step"` // part of one; null if nobody used anything
}

func sharesSince(s *subject.Subject, r *usage.Report) jsonReceived {
	j := jsonReceived{Cluster: s.Cluster, By: r.By, Policy: r.Policy, From: r.From, To: r.To,
		Known: r.Known, Hours: r.Total / 3600, Steps: r.Steps, Rows: []jsonReceivedRow{}}
	totals := r.StepTotals()
	for i := range r.Rows {
		w := &r.Rows[i]
		row := jsonReceivedRow{w.Name, batch.Value{Is: w.Target}, batch.Value{Is: w.Got}, w.Used / 3600,
			batch.Value{Is: w.Owed / 3600}, w.Ended, w.Running, w.Waiting, []batch.Value{}}
		for k, used := range w.Steps {
			row.Steps = append(row.Steps, batch.Value{Is: used / totals[k]})
		}
		j.Rows = append(j.Rows, row)
	}
	return j
}

// mostDrawn is how many of those that used most a picture shows.
const mostDrawn = 20

// sharesChart draws the part of each, step by step, with the target as a dashed line.
func sharesChart(s *subject.Subject, r *usage.Report) *chart.Chart {
	c := &chart.Chart{Title: fmt.Sprintf("%s: %% of total usage by %s; dashed line: target",
		subject.Named(s.Cluster), r.By),
		Times: r.Steps, Zone: s.Zone()}
	totals := r.StepTotals()
	for i := range r.Rows[:min(len(r.Rows), mostDrawn)] {
		w := &r.Rows[i]
		line := chart.Line{Name: cmp.Or(w.Name, "(none)"), Part: true, Target: 100 * w.Target}
		for k, used := range w.Steps {
			line.Values = append(line.Values, 100*used/totals[k]) // NaN if there was no usage
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}
