package levels

import (
	"cmp"
	"maps"
	"slices"
)

// gentle moves each level of changed jobs as near to where the scale rests (0, the usual default) as the order permits: that leaves the
// ends of the scale to later pushes. Levels below are moved first, and then once more from above.
func gentle(jobs []Waiting, levels []int, s Scale) []int {
	g := newGroups(jobs, levels)
	for range 2 {
		for _, p := range slices.Sorted(maps.Keys(g.members)) {
			g.move(p, s)
		}
		for _, p := range slices.SortedFunc(maps.Keys(g.members), func(a, b int) int { return cmp.Compare(b, a) }) {
			g.move(p, s)
		}
	}
	return g.levels
}

// groups are changed jobs by their level.
type groups struct {
	jobs    []Waiting
	levels  []int
	members map[int][]int
}

func newGroups(jobs []Waiting, levels []int) *groups {
	g := &groups{jobs: jobs, levels: slices.Clone(levels), members: map[int][]int{}}
	for i, p := range levels {
		if p != jobs[i].P {
			g.members[p] = append(g.members[p], i)
		}
	}
	return g
}

// move moves a level as near to where the scale rests as it can go.
func (g *groups) move(from int, s Scale) {
	members := g.members[from]
	low, high := s.Min, s.Max
	for _, i := range members {
		if i > 0 && !g.shares(i-1, from) {
			if p, ok := s.highest(&g.jobs[i-1], g.levels[i-1], &g.jobs[i]); ok {
				high = min(high, p)
			}
		}
		if i+1 < len(g.jobs) && !g.shares(i+1, from) {
			if p, ok := s.lowest(&g.jobs[i], &g.jobs[i+1], g.levels[i+1]); ok {
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

// shares reports whether a job is a changed one of a level.
func (g *groups) shares(i, level int) bool { return g.levels[i] == level && g.jobs[i].P != level }

func (g *groups) set(members []int, p int) {
	for _, i := range members {
		g.levels[i] = p
	}
}

// holds reports whether jobs are in order with those next to them: adding the same to two unequal sums may round differently.
func (g *groups) holds(members []int, s Scale) bool {
	for _, i := range members {
		for k := max(i, 1); k <= min(i+1, len(g.jobs)-1); k++ {
			if !s.after(&g.jobs[k-1], g.levels[k-1], &g.jobs[k], g.levels[k]) {
				return false
			}
		}
	}
	return true
}

// unchanged reports whether a level is the one that one of the jobs has anyway.
func (g *groups) unchanged(members []int, level int) bool {
	return slices.ContainsFunc(members, func(i int) bool { return g.jobs[i].P == level })
}
