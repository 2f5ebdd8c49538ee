package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A FairView is what shares shows of a PBS fairshare tree: all nodes, unless one of these is chosen.
type FairView struct {
	entity  string
	outline bool
	compare []string
}

// addFairView gives a command the flags that choose a view.
func addFairView(c *cobra.Command, v *FairView) {
	c.Flags().StringVar(&v.entity, "entity", "", "PBS: one `entity` and its way from the root, as pbsfs -g")
	c.Flags().BoolVar(&v.outline, "tree", false, "PBS: names alone, as pbsfs -t")
	c.Flags().StringSliceVar(&v.compare, "compare", nil, "PBS: of two `entities`, a,b, the more deserving one and why, as pbsfs -c")
	c.MarkFlagsMutuallyExclusive("entity", "tree", "compare")
}

// chosen reports whether anything else than all nodes is asked for.
func (v FairView) chosen() bool { return v.entity != "" || v.outline || len(v.compare) > 0 }

// Shares prints the fairshare tree of PBS.
func (s PBSOrdering) Shares(d *cli.Deps, v FairView, w io.Writer) error {
	return printFairshare(d.Output(w), s.Snapshot, v)
}

// sharesPBSHelp is what the help of shares says of PBS.
const sharesPBSHelp = `Of PBS, shares prints what pbsfs prints, column for column: the tree made of resource_group,
the usage file and sched_config. It is not quite the tree that the scheduler calculates with:
in its memory groups are charged and decay on their own, until it starts or reads the file anew.`

// printFairshare prints the fairshare tree of a PBS snapshot as its files hold it.
func printFairshare(out show.Output, s *model.Snapshot, v FairView) error {
	tree := fairshare.Build(s.PBS.Fairshare)
	nodes, err := v.nodes(tree)
	if err != nil {
		return err
	}
	switch {
	case out.Format == "json":
		return out.JSON(fairReportOf(s, v, tree, nodes))
	case out.Tabular():
		return out.Sheet(fairSheet(nodes))
	}
	if _, err := io.WriteString(out.W, visible(v.text(tree, nodes, s.PBS.Fairshare.Policy.UsageResource))); err != nil {
		return err
	}
	out.Say("\nThis is the tree of the files, as pbsfs shows it. Groups in the scheduler's memory are charged and decay on their own.")
	for _, name := range ambiguous(s) {
		out.Say("The order of jobs has no unique solution: %s equals others that differ among themselves.", show.Printable(name))
	}
	for _, r := range tree.Rejected {
		out.Say("Left out by PBS: %s", rejection(r))
	}
	return nil
}

