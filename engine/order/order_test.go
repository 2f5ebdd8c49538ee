package order

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestTauB(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []int32
		want float64
	}{
		"the same order is 1":                       {[]int32{1, 2, 3, 4}, []int32{10, 20, 30, 40}, 1},
		"the reverse order is -1":                   {[]int32{1, 2, 3, 4}, []int32{4, 3, 2, 1}, -1},
		"one of six pairs inverted is 4/6":          {[]int32{1, 2, 3, 4}, []int32{1, 3, 2, 4}, 4.0 / 6},
		"ties in one ranking weigh as in tau-b":     {[]int32{1, 2, 3}, []int32{1, 2, 2}, 2 / math.Sqrt(6)},
		"ranks of any sign and size":                {[]int32{math.MinInt32, 0, math.MaxInt32}, []int32{math.MinInt32, 0, math.MaxInt32}, 1},
		"ties in both rankings are no disagreement": {[]int32{1, 1, 2}, []int32{5, 5, 6}, 1},
	} {
		if got := TauB(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
	for n := int32(2); n < 200; n++ {
		same := make([]int32, n)
		for i := range same {
			same[i] = int32(i)
		}
		if got := TauB(same, same); got != 1 {
			t.Errorf("%d things in the same order: %v", n, got)
		}
	}
	if got := TauB([]int32{1, 1}, []int32{1, 2}); !math.IsNaN(got) {
		t.Errorf("a ranking that orders nothing has tau-b %g", got)
	}
}

func TestQuantile(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		q      float64
		want   float64
	}{
		"the median of an odd number is one of them": {[]float64{9, 1, 5}, 0.5, 5},
		"between two values it is linear":            {[]float64{10, 20}, 0.9, 19},
		"of one value every quantile is that":        {[]float64{7}, 0.9, 7},
		"beyond the range it is the greatest":        {[]float64{1, 2}, 2, 2},
	} {
		if got := Quantile(c.values, c.q); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("a quantile of nothing is a number")
	}
}

// random are two rankings of n things, the second with the swaps of a queue in which some jobs wait.
func random(n int) (a, b []int32) {
	r := rand.New(rand.NewPCG(1, 2))
	a, b = make([]int32, n), make([]int32, n)
	for i := range a {
		a[i], b[i] = int32(i), int32(i)+r.Int32N(int32(n/10+1))
	}
	r.Shuffle(n, func(i, k int) { a[i], a[k], b[i], b[k] = a[k], a[i], b[k], b[i] })
	return a, b
}

// TestAMillionJobsTakeSeconds is a coarse bound that shows a quadratic way at once; the benchmark has the figure.
func TestAMillionJobsTakeSeconds(t *testing.T) {
	a, b := random(1_000_000)
	start := time.Now()
	p := Count(a, b)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("%v", took)
	}
	if p.All != 499_999_500_000 || p.Discordant == 0 || p.Concordant < p.Discordant {
		t.Errorf("%+v", p)
	}
}

// BenchmarkTauB compares rankings of a million jobs: a million pairs of ranks.
func BenchmarkTauB(b *testing.B) {
	x, y := random(1_000_000)
	for b.Loop() {
		TauB(x, y)
	}
}

// BenchmarkFigures makes all figures of a comparison of a million jobs, one after the other.
func BenchmarkFigures(b *testing.B) {
	x, y := random(1_000_000)
	for b.Loop() {
		TauB(x, y)
		Footrule(x, y)
		Overlap(x, y, 100)
		Divergence(x, y)
	}
}

// BenchmarkInversions lists a million inverted pairs.
func BenchmarkInversions(b *testing.B) {
	x, y := random(10_000)
	for b.Loop() {
		seen := 0
		for range Inversions(x, y) {
			if seen++; seen == 1_000_000 {
				break
			}
		}
		if seen < 1_000_000 {
			b.Fatal(seen)
		}
	}
}
