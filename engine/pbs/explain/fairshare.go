package explain

import (
	"qprism/engine/explain"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

// fairshare derives what an entity is compared by: on every level of the tree its usage by its percentage.
func (sc *Scene) fairshare(s *criteria.Stand) explain.Term {
	n := s.Node
	if n == nil {
		return explain.Term{Text: "nobody is charged"}
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
			Note: "no percentage: it comes after all that have one", Terms: []explain.Term{usage, perc}}
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
