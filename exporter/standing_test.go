package exporter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qprism/exporter"
)

func TestWhatCameAndWhatLeftDisplacesNobody(t *testing.T) {
	for name, c := range map[string]struct {
		wanted, order, want string
	}{
		"as wanted":                 {"a b c", "a b c", "3 wait, 0 left, 0 came, 0 between"},
		"one started":               {"a b c", "b c", "2 wait, 1 left, 0 came, 0 between"},
		"one came last":             {"a b c", "a b c x", "3 wait, 0 left, 1 came, 0 between"},
		"two came, one in between":  {"a b c", "a x b c y", "3 wait, 0 left, 2 came, 1 between"},
		"one is too late":           {"a b c d", "b c d a", "4 wait, 0 left, 0 came, 0 between; a: a before b"},
		"one is too early":          {"a b c d", "d a b c", "4 wait, 0 left, 0 came, 0 between; d: c before d"},
		"the reverse":               {"a b c", "c b a", "3 wait, 0 left, 0 came, 0 between; c: a before c; b: a before b"},
		"all of it at the same run": {"a b c d e", "x c y b e", "3 wait, 2 left, 2 came, 2 between; c: b before c"},
		"nothing waits":             {"a b", "", "0 wait, 2 left, 0 came, 0 between"},
	} {
		s := exporter.StandingOf(strings.Fields(c.wanted), strings.Fields(c.order))
		got := fmt.Sprintf("%d wait, %d left, %d came, %d between", s.Wait, s.Left, s.Came, s.Between)
		for _, d := range s.Displaced {
			got += fmt.Sprintf("; %s: %s before %s", d.Job, d.First, d.Second)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestDisplacedJobsAreTheFewestAndStandTheWrongWayRound tries all choices of jobs to leave out.
func TestDisplacedJobsAreTheFewestAndStandTheWrongWayRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wanted := strings.Split("abcdefgh"[:rapid.IntRange(1, 8).Draw(t, "n")], "")
		order := rapid.Permutation(wanted).Draw(t, "order")
		s := exporter.StandingOf(wanted, order)
		fewest := len(order)
		for chosen := range 1 << len(order) {
			var kept []string
			for i, job := range order {
				if chosen>>i&1 == 1 {
					kept = append(kept, job)
				}
			}
			if slices.IsSorted(kept) {
				fewest = min(fewest, len(order)-len(kept))
			}
		}
		if len(s.Displaced) != fewest {
			t.Fatalf("%v: %v displaced, want %d", order, s.Displaced, fewest)
		}
		for _, d := range s.Displaced {
			if (d.Job == d.First) == (d.Job == d.Second) || d.First >= d.Second || slices.Index(order, d.First) < slices.Index(order, d.Second) {
				t.Fatalf("%v: %+v", order, d)
			}
		}
	})
}
