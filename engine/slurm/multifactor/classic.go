package multifactor

import "qprism/engine/formula/libm"

// Classic is the fair-share factor of each user by the classic algorithm: 2^(-effective usage/shares). The
// effective usage of a node is its own usage plus a part of the rest of its account's usage, by its shares.
//
// Usage is that of the last pass, decayed by the factor in this one. The server computes the effective usage
// of accounts before the decay, and that of users after it (M7).
func Classic(root *Assoc, decay float64) map[*Assoc]float64 {
	t := plant(root, false)
	c := &classic{effective: map[*node]extended{t.nodes[0]: extend(1)}, root: t.nodes[0]}
	for _, n := range t.nodes[1:] {
		if !n.User {
			c.settle(n)
		}
	}
	t.decay(decay)
	factors := map[*Assoc]float64{}
	for _, n := range t.nodes {
		if n.User {
			factors[n.Assoc] = c.factor(n)
		}
	}
	return factors
}

type classic struct {
	effective map[*node]extended
	root      *node
}

// factor is that of a user, or of the account by which he is measured.
func (c *classic) factor(n *node) float64 {
	of := n
	if n.Parent && n.source != nil {
		of = n.source
	}
	if c.effective[of] == nil {
		c.settle(of)
	}
	if of.norm <= 0 {
		return 0
	}
	return libm.Pow(2, -double(by(c.effective[of], extend(of.norm))))
}

// settle sets the effective usage of a node whose source has one.
func (c *classic) settle(n *node) {
	own := c.normalized(n)
	switch {
	case n.source == c.root:
		c.effective[n] = own
	case n.Parent || n.level == 0:
		c.effective[n] = c.effective[n.source]
	default:
		rest := minus(c.effective[n.source], own)
		c.effective[n] = plus(own, times(rest, by(extend(float64(n.Shares)), extend(float64(n.level)))))
	}
}

// normalized is the part that a node has of all usage, at most 1.
func (c *classic) normalized(n *node) extended {
	if c.root.usage.Sign() == 0 {
		return zero()
	}
	part := by(n.usage, c.root.usage)
	if one := extend(1); part.Cmp(one) > 0 {
		return one
	}
	return part
}
