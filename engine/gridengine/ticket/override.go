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
	for _, t := range r.queued {
		t.o = r.plainOverride(t)
		if dependent {
			t.gained += t.o
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
			head.o = head.nextOverride()
			if best < 0 || head.before(categories[best].refs[0]) {
				best = i
			}
		}
		winner := categories[best].refs[0]
		winner.gained += winner.o
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
	return t.o > u.o || t.o == u.o && (t.number < u.number || t.number == u.number && t.task < u.task)
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

// group puts tasks of equal key into categories, in the order in which they come; those of the zero key are left out.
func group[K comparable](refs []*ref, key func(*ref) K, none K) []*category {
	var list []*category
	byKey := map[K]*category{}
	for _, t := range refs {
		k := key(t)
		if k == none {
			continue
		}
		c := byKey[k]
		if c == nil {
			c = &category{}
			byKey[k] = c
			list = append(list, c)
		}
		c.refs = append(c.refs, t)
	}
	return list
}

// sortByGained puts those first that earlier policies gave more.
func (c *category) sortByGained() {
	gained := func(t *ref) uint64 { return ^order.Float(t.gained) }
	order.Sort(c.refs, gained, func(a, b *ref) int {
		return cmp.Or(cmp.Compare(a.submitted, b.submitted), cmp.Compare(a.number, b.number), cmp.Compare(a.task, b.task))
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
