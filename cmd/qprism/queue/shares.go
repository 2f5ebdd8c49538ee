package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
)

func newShares(d *cli.Deps) *cobra.Command {
	var sel subject.Selection
	var view batch.ShareView
	var p period
	c := &cobra.Command{
		Use:         "shares [BUNDLE]",
		Annotations: map[string]string{cli.FormatsOf: "table json csv svg"},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case p != period{}:
				return runSharesSince(c.Context(), d, sel, p, args, c.OutOrStdout())
			case d.Format == "svg":
				return errors.New("a picture is of a period: say which, --since 30d")
			}
			return runShares(c.Context(), d, sel, view, args, c.OutOrStdout())
		},
	}
	subject.AddSelection(c, &sel)
	c.Flags().StringVar(&p.since, "since", "", "usage since this `moment`, or in this time before the snapshot: 7d")
	c.Flags().StringVar(&p.until, "until", "", "the end of that period, a `moment` (default: that of the snapshot)")
	c.Flags().StringVar(&p.by, "by", "", "told apart by `project`, user or department (default: the first of which shares say what is due)")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().StringVar(&view.Entity, "entity", "", "PBS: one `entity` and its way from the root, as pbsfs -g")
	c.Flags().BoolVar(&view.Outline, "tree", false, "PBS: names alone, as pbsfs -t")
	c.Flags().StringSliceVar(&view.Compare, "compare", nil, "PBS: of two `entities`, a,b, the more deserving one and why, as pbsfs -c")
	for _, flag := range []string{"since", "until", "by"} {
		c.MarkFlagsMutuallyExclusive(flag, "entity", "tree", "compare")
	}
	return c
}

func runShares(ctx context.Context, d *cli.Deps, sel subject.Selection, view batch.ShareView, args []string, w io.Writer) error {
	sel.AsShown = true
	s, err := subject.Of(ctx, d, &sel, args)
	if err != nil {
		return err
	}
	return PrintShares(d.Output(w), s, view)
}

// PrintShares prints the share tree of a subject.
func PrintShares(out show.Output, s *subject.Subject, view batch.ShareView) error {
	a, err := s.Batch.Shares(view)
	switch {
	case err != nil:
		return err
	case out.Format == "json":
		return out.JSON(a)
	case a.Printed != "" && !out.Tabular():
		_, err = io.WriteString(out.W, visible(a.Printed+comparisonWords(a.Comparison)))
	default:
		if a.RunAt != nil {
			subject.PrintHeader(out, s, a.RunAt.Time, a.Source)
		}
		if len(a.Nodes) > 0 {
			t := sheetOf(a.Columns)
			for _, n := range a.Nodes {
				t.Add(cellsOf(out, a.Columns, n)...)
			}
			err = out.Sheet(t)
		}
	}
	if err != nil {
		return err
	}
	printShareNotes(out, s, a)
	return nil
}

// sheetOf is a table of columns, without rows.
func sheetOf(columns []batch.Column) show.Sheet {
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	return show.Sheet{Columns: show.Columns(titles...)}
}

// cellsOf are the values of columns as the system prints them.
func cellsOf(out show.Output, columns []batch.Column, values interface{ Cell(name string) batch.Value }) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = cellText(out, values.Cell(c.Name))
	}
	return cells
}

func cellText(out show.Output, v batch.Value) string {
	if at, ok := v.Is.(batch.Time); ok {
		return out.Moment(at.Time)
	}
	return v.Text
}

// printShareNotes says what the tree is, and what of it to mind.
func printShareNotes(out show.Output, s *subject.Subject, a *batch.Shares) {
	switch {
	case a.View == batch.OfFiles:
		out.Say("\nThis is the tree of the files, as pbsfs shows it. Groups in the scheduler's memory are charged and decay on their own.")
	case !s.TreeKnown():
		out.Say("Whether there is a share tree is not known: the bundle lacks share_tree.txt, or it cannot be read (qconf -sstree prints it).")
	case len(a.Nodes) == 0:
		out.Say("There is no share tree: usage orders nothing.")
		if s.Policy.FunctionalTickets > 0 {
			out.Say("Next: %s shows what functional shares come to.", s.Command("priorities", "--view", "ext"))
		}
	case a.RunAt.IsZero():
		out.Say("\nTargets and usage are not known: %s", subject.WhyUnknown(s.Snapshot))
	case a.Idle != "":
		out.Say("\nThe tree orders nothing: %s.", a.Idle)
	default:
		out.Say("\ntarget: of the nodes that have jobs; entitled: now, weighed against usage. More than its target: it used less than it is due.")
	}
	for _, name := range a.Ambiguous {
		out.Say("The order of jobs has no unique solution: %s equals others that differ among themselves.", show.Printable(name))
	}
	for _, r := range a.Rejected {
		out.Say("Left out by PBS: %s", show.Printable(r.String()))
	}
}

// visible makes names of strangers safe to show; the tabs and line ends of pbsfs stay.
func visible(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for i, part := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(show.Printable(part))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// comparisonWords says in sentences what was compared, level by level; nothing without a comparison.
func comparisonWords(c *batch.Comparison) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	for _, l := range c.Levels {
		fmt.Fprintf(&b, "Below %s, %s; %s.\n", c.Ancestor, standingWords(l.A), standingWords(l.B))
	}
	return b.String() + verdictWords(c) + "\n"
}

// standingWords says how far a node is from its target: "bob has used 8.3% where 20.0% are due, 11.7% below target".
func standingWords(s batch.ShareStanding) string {
	if s.Shareless {
		return s.Name + " has no shares"
	}
	side, distance := "below", s.Below.Float()
	if distance < 0 {
		side, distance = "above", -distance
	}
	return fmt.Sprintf("%s has used %.1f%% where %.1f%% are due, %.1f%% %s target", s.Name, 100*s.Actual.Float(),
		100*s.Target.Float(), 100*distance, side)
}

// verdictWords says what decided.
func verdictWords(c *batch.Comparison) string {
	switch {
	case c.A == c.B:
		return "They are one and the same."
	case c.Reason == batch.SameWay:
		return fmt.Sprintf("%s is above the other: the scheduler compares no further, though those below it differ among themselves.", c.Ancestor)
	case c.Reason == batch.BothShareless:
		return "Neither has shares: the next criterion decides."
	case c.Reason == batch.Tie:
		return "Both have used the same of what they are due: the next criterion decides."
	}
	last := c.Levels[len(c.Levels)-1]
	node := last.A.Name
	if c.Winner == c.B {
		node = last.B.Name
	}
	if c.Reason == batch.OneShareless {
		return fmt.Sprintf("%s has shares and the other none: %s comes first.", node, c.Winner)
	}
	return fmt.Sprintf("%s has used less of what it is due: %s comes first.", node, c.Winner)
}
