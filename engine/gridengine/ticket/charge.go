package ticket

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// Charged is whose usage counts: a user's, or a user's part of a project and the project's.
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

// Charge decays the usage of a snapshot up to a moment. Then it adds the used slot seconds as cpu. Names that
// are no user or project of the cluster have no usage.
func Charge(s *model.Snapshot, at time.Time, quirks model.Quirks, used map[Charged]float64) {
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
			*entry(&a.projectUsage(p.Name).Decayed, "cpu") += used[c]
			u.Projects = a.Projects
		case u != nil:
			*entry(&u.Usage.Decayed, "cpu") += used[c]
		}
		if p != nil {
			*entry(&p.Usage.Decayed, "cpu") += used[c]
		}
	}
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
