package order

// Footrule is Spearman's footrule: the sum of the distances between the two places of each thing. Tied things
// share the middle of their places.
func Footrule(a, b []int32) float64 {
	x, y := places(a), places(b)
	sum := 0.0
	for i := range x {
		sum += max(x[i].middle()-y[i].middle(), y[i].middle()-x[i].middle())
	}
	return sum
}

// MostFootrule is the greatest footrule of n things: that of the reverse order.
func MostFootrule(n int) float64 { return float64(n * n / 2) }

// Overlap is the fraction of the first k things that both rankings share, between 0 and 1; 1 if k is 0. If a
// tie spans the k-th place, its things count in proportion to the places left.
func Overlap(a, b []int32, k int) float64 {
	k = min(k, len(a))
	if k <= 0 {
		return 1
	}
	x, y := places(a), places(b)
	common := 0.0
	for i := range x {
		common += min(x[i].within(k), y[i].within(k))
	}
	return common / float64(k)
}

// A span holds the places of a thing and those that are tied with it, from 0; behind is the first that is
// theirs no more.
type span struct{ first, behind int }

func (s span) middle() float64 { return float64(s.first+s.behind-1) / 2 }

// within is which part of a span is among the first k.
func (s span) within(k int) float64 {
	return float64(min(max(k-s.first, 0), s.behind-s.first)) / float64(s.behind-s.first)
}

// places are the spans of all things.
func places(rank []int32) []span {
	list := make([]span, len(rank))
	sorted := byRank(rank)
	for lo := 0; lo < len(sorted); {
		hi := lo + 1
		for hi < len(sorted) && rank[sorted[hi]] == rank[sorted[lo]] {
			hi++
		}
		for _, i := range sorted[lo:hi] {
			list[i] = span{lo, hi}
		}
		lo = hi
	}
	return list
}
