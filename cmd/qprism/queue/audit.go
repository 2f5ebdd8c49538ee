package queue

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
)

type AuditOptions struct {
	subject.Selection
	all         bool
	counts      bool // without the list of differences
	tryReleases bool
	Before      string
	logs        subject.MasterLogs
}

func newAudit(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "audit [BUNDLE]", runAudit)
	subject.AddSelection(c, &opts.Selection)
	c.Flags().StringVar(&opts.Before, "before", "",
		"an earlier `bundle`, or the number of a stored snapshot, to see what happened since (default: "+
			"the stored snapshot before)")
	c.Flags().BoolVar(&opts.tryReleases, "try-releases", false,
		"audit with the rules of every known release, and name the best fit")
	c.Flags().BoolVar(&opts.all, "all", false, "list all differences, not only the first")
	subject.AddMasterLogs(c, &opts.logs)
	return c
}

// runAudit prints the audit of the selected snapshot.
func runAudit(ctx context.Context, d *cli.Deps, opts AuditOptions, args []string, w io.Writer) error {
	opts.AsShown = true
	if opts.tryReleases {
		s, err := subject.Of(ctx, d, &opts.Selection, args)
		if err != nil {
			return err
		}
		return printFits(ctx, s, d.Output(w))
	}
	s, a, err := Audited(ctx, d, opts, args)
	if err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		err = out.JSON(a)
	} else {
		out.Terminal = true // a report is for people, wherever it goes; programs ask for JSON
		printAudit(out, s, a, opts.all)
	}
	sum := a.Fields.Sum()
	return cli.Found(err, sum.Unexplained > 0 || sum.Compared == 0 && !a.Agrees)
}

// Audited loads the selected snapshot and audits it. If a stored snapshot disagrees, Audited repeats the audit
// with the previous stored snapshot.
func Audited(ctx context.Context, d *cli.Deps, opts AuditOptions, args []string) (
	*subject.Subject, *batch.Audit, error) {
	s, err := subject.Of(ctx, d, &opts.Selection, args)
	if err != nil {
		return nil, nil, err
	}
	audit := func(name string) (*batch.Audit, error) {
		before, err := s.LoadOther(ctx, d, name, opts.KeepGoing)
		if err != nil {
			return nil, err
		}
		return s.Batch.Audit(ctx, subject.AuditOptions{Before: before, Logs: opts.logs, Bundle: subject.FirstArgument(args),
			Counts: opts.counts})
	}
	a, err := audit(opts.Before)
	if err != nil || a.Agrees || opts.Before != "" {
		return s, a, err
	}
	before, err := opts.StoredBefore(ctx, d, args)
	if err != nil || before == 0 {
		return s, a, err
	}
	with, err := audit(strconv.FormatInt(before, 10))
	if err != nil || with.Fields.Sum().Agree <= a.Fields.Sum().Agree {
		return s, a, err
	}
	with.From = cmp.Or(with.From, fmt.Sprintf("the snapshot, and the earlier snapshot %d", before))
	return s, with, nil
}

// newest has the counts of the last audit of each cluster of a store. In serve, the audit task and the page both need
// them.
var newest = struct {
	sync.Mutex
	counts map[string]storedCounts
}{counts: map[string]storedCounts{}}

type storedCounts struct {
	snapshot int64
	fields   batch.Fields
}

// AuditStored audits a stored snapshot, and keeps its counts for CountsOf.
func AuditStored(ctx context.Context, d *cli.Deps, snapshot int64) (*batch.Audit, error) {
	s, a, err := Audited(ctx, d, AuditOptions{Selection: subject.Selection{Snapshot: snapshot}, counts: true}, nil)
	if err != nil {
		return nil, err
	}
	newest.Lock()
	defer newest.Unlock()
	newest.counts[d.Store+"\x00"+s.Snapshot.Cluster] = storedCounts{snapshot, a.Fields}
	return a, nil
}

// CountsOf returns the counts of the audit of a snapshot of a cluster: those of AuditStored, if its last audit of the
// cluster was of this snapshot; else it audits.
func CountsOf(ctx context.Context, d *cli.Deps, cluster string, sel subject.Selection, args []string) (batch.Fields, error) {
	newest.Lock()
	known := newest.counts[d.Store+"\x00"+cluster]
	newest.Unlock()
	if len(args) == 0 && known.snapshot == sel.Snapshot && known.snapshot != 0 {
		return known.fields, nil
	}
	_, a, err := Audited(ctx, d, AuditOptions{Selection: sel, counts: true}, args)
	if err != nil {
		return nil, err
	}
	return a.Fields, nil
}

