package fairshare

import "slices"

// A Comparison says why one of two entities is more deserving.
type Comparison struct {
	A, B     *Node
	Order    int   // negative where A is more deserving, positive where B is, 0 where both are equal
	Ancestor *Node // the first common one; A or B itself where the other is below it
	Reason   Reason
	Levels   []Level // what was compared, from below the ancestor on; the last one decided
}

// A Level is one step of the walk.
type Level struct{ A, B Standing }

// A Standing is how far a node is from what it is due.
type Standing struct {
	Node   *Node
	Target float64 // its part of the ancestor's percentage
	Actual float64 // its part of the ancestor's temporary usage
	Ratio  float64 // temporary usage over percentage, by which nodes are compared; without a percentage -1
}

// Below is how much the node has used less than its target, as a part of all that was used below the common ancestor;
// negative where it has used more.
func (s Standing) Below() float64 { return s.Target - s.Actual }

// Explain says how Compare finds who is more deserving.
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
