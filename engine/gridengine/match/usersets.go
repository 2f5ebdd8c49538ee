package match

import (
	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// Usersets knows the members of access lists, access_list(5).
type Usersets struct {
	lists map[string]userset
	names []string // in the cluster's order

	departments []string // of these
}

// A userset holds entries: users, and groups with their "@".
type userset map[string]bool

func (s userset) has(user, group string) bool {
	return group != "" && s["@"+group] || user != "" && s[user]
}

// NewUsersets prepares access lists and departments. If two lists have one name, the first counts.
func NewUsersets(sets []model.Userset) Usersets {
	u := Usersets{lists: make(map[string]userset, len(sets))}
	for _, s := range sets {
		if u.lists[s.Name] != nil {
			continue
		}
		entries := make(userset, len(s.Entries))
		for _, e := range s.Entries {
			entries[e] = true
		}
		u.lists[s.Name] = entries
		u.names = append(u.names, s.Name)
		if s.Department {
			u.departments = append(u.departments, s.Name)
		}
	}
	return u
}

const defaultDepartment = "defaultdepartment"

// Department is the department that the master gives to a user's job at submission (R43). It is empty if no
// department has the user.
func (u Usersets) Department(user, group string) string {
	for _, d := range u.departments {
		if u.In(d, user, "") {
			return d
		}
	}
	for _, d := range u.departments {
		if u.In(d, "", group) {
			return d
		}
	}
	if _, ok := u.lists[defaultDepartment]; ok {
		return defaultDepartment
	}
	return ""
}

// In reports whether a list has a user, or the user's primary group. Nobody is in a list that does not exist.
func (u Usersets) In(list, user, group string) bool {
	return u.lists[list].has(user, group)
}

// Access reports whether a user may use an object with these user_lists (acl) and xuser_lists (xacl).
// Members of xacl may not use it. If there is an acl, only its members may; otherwise everybody else may.
func (u Usersets) Access(user, group string, acl, xacl []string) bool {
	if u.inAny(xacl, user, group) {
		return false
	}
	return len(acl) == 0 || u.inAny(acl, user, group)
}

func (u Usersets) inAny(lists []string, user, group string) bool {
	for _, l := range lists {
		if u.In(l, user, group) {
			return true
		}
	}
	return false
}

// inMatching reports whether a list whose name matches a pattern has a user.
func (u Usersets) inMatching(pattern glob.Pattern, user, group string) bool {
	for _, name := range u.names {
		if pattern.Match(name) && u.In(name, user, group) {
			return true
		}
	}
	return false
}
