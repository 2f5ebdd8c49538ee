package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/batch"
	"qprism/engine/halves"
	"qprism/engine/model"
)

type PrioritiesOptions struct {
	subject.Selection
	subject.JobFilter
	View    string
	pending bool
	All     bool
}

func newPriorities(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "priorities [BUNDLE]", runPriorities)
	subject.AddSelection(c, &opts.Selection)
	subject.AddFilter(c, &opts.JobFilter)
	c.Flags().BoolVar(&opts.pending, "pending", false, "list only waiting jobs")
	c.Flags().BoolVar(&opts.All, "all", false, "on a terminal, list all jobs")
	c.Flags().StringVar(&opts.View, "view", "pri", "which columns: pri, urg, ext or all")
	_ = c.RegisterFlagCompletionFunc("view", cobra.FixedCompletions(subject.Views, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runPriorities(ctx context.Context, d *cli.Deps, opts PrioritiesOptions, args []string, w io.Writer) error {
	if !slices.Contains(subject.Views, opts.View) {
		return fmt.Errorf("unknown --view %q; use %s", opts.View, show.JoinOr(subject.Views))
	}
	s, err := subject.Of(ctx, d, &opts.Selection, args)
	if err != nil {
		return err
	}
	if err := opts.Check(s.Snapshot); err != nil {
		return err
	}
	if slices.Contains(s.NotListed(), "jobs") {
		return errors.New("these files list no jobs; add the output of qstat (docs/how-to/capture.md lists the files)")
	}
	return PrintPriorities(d.Output(w), s, opts)
}

// PrintPriorities prints the jobs of a subject in dispatch order.
func PrintPriorities(out show.Output, s *subject.Subject, opts PrioritiesOptions) error {
	a, err := s.Batch.Ranking(opts.View)
	if err != nil {
		return err
	}
	a.Jobs = slices.DeleteFunc(a.Jobs, func(r batch.Ranked) bool { return !opts.Takes(r.Job) || opts.pending && r.Runs })
	if out.Format == "json" {
		return writePriorities(out.W, s, a)
	}
	note, stuck := words.NeverNote(s, jobsOf(a.Jobs))
	subject.PrintHeader(out, s, a.RunAt.Time, a.Source)
	hidden := ""
	if out.People() && !opts.All {
		a.Jobs, hidden = subject.FirstLines(a.Jobs, func(r batch.Ranked) bool { return r.Runs })
	}
	t := sheetOf(a.Columns)
	t.Less, t.Fold = []string{"submit/start", "queue", "slots", "department", "project", "name"}, opts.View == "all"
	if !slices.ContainsFunc(a.Jobs, func(r batch.Ranked) bool { return r.Job.Array }) {
		t.Less = append([]string{"ja-task-ID"}, t.Less...) // always 1
	}
	t.Rows = make([][]string, len(a.Jobs))
	halves.Do(len(a.Jobs), func(from, to int) {
		for i := from; i < to; i++ {
			t.Rows[i] = rankedCells(out, a.Columns, a.Jobs[i])
		}
	})
	out.Sheet(t)
	out.More(hidden)
	if a.Fresh > 0 {
		out.Say("* %s had no priority in that run, probably because %s later. Their places and numbers are for the next run.",
			show.Plural(a.Fresh, "job"), map[bool]string{true: "it was submitted", false: "they were submitted"}[a.Fresh == 1])
	}
	for _, line := range a.Notes {
		out.Say("%s", line)
	}
	if note != "" {
		out.Say("%s; \"%s\" shows why.", note, s.Command("why", stuck))
	}
	return nil
}

func jobsOf(ranked []batch.Ranked) (list []*model.Job) {
	for i, r := range ranked {
		if i == 0 || r.Job != ranked[i-1].Job {
			list = append(list, r.Job)
		}
	}
	return list
}

// rankedCells are the columns of a job; for people the priority of the next run has a mark.
func rankedCells(out show.Output, columns []batch.Column, r batch.Ranked) []string {
	cells := cellsOf(out, columns, r)
	if i := slices.IndexFunc(columns, func(c batch.Column) bool {
		return c.Name == "prio"
	}); i >= 0 && r.Next && out.People() {
		cells[i] += "*"
	}
	return cells
}

// A ranking is what priorities print, job by job.
type ranking struct {
	*batch.Ranking
	Jobs []batch.Row `json:"jobs"`
}

// writePriorities writes the list as JSON, job by job, so that memory does not grow with the text.
func writePriorities(w io.Writer, s *subject.Subject, a *batch.Ranking) error {
	j := show.NewJSONWriter(w)
	j.Open(a)
	j.List("jobs")
	for _, r := range a.Jobs {
		row := r.Row()
		if r.Job.Waits() {
			row = append(row[:len(row):len(row)], batch.Cell{Name: "never", Value: batch.Value{Is: s.NeverRuns(r.Job)}})
		}
		j.Item(row)
	}
	j.EndList()
	return j.Close()
}
