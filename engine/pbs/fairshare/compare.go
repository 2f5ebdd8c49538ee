package fairshare

// Compare says which of two entities is more deserving: negative for a, positive for b, 0 for equal.
//
// The scheduler walks from the root to both. When the paths separate, it compares temporary usage divided by
// percentage of the two nodes. The smaller one wins. If both are equal, it goes one level down. It stops when
// one path ends: a node is equal to everything below it. So two entities can each equal a third one, but not
// each other (Intransitive).
func Compare(a, b *Node) int { return decide(a, b).order }

// Compare2 is Compare for entities of two trees with the same nodes. Each entity has the numbers of its own
// tree.
func Compare2(a, b *Node) int {
	for a.depth > b.depth {
		a = a.Parent
	}
	for b.depth > a.depth {
		b = b.Parent
	}
	var above, beside []*Node
	for ; a != nil && b != nil && a.Name != b.Name; a, b = a.Parent, b.Parent {
		above, beside = append(above, a), append(beside, b)
	}
	for i := len(above) - 1; i >= 0; i-- {
		if d := level(above[i], beside[i]); d.reason > Tie {
			return d.order
		}
	}
	return 0
}

// A Reason says how a comparison ended.
type Reason int

const (
	Same         Reason = iota // the paths never separate, or one ends before that
	Tie                        // all compared nodes were equal until a path ended
	LessUsage                  // one has used less of its percentage
	OneShareless               // one has no percentage, and loses
	Shareless                  // neither has a percentage
)

// decision is where a walk ended: the two nodes compared last, one and the same where the ways never part.
type decision struct {
	order  int
	a, b   *Node
	reason Reason
}

// decide lifts the deeper node, since what is below the end of the shorter way is not compared.
func decide(a, b *Node) decision {
	for a.depth > b.depth {
		a = a.Parent
	}
	for b.depth > a.depth {
		b = b.Parent
	}
	return walk(a, b)
}

// walk compares two nodes of one level, those above them first.
func walk(a, b *Node) decision {
	if a == b {
		return decision{a: a, b: b}
	}
	if d := walk(a.Parent, b.Parent); d.reason > Tie {
		return d
	}
	return level(a, b)
}

// level compares the nodes of one level.
func level(a, b *Node) decision {
	d := decision{a: a, b: b, reason: LessUsage}
	switch {
	case a.Perc <= 0 && b.Perc > 0:
		d.order, d.reason = 1, OneShareless
	case a.Perc > 0 && b.Perc <= 0:
		d.order, d.reason = -1, OneShareless
	case a.Perc <= 0 && b.Perc <= 0:
		d.reason = Shareless
	case a.ratio() < b.ratio():
		d.order = -1
	case b.ratio() < a.ratio():
		d.order = 1
	default:
		d.reason = Tie
	}
	return d
}

// ratio is what nodes are compared by: temporary usage over percentage, smaller is more deserving.
func (n *Node) ratio() float64 { return n.Temporary / float64(n.Perc) }
