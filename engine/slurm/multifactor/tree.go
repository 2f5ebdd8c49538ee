package multifactor

import (
	"math"
	"time"

	"qprism/engine/formula/libm"
	"qprism/engine/model"
)

// An Assoc is a node of the tree of associations.
type Assoc = model.SlurmAssoc

// A node is an association as the server holds it.
type node struct {
	*Assoc
	parent *node    // nil for the root
	source *node    // the nearest account above with shares of its own, by which it is measured
	below  []*node  // those whose source it is, in the order of the tree
	level  uint32   // sum of the shares of what its source is the source of
	norm   float64  // normalized shares
	usage  extended // with all that is below it
}

// A tree is the associations of a cluster, parents first.
type tree struct {
	nodes []*node
	users int
}

// plant makes the tree of a root with its usage. What a node used itself is added to all above it, node by node.
func plant(root *Assoc, fair bool) *tree {
	t := &tree{}
	t.grow(root, nil)
	for _, n := range t.nodes {
		own := extend(n.Usage)
		for up := n; up != nil; up = up.parent {
			up.usage = plus(up.usage, own)
		}
	}
	for _, n := range t.nodes {
		sum := n.sharesBelow()
		for _, c := range n.below {
			c.level = sum
		}
	}
	for _, n := range t.nodes {
		if n.norm = n.product(); fair {
			n.norm = n.part()
		}
	}
	return t
}

func (t *tree) grow(a *Assoc, parent *node) {
	n := &node{Assoc: a, parent: parent, source: parent, usage: zero()}
	t.nodes = append(t.nodes, n)
	if a.User {
		t.users++
	}
	for n.source != nil && n.source.Parent && n.source.source != nil {
		n.source = n.source.source
	}
	if n.source != nil {
		n.source.below = append(n.source.below, n)
	}
	for _, c := range a.Children {
		t.grow(c, n)
	}
}

func (n *node) sharesBelow() (sum uint32) {
	for _, c := range n.below {
		if c.Parent {
			sum += c.sharesBelow()
		} else {
			sum += c.Shares
		}
	}
	return sum
}

// part is the normalized shares of the fair tree: the part of those at its level.
func (n *node) part() float64 {
	if n.Parent && n.source != nil {
		return n.source.part()
	}
	if n.level == 0 {
		return 0
	}
	return float64(n.Shares) / float64(n.level)
}

// product is the normalized shares of the classic algorithm: the product of the parts from here up to the root.
func (n *node) product() float64 {
	if n.Parent && n.source != nil {
		return n.source.product()
	}
	product := 1.0
	for up := n; up.parent != nil; up = up.parent {
		switch {
		case up.Parent:
		case up.level == 0:
			product = 0
		default:
			product *= float64(up.Shares) / float64(up.level)
		}
	}
	return product
}

// decay lets the usage of every association decay.
func (t *tree) decay(factor float64) {
	by := extend(factor)
	for _, n := range t.nodes {
		n.usage = times(n.usage, by)
	}
}

// Decay is the factor by which usage decays in a time; 1 without a half-life. It is not quite
// 2^(-time/half-life): the server uses 0.693 for ln 2, and only the first two terms of the series (M8).
func Decay(halfLife, elapsed time.Duration) float64 {
	if halfLife <= 0 || elapsed <= 0 {
		return 1
	}
	second := 1 - 0.693/math.Floor(halfLife.Seconds())
	return max(libm.Pow(second, math.Floor(elapsed.Seconds())), 0x1p-1022)
}
