package intend

import (
	"cmp"
	"slices"

	"qprism/engine/model"
)

// A Counterexample is a set of jobs that breaks a sentence.
type Counterexample struct {
	Jobs   []*model.Job
	First  *model.Job // comes first
	Behind *model.Job // should come before First
	Prio   [2]float64 // of these two; 0 for PBS
	Made   bool       // the jobs are made up
	Fewest bool       // no smaller set breaks it: all were tried
}

// mostWork bounds a search: jobs that are ranked, summed over all sets that are tried.
const mostWork = 1_000_000

// A search looks for few jobs of many that break a rule.
type search struct {
	all    []*model.Job
	breaks func(jobs []*model.Job) *Counterexample // nil where the rule holds
	stop   func() bool                             // may be nil
	most   int                                     // bounds the work; 0 for mostWork
	work   int
	cut    bool // the search went on for too long, and was ended
}

// try reports whether some jobs break the rule; never when the search has gone on for too long.
func (s *search) try(jobs []*model.Job) *Counterexample {
	s.work += len(jobs) + 5
	if s.cut = s.cut || s.work > cmp.Or(s.most, mostWork) || s.stop != nil && s.stop(); s.cut {
		return nil
	}
	return s.breaks(jobs)
}

// smallest looks for the fewest jobs that break a rule: it tries all sets of two, three … jobs, as long as
// these are few, and takes away from all jobs what is not needed else.
func (s *search) smallest() *Counterexample {
	size := 2
	for ; size <= len(s.all) && combinations(len(s.all), size) <= mostSets; size++ {
		if c := s.ofSize(nil, 0, size); c != nil {
			c.Fewest = true
			return c
		}
	}
	c := s.try(s.all)
	if c == nil {
		return nil
	}
	c = s.shrink(c)
	c.Fewest = len(c.Jobs) == size && !s.cut
	return c
}

// mostSets is how many sets of one size are tried at the most.
const mostSets = 25_000

// combinations is how many sets of a size there are, or more than mostSets.
func combinations(n, size int) int {
	sets := 1
	for i := range size {
		if sets = sets * (n - i) / (i + 1); sets > mostSets {
			return sets
		}
	}
	return sets
}

// ofSize tries all sets of a size that begin with some jobs.
func (s *search) ofSize(begun []*model.Job, from, size int) *Counterexample {
	if len(begun) == size {
		return s.try(begun)
	}
	for i := from; i <= len(s.all)-(size-len(begun)); i++ {
		if c := s.ofSize(append(slices.Clone(begun), s.all[i]), i+1, size); c != nil {
			return c
		}
	}
	return nil
}

// shrink takes jobs away, many at once and then one by one, until none can be left out.
func (s *search) shrink(c *Counterexample) *Counterexample {
	for part := len(c.Jobs) / 2; part >= 1; {
		less := false
		for i := 0; i < len(c.Jobs); {
			rest := slices.Delete(slices.Clone(c.Jobs), i, min(i+part, len(c.Jobs)))
			if d := s.try(rest); d != nil {
				c, less = d, true
				continue
			}
			i += part
		}
		if part > 1 || !less {
			part /= 2
		}
	}
	return c
}
