package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/explain"
	"qprism/engine/model"
)

type ExplainOptions struct {
	subject.Selection
	At     string
	all    bool
	policy string // explain the job under this other policy
}

func newExplain(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "explain JOB [BUNDLE]", RunExplain)
	subject.AddSelection(c, &opts.Selection)
	addAt(c, &opts.At)
	c.Args = cobra.RangeArgs(1, 2)
	c.ValidArgsFunction = subject.CompleteJob(d)
	c.Flags().BoolVar(&opts.all, "all", false, "print all terms, also those that add nothing")
	c.Flags().StringVar(&opts.policy, "policy", "", "explain with another `policy`: linear")
	_ = c.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions([]string{"linear"},
		cobra.ShellCompDirectiveNoFileComp))
	return c
}

// addAt gives a command the flag that chooses a stored snapshot by time.
func addAt(c *cobra.Command, at *string) {
	c.Flags().StringVar(at, "at", "", "use the last stored snapshot taken at that `moment` or earlier: "+cli.MomentForms)
}

func RunExplain(ctx context.Context, d *cli.Deps, opts ExplainOptions, args []string, w io.Writer) error {
	if opts.policy != "" && opts.policy != "linear" {
		return fmt.Errorf("--policy %q: the only policy is linear", opts.policy)
	}
	args, err := subject.JobFirst("explain", args)
	if err != nil {
		return err
	}
	s, sc, err := scene(ctx, d, &opts.Selection, opts.At, args[1:])
	if err != nil {
		return err
	}
	if opts.policy != "" {
		return runExplainLinear(d, s, args[0], w)
	}
	id, err := s.Batch.InScene(args[0])
	if err != nil {
		return err
	}
	e, err := sc.Explain(id)
	if err != nil {
		return withList(err)
	}
	e.Notes = append(e.Notes, sc.Faults(id)...)
	switch out := d.Output(w); d.Format {
	case "json":
		return out.JSON(explanationJSON(s, e))
	case "csv", "tsv":
		return out.Sheet(explanationSheet(e))
	default:
		p := &explanationText{out: out, colour: out.Colored(), all: opts.all}
		p.print(s, sc, e)
		return p.write()
	}
}

// withList adds where jobs are listed to the error about an unknown job.
func withList(err error) error {
	if errors.Is(err, explain.ErrNoJob) {
		return fmt.Errorf("%w; \"qprism priorities\" lists its jobs", err)
	}
	return err
}

// scene loads a snapshot and recomputes the run that explains its jobs.
func scene(ctx context.Context, d *cli.Deps, sel *subject.Selection, at string, args []string) (
	*subject.Subject, explain.Scene, error) {
	asked, err := chooseByTime(ctx, d, sel, at, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := subject.Of(ctx, d, sel, args)
	if err != nil {
		return nil, nil, err
	}
	s.Asked = asked
	sc, err := s.Batch.Scene()
	return s, sc, err
}

// chooseByTime selects the stored snapshot of the requested time, and returns its time; zero if no time was
// requested.
func chooseByTime(ctx context.Context, d *cli.Deps, sel *subject.Selection, at string, args []string) (
	asked time.Time, err error) {
	if at == "" {
		return asked, nil
	}
	if len(args) > 0 || sel.Snapshot != 0 {
		return asked, errors.New("--at chooses a stored snapshot: do not give a bundle or --snapshot with it")
	}
	if asked, err = cli.ParseMoment(at); err != nil {
		return asked, fmt.Errorf("--at %w", err)
	}
	sel.Snapshot, err = subject.SnapshotAt(ctx, d, sel.Cluster, asked)
	sel.Cluster = "" // the snapshot is of that one
	return asked, err
}

// Describe names a job, and its requests if asks is not empty.
func Describe(j *model.Job, id, asks string, out show.Output) string {
	text := "job " + id
	if j.Name != "" {
		text += fmt.Sprintf(" %q", j.Name)
	}
	if j.Owner != "" {
		text += " of " + j.Owner
	}
	if j.Project != "" && j.Project != "_pbs_project_default" {
		text += ", project " + j.Project
	}
	if j.Department != "" && j.Department != "defaultdepartment" {
		text += ", department " + j.Department
	}
	if asks != "" {
		text += ", " + asks
	}
	if !j.Submitted.IsZero() {
		text += ", submitted " + out.Zoned(j.Submitted)
	}
	return text
}

// An explained job is an explanation with its subject.
type explained struct {
	Cluster string   `json:"cluster"`
	Release string   `json:"release"`
	Quirks  string   `json:"quirks"`
	Assumed []string `json:"assumed,omitempty"` // PBS: assumptions about facts that the snapshot lacks
	Job     uint32   `json:"job"`
	Name    string   `json:"name"`
	Owner   string   `json:"owner"`
	*explain.Explanation
	Notes []string `json:"notes"`
}

func explanationJSON(s *subject.Subject, e *explain.Explanation) explained {
	return explained{s.Cluster, s.Release.String(), s.Rules, s.Assumptions(), e.Job.Number,
		e.Job.Name, e.Job.Owner, e, explanationNotes(e)}
}

// explanationSheet is the derivation as a table: a term a row, its path in front.
func explanationSheet(e *explain.Explanation) show.Sheet {
	t := show.NewSheet("term", ">value", "made of", "note")
	var add func(path string, terms []explain.Term)
	add = func(path string, terms []explain.Term) {
		for i := range terms {
			name := path + terms[i].Name
			t.Add(name, explain.Number(terms[i].Value), terms[i].Expression(), terms[i].Note)
			add(name+"/", terms[i].Terms)
		}
	}
	for _, c := range e.Criteria {
		add("", []explain.Term{c.Term})
	}
	return t
}
