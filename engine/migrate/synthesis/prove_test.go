package synthesis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"qprism/engine/order"
)

// TestTheWorstInversionsAreThoseOfAll: what is found from the far end is what looking at every inversion finds.
func TestTheWorstInversionsAreThoseOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		ge, pbs := make([]int32, n), make([]int32, n)
		x := pair{to: make([]Placed, n), places: pbs, byGap: n%2 == 0}
		for i := range n {
			ge[i], pbs[i] = int32(i), int32(i)
			x.from = append(x.from, Placed{uint32(i + 1), float64(n-i) / 4})
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
			want = x.keepWorst(want, x.inversion(min(inv.Late, inv.Early), max(inv.Late, inv.Early)))
		}
		if got := x.worst(); !slices.EqualFunc(got, want, func(a, b Inversion) bool {
			return a.First == b.First && a.Second == b.Second
		}) {
			t.Fatalf("%v: %v, want %v", pbs, got, want)
		}
	}
}

// TestNoTwoJobsAreFurtherOffThanTheBound of a term says, and two are as far.
func TestNoTwoJobsAreFurtherOffThanTheBound(t *testing.T) {
	for _, name := range []string{"prio-2", "dispatch-8"} {
		h := recorded(t, name)
		for _, c := range []*Candidate{newBench(h[:1], translated(h), resourcesOf(h[:1])).frozen(NeedsHook),
			newBench(h[:1], translated(h), resourcesOf(h[:1])).plain()} {
			p := c.Prove(h, 1, translated(h))
			widest := map[Policy]float64{}
			for i := range h {
				x := newComparison(c, h[i], c.translate(h[:i+1], translated(h)))
				for _, a := range x.jobs {
					for _, b := range x.jobs {
						for policy, g := range x.gaps(a, b, x.values[a.Job.Number], x.values[b.Job.Number]) {
							widest[policy] = max(widest[policy], math.Abs(g[0]-g[1]))
						}
					}
				}
			}
			for policy, want := range widest {
				if got, ok := p.Off(policy); !ok || math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, %s: %s is off by %v, two jobs by %v", name, c.Name, policy, got, want)
				}
			}
			if widest[Tickets] == 0 {
				t.Errorf("%s, %s: no term is off: the test shows nothing", name, c.Name)
			}
		}
	}
}

// BenchmarkWorst finds the worst of 600 million inversions.
func BenchmarkWorst(b *testing.B) {
	const n = 50_000
	x := pair{to: make([]Placed, n)}
	for i, p := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		x.from, x.places = append(x.from, Placed{Job: uint32(i + 1)}), append(x.places, int32(p))
	}
	for b.Loop() {
		x.worst()
	}
}

// TestATermThatCannotBeReadHasNoBound: without it, nothing is known of how far the terms are off.
func TestATermThatCannotBeReadHasNoBound(t *testing.T) {
	h := recorded(t, "prio-2")
	c := newBench(h, translated(h), resourcesOf(h)).frozen(NeedsHook)
	c.Terms[1].Text = "1 +"
	if off, known := c.Prove(h, len(h), translated(h)).Off(c.Terms[1].Policy); known {
		t.Errorf("off by %v", off)
	}
}
