package slurm

import (
	"slices"

	"qprism/engine/model"
)

// mostPriority is the priority of the association that has most.
const mostPriority = 1_000_000

// priorities gives associations their part of the functional and override tickets.
func (t *Translation) priorities() {
	if t.Policy.Assoc == 0 {
		return
	}
	values, greatest := map[Member]float64{}, 0.0
	for m := range t.Members {
		values[m] = t.functional(m)
		greatest = max(greatest, values[m])
	}
	for m, v := range values {
		if v > 0 {
			t.priority[m] = uint32(v/greatest*mostPriority + 0.5)
			t.Members[m].Priority = t.priority[m]
		}
	}
}

// functional is what a user in a project has of the functional tickets, and of override tickets beside
// them: as if each of his categories had one job.
func (t *Translation) functional(m Member) float64 {
	s, p := t.From, &t.From.Policy
	users, projects, departments := party{weight: p.WeightUser}, party{weight: p.WeightProject},
		party{weight: p.WeightDepartment}
	for _, u := range s.Users {
		users.add(u.FunctionalShares, u.OverrideTickets, u.Name == m.User)
	}
	for _, q := range s.Projects {
		projects.add(q.FunctionalShares, q.OverrideTickets, q.Name == m.Project)
	}
	for i := range s.Usersets {
		if d := &s.Usersets[i]; d.Department {
			departments.add(d.FunctionalShares, d.OverrideTickets, t.inDepartment(m.User, d))
		}
	}
	sum := p.WeightUser + p.WeightProject + p.WeightDepartment + p.WeightJob
	tickets := 0.0
	for _, y := range []party{users, projects, departments} {
		for i, share := range y.shares {
			tickets += y.override[i]
			if sum > 0 && y.all > 0 {
				tickets += float64(p.FunctionalTickets) * y.weight / sum * (share / y.all)
			}
		}
	}
	return tickets
}

// A party is users, projects or departments.
type party struct {
	weight           float64
	all              float64   // sum of the shares
	shares, override []float64 // of those that a user belongs to
}

// add counts one of a party, which the user belongs to or not.
func (y *party) add(shares, override uint32, own bool) {
	y.all += float64(shares)
	if own {
		y.shares, y.override = append(y.shares, float64(shares)), append(y.override, float64(override))
	}
}

// inDepartment reports whether a user is in a department: as his jobs had it, else by name.
func (t *Translation) inDepartment(user string, d *model.Userset) bool {
	if of, known := t.member[user]; known {
		return of == d.Name
	}
	return slices.Contains(d.Entries, user)
}
