package lint

import (
	"cmp"
	"fmt"
	"slices"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// A department is one with functional shares, and who of it has jobs.
type department struct {
	*model.Userset
	users   int // with jobs; those listed where nobody has
	tasks   int
	waiting []*priority.Job
}

// each is what one user has of the department's shares.
func (d *department) each() float64 { return float64(d.FunctionalShares) / float64(max(1, d.users)) }

// departments are those with shares, most shares first.
func (l *linter) departments() (list []*department) {
	for i := range l.Usersets {
		u := &l.Usersets[i]
		if !u.Department || u.FunctionalShares == 0 {
			continue
		}
		of := func(j *priority.Job) bool { return j.Job.Department == u.Name }
		jobs := those(l.all, of)
		d := &department{Userset: u, users: len(owners(jobs)), waiting: those(l.waiting(), of)}
		if d.users == 0 {
			d.users = len(u.Entries)
		}
		for _, j := range jobs {
			d.tasks += max(1, len(j.Running)+len(j.Pending())+len(j.Waiting()))
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b *department) int { return cmp.Compare(b.FunctionalShares, a.FunctionalShares) })
	return list
}

// departmentsShared finds a department of more shares whose users get less: its shares are parted among all its jobs.
func departmentsShared(l *linter) (traps []lint.Trap) {
	p := l.policy
	if p.FunctionalTickets == 0 || p.WeightDepartment <= 0 || !p.ShareFunctionalShares {
		return nil
	}
	list := l.departments()
	for i, a := range list {
		for _, b := range list[i+1:] {
			behind := below(a.waiting, b.waiting)
			if a.FunctionalShares > b.FunctionalShares && (a.each() <= b.each() || len(behind) > 0) {
				traps = append(traps, l.departmentTrap(a, b, behind))
				break
			}
		}
	}
	return traps
}

// below are jobs with fewer functional tickets than the best of others.
func below(jobs, others []*priority.Job) []*priority.Job {
	best := most(others, func(j *priority.Job) float64 { return j.First().Function })
	return those(jobs, func(j *priority.Job) bool { return j.First().Function < best })
}

func (l *linter) departmentTrap(a, b *department, behind []*priority.Job) lint.Trap {
	shares := uint64(b.FunctionalShares) * uint64(max(1, a.tasks, a.users)) * 10
	effect := "this changes the place of no waiting job yet"
	if len(behind) > 0 {
		effect = fmt.Sprintf("%s of %s %s fewer functional tickets than a job of %s: %s",
			lint.Many(len(behind), "waiting job"), a.Name, lint.Verb(len(behind), "has", "have"), b.Name,
			numbers(behind))
	}
	return lint.Trap{
		Name: "department-shared-by-users",
		What: fmt.Sprintf("department %s has more shares than %s (%d and %d), but all jobs of a department divide "+
			"its shares: %s for each of %s in %s, %s for each of %s in %s",
			a.Name, b.Name, a.FunctionalShares, b.FunctionalShares, lint.Rounded(a.each()),
			lint.Many(a.users, "user"), a.Name, lint.Rounded(b.each()), lint.Many(b.users, "user"), b.Name),
		Place:  l.Object("usersets", a.Name, "fshare"),
		Effect: effect,
		Fix:    []string{setUserset(a.Name, "fshare", fmt.Sprint(min(shares, 1<<31-1)))},
	}
}
