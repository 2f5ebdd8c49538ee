package fairshare

import "qprism/engine/formula/libm"

// share computes the percentages of all nodes below n from their shares, in steps of 32 bits. Where siblings have no
// shares together, or their parent has no percentage, theirs is 0.
func (t *Tree) share(n *Node) {
	sum := n.SharesBelow()
	for _, c := range n.below {
		c.Part, c.Perc = 0, 0
		if float32(sum)*n.Perc != 0 {
			c.Part = float32(c.Shares) / float32(sum)
			c.Perc = c.Part * n.Perc
		}
		t.share(c)
	}
}

// SharesBelow is the sum of the shares of a node's children.
func (n *Node) SharesBelow() (sum int32) {
	for _, c := range n.below {
		sum += c.Shares
	}
	return sum
}

// weigh computes the tree usage of all nodes from their usage.
func (t *Tree) weigh() {
	for _, c := range t.Root.below {
		c.TreeUsage = float32(c.Usage / t.Root.Usage)
		c.weigh(t.Root.Usage)
	}
}

// weigh gives every node below n its own part of all usage, and of the rest of its parent's what its shares are among
// its siblings.
func (n *Node) weigh(all float64) {
	for _, c := range n.below {
		own := float32(c.Usage / all)
		c.TreeUsage = own + float32((n.TreeUsage-own)*c.Part)
		c.weigh(all)
	}
}

// Factor is fairshare_factor of a formula: 1 for no usage, 0.5 on target, towards 0 above target; 0 without a
// percentage.
func (n *Node) Factor() float64 {
	if n.Perc == 0 {
		return 0
	}
	return libm.Pow(2, -float64(n.TreeUsage/n.Perc))
}

// Over reports whether the node used more than its percentage of all usage: the preemption level "fairshare".
// It uses the usage at the start of the cycle. An entity without a percentage is over even if it used
// nothing.
func (n *Node) Over(t *Tree) bool { return t.Root.Usage*float64(n.Perc) < n.Usage }

// PerShare is usage divided by percentage, as pbsfs prints it; -1 without a percentage.
func (n *Node) PerShare() float64 {
	if n.Perc == 0 {
		return -1
	}
	return n.Usage / float64(n.Perc)
}
