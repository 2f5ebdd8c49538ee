package synthesis

import (
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// parties have shares and override tickets; a job itself has both as well. Numbers of each are in this order.
var (
	parties    = [3]ticket.Party{ticket.ByUser, ticket.ByProject, ticket.ByDepartment}
	categories = [4]ticket.Party{ticket.ByUser, ticket.ByProject, ticket.ByDepartment, ticket.ByJob}
)

// The indices of parties and categories.
const (
	ofUser = iota
	ofProject
	ofDepartment
	ofJob
)

// An account is what a user, project or department is given.
type account struct {
	shares, tickets uint32
}

// accounts are those of a snapshot, by party and name.
type accounts struct {
	of       [3]map[string]account
	projects map[string]bool // that are nodes of the share tree
	users    map[string]bool // that are objects: others have no tickets of the tree
	known    bool            // there is a share tree
}

func accountsOf(s *model.Snapshot) accounts {
	a := accounts{of: [3]map[string]account{{}, {}, {}}, projects: map[string]bool{}, users: map[string]bool{},
		known: s.ShareTree != nil}
	for i := range s.Users {
		u := &s.Users[i]
		a.of[ofUser][u.Name] = account{u.FunctionalShares, u.OverrideTickets}
		a.users[u.Name] = true
	}
	isProject := map[string]bool{}
	for i := range s.Projects {
		p := &s.Projects[i]
		a.of[ofProject][p.Name] = account{p.FunctionalShares, p.OverrideTickets}
		isProject[p.Name] = true
	}
	for i := range s.Usersets {
		if d := &s.Usersets[i]; d.Department {
			a.of[ofDepartment][d.Name] = account{d.FunctionalShares, d.OverrideTickets}
		}
	}
	a.look(s.ShareTree, isProject)
	return a
}

// look finds the projects of the share tree.
func (a *accounts) look(n *model.ShareNode, isProject map[string]bool) {
	if n == nil {
		return
	}
	a.projects[n.Name] = isProject[n.Name]
	for _, c := range n.Children {
		a.look(c, isProject)
	}
}

// inTree says whether a job can have tickets of the share tree: a job of a project that is not in the tree has none.
func (a *accounts) inTree(j *model.Job) bool {
	return a.known && a.users[j.Owner] && (j.Project == "" || a.projects[j.Project])
}
