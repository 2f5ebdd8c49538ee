package svg

import (
	"cmp"
	"slices"
)

// A profile is the sum of blocks over time.
type profile []change

// A change has a moment, and the amount from this moment on.
type change struct {
	at     int64
	amount float64
}

func sums(blocks []block) (p profile) {
	var changes []change
	for _, b := range blocks {
		changes = append(changes, change{b.from, b.amount}, change{b.to, -b.amount})
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	sum := 0.0
	for _, c := range changes {
		sum += c.amount
		if n := len(p); n > 0 && p[n-1].at == c.at {
			p[n-1].amount = sum
			continue
		}
		p = append(p, change{c.at, sum})
	}
	return p
}

// at returns the amount at a moment, and until when it stays.
func (p profile) at(t int64) (amount float64, until int64) {
	i, found := slices.BinarySearchFunc(p, t, func(c change, t int64) int { return cmp.Compare(c.at, t) })
	if !found {
		i--
	}
	if i >= 0 {
		amount = p[i].amount
	}
	if i+1 < len(p) {
		return amount, p[i+1].at
	}
	return amount, endless
}

// peak returns the greatest amount.
func (p profile) peak() (most float64) {
	for _, e := range p {
		most = max(most, e.amount)
	}
	return most
}
