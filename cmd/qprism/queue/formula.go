package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/formula"
	"qprism/engine/formula/check"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

type formulaOptions struct {
	subject.Selection
	all bool
}

func newFormula(d *cli.Deps) *cobra.Command {
	c := &cobra.Command{Use: "formula", Args: cobra.NoArgs}
	c.AddCommand(newFormulaCheck(d))
	return c
}

func newFormulaCheck(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "check EXPR [BUNDLE]", runFormulaCheck)
	cli.Prints(c, "table json")
	c.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return errors.New("give a formula, for example: qprism formula check 'ncpus*walltime'")
		case len(args) > 2:
			return errors.New("too many arguments; put a formula with spaces in quotes: qprism formula " +
				"check 'ncpus * walltime' BUNDLE")
		}
		return nil
	}
	c.Flags().Int64Var(&opts.Snapshot, "snapshot", 0, "use the jobs of the stored snapshot with this `number`")
	c.Flags().BoolVar(&opts.KeepGoing, "keep-going", false, "skip records that cannot be read, and list them")
	c.Flags().BoolVar(&opts.all, "all", false, "list all jobs, not only the first")
	return c
}

// errBadFormula ends a check that found errors; they are printed already.
var errBadFormula = errors.New("do not set this formula")

func runFormulaCheck(ctx context.Context, d *cli.Deps, opts formulaOptions, args []string, w io.Writer) error {
	s, err := formulaSnapshot(ctx, d, opts, args[1:])
	if err != nil {
		return err
	}
	r := check.Formula(args[0], s)
	if d.Format == "json" {
		err = d.Output(w).JSON(formulaJSON(r))
	} else {
		err = printFormula(d.Output(w), r, s, opts.all)
	}
	if err == nil && r.Failed() {
		err = errBadFormula
	}
	return err
}

// formulaSnapshot loads the jobs on which the formula is tried; nil if none were requested.
func formulaSnapshot(ctx context.Context, d *cli.Deps, opts formulaOptions, args []string) (*model.Snapshot, error) {
	if len(args) == 0 && opts.Snapshot == 0 {
		return nil, nil
	}
	s, err := subject.Load(ctx, d, &opts.Selection, args)
	if err != nil {
		return nil, err
	}
	if !s.HasSortFormula() {
		return nil, fmt.Errorf("job_sort_formula belongs to PBS, but this is a bundle of %s", s.System.Name())
	}
	return s, nil
}

func printFormula(out show.Output, r *check.Report, s *model.Snapshot, all bool) error {
	var b, rest strings.Builder
	writeFormula(&b, r)
	writeJobCount(&rest, r, s)
	for _, p := range r.Problems {
		writeProblem(&rest, p)
	}
	if once := onceWords(r, s); once != "" {
		fmt.Fprintf(&rest, "%-7s  %s\n", check.Note, show.Printable(once))
	}
	rest.WriteString(formulaNext(r, s))
	b.WriteString(show.FoldedLines(rest.String(), out.Width()))
	if _, err := io.WriteString(out.W, b.String()); err != nil {
		return err
	}
	if len(r.Jobs) == 0 {
		return nil
	}
	if _, err := io.WriteString(out.W, "\n"); err != nil {
		return err
	}
	return printFormulaJobs(out, r, all)
}

// writeFormula prints the formula, and a mark below the first place that is wrong.
func writeFormula(b *strings.Builder, r *check.Report) {
	fmt.Fprintln(b, show.Printable(r.Formula))
	for _, p := range r.Problems {
		if p.Severity == check.Error && p.Column > 0 && show.Printable(r.Formula) == r.Formula {
			fmt.Fprintln(b, strings.Repeat(" ", p.Column-1)+"^")
			return
		}
	}
}

func writeJobCount(b *strings.Builder, r *check.Report, s *model.Snapshot) {
	if len(r.Jobs) == 0 {
		return
	}
	waiting := 0
	for i := range r.Jobs {
		if r.Jobs[i].Waits {
			waiting++
		}
	}
	fmt.Fprintf(b, "%s of %s, taken %s; %d of them waiting\n", show.Plural(len(r.Jobs), "job"), s.Cluster,
		s.TakenAt.UTC().Format("2006-01-02 15:04:05 MST"), waiting)
}

// writeProblem prints a problem, and on a separate line what to do about it.
func writeProblem(b *strings.Builder, p check.Problem) {
	fmt.Fprintf(b, "%-7s  %s\n", p.Severity, show.Printable(p.Text))
	if p.Hint != "" {
		fmt.Fprintf(b, "%-7s  → %s\n", "", show.Printable(p.Hint))
	}
}

