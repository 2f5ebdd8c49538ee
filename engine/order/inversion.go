package order

import "iter"

// An Inversion is a pair of things that the two rankings order differently: Late comes first in the first
// ranking, Early in the second.
type Inversion struct{ Late, Early int }

// Inversions are all inverted pairs, in O(n log n) plus the caller's time. Their order is that of a merge
// sort: always the same for the same rankings, but with no other meaning.
func Inversions(a, b []int32) iter.Seq[Inversion] {
	return func(yield func(Inversion) bool) {
		from, to := byRanks(a, b), make([]int, len(a)) // those tied in a are not inverted in b
		for width := 1; width < len(from); width *= 2 {
			for lo := 0; lo < len(from); lo += 2 * width {
				mid, hi := min(lo+width, len(from)), min(lo+2*width, len(from))
				if !yieldMerge(to[lo:hi], from[lo:mid], from[mid:hi], b, yield) {
					return
				}
			}
			from, to = to, from
		}
	}
}

// yieldMerge merges two lists that are sorted by rank, and yields what is inverted; false where the caller has enough.
func yieldMerge(to, left, right []int, rank []int32, yield func(Inversion) bool) bool {
	for k := range to {
		if len(right) == 0 || len(left) > 0 && rank[left[0]] <= rank[right[0]] {
			to[k], left = left[0], left[1:]
			continue
		}
		for _, late := range left {
			if !yield(Inversion{Late: late, Early: right[0]}) {
				return false
			}
		}
		to[k], right = right[0], right[1:]
	}
	return true
}

// Divergence finds the first thing in the first ranking that other things overtook. Late is this thing;
// Early is the one of these that comes first in the second ranking. ok is false if there is no inversion.
func Divergence(a, b []int32) (first Inversion, ok bool) {
	sorted := byRank(a)
	overtaker := -1 // of those behind, the soonest in the second ranking
	for hi := len(sorted); hi > 0; {
		lo := hi - 1
		for lo > 0 && a[sorted[lo-1]] == a[sorted[hi-1]] {
			lo--
		}
		for k := hi - 1; k >= lo && overtaker >= 0; k-- {
			if i := sorted[k]; b[overtaker] < b[i] {
				first, ok = Inversion{Late: i, Early: overtaker}, true
			}
		}
		for k := hi - 1; k >= lo; k-- {
			if i := sorted[k]; overtaker < 0 || b[i] <= b[overtaker] {
				overtaker = i
			}
		}
		hi = lo
	}
	return first, ok
}
