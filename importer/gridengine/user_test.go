package gridengine

import (
	"testing"
	"time"

	"qprism/engine/model"
)

func TestUsersAreReadOneAfterAnother(t *testing.T) {
	same(t, "users", mustRead(t, readUsers, "users.txt", readFile(t, "odd/users.txt")).Users, []model.User{
		{Name: "u1", FunctionalShares: 5, DefaultProject: "p1", DeleteTime: time.Unix(1700000000, 0).UTC()},
		{Name: "u2", OverrideTickets: 7},
		{Name: "u-41b+c#1", OverrideTickets: 7},
	})
}

func TestAUsersDeleteTimeMayBeInMicroseconds(t *testing.T) {
	s := readFolder(t, "ocs")
	same(t, "users", s.Users, []model.User{{Name: "root", DeleteTime: time.UnixMicro(1795337078993164).UTC()}})
}

func TestUsersThatCannotBeReadAreRefused(t *testing.T) {
	refuses(t, readUsers, "users.txt", map[string]struct{ text, want string }{
		"shares": {"name u\noticket 0\nfshare -1\n", `users.txt:3: fshare: "-1": out of range: "fshare -1"`},
		"a time": {"name u\noticket 0\nfshare 0\ndelete_time soon\n",
			`users.txt:4: delete_time: a time: invalid syntax: "delete_time soon"`},
		"cut off":       {"name u\noticket 0\n", `users.txt:1: fshare: missing: "name u"`},
		"a message":     {"u1 is no known user\n", `users.txt:1: name: missing: "u1 is no known user"`},
		"a second time": {"name u\noticket 0\nfshare 0\nname u\noticket 0\nfshare 0\n", `users.txt:4: name: was there before: "name u"`},
	})
}

func TestProjectsAreReadWithTheirAccessLists(t *testing.T) {
	same(t, "projects", mustRead(t, readProjects, "projects.txt", readFile(t, "odd/projects.txt")).Projects, []model.Project{
		{Name: "p1", FunctionalShares: 20, OverrideTickets: 10, ACL: []string{"a1", "a2"}, XACL: []string{"both"}},
	})
	refuses(t, readProjects, "projects.txt", map[string]struct{ text, want string }{
		"tickets": {"name p\noticket 1.5\nfshare 1\n", `projects.txt:2: oticket: "1.5": not a whole number: invalid syntax: "oticket 1.5"`},
	})
}
