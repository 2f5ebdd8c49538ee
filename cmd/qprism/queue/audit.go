package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

type AuditOptions struct {
	subject.Selection
	all         bool
	tryReleases bool
	Before      string
	bundle      string
	logs        subject.MasterLogs
}

func newAudit(d *cli.Deps) *cobra.Command {
	var opts AuditOptions
	c := &cobra.Command{
		Use:   "audit [BUNDLE]",
		Short: "Recompute the last scheduler run and compare every digit",
		Long: `audit recomputes urgency, tickets, shares and priority of every task in the last
scheduler run, and compares each number with what the master printed, digit for digit.

A number that differs is of one of three classes:
  stale          the master shows what another run than this one computed
  input missing  the bundle lacks what the number is made of
  unexplained    none of these: a finding

Of PBS, audit recomputes the cycle next to the bundle: the first after it that the scheduler's
log tells of, else the last before it. It compares the value of job_sort_formula of every job,
the order in which jobs were considered, which started, on which vnodes and why others did not,
and when top jobs are to start, with the scheduler's log and accounting; and the fairshare tree
with pbsfs. The logs are those of the bundle, or --sched-log and --accounting name them.

Tasks that ended between the run and the bundle took part in it. The bundle's accounting
file tells of them; a bundle taken before the run (--before) tells the rest, such as the
tickets of their jobs.

Exit status: 0 when every number agrees, 3 when not, 1 on errors.`,
		Example: `  qprism audit cluster.tar.gz
  qprism audit cluster.tar.gz --format json | jq .fields
  qprism audit after.tar.gz --before before.tar.gz
  qprism audit --snapshot 12 --now 2026-11-21T08:16:20Z
  qprism audit pbs.tar.gz --sched-log sched_logs/20261121 --accounting accounting/20261121`,
		RunE: func(c *cobra.Command, args []string) error {
			return RunAudit(c.Context(), d, opts, args, c.OutOrStdout())
		},
	}
	subject.AddSelection(c, &opts.Selection)
	c.Flags().StringVar(&opts.Before, "before", "", "a `bundle` taken before the run, or the number of a stored snapshot, which tells of jobs that have ended since")
	c.Flags().BoolVar(&opts.tryReleases, "try-releases", false, "audit by the rules of every release that is known, and name the one that fits best")
	c.Flags().BoolVar(&opts.all, "all", false, "list every disagreement, not only the first ones")
	subject.AddMasterLogs(c, &opts.logs)
	return c
}

func RunAudit(ctx context.Context, d *cli.Deps, opts AuditOptions, args []string, w io.Writer) error {
	s, err := subject.Of(ctx, d, &opts.Selection, args)
	if err != nil {
		return err
	}
	if opts.tryReleases {
		return printFits(ctx, s, d.Output(w))
	}
	opts.bundle = subject.FirstArgument(args)
	return OrderingOf(s).Audit(ctx, d, opts, w)
}

// Audit audits the last run of Grid Engine before the snapshot.
func (s geOrdering) Audit(ctx context.Context, d *cli.Deps, opts AuditOptions, w io.Writer) (err error) {
	if opts.logs.Given() {
		return errors.New("--sched-log and --accounting are for bundles of PBS; those of Grid Engine hold what is needed")
	}
	look := audit.Options{Options: s.Look}
	if opts.Before != "" {
		if look.Before, err = subject.LoadOther(ctx, d, opts.Before, opts.KeepGoing); err != nil {
			return err
		}
	}
	report := audit.Run(s.Snapshot, look)
	if err := ctx.Err(); err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		err = out.JSON(auditJSON(s.Subject, report))
	} else {
		out.Terminal = true // a report is for people, wherever it goes; programs ask for JSON
		err = printAudit(out, s.Subject, report, opts.all)
	}
	if err != nil {
		return err
	}
	if !report.Agrees() {
		return &cli.DisagreementError{}
	}
	return nil
}

// printAudit prints a report for people: one line a field, then what does not agree.
func printAudit(out show.Output, s *subject.Subject, r *audit.Report, all bool) error {
	subject.PrintHeader(out, s, r.Moment, r.View != nil)
	if err := out.Sheet(fieldSheet(r)); err != nil {
		return err
	}
	out.Say("")
	printGaps(out, s.Snapshot, r)
	if out.Format == "table" {
		if err := printDisagreements(out, r, all); err != nil {
			return err
		}
	}
	printVerdict(out, s, r)
	return nil
}

func fieldSheet(r *audit.Report) show.Sheet {
	t := show.Sheet{Columns: show.Columns("field", ">agree", ">stale", ">input missing", ">unexplained")}
	for f := lastrun.Field(0); f < lastrun.Fields; f++ {
		c := r.Fields[f]
		if c.Reported == 0 {
			continue
		}
		t.Add(f.String(), fmt.Sprintf("%d/%d", c.Agree, c.Reported), show.Blank(c.Stale), show.Blank(c.Missing), show.Blank(c.Unexplained))
	}
	return t
}

// printGaps says which inputs are missing, what each costs, and what else was left out.
func printGaps(out show.Output, s *model.Snapshot, r *audit.Report) {
	for _, g := range r.Gaps {
		out.Say("missing %s: %s", g.File, g.What)
	}
	for _, l := range s.LeftOut {
		out.Say("left out: %s:%d: %s", show.Printable(l.File), l.Line, show.Printable(l.Reason))
	}
	if len(r.Gaps)+len(s.LeftOut) > 0 {
		out.Say("")
	}
}

