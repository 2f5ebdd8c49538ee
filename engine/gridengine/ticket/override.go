package ticket

import (
	"cmp"
	"slices"

	"qprism/engine/halves"
	"qprism/engine/order"
)

// plainOverride is what a running task gets of the override tickets of its user, project, department and job; so does
// a pending one where share_override_tickets is false (R21).
func (r *run) plainOverride(t *ref) float64 {
	o := 0.0
	t.beginOverride()
	for i, a := range [...]*Account{t.user, t.project, t.department} {
		part, jobs := 0.0, 0
		switch {
		case a == nil || a.OverrideTickets == 0:
			continue
		case !r.policy.ShareOverrideTickets:
			part = float64(a.OverrideTickets)
		case a.jobs != 0:
			part, jobs = float64(a.OverrideTickets)/float64(a.jobs), a.jobs
		}
		o += part
		t.deriveOverride(parties[i], a.Name, a.OverrideTickets, jobs, part)
	}
	t.deriveOverride(ByJob, "", t.override, 0, float64(t.override))
	return o + float64(t.override)
}

// parties are those whose override tickets a task gets besides its own.
var parties = [...]Party{ByUser, ByProject, ByDepartment}

func (r *run) pendingOverride(dependent bool) {
	if r.policy.ShareOverrideTickets {
		r.sharedOverride(dependent)
		return
	}
	for i := range r.queued {
		t := &r.queued[i]
		t.given.Override = r.plainOverride(t)
		if dependent {
			t.gained += t.given.Override
		}
	}
}

// sharedOverride ranks pending tasks by the override tickets they would get as the next of their owners' jobs (R22).
func (r *run) sharedOverride(dependent bool) {
	categories := r.group(func(t *ref) uint32 { return t.override }, func(a *Account) uint32 { return a.OverrideTickets })
	if dependent {
		r.sortByGained(categories)
	}
	n := 0
	for _, c := range categories {
		n += len(c.refs)
	}
	chosen := make([]*ref, 0, n)
	for range n {
		best := -1
		for i, c := range categories {
			head := c.refs[0]
			head.given.Override = head.nextOverride()
			if best < 0 || head.before(categories[best].refs[0]) {
				best = i
			}
		}
		winner := categories[best].refs[0]
		winner.gained += winner.given.Override
		winner.count(+1)
		chosen = append(chosen, winner)
		categories = dropHead(categories, best)
	}
	for _, t := range chosen {
		t.count(-1)
	}
}

// before says whether the task is preferred to another one that might get override tickets next.
func (t *ref) before(u *ref) bool {
	a, b := t.given.Override, u.given.Override
	return a > b || a == b && t.compareNumber(u) < 0
}

// nextOverride is what the task gets as one job more of its user, project and department.
func (t *ref) nextOverride() float64 {
	o := 0.0
	t.beginOverride()
	for i, a := range [...]*Account{t.user, t.project, t.department} {
		if a != nil && a.OverrideTickets > 0 {
			part := float64(a.OverrideTickets) / float64(a.jobs+1)
			o += part
			t.deriveOverride(parties[i], a.Name, a.OverrideTickets, a.jobs+1, part)
		}
	}
	t.deriveOverride(ByJob, "", t.override, 0, float64(t.override))
	return o + float64(t.override)
}

// A category holds pending tasks that a policy cannot tell apart but by their order.
type category struct {
	refs []*ref
}

// A categoryKey is what gives tickets to all tasks of a category: a number of the job, and accounts with such numbers.
type categoryKey struct {
	job                       uint32
	user, department, project *Account
}

// group puts pending tasks into categories, in the order of their first tasks. The functions return the number of a job and
// of an account that gives tickets. If no number of a task is above 0, the task is left out. group counts the tasks of each
// category first: a list that grows takes three times its memory.
func (r *run) group(ofJob func(*ref) uint32, ofAccount func(*Account) uint32) []*category {
	keep := func(a *Account) *Account {
		if a != nil && ofAccount(a) > 0 {
			return a
		}
		return nil
	}
	const out = -1
	byKey := map[categoryKey]int32{{}: out}
	last := make([]struct { // the last task of each value of belongs: most have the same numbers
		job      uint32
		category int32
		known    bool
	}, r.owners)
	of, sizes := make([]int32, len(r.queued)), []int{}
	for i := range r.queued {
		t := &r.queued[i]
		l, job := &last[t.index], ofJob(t)
		if !l.known || l.job != job {
			k := categoryKey{job: job, user: keep(t.user), department: keep(t.department), project: keep(t.project)}
			c, known := byKey[k]
			if !known {
				c = int32(len(sizes))
				byKey[k], sizes = c, append(sizes, 0)
			}
			l.job, l.category, l.known = job, c, true
		}
		if of[i] = l.category; l.category != out {
			sizes[l.category]++
		}
	}
	list := make([]*category, len(sizes))
	for c, size := range sizes {
		list[c] = &category{refs: make([]*ref, 0, size)}
	}
	for i, c := range of {
		if c != out {
			list[c].refs = append(list[c].refs, &r.queued[i])
		}
	}
	return list
}

// sortByGained sorts the tasks of each category by the tickets of earlier policies, the most first. Ties are sorted by
// submission, job and task number; if the queue is in this order already, they keep their order.
func (r *run) sortByGained(categories []*category) {
	gained := func(t *ref) uint64 { return ^order.Float(t.gained) }
	var equal func(a, b *ref) int
	if !r.inOrder {
		equal = func(a, b *ref) int {
			return cmp.Or(cmp.Compare(a.submitted, b.submitted), a.compareNumber(b))
		}
	}
	halves.Do(len(categories), func(from, to int) {
		for _, c := range categories[from:to] {
			order.Sort(c.refs, gained, equal)
		}
	})
}

// dropHead removes the first task of the i-th category, and the category if it is then empty.
func dropHead(list []*category, i int) []*category {
	c := list[i]
	c.refs = c.refs[1:]
	if len(c.refs) == 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