// nodes are those of the view: all, one, or the two to compare.
func (v FairView) nodes(tree *fairshare.Tree) ([]*fairshare.Node, error) {
	names := v.compare
	switch {
	case len(v.compare) == 1 || len(v.compare) > 2:
		return nil, errors.New("--compare needs two entities: --compare bob,suzy")
	case v.entity != "":
		names = []string{v.entity}
	case len(names) == 0:
		return slices.Collect(tree.All()), nil
	}
	var nodes []*fairshare.Node
	for _, name := range names {
		n := tree.Find(name)
		if n == nil {
			return nil, fmt.Errorf("there is no fairshare entity %s; --tree lists all", show.Printable(name))
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// text is what pbsfs prints, and why one of two is more deserving.
func (v FairView) text(tree *fairshare.Tree, nodes []*fairshare.Node, unit string) string {
	switch {
	case len(v.compare) > 0:
		return fairshare.Winner(nodes[0], nodes[1]) + "\n" + comparisonWords(fairshare.Explain(nodes[0], nodes[1]))
	case v.entity != "":
		return nodes[0].Show(unit)
	case v.outline:
		return tree.Outline()
	}
	return tree.List(unit)
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

// ambiguous are the entities of the snapshot's jobs for which the order of jobs depends on how the scheduler sorts.
func ambiguous(s *model.Snapshot) []string {
	var names []string
	for i := range s.Jobs {
		names = append(names, fairshare.EntityOf(s.PBS.Fairshare.Policy, &s.Jobs[i]))
	}
	slices.Sort(names)
	tree := fairshare.Build(s.PBS.Fairshare)
	var found []string
	for _, n := range fairshare.Intransitive(tree.Entities(slices.Compact(names))) {
		found = append(found, n.Name)
	}
	return found
}

func rejection(r fairshare.Rejected) string {
	text := show.Printable(r.Name) + ": " + show.Printable(r.Reason)
	if r.Line > 0 {
		text = "resource_group line " + strconv.Itoa(r.Line) + ": " + text
	}
	return text
}

// comparisonWords says in sentences what was compared, level by level.
func comparisonWords(c fairshare.Comparison) string {
	var b strings.Builder
	for _, l := range c.Levels {
		fmt.Fprintf(&b, "Below %s, %s; %s.\n", c.Ancestor.Name, standingWords(l.A), standingWords(l.B))
	}
	b.WriteString(verdictWords(c) + "\n")
	return b.String()
}

// standingWords says how far a node is from its target: "bob has used 8.3% where 20.0% are due, 11.7% below target".
func standingWords(s fairshare.Standing) string {
	if s.Node.Perc == 0 {
		return s.Node.Name + " has no shares"
	}
	side, distance := "below", s.Below()
	if distance < 0 {
		side, distance = "above", -distance
	}
	return fmt.Sprintf("%s has used %.1f%% where %.1f%% are due, %.1f%% %s target", s.Node.Name, 100*s.Actual, 100*s.Target, 100*distance, side)
}

// verdictWords says what decided.
func verdictWords(c fairshare.Comparison) string {
	last := fairshare.Level{}
	if len(c.Levels) > 0 {
		last = c.Levels[len(c.Levels)-1]
	}
	switch {
	case c.A == c.B:
		return "They are one and the same."
	case c.Reason == fairshare.Same:
		return fmt.Sprintf("%s is above the other: the scheduler compares no further, though those below it differ among themselves.", c.Ancestor.Name)
	case c.Reason == fairshare.Shareless:
		return "Neither has shares: the next criterion decides."
	case c.Reason == fairshare.Tie:
		return "Both have used the same of what they are due: the next criterion decides."
	}
	winner, node := c.A, last.A.Node
	if c.Order > 0 {
		winner, node = c.B, last.B.Node
	}
	if c.Reason == fairshare.OneShareless {
		return fmt.Sprintf("%s has shares and the other none: %s comes first.", node.Name, winner.Name)
	}
	return fmt.Sprintf("%s has used less of what it is due: %s comes first.", node.Name, winner.Name)
}

// fairReport is the tree as JSON. Usage is that of the files, see view.
type fairReport struct {
	Cluster    string          `json:"cluster"`
	Release    string          `json:"release"`
	View       string          `json:"view"` // "files": what pbsfs shows, not what the scheduler has in memory
	Unit       string          `json:"unit"`
	Nodes      []fairRow       `json:"nodes"`
	Comparison *fairComparison `json:"comparison,omitempty"`
	Ambiguous  []string        `json:"ambiguous"` // entities that make the order of jobs depend on how it is sorted
	Rejected   []string        `json:"rejected"`
}

// fairRow is a node.
type fairRow struct {
	Name         string      `json:"name"`
	Path         string      `json:"path"`
	Resgroup     int32       `json:"resgroup"`
	Cresgroup    int32       `json:"cresgroup"`
	Shares       int32       `json:"shares"`
	Part         single      `json:"group_percentage"`
	Perc         single      `json:"fairshare_perc"`
	Usage        show.Number `json:"usage"`
	TreeUsage    single      `json:"fairshare_tree_usage"`
	Factor       show.Number `json:"fairshare_factor"`
	UsagePerPerc show.Number `json:"usage_per_perc"`
}

// fairComparison is a comparison as JSON.
type fairComparison struct {
	A        string      `json:"a"`
	B        string      `json:"b"`
	Winner   string      `json:"winner"` // empty where they are equal
	Ancestor string      `json:"first_common_ancestor"`
	Reason   string      `json:"reason"`
	Levels   []fairLevel `json:"levels"`
}

type fairLevel struct {
	A fairStanding `json:"a"`
	B fairStanding `json:"b"`
}

type fairStanding struct {
	Name   string      `json:"name"`
	Target show.Number `json:"target"`
	Actual show.Number `json:"actual"`
	Below  show.Number `json:"below_target"`
}

func fairReportOf(s *model.Snapshot, v FairView, tree *fairshare.Tree, nodes []*fairshare.Node) fairReport {
	r := fairReport{Cluster: s.Cluster, Release: s.Release.String(), View: "files", Unit: s.PBS.Fairshare.Policy.UsageResource,
		Ambiguous: append([]string{}, ambiguous(s)...), Rejected: []string{}}
	for _, n := range nodes {
		r.Nodes = append(r.Nodes, fairRowOf(n))
	}
	if len(v.compare) > 0 {
		r.Comparison = fairComparisonOf(fairshare.Explain(nodes[0], nodes[1]))
	}
	for _, x := range tree.Rejected {
		r.Rejected = append(r.Rejected, rejection(x))
	}
	return r
}

func fairRowOf(n *fairshare.Node) fairRow {
	return fairRow{Name: n.Name, Path: fairPath(n), Resgroup: n.Group, Cresgroup: n.Children, Shares: n.Shares, Part: single(n.Part), Perc: single(n.Perc),
		Usage: show.Number(n.Usage), TreeUsage: single(n.TreeUsage), Factor: show.Number(n.Factor()), UsagePerPerc: show.Number(n.PerShare())}
}

// fairPath is the names from the root to a node.
func fairPath(n *fairshare.Node) string {
	if n.Depth() == 0 {
		return n.Name
	}
	var names []string
	for _, p := range n.Path() {
		names = append(names, p.Name)
	}
	return strings.Join(names, "/")
}

// reasons are the words of JSON for what ended a comparison.
var reasons = map[fairshare.Reason]string{
	fairshare.Same: "same way", fairshare.Tie: "tie", fairshare.LessUsage: "less usage",
	fairshare.OneShareless: "one has no shares", fairshare.Shareless: "neither has shares",
}

func fairComparisonOf(c fairshare.Comparison) *fairComparison {
	r := &fairComparison{A: c.A.Name, B: c.B.Name, Ancestor: c.Ancestor.Name, Reason: reasons[c.Reason], Levels: []fairLevel{}}
	switch {
	case c.Order < 0:
		r.Winner = r.A
	case c.Order > 0:
		r.Winner = r.B
	}
	for _, l := range c.Levels {
		r.Levels = append(r.Levels, fairLevel{fairStandingOf(l.A), fairStandingOf(l.B)})
	}
	return r
}

func fairStandingOf(s fairshare.Standing) fairStanding {
	return fairStanding{Name: s.Node.Name, Target: show.Number(s.Target), Actual: show.Number(s.Actual), Below: show.Number(s.Below())}
}

// fairSheet is the nodes as a table.
func fairSheet(nodes []*fairshare.Node) show.Sheet {
	t := show.Sheet{Columns: show.Columns("name", "path", ">resgroup", ">cresgroup", ">shares", ">fairshare_perc", ">usage", ">fairshare_tree_usage", ">fairshare_factor")}
	for _, n := range nodes {
		t.Add(n.Name, fairPath(n), decimal32(n.Group), decimal32(n.Children), decimal32(n.Shares), shortest(float64(n.Perc), 32),
			shortest(n.Usage, 64), shortest(float64(n.TreeUsage), 32), shortest(n.Factor(), 64))
	}
	return t
}

// A single is a float32 that is null in JSON where it is not known.
type single float32

// MarshalJSON prints the shortest form that reads back to the same 32 bits.
func (v single) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float32(v))
}

func decimal32(n int32) string { return strconv.FormatInt(int64(n), 10) }

func shortest(v float64, bits int) string { return strconv.FormatFloat(v, 'g', -1, bits) }