// manyDisagreements is how many are listed unless --all asks for more.
const manyDisagreements = 20

// worstFirst sorts what disagrees by class, what nobody explains first, and says how many more there are than are listed.
func worstFirst[D any](list []D, class func(D) batch.Class, all bool) (rows []D, hidden int) {
	rank := map[batch.Class]int{batch.Unexplained: 0, batch.Missing: 1, batch.Stale: 2}
	rows = slices.Clone(list)
	slices.SortStableFunc(rows, func(a, b D) int { return rank[class(a)] - rank[class(b)] })
	if !all && len(rows) > manyDisagreements {
		hidden = len(rows) - manyDisagreements
		rows = rows[:manyDisagreements]
	}
	return rows, hidden
}

func printDisagreements(out show.Output, r *audit.Report, all bool) error {
	if len(r.Disagreements) == 0 {
		return nil
	}
	rows, hidden := worstFirst(r.Disagreements, func(d audit.Disagreement) batch.Class { return d.Class }, all)
	t := show.Sheet{Columns: show.Columns(">job", ">task", "field", ">master", ">recomputed", "class", "why")}
	for _, d := range rows {
		t.Add(show.Number32(d.Job.Number), TaskText(d.Task), d.Field.String(), d.Field.Print(d.Reported), show.Dash(d.Field.Print(d.Computed)), string(d.Class), d.Why)
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

// printVerdict sums up, and says what to do next.
func printVerdict(out show.Output, s *subject.Subject, r *audit.Report) {
	sum := r.Sum()
	switch {
	case r.View == nil:
		out.Say("Nothing could be recomputed; the master printed %s.", show.Plural(sum.Reported, "number"))
		out.Say("Next: make a full bundle with scripts/capture-ge.sh on the master.")
	case sum.Reported == 0:
		out.Say("The master printed no priorities to compare with.")
	case sum.Agree == sum.Reported:
		out.Say("All %s agree, digit for digit.", show.Plural(sum.Reported, "number"))
		out.Say("%s", s.Hint("Next: qprism priorities shows what each job's priority is made of."))
	default:
		out.Say("%d of %s agree, digit for digit; %d stale, %d for want of input, %d unexplained.", sum.Agree, show.Plural(sum.Reported, "number"), sum.Stale, sum.Missing, sum.Unexplained)
		if sum.Unexplained > 0 {
			out.Say("Next: where shares, complexes or the scheduler's configuration were changed after the run, make a bundle after the next one.")
		}
	}
}

// auditReport is the report as JSON.
type auditReport struct {
	Cluster       string                `json:"cluster"`
	Release       string                `json:"release"`
	Quirks        string                `json:"quirks"`
	RunAt         *string               `json:"run_at"`
	RunAtSource   string                `json:"run_at_source,omitempty"`
	From          string                `json:"recomputed_from,omitempty"` // of PBS
	Agrees        bool                  `json:"agrees"`
	Fields        map[string]AuditCount `json:"fields"`
	Missing       []auditGap            `json:"missing"`
	Disagreements []any                 `json:"disagreements"`
	LeftOut       []model.LeftOut       `json:"left_out,omitempty"`
	Repairs       []model.Repair        `json:"repaired,omitempty"` // of PBS
}

type AuditCount struct {
	Reported    int `json:"reported"`
	Compared    int `json:"compared"`
	Agree       int `json:"agree"`
	Stale       int `json:"stale"`
	Missing     int `json:"input_missing"`
	Unexplained int `json:"unexplained"`
}

type auditGap struct {
	File   string   `json:"file"`
	What   string   `json:"what"`
	Fields []string `json:"fields"`
}

type auditDisagreement struct {
	Job      uint32      `json:"job"`
	Task     string      `json:"task"`
	Field    string      `json:"field"`
	Master   show.Number `json:"master"`
	Computed show.Number `json:"recomputed"`
	Class    string      `json:"class"`
	Why      string      `json:"why,omitempty"`
	File     string      `json:"file,omitempty"`
}

func countJSON(c batch.Count) AuditCount {
	return AuditCount{Reported: c.Reported, Compared: c.Compared, Agree: c.Agree, Stale: c.Stale, Missing: c.Missing, Unexplained: c.Unexplained}
}

func auditJSON(s *subject.Subject, r *audit.Report) auditReport {
	a := auditReport{Cluster: s.Cluster, Release: s.Release.String(), Quirks: s.Rules, Agrees: r.Agrees(), Fields: map[string]AuditCount{},
		Missing: []auditGap{}, Disagreements: []any{}, LeftOut: s.LeftOut}
	if r.View != nil {
		a.RunAt, a.RunAtSource = show.Rfc3339(r.Moment.At), r.Moment.Source
	}
	for f := lastrun.Field(0); f < lastrun.Fields; f++ {
		c := r.Fields[f]
		a.Fields[f.String()] = countJSON(c)
	}
	for _, g := range r.Gaps {
		gap := auditGap{File: g.File, What: g.What}
		for _, f := range g.Fields {
			gap.Fields = append(gap.Fields, f.String())
		}
		a.Missing = append(a.Missing, gap)
	}
	for _, d := range r.Disagreements {
		a.Disagreements = append(a.Disagreements, auditDisagreement{Job: d.Job.Number, Task: TaskText(d.Task), Field: d.Field.String(),
			Master: show.Number(d.Reported), Computed: show.Number(orNaN(d.Computed)), Class: string(d.Class), Why: d.Why, File: d.File})
	}
	return a
}

func orNaN(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}