// printAudit prints a report for people: one line a field, then the differences.
func printAudit(out show.Output, s *subject.Subject, a *batch.Audit, all bool) {
	subject.PrintHeader(out, s, a.At.Time, a.Source)
	if a.From != "" {
		out.Say("recomputed from %s", a.From)
		out.Say("")
	}
	out.Rows(fieldSheet(out, a))
	printGaps(out, a)
	if out.Format == "table" {
		printDifferences(out, a.Differences, all)
	}
	printVerdict(out, s, a)
}

// fieldSheet has a row for each field: for people how many of all agree, for programs a number a cell.
func fieldSheet(out show.Output, a *batch.Audit) show.Sheet {
	t := show.NewSheet("field", ">reported", ">agree", ">stale", ">input missing", ">unexplained")
	for _, f := range a.Fields {
		agree, number := strconv.Itoa(f.Agree), strconv.Itoa
		if out.People() {
			agree, number = fmt.Sprintf("%d/%d", f.Agree, f.Reported), show.Blank
		}
		if f.Reported > 0 {
			t.Add(f.Name, strconv.Itoa(f.Reported), agree, number(f.Stale), number(f.Missing), number(f.Unexplained))
		}
	}
	if out.People() {
		return t.Without(1)
	}
	return t
}

// printGaps lists the missing inputs and the effect of each. It also lists inputs that were repaired or
// left out.
func printGaps(out show.Output, a *batch.Audit) {
	for _, g := range a.Gaps {
		out.Say("missing %s: %s", g.File, g.What)
	}
	for i := range a.Repairs {
		out.Say("repaired: %s", subject.RepairText(&a.Repairs[i]))
	}
	for _, l := range a.LeftOut {
		out.Say("skipped: %s:%d: %s", show.Printable(l.File), l.Line, show.Printable(l.Reason))
	}
	if len(a.Gaps)+len(a.Repairs)+len(a.LeftOut) > 0 {
		out.Say("")
	}
}

// manyDifferences is how many are listed unless --all asks for more.
const manyDifferences = 20

// printDifferences lists the differences, unexplained ones first.
func printDifferences(out show.Output, list []batch.Difference, all bool) {
	rank := map[batch.Class]int{batch.Unexplained: 0, batch.Missing: 1, batch.Stale: 2}
	rows := slices.Clone(list)
	slices.SortStableFunc(rows, func(a, b batch.Difference) int { return rank[a.Class] - rank[b.Class] })
	if !all {
		rows = rows[:min(len(rows), manyDifferences)]
	}
	t := show.NewSheet("job", "field", "master", "recomputed", "class", "why")
	for _, d := range rows {
		t.Add(show.Joined(".", d.Job.Text, d.Tasks), d.Field, cmp.Or(d.Master.Text, "-"),
			cmp.Or(d.Computed.Text, "-"), string(d.Class), d.Why)
	}
	if len(rows) == 0 {
		return
	}
	out.Sheet(t)
	if hidden := len(list) - len(rows); hidden > 0 {
		out.Say("… and %d more; --all lists them", hidden)
	}
	out.Say("")
}

// printVerdict prints the result, and what to do next.
func printVerdict(out show.Output, s *subject.Subject, a *batch.Audit) {
	sum, noun := a.Fields.Sum(), "number"
	if a.Fields.Texts() {
		noun = "value"
	}
	switch {
	case sum.Compared == 0 && a.At.IsZero():
		out.Say("qprism could recompute nothing; the master printed %s.", show.Plural(sum.Reported, noun))
		out.Say("Next: make a full bundle with %s.", s.Batch.FullBundle())
	case sum.Reported == 0:
		out.Say("The master printed no numbers to compare.")
	case sum.Agree == sum.Reported:
		out.Say("All %s agree, digit for digit.", show.Plural(sum.Reported, noun))
		out.Say("Next: %s", show.Step("see the parts of each job's priority", s.Command("priorities")))
	default:
		out.Say("%d of %s agree, digit for digit; %d stale, %d with missing input, %d unexplained.",
			sum.Agree, show.Plural(sum.Reported, noun), sum.Stale, sum.Missing, sum.Unexplained)
		if sum.Unexplained > 0 {
			out.Say("Next: if somebody changed shares, complexes or the scheduler configuration after " +
				"the run, make a bundle after the next run.")
		}
	}
}
