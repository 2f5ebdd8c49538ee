package assign

import (
	"maps"
	"slices"
)

// Limits of the exact search: beyond these it gives up.
const (
	exactJobs   = 40     // jobs in all
	exactValues = 400    // priorities that can matter
	exactWork   = 200000 // jobs looked at
)

// A search looks for an assignment of few priorities, over all choices of the jobs that change.
type search struct {
	jobs       []Waiting
	scale      Scale
	values     []int // the priorities that can matter, ascending
	rest       []int // the fewest changes that the jobs from here on take, whatever comes before
	changes    int   // how many may change
	count      int   // how many priorities they may have
	work       int
	priorities []int
	used       []int // ascending
}

// exact looks for an assignment with fewer priorities than the best one and as few changes. It is sure of
// its answer where done.
func exact(jobs []Waiting, best shared, s Scale) (found shared, done bool) {
	if len(jobs) > exactJobs || best.count <= 1 {
		return best, best.count <= 1
	}
	se := search{jobs: jobs, scale: s, priorities: make([]int, len(jobs))}
	for i := range jobs {
		if best.priorities[i] != jobs[i].P {
			se.changes++
		}
	}
	if !se.prepare() {
		return best, false
	}
	for se.count = 1; se.count < best.count; se.count++ {
		se.used = se.used[:0]
		if se.from(0, 0) {
			return shared{slices.Clone(se.priorities), se.count}, se.work < exactWork
		}
		if se.work >= exactWork {
			return best, false
		}
	}
	return best, true
}

// prepare collects the priorities that can matter. Raise each priority of a solution as far as it goes: it
// ends where one of its jobs meets the one before it, so that it follows from the highest priority or from
// a job that keeps its own.
func (se *search) prepare() bool {
	set := map[int]bool{se.scale.Max: true}
	fresh := []int{se.scale.Max}
	for i := 1; i < len(se.jobs); i++ {
		if p, ok := se.scale.highest(&se.jobs[i-1], se.jobs[i-1].P, &se.jobs[i]); ok && !set[p] {
			set[p] = true
			fresh = append(fresh, p)
		}
	}
	for len(fresh) > 0 && len(set) <= exactValues {
		v := fresh[len(fresh)-1]
		fresh = fresh[:len(fresh)-1]
		for i := 1; i < len(se.jobs); i++ {
			if p, ok := se.scale.highest(&se.jobs[i-1], v, &se.jobs[i]); ok && !set[p] {
				set[p] = true
				fresh = append(fresh, p)
			}
		}
	}
	se.values = slices.Sorted(maps.Keys(set))
	return len(fresh) == 0 && se.suffixes()
}

// suffixes computes the fewest changes of each end of the list.
func (se *search) suffixes() bool {
	se.rest = make([]int, len(se.jobs)+1)
	for i := len(se.jobs) - 1; i >= 0; i-- {
		priorities, ok := fewest(se.jobs[i:], se.scale)
		if !ok {
			return false
		}
		for k, p := range priorities {
			if p != se.jobs[i+k].P {
				se.rest[i]++
			}
		}
	}
	return true
}

// from decides about the jobs from index i on. The jobs before it took the given number of changes.
func (se *search) from(i, changes int) bool {
	if se.work++; se.work >= exactWork || changes+se.rest[i] > se.changes {
		return false
	}
	if i == len(se.jobs) {
		return true
	}
	j := &se.jobs[i]
	high := se.scale.Max
	if i > 0 {
		if se.scale.keeps(j.P) && se.scale.after(&se.jobs[i-1], se.priorities[i-1], j, j.P) {
			se.priorities[i] = j.P
			if se.from(i+1, changes) {
				return true
			}
		}
		var ok bool
		if high, ok = se.scale.highest(&se.jobs[i-1], se.priorities[i-1], j); !ok {
			return false
		}
	} else if se.scale.keeps(j.P) {
		se.priorities[0] = j.P
		if se.from(1, changes) {
			return true
		}
	}
	return se.change(i, changes, high)
}

// change gives the i-th job another priority: the highest that is in use already, or a fresh one above
// that. A fresh one below could as well be opened later.
func (se *search) change(i, changes, high int) bool {
	again, known := highest(se.scale.Min, high, se.used)
	if known {
		se.priorities[i] = again
		if se.from(i+1, changes+1) {
			return true
		}
	}
	if len(se.used) == se.count {
		return false
	}
	top, exact := slices.BinarySearch(se.values, high)
	if !exact {
		top--
	}
	for ; top >= 0 && (!known || se.values[top] > again); top-- {
		v := se.values[top]
		at, _ := slices.BinarySearch(se.used, v)
		se.used = slices.Insert(se.used, at, v)
		se.priorities[i] = v
		if se.from(i+1, changes+1) {
			return true
		}
		at, _ = slices.BinarySearch(se.used, v)
		se.used = slices.Delete(se.used, at, at+1)
	}
	return false
}
