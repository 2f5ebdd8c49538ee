package order

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortedIsWhatComparingGives sorts few and many floats, with equal ones and without, as a stable sort by comparison does.
func TestSortedIsWhatComparingGives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, math.SmallestNonzeroFloat64}
	for _, n := range []int{0, 1, 2, fewThings, fewThings + 1, 5000} {
		for _, kinds := range []int{1, 2, 50, 1 << 30} {
			t.Run(fmt.Sprint(n, " of ", kinds), func(t *testing.T) {
				values, second := make([]float64, n), make([]int64, n)
				for i := range values {
					if values[i] = float64(r.IntN(kinds)) - float64(kinds)/2; r.IntN(4) == 0 {
						values[i] = special[r.IntN(len(special))]
					}
					second[i] = int64(r.IntN(3)) - 1
				}
				want := make([]int32, n)
				for i := range want {
					want[i] = int32(i)
				}
				key := func(i int) uint64 { return Float(values[i]) }
				slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(values[a], values[b]) })
				if got := Sorted(n, key); !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
				equal := func(a, b int) int { return cmp.Or(cmp.Compare(Int(second[a]), Int(second[b])), cmp.Compare(b, a)) }
				stable := make([]int32, n)
				for i := range stable {
					stable[i] = int32(i)
				}
				if Sort(stable, func(i int32) uint64 { return key(int(i)) }, nil); !slices.Equal(stable, want) {
					t.Errorf("stable: got %v, want %v", stable, want)
				}
				got := r.Perm(n)
				sorted := slices.SortedFunc(slices.Values(got), func(a, b int) int {
					return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(second[a], second[b]), cmp.Compare(b, a))
				})
				if Sort(got, key, equal); !slices.Equal(got, sorted) {
					t.Errorf("got %v, want %v", got, sorted)
				}
			})
		}
	}
}
