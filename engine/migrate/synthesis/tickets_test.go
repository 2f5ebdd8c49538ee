package synthesis

import (
	"math"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestFunctionalTicketsAreThoseOfTheManual: users A, B and C with 100 shares each; A runs two tasks and B
// one; B has three jobs that wait and C two, in the order of their numbers (13.1 and 13.2 of the project's
// notes on sge_priority, made with 8.1.9).
func TestFunctionalTicketsAreThoseOfTheManual(t *testing.T) {
	waiting := []string{"B", "B", "B", "C", "C"}
	for name, c := range map[string]struct {
		divided bool
		ranked  uint32
		want    []float64
	}{
		"shares are divided by the tasks of a user": {true, 200,
			[]float64{41666.6667, 27777.7778, 20833.3333, 83333.3333, 41666.6667}},
		"each task has all shares of its user": {false, 200,
			[]float64{62500, 50000, 41666.6667, 35714.2857, 31250}},
		"those who are not ranked keep their last trial": {true, 2,
			[]float64{41666.6667, 41666.5278, 41666.5278, 83333.3333, 41666.5278}},
	} {
		s := &model.Snapshot{Policy: model.Policy{FunctionalTickets: 1_000_000, WeightUser: 0.25,
			WeightProject: 0.25, WeightDepartment: 0.25,
			WeightJob: 0.25, ShareFunctionalShares: c.divided, MaxFunctionalJobs: c.ranked}}
		met, number := newPopulation(), uint32(0)
		add := func(user string, runs bool) *resident {
			number++
			r := &resident{number: number, submitted: time.Unix(int64(number), 0),
				names: [3]string{user}, functional: [3]uint32{100}}
			met.add(r, 1, runs)
			return r
		}
		for _, user := range []string{"A", "A", "B"} {
			add(user, true)
		}
		var list []*resident
		for _, user := range waiting {
			list = append(list, add(user, false))
		}
		rules := newTicketRules(s)
		for i, r := range list {
			if got := rules.functional(r, met); math.Abs(got-c.want[i]) > 0.001 {
				t.Errorf("%s: job %d gets %.4f, want %.4f", name, r.number, got, c.want[i])
			}
		}
	}
}

// TestATermIsWrittenAsShortAsItCanBe and no term is raised by a missing resource.
func TestATermIsWrittenAsShortAsItCanBe(t *testing.T) {
	for name, c := range map[string]struct {
		term term
		want string
	}{
		"alone": {term{weight: 1, pieces: []string{"job_priority"}}, "job_priority"},
		"weighed": {term{weight: 0.25, pieces: []string{"job_priority"}, divisor: "2048"},
			"0.25*job_priority/2048"},
		"pieces are put in brackets": {term{weight: 2, pieces: []string{"a", "-3*b", "c"}, divisor: "7"},
			"2*(a - 3*b + c)/7"},
		"a sum that stands alone": {term{weight: 1, pieces: []string{"a", "b"}}, "a + b"},
	} {
		if got := c.term.sum(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestFittingFindsTheWeightThatAHistoryShows: the second piece is weighed a tenth of what the orders say.
func TestFittingFindsTheWeightThatAHistoryShows(t *testing.T) {
	f := &fit{pieces: []piece{{weight: 1}, {weight: 1}}}
	for i := range 40 {
		a, b := math.Sin(float64(i)), math.Cos(3*float64(i))
		if d := []float64{a, b / 10}; a+b > 0 {
			f.pairs = append(f.pairs, d)
		} else {
			f.pairs = append(f.pairs, []float64{-d[0], -d[1]})
		}
	}
	before := f.right(ones(2))
	w := f.adopt(f.solve())
	if w == nil || f.right(w) <= before || w[1] < 2*w[0] {
		t.Fatalf("factors %v put %d pairs right, %d without", w, f.right(w), before)
	}
	if again := f.adopt(f.solve()); again[0] != w[0] || again[1] != w[1] {
		t.Errorf("a second fit gives %v, the first %v", again, w)
	}
}
