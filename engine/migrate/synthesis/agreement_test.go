package synthesis_test

import (
	"testing"
	"time"

	"qprism/engine/migrate/synthesis"
)

// TestJobsOfBothOrdersCountOnce: what only one system lists says nothing.
func TestJobsOfBothOrdersCountOnce(t *testing.T) {
	from := []synthesis.Placed{{Job: 1, Value: 9}, {Job: 2, Value: 8}, {Job: 2, Value: 8},
		{Job: 7, Value: 7}, {Job: 3, Value: 6}}
	to := []synthesis.Placed{{Job: 3, Value: 3}, {Job: 8, Value: 2}, {Job: 1, Value: 1}, {Job: 2}, {Job: 3}}
	a := synthesis.Agree("x", time.Unix(1, 0), from, to, synthesis.Detail{})
	if a.Jobs != 3 || a.Pairs.Discordant != 2 || a.Pairs.All != 3 || len(a.Worst) != 2 {
		t.Fatalf("%+v", a)
	}
	if w := a.Worst[0]; w.First != 1 || w.Second != 3 || w.Places != 2 || w.Prio != [2]float64{9, 6} ||
		w.Value != [2]float64{1, 3} {
		t.Errorf("the worst is %+v", w)
	}
}

// TestTenWorstInversions of a reversed order are those of the widest distance.
func TestTenWorstInversions(t *testing.T) {
	var from, to []synthesis.Placed
	for i := range uint32(30) {
		from, to = append(from, synthesis.Placed{Job: i}), append(to, synthesis.Placed{Job: 29 - i})
	}
	a := synthesis.Agree("x", time.Unix(1, 0), from, to, synthesis.Detail{})
	if a.TauB != -1 || len(a.Worst) != 10 || a.Worst[0].Places != 29 || a.Worst[9].Places != 26 {
		t.Errorf("tau-b %v, worst %+v", a.TauB, a.Worst)
	}
}
