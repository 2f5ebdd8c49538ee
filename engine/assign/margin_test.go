package assign

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAnOrderWithAMarginHoldsWhileTermsMoveByLess moves the terms of all jobs by less than half of the margin, up or down.
func TestAnOrderWithAMarginHoldsWhileTermsMoveByLess(t *testing.T) {
	whole, part := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Weight: rapid.SampledFrom([]float64{0.5, 1}).Draw(t, "weight"), Min: -1023, Max: 1024}
		s.Margin = rapid.SampledFrom([]float64{1e-9, 0.001, 0.004, 0.1}).Draw(t, "margin")
		jobs := drawWaiting(t, s, rapid.IntRange(1, 60).Draw(t, "n"))
		st := steer(jobs, s)
		if len(st.Sooner) > 0 || !slices.Equal(st.Order, st.Wanted) {
			t.Fatalf("with a margin the order cannot be had: %+v", st)
		}
		if st.Apart == len(jobs) {
			whole++
		} else {
			part++
		}
		front := slices.Clone(jobs[:st.Apart])
		for i := range front {
			front[i].Base += s.Margin * rapid.SampledFrom([]float64{-0.499, 0, 0.499}).Draw(t, "move")
		}
		if got := numbersOf(native(front, s.Weight, priorityAfter(st.Changes))); !slices.Equal(got, st.Order[:st.Apart]) {
			t.Fatalf("the first %d of %v have a margin, and become %v", st.Apart, st.Order, got)
		}
		if least := s.holds(jobs, st); st.Apart > 1 && least < s.Margin*(1-1e-9) {
			t.Fatalf("the margin is %v, the least distance %v", s.Margin, least)
		}
	})
	if whole == 0 || part == 0 {
		t.Errorf("drawn: %d orders in which all jobs have the margin, %d in which some have", whole, part)
	}
}

// TestTheMarginReachesAsFarAsThePrioritiesDo: no margin for more jobs from the front can be had, as trying all priorities shows.
func TestTheMarginReachesAsFarAsThePrioritiesDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Weight: rapid.SampledFrom([]float64{0.01, 0.5, 1}).Draw(t, "weight"), Min: -2, Max: rapid.IntRange(-1, 2).Draw(t, "max")}
		s.Margin = rapid.SampledFrom([]float64{0.4, 1, 1.7}).Draw(t, "priorities") * s.Weight / 2048
		jobs := drawWaiting(t, s, rapid.IntRange(1, 5).Draw(t, "n"))
		apart, changes := 0, 0
		for n := len(jobs); n > 0 && apart == 0; n-- {
			for i := range jobs {
				jobs[i].behind = 0
				if i > 0 && i < n {
					jobs[i].behind = s.Margin
				}
			}
			if c := naiveChanges(jobs, s); c < math.MaxInt {
				apart, changes = n, c
			}
		}
		st := steer(jobs, s)
		if st.Apart != apart || apart > 0 && len(st.Changes) != changes {
			t.Fatalf("%d jobs have the margin with %d changes, want %d with %d\n%+v", st.Apart, len(st.Changes), apart, changes, jobs)
		}
	})
}

// naiveChanges tries all priorities for all jobs: the fewest changes with which each is behind the one before as it shall be.
func naiveChanges(jobs []Waiting, s Scale) int {
	best := math.MaxInt
	var try func(i, last, changes int)
	try = func(i, last, changes int) {
		if i == len(jobs) {
			best = min(best, changes)
			return
		}
		for p := s.Min; p <= s.Max; p++ {
			if i == 0 || s.after(&jobs[i-1], last, &jobs[i], p) {
				changed := changes
				if p != jobs[i].P {
					changed++
				}
				try(i+1, p, changed)
			}
		}
	}
	try(0, 0, 0)
	return best
}

// TestAnOrderThatKeepsHalfOfItsMarginIsLeftAlone: a queue in which terms move a little is not pushed over and over.
func TestAnOrderThatKeepsHalfOfItsMarginIsLeftAlone(t *testing.T) {
	s := Scale{Weight: 1, Min: -1023, Max: 1024, Margin: 0.01}
	jobs := []Waiting{{Job: 1}, {Job: 2}, {Job: 3}}
	native := func(changes []Change) []Waiting {
		now := slices.Clone(jobs)
		for _, c := range changes {
			now[c.Job-1].P = c.To
		}
		return native(now, 1, func(w *Waiting) int { return w.P })
	}
	wanted := []uint32{3, 1, 2}
	st, err := Steer(wanted, s, native)
	if err != nil || len(st.Changes) != 2 || st.Apart != 3 || st.Holds < 0.01 || st.Holds > 0.011 {
		t.Fatalf("%v, %+v", err, st)
	}
	for _, c := range st.Changes {
		jobs[c.Job-1].P = c.To
	}
	jobs[0].Base = 0.004
	if st, err = Steer(wanted, s, native); err != nil || len(st.Changes) > 0 || st.Holds > 0.007 {
		t.Fatalf("a move of less than half of the margin: %v, %+v", err, st)
	}
	jobs[0].Base = 0.006
	if st, err = Steer(wanted, s, native); err != nil || len(st.Changes) == 0 || st.Holds < 0.01 {
		t.Fatalf("a move of more than half of the margin: %v, %+v", err, st)
	}
}

// TestWhatIsNamedLeadsWithoutChangingOthers: with Lead, no more jobs change than the order alone takes, and where there is a lead, all that
// is named has it.
func TestWhatIsNamedLeadsWithoutChangingOthers(t *testing.T) {
	led, kept := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Weight: 1, Min: -1023, Max: 1024, Lead: true, Margin: rapid.SampledFrom([]float64{0.01, 0.11, 0.3}).Draw(t, "margin")}
		jobs := drawWaiting(t, s, rapid.IntRange(2, 30).Draw(t, "n"))
		named := rapid.IntRange(1, min(3, len(jobs)-1)).Draw(t, "named")
		alone := s
		alone.Margin = 0
		least := len(settled(slices.Clone(jobs), alone, named).Changes)
		st := settled(slices.Clone(jobs), s, named)
		if len(st.Changes) > least || !slices.Equal(st.Order, st.Wanted) {
			t.Fatalf("%d jobs change, %d do without a margin: %+v", len(st.Changes), least, st)
		}
		if st.Apart > 1 {
			led++
			if st.Apart != named+1 {
				t.Fatalf("%d of %d lead", st.Apart, named)
			}
			if lead := s.holds(jobs, st); lead > 0 {
				kept++
				checkLead(t, s, jobs, st, lead)
			}
		}
	})
	if led == 0 || kept == 0 {
		t.Errorf("%d leads, %d of them whatever the other terms become", led, kept)
	}
}

// checkLead gives all jobs other terms that differ by less than the lead: the front jobs stay where they are.
func checkLead(t *rapid.T, s Scale, jobs []Waiting, st *Steering, lead float64) {
	moved := slices.Clone(jobs)
	for i := range moved {
		moved[i].Base = rapid.Float64Range(0, 0.999*lead).Draw(t, "term")
	}
	now := numbersOf(native(moved, s.Weight, priorityAfter(st.Changes)))
	if front := st.Apart - 1; !slices.Equal(now[:front], st.Wanted[:front]) {
		t.Fatalf("terms that differ by less than %v move %v to %v", lead, st.Wanted[:front], now[:front])
	}
}
