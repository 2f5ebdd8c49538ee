package synthesis

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/order"
	"qprism/engine/priority"
)

// TestTheWorstInversionsAreThoseOfAll: what is found from the far end is what looking at every inversion finds.
func TestTheWorstInversionsAreThoseOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		x := &comparison{}
		ge, pbs := make([]int32, n), make([]int32, n)
		for i := range n {
			ge[i], pbs[i] = int32(i), int32(i)
			x.jobs = append(x.jobs, &priority.Job{Job: &model.Job{Number: uint32(i + 1)}, Prio: float64(n-i) / 4})
		}
		for range r.IntN(2*n + 1) {
			i := r.IntN(n)
			k := min(n-1, i+1+r.IntN(5)) // most are near to where they belong
			if r.IntN(8) == 0 {
				k = r.IntN(n)
			}
			pbs[i], pbs[k] = pbs[k], pbs[i]
		}
		var want []Inversion
		for inv := range order.Inversions(ge, pbs) {
			want = keepWorst(want, x.inversion(inv.Late, inv.Early))
		}
		if got := x.worst(pbs); !slices.EqualFunc(got, want, func(a, b Inversion) bool { return a.First == b.First && a.Second == b.Second }) {
			t.Fatalf("%v: %v, want %v", pbs, got, want)
		}
	}
}

// BenchmarkWorst finds the worst of 600 million inversions.
func BenchmarkWorst(b *testing.B) {
	const n = 50_000
	x, pbs := &comparison{}, make([]int32, n)
	for i, p := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		pbs[i] = int32(p)
		x.jobs = append(x.jobs, &priority.Job{Job: &model.Job{Number: uint32(i + 1)}})
	}
	for b.Loop() {
		x.worst(pbs)
	}
}
