package schedule

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSortingAFewIsSortingAll compares the sort of nearly sorted lists with the obvious one.
func TestSortingAFewIsSortingAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(0, 5)).Draw(t, "keys")
		r := &run{}
		for i, k := range keys {
			r.world.queues = append(r.world.queues, &instance{id: i, rank: int64(k)})
		}
		want := slices.Clone(r.world.queues)
		slices.SortStableFunc(want, func(a, b *instance) int { return cmp.Compare(a.rank, b.rank) })
		r.sortByRank()
		if !slices.Equal(r.world.queues, want) {
			t.Fatalf("%v is not sorted as it should be", keys)
		}
	})
}
