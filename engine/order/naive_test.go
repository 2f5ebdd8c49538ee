package order

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Pair by pair, slowly and obviously.

func naiveCount(a, b []int32) (p Pairs) {
	for i := range a {
		for k := range i {
			p.All++
			x, y := int64(a[i])-int64(a[k]), int64(b[i])-int64(b[k])
			switch {
			case x == 0 && y == 0:
				p.TiedBoth++
			case x != 0 && y != 0 && (x > 0) == (y > 0):
				p.Concordant++
			case x != 0 && y != 0:
				p.Discordant++
			}
			if x == 0 {
				p.TiedA++
			}
			if y == 0 {
				p.TiedB++
			}
		}
	}
	return p
}

func naiveInversions(a, b []int32) (list []Inversion) {
	for i := range a {
		for k := range a {
			if a[i] < a[k] && b[k] < b[i] {
				list = append(list, Inversion{Late: i, Early: k})
			}
		}
	}
	return list
}

// naiveMiddle is the mean of the places that a thing can have.
func naiveMiddle(rank []int32, i int) float64 {
	before, tied := 0, 0
	for k := range rank {
		if rank[k] < rank[i] {
			before++
		} else if rank[k] == rank[i] {
			tied++
		}
	}
	return float64(before) + float64(tied-1)/2
}

// naiveWithin is the part of a thing's possible places that are among the first k.
func naiveWithin(rank []int32, i, k int) float64 {
	before, tied := 0, 0
	for n := range rank {
		if rank[n] < rank[i] {
			before++
		} else if rank[n] == rank[i] {
			tied++
		}
	}
	in := 0
	for place := before; place < before+tied; place++ {
		if place < k {
			in++
		}
	}
	return float64(in) / float64(tied)
}

// rankings draws two rankings of the same length, with ties or without.
func rankings(t *rapid.T) (a, b []int32) {
	n := rapid.IntRange(0, 40).Draw(t, "n")
	most := rapid.SampledFrom([]int32{2, 5, 40, math.MaxInt32}).Draw(t, "most")
	one := rapid.SliceOfN(rapid.Int32Range(-most, most), n, n)
	return one.Draw(t, "a"), one.Draw(t, "b")
}

func TestFastAndObviousWaysAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rankings(t)
		if got, want := Count(a, b), naiveCount(a, b); got != want {
			t.Fatalf("pairs: %+v, want %+v", got, want)
		}
		want := naiveInversions(a, b)
		got := slices.SortedFunc(Inversions(a, b), func(x, y Inversion) int {
			return slices.Compare([]int{x.Late, x.Early},
				[]int{y.Late, y.Early})
		})
		if !slices.Equal(got, want) {
			t.Fatalf("inversions: %v, want %v", got, want)
		}
		footrule := 0.0
		for i := range a {
			footrule += math.Abs(naiveMiddle(a, i) - naiveMiddle(b, i))
		}
		if got := Footrule(a, b); got != footrule || got > MostFootrule(len(a)) {
			t.Fatalf("footrule %g, want %g of no more than %g", got, footrule, MostFootrule(len(a)))
		}
		if k := rapid.IntRange(1, 50).Draw(t, "k"); len(a) > 0 {
			k = min(k, len(a))
			common := 0.0
			for i := range a {
				common += math.Min(naiveWithin(a, i, k), naiveWithin(b, i, k))
			}
			if got := Overlap(a, b, k); math.Abs(got-common/float64(k)) > 1e-9 {
				t.Fatalf("overlap of the first %d: %g, want %g", k, got, common/float64(k))
			}
		}
		checkDivergence(t, a, b, want)
	})
}

// checkDivergence looks at all inversions for the first thing that was overtaken.
func checkDivergence(t *rapid.T, a, b []int32, all []Inversion) {
	first, ok := Divergence(a, b)
	if ok != (len(all) > 0) {
		t.Fatalf("divergence %v of inversions %v", ok, all)
	}
	if !ok {
		return
	}
	if !slices.Contains(all, first) {
		t.Fatalf("%v is no inversion", first)
	}
	for _, other := range all {
		sooner := a[other.Late] < a[first.Late] || a[other.Late] == a[first.Late] && other.Late < first.Late
		if sooner || other.Late == first.Late && b[other.Early] < b[first.Early] {
			t.Fatalf("first divergence %v, but there is %v", first, other)
		}
	}
}

func TestInversionsStopWhenTheCallerHasEnough(t *testing.T) {
	a, b := []int32{1, 2, 3, 4, 5, 6}, []int32{6, 5, 4, 3, 2, 1}
	seen := 0
	for range Inversions(a, b) {
		if seen++; seen == 4 {
			break
		}
	}
	if seen != 4 {
		t.Errorf("saw %d", seen)
	}
}
