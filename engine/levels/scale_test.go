package levels

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkSteer plans a random order of 50,000 jobs, more than there are levels for.
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
