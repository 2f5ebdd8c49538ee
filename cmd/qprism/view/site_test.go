package view

import (
	"slices"
	"testing"
)

// TestFewLargeMomentsAreKept reads moments one after the other, by their numbers of jobs.
func TestFewLargeMomentsAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		jobs []int
		kept []string
	}{
		"four of any size":         {[]int{1, 2, 3, 4, 5}, []string{"b", "c", "d", "e"}},
		"two large ones":           {[]int{50_000, 50_000, 50_000}, []string{"b", "c"}},
		"one that is larger":       {[]int{5, 500_000}, []string{"b"}},
		"small ones behind it":     {[]int{500_000, 5, 6}, []string{"b", "c"}},
		"what fits beside a large": {[]int{300, 40_000, 300, 60_000}, []string{"c", "d"}},
	} {
		s := &Site{read: map[string]*Answers{}}
		for i, jobs := range c.jobs {
			s.makeRoom(jobs)
			s.keep(string(rune('a'+i)), &Answers{jobs: jobs})
		}
		if !slices.Equal(s.order, c.kept) || len(s.read) != len(c.kept) {
			t.Errorf("%s: %v, want %v", name, s.order, c.kept)
		}
	}
}
