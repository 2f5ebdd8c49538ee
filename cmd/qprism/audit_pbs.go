package main

import (
	"context"
	"fmt"
	"io"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
)

// audit audits the cycle of PBS next to the snapshot, and its fairshare tree.
func (s pbsOrdering) audit(ctx context.Context, d *deps, opts auditOptions, w io.Writer) error {
	var before *model.Snapshot
	var err error
	if opts.before != "" {
		if before, err = loadPBS(ctx, d, opts.before, opts.keepGoing); err != nil {
			return err
		}
	}
	report, err := s.retrace(&opts.logs, opts.bundle, before)
	if err != nil {
		return err
	}
	out := d.output(w)
	if d.format == "json" {
		err = out.json(s.auditJSON(report))
	} else {
		out.terminal = true // a report is for people, wherever it goes; programs ask for JSON
		err = s.printRetraced(out, report, opts.all)
	}
	if err == nil && !report.Agrees() {
		err = &disagreementError{}
	}
	return err
}

// loadPBS loads another bundle of PBS, or the stored snapshot of that number.
func loadPBS(ctx context.Context, d *deps, name string, keepGoing bool) (*model.Snapshot, error) {
	s, err := d.loadOther(ctx, name, keepGoing)
	if err == nil && s.PBS == nil {
		err = fmt.Errorf("%s is of Grid Engine, and the other bundle of PBS", name)
	}
	return s, err
}

// retrace recomputes the cycle next to the snapshot, with the logs that are named, or else lie in the bundle or beside it. Of
// Torque only the fairshare tree is compared.
func (s openPBS) retrace(logs *masterLogs, bundle string, before *model.Snapshot) (*retrace.Report, error) {
	switch {
	case s.System == model.Torque:
		own := *s.PBS
		own.Cycles, s.PBS = nil, &own
	case logs.given():
		if err := logs.addTo(s.Snapshot); err != nil {
			return nil, err
		}
	case len(s.PBS.Cycles) == 0 && bundle != "":
		logs.beside(s.Snapshot, bundle)
	}
	return retrace.Run(s.Snapshot, retrace.Options{At: s.look.At, Before: before}), nil
}

// cycleMoment is when the audited cycle was, and how that is known.
func cycleMoment(r *retrace.Report) lastrun.Moment {
	if r.Cycle == nil {
		return lastrun.Moment{}
	}
	m := lastrun.Moment{At: r.Cycle.Start, Source: "the scheduler's log: the last before the bundle was taken"}
	if r.Later {
		m.Source = "the scheduler's log: the next after the bundle was taken"
	}
	return m
}

func (s pbsOrdering) printRetraced(out output, r *retrace.Report, all bool) error {
	printHeader(out, s.subject, cycleMoment(r), r.Cycle != nil)
	if r.Cycle != nil {
		out.say("recomputed from %s", r.From)
		out.say("")
	}
	t := sheet{columns: columns("field", ">agree", ">stale", ">input missing", ">unexplained")}
	for f := retrace.Field(0); f < retrace.Fields; f++ {
		if c := r.Fields[f]; c.Reported > 0 {
			t.add(f.String(), fmt.Sprintf("%d/%d", c.Agree, c.Reported), blank(c.Stale), blank(c.Missing), blank(c.Unexplained))
		}
	}
	if len(t.rows) > 0 {
		if err := out.sheet(t); err != nil {
			return err
		}
		out.say("")
	}
	s.printRetraceGaps(out, r)
	if out.format == "table" {
		if err := printRetraceDisagreements(out, r, all); err != nil {
			return err
		}
	}
	s.printRetraceVerdict(out, r)
	return nil
}

// printRetraceGaps says what the bundle lacks, and what of it was set right or left out.
func (s pbsOrdering) printRetraceGaps(out output, r *retrace.Report) {
	for _, g := range r.Gaps {
		out.say("missing %s: %s", g.File, g.What)
	}
	for _, m := range s.PBS.Repairs {
		out.say("repaired: %s", repairText(&m))
	}
	for _, l := range s.LeftOut {
		out.say("left out: %s:%d: %s", printable(l.File), l.Line, printable(l.Reason))
	}
	if len(r.Gaps)+len(s.PBS.Repairs)+len(s.LeftOut) > 0 {
		out.say("")
	}
}

// repairText says what a command printed wrong, and how it was read.
func repairText(m *model.Repair) string {
	text := fmt.Sprintf("%s:%d: %s: %s", printable(m.File), m.Line, printable(m.Text), printable(m.Note))
	if m.Count > 1 {
		text += fmt.Sprintf(" (%d times)", m.Count)
	}
	return text
}

func printRetraceDisagreements(out output, r *retrace.Report, all bool) error {
	if len(r.Disagreements) == 0 {
		return nil
	}
	rows, hidden := worstFirst(r.Disagreements, func(d retrace.Disagreement) batch.Class { return d.Class }, all)
	t := sheet{columns: columns("job", "field", "master", "recomputed", "class", "why")}
	for _, d := range rows {
		t.add(d.Name, d.Field.String(), dash(d.Master), dash(d.Computed), string(d.Class), d.Why)
	}
	if err := out.sheet(t); err != nil {
		return err
	}
	if hidden > 0 {
		out.say("… and %d more; --all lists them", hidden)
	}
	out.say("")
	return nil
}

func (s pbsOrdering) printRetraceVerdict(out output, r *retrace.Report) {
	sum := r.Sum()
	switch {
	case sum.Reported == 0:
		out.say("The bundle holds nothing that the master computed.")
		out.say("Next: make a full bundle with scripts/capture-pbs.sh on the server's host, or name the scheduler's log with --sched-log.")
	case sum.Agree == sum.Reported:
		out.say("All that the master tells agrees: %s.", plural(sum.Reported, "value"))
		out.say("%s", s.hint("Next: qprism priorities shows what orders the jobs."))
	default:
		out.say("%d of %s agree; %d stale, %d for want of input, %d unexplained.", sum.Agree, plural(sum.Reported, "value"), sum.Stale, sum.Missing, sum.Unexplained)
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

func (s pbsOrdering) auditJSON(r *retrace.Report) auditReport {
	a := auditReport{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.rules, Agrees: r.Agrees(), Fields: map[string]auditCount{},
		Missing: []auditGap{}, Disagreements: []any{}, LeftOut: s.LeftOut, Repairs: s.PBS.Repairs}
	if r.Cycle != nil {
		m := cycleMoment(r)
		a.RunAt, a.RunAtSource, a.From = rfc3339(m.At), m.Source, r.From
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
