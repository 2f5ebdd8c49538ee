package assign

// even moves changed jobs that share their priority with no other apart, evenly in the room between the
// others: who comes later finds a place between two of them without a change of others. What jobs share,
// and so the number of commands, stays as it is.
func even(jobs []Waiting, priorities []int, s Scale) []int {
	sharers := map[int]int{}
	for _, p := range priorities {
		sharers[p]++
	}
	single := func(i int) bool { return priorities[i] != jobs[i].P && sharers[priorities[i]] == 1 }
	fixed := append([]Waiting(nil), jobs...)
	for i := range fixed {
		if fixed[i].P = priorities[i]; single(i) {
			fixed[i].P = s.Min - 1 // it may have any
		}
	}
	list, rooms := append([]int(nil), priorities...), roomOf(fixed, priorities, s)
	for from := 0; from < len(jobs); from++ {
		to := from
		for to < len(jobs) && single(to) {
			to++
		}
		for i := from; i < to; i++ {
			if r := rooms[i]; r.low <= r.high {
				list[i] = r.low + (r.high-r.low)*(to-i)/(to-from+1)
			}
		}
		if !s.inOrder(jobs, list, from, to) {
			copy(list[from:to], priorities[from:to])
		}
		from = max(from, to-1)
	}
	return list
}

// inOrder reports whether some jobs are in order, also with those next to them.
func (s Scale) inOrder(jobs []Waiting, priorities []int, from, to int) bool {
	for i := max(from, 1); i < min(to+1, len(jobs)); i++ {
		if !s.after(&jobs[i-1], priorities[i-1], &jobs[i], priorities[i]) {
			return false
		}
	}
	return true
}
