package fairshare

import "slices"

// A Comparison says why one of two entities is more deserving.
type Comparison struct {
	A, B     *Node
	Order    int   // negative if A is more deserving, positive if B is, 0 if both are equal
	Ancestor *Node // the nearest common one; A or B itself if the other is below it
	Reason   Reason
	Levels   []Level // the compared nodes, from below the ancestor; the last level decided
}

// A Level is one step of the comparison.
type Level struct{ A, B Standing }

// A Standing is a node's usage beside its target.
type Standing struct {
	Node   *Node
	Target float64 // as a fraction of the ancestor's percentage
	Actual float64 // as a fraction of the ancestor's temporary usage
	Ratio  float64 // temporary usage divided by percentage, the compared value; -1 without a percentage
}

// Below is how far the usage is below the target, as a fraction of all usage below the common ancestor. It is
// negative if the usage is above the target.
func (s Standing) Below() float64 { return s.Target - s.Actual }

// Explain records the steps of Compare.
func Explain(a, b *Node) Comparison {
	d := decide(a, b)
	ancestor := common(d.a, d.b)
	c := Comparison{A: a, B: b, Order: d.order, Ancestor: ancestor, Reason: d.reason}
	for x, y := d.a, d.b; x != y; x, y = x.Parent, y.Parent {
		c.Levels = append(c.Levels, Level{x.standing(ancestor), y.standing(ancestor)})
	}
	slices.Reverse(c.Levels)
	return c
}

// common is the first node that two nodes of one level share.
func common(a, b *Node) *Node {
	for a != b {
		a, b = a.Parent, b.Parent
	}
	return a
}

// standing compares what n has used with what it is due, seen from a node above it.
func (n *Node) standing(ancestor *Node) Standing {
	s := Standing{Node: n, Actual: n.Temporary / ancestor.Temporary, Ratio: -1}
	if n.Perc != 0 {
		s.Target = float64(n.Perc) / float64(ancestor.Perc)
		s.Ratio = n.ratio()
	}
	return s
}
