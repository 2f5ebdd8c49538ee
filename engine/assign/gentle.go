package assign

import (
	"cmp"
	"maps"
	"slices"
)

// gentle moves each priority of changed jobs as near to where the scale rests (0, the usual default) as the
// order permits: that leaves the ends of the scale to later pushes. Priorities below are moved first, and
// then once more from above.
func gentle(jobs []Waiting, priorities []int, s Scale) []int {
	g := newGroups(jobs, priorities)
	for range 2 {
		for _, p := range slices.Sorted(maps.Keys(g.members)) {
			g.move(p, s)
		}
		for _, p := range slices.SortedFunc(maps.Keys(g.members), func(a, b int) int { return cmp.Compare(b, a) }) {
			g.move(p, s)
		}
	}
	return g.priorities
}

// groups are changed jobs by their priority.
type groups struct {
	jobs       []Waiting
	priorities []int
	members    map[int][]int
}

func newGroups(jobs []Waiting, priorities []int) *groups {
	g := &groups{jobs: jobs, priorities: slices.Clone(priorities), members: map[int][]int{}}
	for i, p := range priorities {
		if p != jobs[i].P {
			g.members[p] = append(g.members[p], i)
		}
	}
	return g
}

// move moves a priority as near to where the scale rests as it can go.
func (g *groups) move(from int, s Scale) {
	members := g.members[from]
	low, high := s.Min, s.Max
	for _, i := range members {
		if i > 0 && !g.shares(i-1, from) {
			if p, ok := s.highest(&g.jobs[i-1], g.priorities[i-1], &g.jobs[i]); ok {
				high = min(high, p)
			}
		}
		if i+1 < len(g.jobs) && !g.shares(i+1, from) {
			if p, ok := s.lowest(&g.jobs[i], &g.jobs[i+1], g.priorities[i+1]); ok {
				low = max(low, p)
			}
		}
	}
	to := min(max(s.Rest, low), high)
	if to == from || low > high || g.members[to] != nil {
		return
	}
	g.set(members, to)
	if !g.holds(members, s) || g.unchanged(members, to) {
		g.set(members, from)
		return
	}
	delete(g.members, from)
	g.members[to] = members
}

// shares reports whether a job is a changed one of a priority.
func (g *groups) shares(i, priority int) bool {
	return g.priorities[i] == priority && g.jobs[i].P != priority
}

func (g *groups) set(members []int, p int) {
	for _, i := range members {
		g.priorities[i] = p
	}
}

// holds reports whether jobs are in order with those next to them: adding the same to two unequal sums may
// round differently.
func (g *groups) holds(members []int, s Scale) bool {
	for _, i := range members {
		for k := max(i, 1); k <= min(i+1, len(g.jobs)-1); k++ {
			if !s.after(&g.jobs[k-1], g.priorities[k-1], &g.jobs[k], g.priorities[k]) {
				return false
			}
		}
	}
	return true
}

// unchanged reports whether a priority is the one that one of the jobs has anyway.
func (g *groups) unchanged(members []int, priority int) bool {
	return slices.ContainsFunc(members, func(i int) bool { return g.jobs[i].P == priority })
}
