package ticket

import (
	"cmp"
	"slices"

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

// An overrideKey says whose override tickets a task can get.
type overrideKey struct {
	job                       uint32
	user, project, department *Account
}

func (t *ref) overrideKey() overrideKey {
	k := overrideKey{job: t.override}
	keep := func(a *Account) *Account {
		if a != nil && a.OverrideTickets > 0 {
			return a
		}
		return nil
	}
	k.user, k.project, k.department = keep(t.user), keep(t.project), keep(t.department)
	return k
}

// sharedOverride ranks pending tasks by the override tickets they would get as the next of their owners' jobs (R22).
func (r *run) sharedOverride(dependent bool) {
	categories := group(r.queued, (*ref).overrideKey, overrideKey{})
	if dependent {
		for _, c := range categories {
			c.sortByGained()
		}
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
	return a > b || a == b && (t.number < u.number || t.number == u.number && t.given.Number < u.given.Number)
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

// group puts tasks of equal key into categories, in the order in which they come; those of the zero key are left out. It
// counts the tasks of each category first: a list that grows takes three times its memory.
func group[K comparable](refs []ref, key func(*ref) K, none K) []*category {
	byKey := map[K]int32{none: -1}
	of, sizes := make([]int32, len(refs)), []int{}
	for i := range refs {
		k := key(&refs[i])
		c, known := byKey[k]
		if !known {
			c = int32(len(sizes))
			byKey[k], sizes = c, append(sizes, 0)
		}
		if of[i] = c; c >= 0 {
			sizes[c]++
		}
	}
	list := make([]*category, len(sizes))
	for c, size := range sizes {
		list[c] = &category{refs: make([]*ref, 0, size)}
	}
	for i, c := range of {
		if c >= 0 {
			list[c].refs = append(list[c].refs, &refs[i])
		}
	}
	return list
}

// sortByGained puts those first that earlier policies gave more.
func (c *category) sortByGained() {
	gained := func(t *ref) uint64 { return ^order.Float(t.gained) }
	order.Sort(c.refs, gained, func(a, b *ref) int {
		return cmp.Or(cmp.Compare(a.submitted, b.submitted), cmp.Compare(a.number, b.number),
			cmp.Compare(a.given.Number, b.given.Number))
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
