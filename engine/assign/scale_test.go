package assign

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// BenchmarkSteer plans a random order of 50,000 jobs, more than there are priorities for.
func BenchmarkSteer(b *testing.B) {
	for name, n := range map[string]int{"1000": 1000, "50000": 50000} {
		b.Run(name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			jobs := make([]Waiting, n)
			for i, k := range rng.Perm(n) {
				jobs[i] = Waiting{Job: uint32(k + 1), Base: float64(rng.IntN(200)) * 0.0013, P: rng.IntN(3) * 100}
			}
			for b.Loop() {
				steer(jobs, Scale{Weight: 1, Min: -1023, Max: 1024})
			}
		})
	}
}

// TestAStrictScaleKeepsNoPriorityOutsideIt: the order that each wanted order gives is the same, and every priority is within.
func TestAStrictScaleKeepsNoPriorityOutsideIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Weight: 1, Min: 1, Max: 1024, Strict: true, Rest: 512, Even: rapid.Bool().Draw(t, "even"),
			Margin: rapid.SampledFrom([]float64{0, 0.01}).Draw(t, "margin")}
		jobs := make([]Waiting, rapid.IntRange(1, 60).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i] = Waiting{Job: uint32(i + 1), P: rapid.SampledFrom([]int{-1023, -5, 0, 0, 1, 30, 1024}).Draw(t, "p"),
				Base: rapid.Float64Range(0, 0.01).Draw(t, "base")}
		}
		wanted := rapid.Permutation(numbersOf(jobs)).Draw(t, "wanted")
		to := map[uint32]int{}
		st, err := Steer(wanted, s, func(changes []Change) []Waiting {
			clear(to)
			for _, c := range changes {
				to[c.Job] = c.To
			}
			return native(jobs, s.Weight, func(w *Waiting) int {
				if p, changed := to[w.Job]; changed {
					return p
				}
				return w.P
			})
		})
		if err != nil || !slices.Equal(st.After, wanted) {
			t.Fatalf("%v, want %v (%v)", st.After, wanted, err)
		}
		for _, w := range jobs {
			if p, changed := to[w.Job]; changed && (p < 1 || p > 1024) || !changed && w.P < 1 {
				t.Fatalf("job %d has %d, was %d", w.Job, p, w.P)
			}
		}
	})
}
