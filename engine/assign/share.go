package assign

import (
	"slices"
)

// A shared is an assignment of priorities, and how many priorities changed jobs have in it: each costs a command.
type shared struct {
	priorities []int
	count      int
}

// share keeps what fewest decided, which jobs change, and lets them share as few priorities as it can. It
// tries ways that differ in where a new priority lies and which one is taken again; least is a number of
// priorities below which these jobs cannot do.
func share(jobs []Waiting, priorities []int, s Scale) (best shared, least int) {
	best = shared{priorities, countPriorities(jobs, priorities)}
	room := roomOf(jobs, priorities, s)
	points := fewestInRooms(jobs, priorities, room)
	for _, sw := range []sweep{
		{fresh: lowest, again: lowest}, {fresh: lowest, again: highest}, {fresh: highest, again: highest},
		{fresh: lowest, again: lowest, known: points}, {fresh: highest, again: highest, known: points},
	} {
		if found := sw.run(jobs, priorities, room, s); found != nil {
			if n := countPriorities(jobs, found); n < best.count {
				best = shared{found, n}
			}
		}
	}
	return best, max(len(points), forced(jobs, priorities, s))
}

// countPriorities counts the priorities of jobs that change.
func countPriorities(jobs []Waiting, priorities []int) int {
	used := map[int]bool{}
	for i := range jobs {
		if priorities[i] != jobs[i].P {
			used[priorities[i]] = true
		}
	}
	return len(used)
}

// A room is the lowest and the highest priority that a job can have while those that keep theirs do.
type room struct{ low, high int }

// roomOf computes each job's room, from the first job down and from the last one up.
func roomOf(jobs []Waiting, priorities []int, s Scale) []room {
	list := make([]room, len(jobs))
	for i := range jobs {
		list[i] = room{s.Min, s.Max}
		if priorities[i] == jobs[i].P {
			list[i] = room{priorities[i], priorities[i]}
		} else if i > 0 {
			list[i].high, _ = s.highest(&jobs[i-1], list[i-1].high, &jobs[i])
		}
	}
	for i := len(jobs) - 2; i >= 0; i-- {
		if priorities[i] != jobs[i].P {
			list[i].low, _ = s.lowest(&jobs[i], &jobs[i+1], list[i+1].low)
		}
	}
	return list
}

// fewestInRooms picks the fewest priorities such that each changed job has one in its room: no way takes fewer.
func fewestInRooms(jobs []Waiting, priorities []int, rooms []room) []int {
	var open []room
	for i := range jobs {
		if priorities[i] != jobs[i].P {
			open = append(open, rooms[i])
		}
	}
	slices.SortFunc(open, func(a, b room) int { return a.high - b.high })
	var points []int
	for _, r := range open {
		if n := len(points); n == 0 || points[n-1] < r.low {
			points = append(points, r.high)
		}
	}
	return points
}

// forced is how many changed jobs need priorities of their own each: those of a chain in which each comes
// at a lower priority than the one before, whatever the priorities. From job to job the order allows to
// rise by so many priorities, or forces to fall; sums of these steps that fall make the chain.
func forced(jobs []Waiting, priorities []int, s Scale) int {
	if s.Weight < 1e-9 {
		return 0 // priorities are not told apart by sums that exact
	}
	var tails []int // of falling chains by length, negated: the last sum of the best one
	sum := 0
	for i := range jobs {
		if i > 0 {
			sum += s.rise(&jobs[i-1], &jobs[i])
		}
		if priorities[i] == jobs[i].P {
			continue
		}
		at, _ := slices.BinarySearch(tails, -sum)
		if at == len(tails) {
			tails = append(tails, -sum)
		} else {
			tails[at] = -sum
		}
	}
	return len(tails)
}

// A sweep gives priorities to changed jobs in their order: one that is in use already where there is one in
// the job's room, else a fresh one.
type sweep struct {
	fresh, again func(low, high int, used []int) (int, bool)
	known        []int // priorities to begin with
}

// run is nil where the sweep gets stuck.
func (sw sweep) run(jobs []Waiting, priorities []int, rooms []room, s Scale) []int {
	used := slices.Clone(sw.known)
	slices.Sort(used)
	out := slices.Clone(priorities)
	for i := range jobs {
		if priorities[i] == jobs[i].P {
			continue
		}
		high := s.Max
		if i > 0 {
			var ok bool
			if high, ok = s.highest(&jobs[i-1], out[i-1], &jobs[i]); !ok {
				return nil
			}
		}
		low := rooms[i].low
		if low > high {
			return nil
		}
		p, ok := sw.again(low, high, used)
		if !ok {
			p, _ = sw.fresh(low, high, []int{low, high})
			at, _ := slices.BinarySearch(used, p)
			used = slices.Insert(used, at, p)
		}
		out[i] = p
	}
	return out
}

// lowest is the lowest of the priorities in a range.
func lowest(low, high int, used []int) (int, bool) {
	at, _ := slices.BinarySearch(used, low)
	if at == len(used) || used[at] > high {
		return 0, false
	}
	return used[at], true
}

// highest is the highest of the priorities in a range.
func highest(low, high int, used []int) (int, bool) {
	at, found := slices.BinarySearch(used, high)
	if !found {
		at--
	}
	if at < 0 || used[at] < low {
		return 0, false
	}
	return used[at], true
}
