package assign

// A step is a way to have put the first jobs in order: the priority of the last of them, and what it took.
type step struct {
	before   *step
	p        int
	changes  int // jobs whose priority changes
	breaks   int // how often the priority changes from one changed job to the next: about the number of priorities
	priority int // of the last changed job
}

// better reports whether one of two steps at the same priority took less.
func (s *step) better(o *step) bool {
	return s.changes < o.changes || s.changes == o.changes && s.breaks < o.breaks
}

// fewest finds priorities that put jobs into the order given and change as few of them as possible; ok is
// false where no priorities do. Where all jobs are equal but for their priority this is a longest
// increasing subsequence: those in it keep what they have. Here jobs differ, and between two that keep
// their priority there must be room for those that do not.
//
// Job by job it keeps each priority that the job can have, with the fewest changes so far. A higher
// priority only leaves more room for what follows, so that a priority counts only if all higher ones took
// more changes: never more than there are priorities.
func fewest(jobs []Waiting, s Scale) (priorities []int, ok bool) {
	if len(jobs) == 0 {
		return nil, true
	}
	ways := first(&jobs[0], s)
	for i := 1; i < len(jobs) && len(ways) > 0; i++ {
		ways = extend(ways, &jobs[i-1], &jobs[i], s)
	}
	if len(ways) == 0 {
		return nil, false
	}
	return ways[len(ways)-1].priorities(len(jobs)), true
}

// first are the ways to begin: the job keeps its priority or takes the highest.
func first(j *Waiting, s Scale) []*step {
	keep := &step{p: j.P}
	switch {
	case !s.keeps(j.P):
		return []*step{{p: s.Max, changes: 1, breaks: 1, priority: s.Max}}
	case j.P >= s.Max:
		return []*step{keep}
	}
	return []*step{{p: s.Max, changes: 1, breaks: 1, priority: s.Max}, keep}
}

// extend adds the next job to all ways. Ways come from the highest priority down, each with fewer changes
// than the one before.
func extend(ways []*step, last, next *Waiting, s Scale) []*step {
	list := make([]*step, 0, len(ways)+1)
	var keep *step
	for _, w := range ways {
		if s.keeps(next.P) && s.after(last, w.p, next, next.P) {
			// the cheapest comes last
			keep = &step{before: w, p: next.P, changes: w.changes, breaks: w.breaks, priority: w.priority}
		}
		if p, ok := s.highest(last, w.p, next); ok && p != next.P {
			list = push(list, w.change(p))
		}
	}
	return insert(list, keep)
}

// change is the way on in which the next job changes to a priority.
func (s *step) change(p int) *step {
	n := &step{before: s, p: p, changes: s.changes + 1, breaks: s.breaks, priority: p}
	if s.changes == 0 || s.priority != p {
		n.breaks++
	}
	return n
}

// push adds a way of a priority that is not above the last one's, and drops what it makes useless.
func push(list []*step, w *step) []*step {
	if n := len(list); n > 0 && list[n-1].p == w.p {
		if w.better(list[n-1]) {
			list[n-1] = w
		}
		return list
	}
	return append(list, w)
}

// insert puts a way in its place. It drops lower priorities that took as many changes, and also the way
// itself if another way makes it useless.
func insert(list []*step, w *step) []*step {
	if w == nil {
		return list
	}
	out := make([]*step, 0, len(list)+1)
	placed := false
	add := func(n *step) {
		if k := len(out); k == 0 || n.changes < out[k-1].changes {
			out = push(out, n)
		} else if out[k-1].p == n.p && n.better(out[k-1]) {
			out[k-1] = n
		}
	}
	for _, n := range list {
		if !placed && n.p <= w.p {
			add(w)
			placed = true
		}
		add(n)
	}
	if !placed {
		add(w)
	}
	return out
}

// priorities are the priorities of all jobs on the way to a step.
func (s *step) priorities(n int) []int {
	list := make([]int, n)
	for i := n - 1; i >= 0; i, s = i-1, s.before {
		list[i] = s.p
	}
	return list
}
