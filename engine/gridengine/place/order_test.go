package place

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qprism/engine/gridengine/cluster"
)

// TestSortingAFewIsSortingAll compares the sort of nearly sorted lists with the obvious one.
func TestSortingAFewIsSortingAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(0, 5)).Draw(t, "keys")
		r := &Run{Cluster: &cluster.Cluster{}}
		for i, k := range keys {
			r.Queues = append(r.Queues, &cluster.Instance{Id: i, Rank: int64(k)})
		}
		want := slices.Clone(r.Queues)
		slices.SortStableFunc(want, func(a, b *cluster.Instance) int { return cmp.Compare(a.Rank, b.Rank) })
		r.SortByRank()
		if !slices.Equal(r.Queues, want) {
			t.Fatalf("%v is not sorted as it should be", keys)
		}
	})
}
