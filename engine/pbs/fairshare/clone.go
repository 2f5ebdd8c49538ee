package fairshare

import (
	"maps"
	"slices"
)

// Clone is an independent copy: a cycle that changes one does not change the other.
func (m *Memory) Clone() *Memory {
	own := *m
	own.last = slices.Clone(m.last)
	if m.Tree != nil {
		own.Tree = m.Tree.clone()
	}
	return &own
}

func (t *Tree) clone() *Tree {
	own := &Tree{Rejected: t.Rejected, byName: map[string]*Node{}}
	copies := map[*Node]*Node{}
	own.Root = t.Root.clone(nil, copies)
	own.unknown = copies[t.unknown]
	for _, name := range slices.Sorted(maps.Keys(t.byName)) {
		own.byName[name] = copies[t.byName[name]]
	}
	return own
}

func (n *Node) clone(parent *Node, copies map[*Node]*Node) *Node {
	own := *n
	own.Parent, own.below = parent, nil
	copies[n] = &own
	for _, c := range n.below {
		own.below = append(own.below, c.clone(&own, copies))
	}
	return &own
}
