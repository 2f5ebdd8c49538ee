package gridengine

import (
	"testing"

	"qprism/engine/model"
)

func TestUsersetsAreListsDepartmentsOrBoth(t *testing.T) {
	s := mustRead(t, readUsersets, "usersets.txt", `name    defaultdepartment
type    DEPT
fshare  0
oticket 0
entries NONE

name    both
type    ACL DEPT
fshare  10
oticket 300
entries usr1,@staff, \
        usr2
`)
	same(t, "usersets", s.Usersets, []model.Userset{
		{Name: "defaultdepartment", Department: true},
		{Name: "both", ACL: true, Department: true, FunctionalShares: 10, OverrideTickets: 300, Entries: []string{"usr1", "@staff", "usr2"}},
	})
}

func TestALongUsersetIsReadToItsEnd(t *testing.T) {
	sets := mustRead(t, readUsersets, "usersets.txt", readFile(t, "odd/usersets.txt")).Usersets
	if len(sets) != 2 || len(sets[0].Entries) != 42 || sets[1].Entries[41] != "user039_both" {
		t.Error(show(sets))
	}
}

func TestUsersetsThatCannotBeReadAreRefused(t *testing.T) {
	refuses(t, readUsersets, "usersets.txt", map[string]struct{ text, want string }{
		"a type": {"name u\ntype ACL TEAM\nfshare 0\noticket 0\nentries NONE\n",
			`usersets.txt:2: type: "TEAM": neither ACL nor DEPT: "type ACL TEAM"`},
		"cut off": {"name u\ntype ACL\n", `usersets.txt:1: fshare: missing: "name u"`},
	})
}
