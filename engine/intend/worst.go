package intend

import (
	"fmt"
	"slices"

	"qprism/engine/model"
)

// A worst case is what was tried to break a rule with jobs that are made up.
type worst struct {
	*Counterexample     // nil where nothing that was tried breaks it
	kinds           int // of jobs
	all             int // sets of up to so many jobs were all tried
	most            int // and sets of up to so many, of one or two kinds besides one more job
	work            int
	none            bool // no two of these jobs are such as the sentence speaks of
	cut             bool // the search was ended before all were tried
}

func (w *worst) String() string {
	if w.cut {
		return fmt.Sprintf("qprism found no jobs that break it, but stopped the search with jobs of %d kinds", w.kinds)
	}
	return fmt.Sprintf("no set of at most %d jobs of %d kinds breaks it, and no set of up to %d equal jobs "+
		"with one or two other jobs", w.all, w.kinds, w.most)
}

// worstCase makes up jobs that break a rule: first all sets of two, three … jobs, then many of one kind
// with one of another, and perhaps a third.
func (c *checker) worstCase(i *Intention) (w worst) {
	list := kinds(i, c.Snapshot)
	r := ruleOf(i, c.Snapshot)
	s := &search{stop: c.Play.Stop, most: c.mostWork(), breaks: func(jobs []*model.Job) *Counterexample {
		return c.breaks(jobs, r, true)
	}}
	defer func() { w.work, w.cut = s.work, s.cut }()
	w.kinds, w.most = len(list), c.most
	if i.Kind == Before && len(c.compared(list, r)) == 0 {
		w.none = true
		return w
	}
	for size := 2; size <= 4 && sets(len(list), size) <= mostSets; size++ {
		if w.Counterexample = s.multisets(c, list, nil, 0, size); w.Counterexample != nil {
			w.Fewest = true
			return w
		}
		w.all = size
	}
	w.Counterexample = s.families(c, list, r, w.all)
	if w.Counterexample != nil {
		w.Fewest = len(w.Jobs) == w.all+1
	}
	return w
}

// sets is how many ordered sets of a size, with repetition, are tried.
func sets(kinds, size int) int {
	n := 1
	for i := range size {
		n = n * (kinds + i)
	}
	return n
}

// multisets tries all jobs of a size, each kind as often as may be, in every order of submission.
func (s *search) multisets(c *checker, list []kind, chosen []kind, from, size int) *Counterexample {
	if len(chosen) == size {
		return s.orders(c, chosen, nil)
	}
	for i := from; i < len(list); i++ {
		if found := s.multisets(c, list, append(slices.Clone(chosen), list[i]), i, size); found != nil {
			return found
		}
	}
	return nil
}

// orders tries jobs in every order of their numbers.
func (s *search) orders(c *checker, left, begun []kind) *Counterexample {
	if len(left) == 0 {
		return s.try(c.make(begun))
	}
	for i := range left {
		if found := s.orders(c, slices.Delete(slices.Clone(left), i, i+1),
			append(slices.Clone(begun), left[i])); found != nil {
			return found
		}
	}
	return nil
}

// make makes up jobs, numbered in their order.
func (c *checker) make(list []kind) []*model.Job {
	jobs := make([]*model.Job, len(list))
	for i := range list {
		jobs[i] = list[i].made(uint32(i+1), c.At, c.Snapshot)
	}
	return jobs
}

// families tries many jobs of one kind against one job of another kind, alone or with a third kind. It
// shrinks the first set that breaks the rule.
func (s *search) families(c *checker, list []kind, r rule, all int) *Counterexample {
	pairs, thirds := c.compared(list, r), plain(list)
	for k := max(all-1, 2); ; k = min(3*k, c.most) {
		for _, p := range pairs {
			many := slices.Repeat([]kind{p[0]}, k)
			for third := -1; third < len(thirds) && !s.cut; third++ {
				others := []kind{p[1]}
				if third >= 0 {
					others = append(others, thirds[third])
				}
				for _, jobs := range [][]kind{slices.Concat(others, many), slices.Concat(many, others)} {
					if found := s.try(c.make(jobs)); found != nil {
						return s.shrink(found)
					}
				}
			}
		}
		if k == c.most || s.cut {
			return nil
		}
	}
}

// plain is a kind of each owner.
func plain(list []kind) []kind {
	return slices.CompactFunc(slices.Clone(list), func(a, b kind) bool {
		return a.owner == b.owner && a.project == b.project && a.department == b.department
	})
}

// compared are the pairs of kinds that a rule tells apart.
func (c *checker) compared(list []kind, r rule) (pairs [][2]kind) {
	for _, a := range list {
		for _, b := range list {
			if t := count(c.ranked(c.make([]kind{a, b})), r); t.pairs > 0 {
				pairs = append(pairs, [2]kind{a, b})
			}
		}
	}
	return pairs
}
