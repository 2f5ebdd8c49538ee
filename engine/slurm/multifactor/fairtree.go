package multifactor

import (
	"cmp"
	"math"
	"slices"
)

// FairTree is the factor of each user by the fair tree: all users are ranked, those of an account behind
// all of a sibling that has more left of its share; the rank is divided by the number of users, so that the
// first one has 1. The usage is that of the last pass, and decays by the factor first.
//
// Siblings of one level fairshare share a rank. Accounts of one level fairshare would be ranked as one by
// the documents; the server's search for them ends at the first account (22.05.8, and today), so that one
// comes behind the other, and only the first users of the second have the rank of the last one of the first
// (M5).
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
