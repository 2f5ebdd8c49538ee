package assign

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestJobsWithoutANumberAreRefused gives one of three jobs a sum that is infinite, or no number at all.
func TestJobsWithoutANumberAreRefused(t *testing.T) {
	for _, base := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		jobs := []Waiting{{Job: 1, Base: 0.5}, {Job: 2, Base: base}, {Job: 3, Base: 0.1}}
		_, err := Steer([]uint32{3, 2, 1}, Scale{Weight: 1, Min: -1023, Max: 1024}, func([]Change) []Waiting { return jobs })
		var unknown *NoNumberError
		if !errors.As(err, &unknown) || unknown.Job != 2 {
			t.Errorf("%v: %v", base, err)
		}
	}
	if _, err := Steer(nil, Scale{Weight: math.Inf(1), Min: -1023, Max: 1024},
		func([]Change) []Waiting { return []Waiting{{Job: 7}} }); err == nil {
		t.Error("an infinite weight is taken")
	}
}

// TestAnyNumbersAreSteeredInTime draws sums and weights of any size: beside some of them a priority does not count, or no other term does.
func TestAnyNumbersAreSteeredInTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float64{1e-300, 1e-9, 1e-3, 1, 1e9, 1e16, 1e20, 1e100, 1e307})
		s := Scale{Weight: size.Draw(t, "weight"), Min: -1023, Max: 1024, Margin: rapid.SampledFrom([]float64{0, 0.005, 1e200}).Draw(t, "margin")}
		jobs := make([]Waiting, rapid.IntRange(1, 12).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i] = Waiting{Job: uint32(i + 1), P: rapid.IntRange(s.Min, s.Max).Draw(t, "p"),
				Base: size.Draw(t, "size") * rapid.Float64Range(-1, 1).Draw(t, "base")}
		}
		wanted := rapid.Permutation(numbersOf(jobs)).Draw(t, "wanted")
		began := time.Now()
		st, err := Steer(wanted, s, func(changes []Change) []Waiting {
			return native(jobs, s.Weight, priorityAfter(changes))
		})
		if err != nil || len(st.Order) != len(jobs) || len(st.After) != len(jobs) {
			t.Fatal(st, err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Fatalf("%v for %d jobs", took, len(jobs))
		}
	})
}