// onceWords says what the next cycle calculates only once for the formula. It is empty if the options are
// unknown, or if the formula reads no shares.
func onceWords(r *check.Report, s *model.Snapshot) string {
	if s == nil || r.Failed() || !s.PBS.SchedConfig.Present {
		return ""
	}
	return cycle.FormulaOnce(s.WithFormula(r.Formula), s.TakenAt.Truncate(time.Second))
}

func formulaNext(r *check.Report, s *model.Snapshot) string {
	switch {
	case r.Failed() || r.Formula == "":
		return ""
	case slices.ContainsFunc(r.Problems, func(p check.Problem) bool {
		return p.Kind == check.UnknownName && p.Severity == check.Warning
	}):
		return "PBS accepts the formula if the server has these resources.\n"
	case s == nil:
		return "PBS accepts the formula.\nNext: try it on your jobs\n    qprism formula check EXPR BUNDLE\n"
	}
	set := "qmgr -c 'set sched job_sort_formula = \"" + show.Printable(r.Formula) + "\"'"
	return "PBS accepts the formula.\nNext: " + show.Step("set it, as root on the host of the server", set) + "\n"
}

// fewJobs is how many jobs are listed without --all.
const fewJobs = 20

func printFormulaJobs(out show.Output, r *check.Report, all bool) error {
	list := byRank(r.Jobs)
	more := 0
	if !all && len(list) > fewJobs {
		more = len(list) - fewJobs
		list = list[:fewJobs]
	}
	names := []string{">rank", "job", "user", "queue", "state", ">value"}
	for _, name := range r.Reads {
		names = append(names, ">"+name)
	}
	t := show.NewSheet(names...)
	for _, j := range list {
		t.Add(formulaRow(r, j)...)
	}
	out.Sheet(t)
	if more > 0 {
		_, err := fmt.Fprintf(out.W, "and %s (--all)\n", show.Plural(more, "more job"))
		return err
	}
	return nil
}

// byRank are the waiting jobs in their order, and then the others.
func byRank(jobs []check.Job) []*check.Job {
	list := make([]*check.Job, len(jobs))
	for i := range jobs {
		list[i] = &jobs[i]
	}
	slices.SortStableFunc(list, func(a, b *check.Job) int {
		return rankOf(a) - rankOf(b)
	})
	return list
}

func rankOf(j *check.Job) int {
	if j.Rank == 0 {
		return math.MaxInt32
	}
	return j.Rank
}

func formulaRow(r *check.Report, j *check.Job) []string {
	rank := "-"
	if j.Rank > 0 {
		rank = fmt.Sprint(j.Rank)
	}
	row := []string{rank, j.ID(), j.Owner, j.PBS.Queue, j.PBS.State, formulaValue(r, j)}
	for _, x := range j.Inputs {
		row = append(row, formula.Plain(x))
	}
	return row
}

// formulaValue prints the value as in the scheduler's log. It marks a value that does not count.
func formulaValue(r *check.Report, j *check.Job) string {
	value := formula.Print(j.Result.Value())
	switch {
	case j.Result.NoType != "":
		return j.Result.NoType + "!"
	case j.Result.Err != nil:
		return value + "!"
	case j.Waits && formula.Under(j.Result.Value(), r.Threshold):
		return value + " (under)"
	}
	return value
}

// A checked formula is the report, with every job that the scheduler evaluates.
type checkedFormula struct {
	Formula  string `json:"formula"`
	Accepted bool   `json:"accepted"` // no errors
	*check.Report
	Jobs []formulaJob `json:"jobs"`
}

type formulaJob struct {
	Job     string             `json:"job"`
	User    string             `json:"user"`
	Queue   string             `json:"queue"`
	State   string             `json:"state"`
	Rank    int                `json:"rank,omitempty"`
	Formula string             `json:"formula"` // as the scheduler's log prints it
	Exact   float64            `json:"exact"`   // before it is cut to 32 bits
	Error   string             `json:"error,omitempty"`
	Type    string             `json:"type,omitempty"` // of a result that is no number
	Inputs  map[string]float64 `json:"inputs"`
}

func formulaJSON(r *check.Report) checkedFormula {
	report := checkedFormula{Formula: r.Formula, Accepted: !r.Failed(), Report: r}
	for _, j := range byRank(r.Jobs) {
		report.Jobs = append(report.Jobs, formulaJobJSON(r, j))
	}
	return report
}

func formulaJobJSON(r *check.Report, j *check.Job) formulaJob {
	f := formulaJob{Job: j.ID(), User: j.Owner, Queue: j.PBS.Queue, State: j.PBS.State, Rank: j.Rank,
		Formula: formula.Print(j.Result.Value()),
		Exact:   j.Result.Exact, Type: j.Result.NoType, Inputs: map[string]float64{}}
	if j.Result.Err != nil {
		f.Error = j.Result.Err.Message
	}
	for i, name := range r.Reads {
		f.Inputs[name] = j.Inputs[i]
	}
	return f
}
