package queue

import (
	"context"
	"fmt"
	"io"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
)

// Audit audits the cycle of PBS next to the snapshot, and its fairshare tree.
func (s PBSOrdering) Audit(ctx context.Context, d *cli.Deps, opts AuditOptions, w io.Writer) error {
	var before *model.Snapshot
	var err error
	if opts.Before != "" {
		if before, err = LoadPBS(ctx, d, opts.Before, opts.KeepGoing); err != nil {
			return err
		}
	}
	report, err := s.Retrace(&opts.logs, opts.bundle, before)
	if err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		err = out.JSON(s.auditJSON(report))
	} else {
		out.Terminal = true // a report is for people, wherever it goes; programs ask for JSON
		err = s.printRetraced(out, report, opts.all)
	}
	if err == nil && !report.Agrees() {
		err = &cli.DisagreementError{}
	}
	return err
}

// LoadPBS loads another bundle of PBS, or the stored snapshot of that number.
func LoadPBS(ctx context.Context, d *cli.Deps, name string, keepGoing bool) (*model.Snapshot, error) {
	s, err := subject.LoadOther(ctx, d, name, keepGoing)
	if err == nil && s.PBS == nil {
		err = fmt.Errorf("%s is of Grid Engine, and the other bundle of PBS", name)
	}
	return s, err
}

// CycleMoment is when the audited cycle was, and how that is known.
func CycleMoment(r *retrace.Report) lastrun.Moment {
	if r.Cycle == nil {
		return lastrun.Moment{}
	}
	m := lastrun.Moment{At: r.Cycle.Start, Source: "the scheduler's log: the last before the bundle was taken"}
	if r.Later {
		m.Source = "the scheduler's log: the next after the bundle was taken"
	}
	return m
}

func (s PBSOrdering) printRetraced(out show.Output, r *retrace.Report, all bool) error {
	subject.PrintHeader(out, s.Subject, CycleMoment(r), r.Cycle != nil)
	if r.Cycle != nil {
		out.Say("recomputed from %s", r.From)
		out.Say("")
	}
	t := show.Sheet{Columns: show.Columns("field", ">agree", ">stale", ">input missing", ">unexplained")}
	for f := retrace.Field(0); f < retrace.Fields; f++ {
		if c := r.Fields[f]; c.Reported > 0 {
			t.Add(f.String(), fmt.Sprintf("%d/%d", c.Agree, c.Reported), show.Blank(c.Stale), show.Blank(c.Missing), show.Blank(c.Unexplained))
		}
	}
	if len(t.Rows) > 0 {
		if err := out.Sheet(t); err != nil {
			return err
		}
		out.Say("")
	}
	s.printRetraceGaps(out, r)
	if out.Format == "table" {
		if err := printRetraceDisagreements(out, r, all); err != nil {
			return err
		}
	}
	s.printRetraceVerdict(out, r)
	return nil
}

// printRetraceGaps says what the bundle lacks, and what of it was set right or left out.
func (s PBSOrdering) printRetraceGaps(out show.Output, r *retrace.Report) {
	for _, g := range r.Gaps {
		out.Say("missing %s: %s", g.File, g.What)
	}
	for _, m := range s.PBS.Repairs {
		out.Say("repaired: %s", RepairText(&m))
	}
	for _, l := range s.LeftOut {
		out.Say("left out: %s:%d: %s", show.Printable(l.File), l.Line, show.Printable(l.Reason))
	}
	if len(r.Gaps)+len(s.PBS.Repairs)+len(s.LeftOut) > 0 {
		out.Say("")
	}
}

// RepairText says what a command printed wrong, and how it was read.
func RepairText(m *model.Repair) string {
	text := fmt.Sprintf("%s:%d: %s: %s", show.Printable(m.File), m.Line, show.Printable(m.Text), show.Printable(m.Note))
	if m.Count > 1 {
		text += fmt.Sprintf(" (%d times)", m.Count)
	}
	return text
}

func printRetraceDisagreements(out show.Output, r *retrace.Report, all bool) error {
	if len(r.Disagreements) == 0 {
		return nil
	}
	rows, hidden := worstFirst(r.Disagreements, func(d retrace.Disagreement) batch.Class { return d.Class }, all)
	t := show.Sheet{Columns: show.Columns("job", "field", "master", "recomputed", "class", "why")}
	for _, d := range rows {
		t.Add(d.Name, d.Field.String(), show.Dash(d.Master), show.Dash(d.Computed), string(d.Class), d.Why)
	}
	if err := out.Sheet(t); err != nil {
		return err
	}
	if hidden > 0 {
		out.Say("… and %d more; --all lists them", hidden)
	}
	out.Say("")
	return nil
}

func (s PBSOrdering) printRetraceVerdict(out show.Output, r *retrace.Report) {
	sum := r.Sum()
	switch {
	case sum.Reported == 0:
		out.Say("The bundle holds nothing that the master computed.")
		out.Say("Next: make a full bundle with scripts/capture-pbs.sh on the server's host, or name the scheduler's log with --sched-log.")
	case sum.Agree == sum.Reported:
		out.Say("All that the master tells agrees: %s.", show.Plural(sum.Reported, "value"))
		out.Say("%s", s.Hint("Next: qprism priorities shows what orders the jobs."))
	default:
		out.Say("%d of %s agree; %d stale, %d for want of input, %d unexplained.", sum.Agree, show.Plural(sum.Reported, "value"), sum.Stale, sum.Missing, sum.Unexplained)
	}
}

// retraceDisagreement is a disagreement of PBS in JSON.
type retraceDisagreement struct {
	Job      string  `json:"job"` // or entity of the fairshare tree
	Field    string  `json:"field"`
	Master   *string `json:"master"`
	Computed *string `json:"recomputed"`
	Class    string  `json:"class"`
	Why      string  `json:"why,omitempty"`
}

func (s PBSOrdering) auditJSON(r *retrace.Report) auditReport {
	a := auditReport{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.Rules, Agrees: r.Agrees(), Fields: map[string]AuditCount{},
		Missing: []auditGap{}, Disagreements: []any{}, LeftOut: s.LeftOut, Repairs: s.PBS.Repairs}
	if r.Cycle != nil {
		m := CycleMoment(r)
		a.RunAt, a.RunAtSource, a.From = show.Rfc3339(m.At), m.Source, r.From
	}
	for f := retrace.Field(0); f < retrace.Fields; f++ {
		a.Fields[f.String()] = countJSON(r.Fields[f])
	}
	for _, g := range r.Gaps {
		gap := auditGap{File: g.File, What: g.What, Fields: []string{}}
		for _, f := range g.Fields {
			gap.Fields = append(gap.Fields, f.String())
		}
		a.Missing = append(a.Missing, gap)
	}
	for _, d := range r.Disagreements {
		a.Disagreements = append(a.Disagreements, retraceDisagreement{d.Name, d.Field.String(), orNull(d.Master), orNull(d.Computed), string(d.Class), d.Why})
	}
	return a
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
