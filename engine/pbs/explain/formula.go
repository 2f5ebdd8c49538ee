package explain

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/explain"
	"qprism/engine/formula"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

// parse readies the formula; nil where it cannot be evaluated.
func (sc *Scene) parse() (*formula.Job, formula.Names) {
	names := formula.KnownNames(sc.snapshot.Resources)
	f, err := formula.ParseJob(sc.lineup.Formula, names)
	if err != nil {
		return nil, names
	}
	return f, names
}

// formula derives the value of job_sort_formula: the sum of its terms, and what each reads.
func (sc *Scene) formula(s *criteria.JobValues) explain.Term {
	f, names := sc.parse()
	if f == nil {
		return explain.Term{Value: float64(s.Formula), Note: "job_sort_formula cannot be evaluated, so every job has 0"}
	}
	r := f.Evaluate(s.Input)
	exact := explain.Term{Name: "exactly", Value: r.Exact, Text: explain.Number(r.Exact)}
	switch {
	case r.Err != nil:
		return explain.Term{Value: float64(s.Formula), Note: "the formula fails for this job (" +
			r.Err.Error() + "), so its value is 0"}
	case r.NoType != "":
		return explain.Term{Value: float64(s.Formula), Note: "the result of the formula is a " + r.NoType + ", not a number"}
	}
	exact = sc.formulaSum(f, names, s, exact)
	exact.Text = ""
	if float64(float32(exact.Value)) == exact.Value {
		return exact
	}
	t := explain.Made("formula", float64(s.Formula), explain.Single, exact)
	t.Note = "rounded to 24 bits"
	t.Terms[0].Text = exact.Expression()
	return t
}

// formulaSum makes a sum of the formula's terms, where it is one and all of them have values.
func (sc *Scene) formulaSum(f *formula.Job, names formula.Names, s *criteria.JobValues,
	whole explain.Term) explain.Term {
	t := explain.Term{Name: whole.Name, Value: whole.Value, Op: explain.Sum}
	parts := f.Terms(names)
	if len(parts) < 2 {
		return oneTerm(f, s, whole)
	}
	for _, part := range parts {
		r := part.Evaluate(s.Input)
		if r.Err != nil || r.NoType != "" {
			return oneTerm(f, s, whole)
		}
		p := explain.Term{Name: part.Text, Value: r.Exact, Minus: part.Minus, Terms: reads(part.Job, s)}
		p.Text = explain.Number(r.Exact) + " " + part.Text
		if len(p.Terms) != 1 || p.Terms[0].Name != part.Text {
			p.Text = explain.Number(r.Exact) + " (" + part.Text + with(p.Terms) + ")"
		}
		t.Terms = append(t.Terms, p)
	}
	return t
}

// oneTerm is the value of a formula that is taken as a whole.
func oneTerm(f *formula.Job, s *criteria.JobValues, whole explain.Term) explain.Term {
	t := explain.Term{Name: f.String(), Value: whole.Value, Terms: reads(f, s)}
	if t.Text = f.String() + with(t.Terms); len(t.Terms) == 1 && t.Terms[0].Name == t.Name {
		t.Text = t.Terms[0].Words()
	}
	return explain.Made(whole.Name, whole.Value, explain.Copy, t)
}

// with says what a formula reads: " with ncpus 4, walltime 3600".
func with(terms []explain.Term) string {
	var words []string
	for i := range terms {
		words = append(words, terms[i].Words())
	}
	if len(words) == 0 {
		return ""
	}
	return " with " + strings.Join(words, ", ")
}

// reads are the names that a formula reads, with their numbers.
func reads(f *formula.Job, s *criteria.JobValues) []explain.Term {
	var terms []explain.Term
	for _, name := range f.Names() {
		terms = append(terms, ofShares(explain.Fact(name, s.Input.Number(name)), s.Node))
	}
	slices.SortFunc(terms, func(a, b explain.Term) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(terms, func(a, b explain.Term) bool { return a.Name == b.Name })
}

// ofShares says how a number of the fairshare tree is made, by the formulas of PP-718: an entity's usage
// with a part of its parent's, and what that makes of its target.
func ofShares(t explain.Term, n *fairshare.Node) explain.Term {
	if n == nil || n.Parent == nil {
		return t
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	own := n.Usage / root.Usage
	switch text := t.Words(); {
	case t.Name == "fairshare_tree_usage" && n.Parent == root:
		t.Text = fmt.Sprintf("%s (%s/%s of all usage)", text, explain.Number(n.Usage), explain.Number(root.Usage))
	case t.Name == "fairshare_tree_usage":
		t.Text = fmt.Sprintf(
			"%s (usage %s/%s + (%s's %s - %s) × %d/%d shares)",
			text,
			explain.Number(n.Usage),
			explain.Number(root.Usage),
			n.Parent.Name,
			explain.Number(float64(n.Parent.TreeUsage)),
			explain.Number(own),
			n.Shares,
			n.Parent.SharesBelow(),
		)
	case t.Name == "fairshare_factor" && n.Perc > 0:
		t.Text = fmt.Sprintf(
			"%s (2^-(fairshare_tree_usage %s ÷ fairshare_perc %s); 0.5 is on target)",
			text,
			explain.Number(float64(n.TreeUsage)),
			explain.Number(float64(n.Perc)),
		)
	}
	return t
}

// fairshare derives what an entity is compared by: on every level of the tree its usage by its percentage.
func (sc *Scene) fairshare(s *criteria.JobValues) explain.Term {
	n := s.Node
	if n == nil {
		return explain.Term{Text: "no entity is charged"}
	}
	t := explain.Term{Op: explain.Levels, Text: n.Name}
	for _, node := range n.Path() {
		if node.Parent != nil {
			t.Terms = append(t.Terms, sc.node(node))
		}
	}
	if len(t.Terms) > 0 {
		t.Value = t.Terms[len(t.Terms)-1].Value
	}
	return t
}

// node derives usage by percentage of one node, and its percentage from shares.
func (sc *Scene) node(n *fairshare.Node) explain.Term {
	usage, perc := explain.Fact("usage", n.Temporary), sc.percentage(n)
	if n.Perc == 0 {
		return explain.Term{Name: n.Name, Value: -1, Text: "no share",
			Note: "no percentage, so it comes after all entities with a percentage", Terms: []explain.Term{usage, perc}}
	}
	return explain.Made(n.Name, n.Temporary/float64(n.Perc), explain.Product, usage, perc.Dividing())
}

// percentage derives the part of the whole tree that a node has: that of its parent, divided as shares are
// among siblings.
func (sc *Scene) percentage(n *fairshare.Node) explain.Term {
	t := explain.Term{Name: "share of " + n.Name, Value: float64(n.Perc)}
	if n.Parent == nil || n.Part == 0 {
		return t
	}
	all := n.Parent.SharesBelow()
	exact := explain.Made("part among siblings", float64(n.Shares)/float64(all), explain.Product,
		explain.Fact("shares", float64(n.Shares)),
		explain.Fact("shares of all siblings", float64(all)).Dividing())
	part := explain.Made("part among siblings", float64(n.Part), explain.Single, exact).
		As(explain.Number(float64(n.Shares)) + "/" + explain.Number(float64(all)) + " shares")
	whole := explain.Made("exactly", part.Value*float64(n.Parent.Perc), explain.Product, part)
	if n.Parent.Parent != nil {
		whole.Terms = append(whole.Terms, sc.percentage(n.Parent))
	}
	t.Op, t.Terms = explain.Single, []explain.Term{whole.As(whole.Expression())}
	return t
}
