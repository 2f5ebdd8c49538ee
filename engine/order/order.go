package order

import "math"

// Pairs counts pairs of things by their order in two rankings.
type Pairs struct {
	All        int64
	Concordant int64 // the same one comes first in both
	Discordant int64 // inversions: another one comes first
	TiedA      int64 // in the first ranking
	TiedB      int64 // in the second
	TiedBoth   int64
}

// Count counts pairs with one sort and one merge sort, after W. R. Knight (1966), in O(n log n).
func Count(a, b []int32) Pairs {
	keys := sortedKeys(a, b)
	second := make([]int32, len(keys))
	for i, k := range keys {
		second[i] = lower(k)
	}
	n := int64(len(keys))
	p := Pairs{All: n * (n - 1) / 2, TiedA: tied(keys, func(x, y uint64) bool { return x>>32 == y>>32 }),
		TiedBoth: tied(keys, func(x, y uint64) bool { return x == y })}
	p.Discordant = inversions(second)
	p.TiedB = tied(second, func(x, y int32) bool { return x == y })
	p.Concordant = p.All - p.Discordant - p.TiedA - p.TiedB + p.TiedBoth
	return p
}

// TauB is Kendall's tau-b: 1 for the same order, -1 for the reverse order, 0 for no relation. It is NaN if
// all things of a ranking are tied.
func (p Pairs) TauB() float64 {
	return float64(p.Concordant-p.Discordant) / math.Sqrt(float64(p.All-p.TiedA)*float64(p.All-p.TiedB))
}

// TauB is Kendall's tau-b of two rankings.
func TauB(a, b []int32) float64 { return Count(a, b).TauB() }

// sortedKeys are the things as pairs of ranks in one number each, sorted by the first rank, then by the second.
func sortedKeys(a, b []int32) []uint64 {
	key := func(i int) uint64 { return uint64(ordered(a[i]))<<32 | uint64(ordered(b[i])) }
	keys := make([]uint64, len(a))
	for n, i := range Sorted(len(a), key) {
		keys[n] = key(int(i))
	}
	return keys
}

// ordered is a number without sign that sorts as the rank does.
func ordered(rank int32) uint32 { return uint32(rank) ^ 1<<31 }

// lower is the second rank of a key.
func lower(key uint64) int32 { return int32(uint32(key) ^ 1<<31) }

// tied counts the pairs of neighbours in runs of the same, in a sorted list.
func tied[T any](sorted []T, same func(a, b T) bool) (pairs int64) {
	run := int64(0)
	for i := 1; i < len(sorted); i++ {
		if same(sorted[i-1], sorted[i]) {
			run++
		} else {
			run = 0
		}
		pairs += run
	}
	return pairs
}

// inversions counts the pairs in which the greater one comes first, and sorts the list.
func inversions(list []int32) (pairs int64) {
	from, to := list, make([]int32, len(list))
	for width := 1; width < len(from); width *= 2 {
		for lo := 0; lo < len(from); lo += 2 * width {
			mid, hi := min(lo+width, len(from)), min(lo+2*width, len(from))
			pairs += merge(to[lo:hi], from[lo:mid], from[mid:hi])
		}
		from, to = to, from
	}
	copy(list, from)
	return pairs
}

// merge merges two sorted lists; each that the right one gives before the rest of the left one is inverted
// with all of that.
func merge(to, left, right []int32) (pairs int64) {
	for k := range to {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			to[k], left = left[0], left[1:]
		} else {
			pairs += int64(len(left))
			to[k], right = right[0], right[1:]
		}
	}
	return pairs
}
