package queue

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

func newShares(d *cli.Deps) *cobra.Command {
	var sel subject.Selection
	var view FairView
	c := &cobra.Command{
		Use:   "shares [BUNDLE]",
		Short: "The share tree with targets, actual shares and usage",
		Long: `shares prints the share tree as the last scheduler run saw it.

  level%, total%   configured share among siblings, and of the whole tree
  target           long-term share among nodes that have jobs now
  entitled         short-term share now: the target weighed against usage
  actual           share of all usage so far, decayed by halftime

A node whose entitled share is above its target has used less than it is due, and its
jobs get more tickets. A user who maps to "default" has a node of his own while he has jobs.

` + sharesPBSHelp,
		Example: `  qprism shares cluster.tar.gz
  qprism shares --snapshot 12 --format json
  qprism shares pbs.tar.gz --compare bob,suzy`,
		RunE: func(c *cobra.Command, args []string) error {
			return runShares(c.Context(), d, sel, view, args, c.OutOrStdout())
		},
	}
	subject.AddSelection(c, &sel)
	addFairView(c, &view)
	return c
}

func runShares(ctx context.Context, d *cli.Deps, sel subject.Selection, view FairView, args []string, w io.Writer) error {
	s, err := subject.Of(ctx, d, &sel, args)
	if err != nil {
		return err
	}
	return OrderingOf(s).Shares(d, view, w)
}

// Shares prints the share tree of Grid Engine.
func (s geOrdering) Shares(d *cli.Deps, view FairView, w io.Writer) error {
	if view.chosen() {
		return errors.New("--entity, --tree and --compare are for bundles of PBS, and this is one of Grid Engine")
	}
	v, moment := lastrun.Look(s.Snapshot, s.Look)
	out := d.Output(w)
	nodes := shareRows(s.Snapshot, v)
	if d.Format == "json" {
		return out.JSON(sharesReport{Cluster: s.Cluster, Release: s.Release.String(), RunAt: show.Rfc3339(moment.At), Nodes: nodes})
	}
	subject.PrintHeader(out, s.Subject, moment.At, moment.Source)
	t := show.Sheet{Columns: show.Columns("node", ">shares", ">jobs", ">running", ">level%", ">total%", ">target%", ">entitled%", ">actual%", ">usage", "note")}
	for _, n := range nodes {
		t.Add(n.Path, show.Number32(n.Shares), strconv.Itoa(n.Jobs), strconv.Itoa(n.Running), percent(n.Level), percent(n.Total), percent(n.Target),
			percent(n.Entitled), percent(n.Actual), strconv.FormatFloat(float64(n.Usage), 'f', 2, 64), n.note())
	}
	if len(nodes) > 0 {
		if err := out.Sheet(t); err != nil {
			return err
		}
	}
	switch {
	case s.ShareTree == nil:
		out.Say("There is no share tree: usage orders nothing.")
		if s.Policy.FunctionalTickets > 0 {
			out.Say("%s", s.Hint("Next: qprism priorities --view ext shows what functional shares come to."))
		}
	case v == nil:
		out.Say("\nTargets and usage are not known: %s", subject.WhyUnknown(s.Snapshot))
	case s.Policy.ShareTreeTickets == 0:
		out.Say("\nThe tree orders nothing: weight_tickets_share is 0.")
	default:
		out.Say("\ntarget: of the nodes that have jobs; entitled: now, weighed against usage. More than its target: it used less than it is due.")
	}
	return nil
}

// sharesReport is the share tree as JSON; shares are parts of one, usage is weighted as usage_weight_list says.
type sharesReport struct {
	Cluster string     `json:"cluster"`
	Release string     `json:"release"`
	RunAt   *string    `json:"run_at"`
	Nodes   []shareRow `json:"nodes"`
}

type shareRow struct {
	Path      string      `json:"node_name"`
	Shares    uint32      `json:"shares"`
	Jobs      int         `json:"job_count"`
	Running   int         `json:"running_count"`
	Level     show.Number `json:"level"`
	Total     show.Number `json:"total"`
	Target    show.Number `json:"long_target_share"`
	Entitled  show.Number `json:"short_target_share"`
	Actual    show.Number `json:"actual_share"`
	Usage     show.Number `json:"usage"`
	Temporary bool        `json:"temporary"`
}

func (n shareRow) note() string {
	if n.Temporary {
		return "maps to default"
	}
	return ""
}

// shareRows lists the nodes of the tree, parents first.
func shareRows(s *model.Snapshot, v *lastrun.View) []shareRow {
	var rows []shareRow
	if v != nil && v.Result.Tickets.Both != nil {
		root := v.Result.Tickets.Both
		addShares(&rows, root, "/", 1, 1, root.Usage)
	} else if s.ShareTree != nil {
		addShares(&rows, plainTree(s.ShareTree), "/", 1, 1, 0)
	}
	return rows
}

// plainTree is the configured tree without anything known of jobs and usage.
func plainTree(n *model.ShareNode) *ticket.Node {
	t := &ticket.Node{Name: n.Name, Shares: n.Shares}
	for _, c := range n.Children {
		t.Children = append(t.Children, plainTree(c))
	}
	return t
}

// addShares adds a node and all below it; configured shares count nodes made for the run no more than others.
func addShares(rows *[]shareRow, n *ticket.Node, path string, level, total, all float64) {
	actual := 0.0
	if all > 0 {
		actual = n.Usage / all
	}
	*rows = append(*rows, shareRow{Path: path, Shares: n.Shares, Jobs: n.Jobs, Running: n.Active, Level: show.Number(level), Total: show.Number(total),
		Target: show.Number(n.LevelShare), Entitled: show.Number(n.Proportion), Actual: show.Number(actual), Usage: show.Number(n.Usage), Temporary: n.Temporary})
	sum := 0.0
	for _, c := range n.Children {
		if !c.Temporary {
			sum += float64(c.Shares)
		}
	}
	if path != "/" {
		path += "/"
	}
	for _, c := range n.Children {
		part := 0.0
		if sum > 0 {
			part = float64(c.Shares) / sum
		}
		addShares(rows, c, path+c.Name, part, total*part, all)
	}
}

func percent(v show.Number) string { return strconv.FormatFloat(100*float64(v), 'f', 2, 64) }
