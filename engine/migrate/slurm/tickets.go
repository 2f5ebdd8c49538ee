package slurm

import (
	"slices"
	"strconv"

	"qprism/engine/model"
)

func utoa(n int) string { return strconv.Itoa(n) }

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
			t.Priority[m] = uint32(v/greatest*mostPriority + 0.5)
		}
	}
}

// functional is what a user in a project has of the functional tickets, and of override tickets beside them: as if each of his
// categories had one job.
func (t *Translation) functional(m Member) float64 {
	p := &t.From.Policy
	sum := p.WeightUser + p.WeightProject + p.WeightDepartment + p.WeightJob
	tickets := 0.0
	for _, u := range t.From.Users {
		if u.Name == m.User {
			tickets += float64(u.OverrideTickets)
			if sum > 0 {
				tickets += float64(p.FunctionalTickets) * p.WeightUser / sum * part(u.FunctionalShares, userShares(t.From))
			}
		}
	}
	for _, q := range t.From.Projects {
		if q.Name == m.Project {
			tickets += float64(q.OverrideTickets)
			if sum > 0 {
				tickets += float64(p.FunctionalTickets) * p.WeightProject / sum * part(q.FunctionalShares, projectShares(t.From))
			}
		}
	}
	for _, d := range t.From.Usersets {
		if d.Department && t.inDepartment(m.User, &d) {
			tickets += float64(d.OverrideTickets)
			if sum > 0 {
				tickets += float64(p.FunctionalTickets) * p.WeightDepartment / sum * part(d.FunctionalShares, departmentShares(t.From))
			}
		}
	}
	return tickets
}

// inDepartment reports whether a user is in a department: as his jobs had it, else by name.
func (t *Translation) inDepartment(user string, d *model.Userset) bool {
	if of, known := t.member[user]; known {
		return of == d.Name
	}
	return slices.Contains(d.Entries, user)
}

func part(share uint32, all float64) float64 {
	if all == 0 {
		return 0
	}
	return float64(share) / all
}

func userShares(s *model.Snapshot) (sum float64) {
	for _, u := range s.Users {
		sum += float64(u.FunctionalShares)
	}
	return sum
}

func projectShares(s *model.Snapshot) (sum float64) {
	for _, p := range s.Projects {
		sum += float64(p.FunctionalShares)
	}
	return sum
}

func departmentShares(s *model.Snapshot) (sum float64) {
	for _, d := range s.Usersets {
		if d.Department {
			sum += float64(d.FunctionalShares)
		}
	}
	return sum
}
