package multifactor

import (
	"cmp"
	"math"
	"slices"
)

// FairTree is the fair-share factor of each user by the fair tree. All users are ranked: the users of one
// account come after all users of a sibling account that has more of its share left. The factor is rank
// divided by number of users; the first user has 1. Usage is that of the last pass, decayed by the factor.
//
// Siblings of equal level fairshare have one rank. By the manual, accounts of equal level fairshare are
// ranked as one. But the server's search for them ends at the first account (22.05.8, and today). So one
// account comes after the other, and only the first users of the second have the rank of the last user of the
// first (M5).
func FairTree(root *Assoc, decay float64) map[*Assoc]float64 {
	t := plant(root, true)
	t.decay(decay)
	f := &fairTree{factors: map[*Assoc]float64{}, users: float64(t.users), rank: t.users, next: t.users}
	f.visit(t.nodes[0].below, false)
	return f.factors
}

type fairTree struct {
	factors    map[*Assoc]float64
	users      float64
	rank, next int // of the user before, and of the next one who is not tied with him
}

// noLevel stands for the level fairshare of an account with FairShare=parent, and of what comes before the
// first sibling.
const noLevel = math.MaxUint32 - 1

// visit ranks siblings. They begin tied where their account is tied with what came before it.
func (f *fairTree) visit(siblings []*node, tied bool) {
	levels := map[*node]extended{}
	for _, n := range siblings {
		levels[n] = levelOf(n)
	}
	siblings = slices.Clone(siblings)
	slices.SortStableFunc(siblings, func(a, b *node) int {
		return cmp.Or(levels[b].Cmp(levels[a]), cmp.Compare(b2i(b.User), b2i(a.User)))
	})
	before := extend(noLevel)
	for i, n := range siblings {
		if i > 0 || !tied {
			tied = before.Cmp(levels[n]) == 0
		}
		f.place(n, tied)
		before = levels[n]
	}
}

// place ranks a user, or all below an account.
func (f *fairTree) place(n *node, tied bool) {
	if !n.User {
		f.visit(n.below, tied)
		return
	}
	if !tied {
		f.rank = f.next
	}
	f.factors[n.Assoc] = float64(f.rank) / f.users
	f.next--
}

// levelOf is the level fairshare: the part of the shares over the part of the usage among siblings;
// infinite for who has used nothing, and for a user with FairShare=parent (M6).
func levelOf(n *node) extended {
	switch {
	case n.Parent && n.User:
		return extend(math.Inf(1))
	case n.Parent:
		return extend(noLevel)
	case n.norm == 0:
		return zero()
	case n.source.usage.Sign() == 0 || n.usage.Sign() == 0:
		return extend(math.Inf(1))
	}
	return by(extend(n.norm), by(n.usage, n.source.usage))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
