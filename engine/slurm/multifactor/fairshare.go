package multifactor

import (
	"cmp"
	"math"
	"slices"
)

// An Assoc is a node of the tree of associations: an account, or a user in an account.
type Assoc struct {
	Name     string
	User     bool
	Shares   uint32 // FairShare
	Parent   bool   // FairShare=parent: it has the shares and usage of its account
	Usage    float64
	Children []*Assoc // of an account; its usage is what theirs sum to, and its own
}

// usage is that of a node and all below it.
func (a *Assoc) usage() float64 {
	sum := a.Usage
	for _, c := range a.Children {
		sum += c.usage()
	}
	return sum
}

// Classic is the factor of each user by the classic algorithm: 2 to the power of minus effective usage over shares. The effective
// usage of a node is its own, and of what its account has used beyond that, as much as its part of the shares.
func Classic(root *Assoc) map[*Assoc]float64 {
	factors := map[*Assoc]float64{}
	all := root.usage()
	var walk func(a *Assoc, shares, effective float64, first bool)
	walk = func(a *Assoc, shares, effective float64, first bool) {
		sum := sharesOf(a.Children)
		for _, c := range a.Children {
			s, e := shares, effective
			if !c.Parent {
				part := over(float64(c.Shares), sum)
				own := over(c.usage(), all)
				s, e = shares*part, own+(effective-own)*part
				if first { // below the root the effective usage is the actual one
					e = own
				}
			}
			if c.User {
				factors[c] = classicFactor(e, s)
				continue
			}
			walk(c, s, e, false)
		}
	}
	walk(root, 1, 1, true)
	return factors
}

func classicFactor(effective, shares float64) float64 {
	if shares <= 0 {
		return 0
	}
	return math.Exp2(-effective / shares)
}

func sharesOf(list []*Assoc) (sum float64) {
	for _, c := range list {
		if !c.Parent {
			sum += float64(c.Shares)
		}
	}
	return sum
}

func over(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// FairTree is the factor of each user by the fair tree: all users are ranked, those of an account behind all of a sibling that
// has more left of its share; the rank is divided by the number of users, so that the first one has 1. Users of one level
// fairshare have one rank, a user beside such an account that of its first user, and such accounts are ranked as one.
func FairTree(root *Assoc) map[*Assoc]float64 {
	t := &fairTree{factors: map[*Assoc]float64{}}
	t.users = countUsers(root)
	t.rank = t.users
	t.visit([]*Assoc{root})
	return t.factors
}

type fairTree struct {
	factors     map[*Assoc]float64
	users, rank int
}

func countUsers(a *Assoc) (n int) {
	for _, c := range a.Children {
		if c.User {
			n++
		} else {
			n += countUsers(c)
		}
	}
	return n
}

// A leveled node has its level fairshare: the part of the shares over the part of the usage among its siblings.
type leveled struct {
	*Assoc
	level float64
}

// visit ranks what is below accounts that are ranked as one.
func (t *fairTree) visit(accounts []*Assoc) {
	var list []leveled
	for _, a := range accounts {
		list = append(list, levels(a.Children)...)
	}
	slices.SortStableFunc(list, func(a, b leveled) int {
		return cmp.Or(cmp.Compare(b.level, a.level), cmp.Compare(b2i(b.User), b2i(a.User)))
	})
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].level == list[i].level {
			end++
		}
		t.tied(list[i:end])
		i = end
	}
}

// tied ranks nodes of one level fairshare: users all alike, then those of the accounts.
func (t *fairTree) tied(list []leveled) {
	rank, users := t.rank, 0
	var accounts []*Assoc
	for _, n := range list {
		if !n.User {
			accounts = append(accounts, n.Assoc)
			continue
		}
		users++
		t.factors[n.Assoc] = float64(rank) / float64(t.users)
	}
	if len(accounts) > 0 {
		t.visit(accounts)
	}
	t.rank -= users
}

func levels(siblings []*Assoc) (list []leveled) {
	shares, usage := sharesOf(siblings), 0.0
	for _, s := range siblings {
		usage += s.usage()
	}
	for _, s := range siblings {
		list = append(list, leveled{s, level(s, shares, usage)})
	}
	return list
}

// level is infinite for who has used nothing.
func level(a *Assoc, shares, usage float64) float64 {
	if a.Parent {
		return 1 // its account's, which is what it is measured by
	}
	u, s := over(a.usage(), usage), over(float64(a.Shares), shares)
	switch {
	case s == 0:
		return 0
	case u == 0:
		return math.Inf(1)
	}
	return s / u
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
