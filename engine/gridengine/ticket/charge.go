package ticket

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Charged names the usage that a task adds to: that of a user, or that of a project and of the user in this
// project.
type Charged struct{ User, Project string }

// OwnUsage gives a snapshot its own copy of the usage, which Charge changes.
func OwnUsage(s *model.Snapshot) {
	s.Users, s.Projects = slices.Clone(s.Users), slices.Clone(s.Projects)
	for i := range s.Users {
		u := &s.Users[i]
		u.Usage, u.Projects = copyUsage(u.Usage), copyProjects(u.Projects)
	}
	for i := range s.Projects {
		s.Projects[i].Usage = copyUsage(s.Projects[i].Usage)
	}
}

// PerSlot is what a task uses in a slot second, if nothing else is known: a second of cpu.
var PerSlot = []model.Amount{{Name: "cpu", Value: 1}}

// Used is the usage since the last charge, by kind: cpu in seconds, mem in gigabyte seconds, io in
// gigabytes.
type Used map[Charged][]model.Amount

// ChargedFor names the usage that a job adds to.
func ChargedFor(j *model.Job) Charged { return Charged{User: j.Owner, Project: j.Project} }

// Add adds usage: the rate is the amount of each kind in a slot second.
func (u Used) Add(whose Charged, rate []model.Amount, slotSeconds float64) {
	list := u[whose]
	AddUsage(&list, rate, slotSeconds)
	u[whose] = list
}

// Charge decays the usage of a snapshot up to a moment, then adds the new usage. It ignores names that are
// no user or project of the cluster.
func Charge(s *model.Snapshot, at time.Time, quirks model.Quirks, used Used) {
	d := newDecay(&s.Policy, quirks)
	users, projects := map[string]*model.User{}, map[string]*model.Project{}
	for i := range s.Users {
		u := &s.Users[i]
		users[u.Name] = u
		passed := d.upTo(&u.Usage, at)
		for k := range u.Projects {
			d.usage(u.Projects[k].Decayed, passed)
		}
	}
	for i := range s.Projects {
		projects[s.Projects[i].Name] = &s.Projects[i]
		d.upTo(&s.Projects[i].Usage, at)
	}
	for _, c := range slices.SortedFunc(maps.Keys(used), compareCharged) {
		u, p := users[c.User], projects[c.Project]
		switch {
		case u != nil && p != nil:
			a := Account{Projects: u.Projects}
			AddUsage(&a.projectUsage(p.Name).Decayed, used[c], 1)
			u.Projects = a.Projects
		case u != nil:
			AddUsage(&u.Usage.Decayed, used[c], 1)
		}
		if p != nil {
			AddUsage(&p.Usage.Decayed, used[c], 1)
		}
	}
}

// AddUsage multiplies amounts by times, and adds them to the amounts of the same name in a list.
func AddUsage(list *[]model.Amount, used []model.Amount, times float64) {
	for _, a := range used {
		*entry(list, a.Name) += float64(a.Value * times)
	}
}

// Booked is the snapshot after a charge of all usage that its tasks show. The run before the snapshot has
// charged this usage, so a later run charges only new usage (R33).
func Booked(s *model.Snapshot, lists split.Lists) *model.Snapshot {
	used := map[*model.Job][]model.Amount{}
	var jobs []*model.Job
	for _, list := range [][]split.Entry{lists.Running, lists.Finished} {
		for i := range list {
			e := &list[i]
			sum := jobUsage(e, false)
			if len(sum) == 0 {
				continue
			}
			before, known := used[e.Job]
			AddUsage(&before, sum, 1)
			used[e.Job] = before
			if !known {
				jobs = append(jobs, e.Job)
			}
		}
	}
	if len(jobs) == 0 {
		return s
	}
	own := *s
	own.Users, own.Projects = slices.Clone(s.Users), slices.Clone(s.Projects)
	known := map[*[]model.JobUsage]map[uint32]bool{} // jobs in each list
	for _, j := range jobs {
		list := bookings(&own, j)
		if list == nil {
			continue
		}
		if known[list] == nil {
			known[list] = make(map[uint32]bool, len(*list))
			for _, b := range *list {
				known[list][b.Job] = true
			}
			*list = slices.Clip(*list) // append must copy it
		}
		if !known[list][j.Number] {
			known[list][j.Number] = true
			*list = append(*list, model.JobUsage{Job: j.Number, Usage: used[j]})
		}
	}
	return &own
}

// bookings are those of the user of a job, else of its project; nil if the job has neither.
func bookings(s *model.Snapshot, j *model.Job) *[]model.JobUsage {
	if i := slices.IndexFunc(s.Users, func(u model.User) bool { return u.Name == j.Owner }); i >= 0 {
		return &s.Users[i].Booked
	}
	if i := slices.IndexFunc(s.Projects, func(p model.Project) bool { return p.Name == j.Project }); i >= 0 {
		return &s.Projects[i].Booked
	}
	return nil
}

func compareCharged(a, b Charged) int {
	return cmp.Or(strings.Compare(a.User, b.User), strings.Compare(a.Project, b.Project))
}

// upTo decays what was used up to a moment, and is how many seconds have passed.
func (d decay) upTo(u *model.Usage, at time.Time) (passed int64) {
	if since := stamp(*u); since > 0 {
		passed = max(at.Unix()-since, 0)
		d.usage(u.Decayed, passed)
	}
	u.At = at
	return passed
}
