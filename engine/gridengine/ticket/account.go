package ticket

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// An Account is a user, project or department in one run, with shares, override tickets and usage.
type Account struct {
	Name             string
	FunctionalShares uint32
	OverrideTickets  uint32
	Usage            model.Usage
	Projects         []model.ProjectUsage
	Booked           []model.JobUsage

	bookedAt  map[uint32]int // see bookedPlaces
	jobs      int            // running tasks, and while pending ones are ranked those chosen so far
	decayedIn int            // the pass that decayed the usage last
	stamp     int64          // Unix seconds up to which usage is decayed, 0 for never
}

func (r *run) loadAccounts() {
	r.userByName, r.projectByName = map[string]*Account{}, map[string]*Account{}
	for i := range r.Snapshot.Users {
		u := &r.Snapshot.Users[i]
		a := &Account{Name: u.Name, FunctionalShares: u.FunctionalShares, OverrideTickets: u.OverrideTickets,
			Usage: copyUsage(u.Usage), Projects: copyProjects(u.Projects), Booked: copyBooked(u.Booked)}
		a.stamp = stamp(u.Usage)
		r.users = append(r.users, a)
		r.userByName[u.Name] = a
	}
	for i := range r.Snapshot.Projects {
		p := &r.Snapshot.Projects[i]
		a := &Account{Name: p.Name, FunctionalShares: p.FunctionalShares, OverrideTickets: p.OverrideTickets,
			Usage: copyUsage(p.Usage), Booked: copyBooked(p.Booked)}
		a.stamp = stamp(p.Usage)
		r.projects = append(r.projects, a)
		r.projectByName[p.Name] = a
	}
	r.loadDepartments()
}

// loadDepartments makes a lookup of a job's department: the one the master printed, else the one it would choose.
func (r *run) loadDepartments() {
	byName := map[string]*Account{}
	for i := range r.Snapshot.Usersets {
		if u := &r.Snapshot.Usersets[i]; u.Department {
			a := &Account{Name: u.Name, FunctionalShares: u.FunctionalShares, OverrideTickets: u.OverrideTickets}
			r.departments = append(r.departments, a)
			byName[u.Name] = a
		}
	}
	usersets := match.NewUsersets(r.Snapshot.Usersets)
	r.department = func(j *model.Job) *Account {
		return byName[cmp.Or(j.Department, usersets.Department(j.Owner, j.Group))] // R43
	}
}

// An identity is what tells, with the owner, to whom a job belongs.
type identity struct{ group, project, department string }

// belongsTo finds to whom a job belongs, once for all jobs of an owner and an identity. A node that is made for a user
// can come before another one of its name: then all are looked up anew.
func (r *run) belongsTo(j *model.Job) *belongs {
	id := identity{j.Group, j.Project, j.Department}
	for _, b := range r.whose[j.Owner] {
		if b.identity == id {
			return b
		}
	}
	b := &belongs{identity: id, user: r.userByName[j.Owner], project: r.projectByName[j.Project], department: r.department(j),
		index: r.owners}
	r.owners++
	if r.tree != nil {
		before := r.made
		if b.node = r.find(b); r.made > before {
			clear(r.whose)
		}
	}
	r.whose[j.Owner] = append(r.whose[j.Owner], b)
	return b
}

func (r *run) resetCounts() {
	for _, list := range [][]*Account{r.users, r.projects, r.departments} {
		for _, a := range list {
			a.jobs = 0
		}
	}
}

// count adds n to the jobs of all that the task belongs to.
func (t *ref) count(n int) {
	for _, a := range [...]*Account{t.user, t.project, t.department} {
		if a != nil {
			a.jobs += n
		}
	}
}

func stamp(u model.Usage) int64 {
	if u.At.IsZero() {
		return 0
	}
	return u.At.Unix()
}

func copyUsage(u model.Usage) model.Usage {
	return model.Usage{At: u.At, Decayed: slices.Clone(u.Decayed), LongTerm: slices.Clone(u.LongTerm)}
}

func copyProjects(list []model.ProjectUsage) []model.ProjectUsage {
	out := make([]model.ProjectUsage, 0, len(list))
	for _, p := range list {
		out = append(out, model.ProjectUsage{Project: p.Project, Decayed: slices.Clone(p.Decayed),
			LongTerm: slices.Clone(p.LongTerm)})
	}
	return out
}

func copyBooked(list []model.JobUsage) []model.JobUsage {
	out := make([]model.JobUsage, 0, len(list))
	for _, b := range list {
		out = append(out, model.JobUsage{Job: b.Job, Usage: slices.Clone(b.Usage)})
	}
	return out
}

func values(list []*Account) []Account {
	out := make([]Account, 0, len(list))
	for _, a := range list {
		own := *a
		own.bookedAt = nil // only a run needs it
		out = append(out, own)
	}
	slices.SortFunc(out, func(a, b Account) int { return strings.Compare(a.Name, b.Name) })
	return out
}
