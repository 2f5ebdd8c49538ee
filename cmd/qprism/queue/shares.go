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

type sharesOptions struct {
	subject.Selection
	view batch.ShareView
	period
}

func newShares(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "shares [BUNDLE]", runShares)
	cli.Prints(c, "table json csv svg")
	subject.AddSelection(c, &opts.Selection)
	p, view := &opts.period, &opts.view
	c.Flags().StringVar(&p.since, "since", "", "usage since this `moment`, or for this long before the snapshot: 7d")
	c.Flags().StringVar(&p.until, "until", "", "the end of the period, a `moment` (default: the time of the snapshot)")
	c.Flags().StringVar(&p.by, "by", "", "one line for each `project`, user or department (default: the "+
		"first with shares)")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().StringVar(&view.Entity, "entity", "", "PBS: one `entity` and its path from the root, as pbsfs -g")
	c.Flags().BoolVar(&view.Outline, "tree", false, "PBS: only the names, as pbsfs -t")
	c.Flags().StringSliceVar(&view.Compare, "compare", nil,
		"PBS: which of two `entities` a,b comes first and why, as pbsfs -c")
	for _, flag := range []string{"since", "until", "by"} {
		c.MarkFlagsMutuallyExclusive(flag, "entity", "tree", "compare")
	}
	return c
}

func runShares(ctx context.Context, d *cli.Deps, opts sharesOptions, args []string, w io.Writer) error {
	switch {
	case opts.period != period{}:
		return runSharesSince(ctx, d, opts.Selection, opts.period, args, w)
	case d.Format == "svg":
		return errors.New("a picture shows a period: give it, such as --since 30d")
	}
	opts.AsShown = true
	s, err := subject.Of(ctx, d, &opts.Selection, args)
	if err != nil {
		return err
	}
	return PrintShares(d.Output(w), s, opts.view)
}

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
	return show.NewSheet(titles...)
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

// printShareNotes describes the tree, and prints warnings about it.
func printShareNotes(out show.Output, s *subject.Subject, a *batch.Shares) {
	switch {
	case a.View == batch.OfFiles:
		out.Say("\nThis tree comes from the files of the bundle; pbsfs shows the same tree. In this tree, the usage of a group is " +
			"the sum of the usage of its members. The scheduler does not compute this sum: in its memory, it has a counter " +
			"for each group. The counter can differ from the sum.")
	case !s.TreeKnown():
		out.Say("It is not known if there is a share tree: share_tree.txt is missing or cannot be read " +
			"(qconf -sstree prints it).")
	case len(a.Nodes) == 0:
		out.Say("There is no share tree, so usage does not change the order.")
		if s.Policy.FunctionalTickets > 0 {
			out.Say("Next: %s", show.Step("see the functional tickets", s.Command("priorities", "--view", "ext")))
		}
	case a.RunAt.IsZero():
		out.Say("\nTargets and usage are not known: %s", subject.WhyUnknown(s.Snapshot))
	case a.Idle != "":
		out.Say("\nThe tree does not change the order: %s.", a.Idle)
	default:
		out.Say("\ntarget: the part of the whole tree that a node's shares give to it, if only nodes with jobs count. " +
			"entitled: the part that the node gets now: the target, corrected for usage. If entitled is above target, the " +
			"node has used less than its target.")
	}
	for _, name := range a.Ambiguous {
		out.Say("The order of jobs is not unique: %s is equal to others, which differ from each other.", show.Printable(name))
	}
	for _, r := range a.Rejected {
		out.Say("Ignored by PBS: %s", show.Printable(r.String()))
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

// comparisonWords describes a comparison, level by level. It is empty without a comparison.
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

// standingWords says how far a node is from its target: "bob has used 8.3% where 20.0% are due, 11.7% below
// target".
func standingWords(s batch.ShareStanding) string {
	if s.Shareless {
		return s.Name + " has no shares"
	}
	side, distance := "below", s.Below.Float()
	if distance < 0 {
		side, distance = "above", -distance
	}
	return fmt.Sprintf("%s: used %.1f%%, target %.1f%%, %.1f%% %s target", s.Name, 100*s.Actual.Float(),
		100*s.Target.Float(), 100*distance, side)
}

// verdictWords says what decided.
func verdictWords(c *batch.Comparison) string {
	switch {
	case c.A == c.B:
		return "Both names are the same entity."
	case c.Reason == batch.SameWay:
		return fmt.Sprintf("%s contains the other: the scheduler does not compare any further, although "+
			"the entities below it differ.", c.Ancestor)
	case c.Reason == batch.BothShareless:
		return "Neither has shares, so the next criterion decides."
	case c.Reason == batch.Tie:
		return "Both have used the same part of their shares, so the next criterion decides."
	}
	last := c.Levels[len(c.Levels)-1]
	node := last.A.Name
	if c.Winner == c.B {
		node = last.B.Name
	}
	if c.Reason == batch.OneShareless {
		return fmt.Sprintf("%s has shares and the other has none, so %s comes first.", node, c.Winner)
	}
	return fmt.Sprintf("%s has used less of its share, so %s comes first.", node, c.Winner)
}
