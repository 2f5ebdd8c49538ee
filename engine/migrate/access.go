package migrate

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// entriesOf are the users and groups of access lists: groups begin with "@".
func (t *Translation) entriesOf(lists []string) (users, groups []string) {
	for _, name := range lists {
		for i := range t.From.Usersets {
			u := &t.From.Usersets[i]
			if u.Name != name {
				continue
			}
			for _, e := range u.Entries {
				if !quotable(e) {
					t.tell(entriesOf(u), "no_name", "{name}", e)
					continue
				}
				if group, ok := strings.CutPrefix(e, "@"); ok {
					groups = appendNew(groups, group)
				} else {
					users = append(users, e)
				}
			}
		}
	}
	slices.Sort(users)
	return slices.Compact(users), groups
}

// entriesOf is the line with the entries of an access list.
func entriesOf(u *model.Userset) place { return place{kind: "userset", object: u.Name, key: "entries"} }

// words are the words of a list, "none" left out.
func words(list string) (words []string) {
	for _, word := range strings.FieldsFunc(list, func(c rune) bool { return strings.ContainsRune(", \t\r", c) }) {
		if !strings.EqualFold(word, "none") {
			words = append(words, word)
		}
	}
	return words
}

// quotable reports whether a name can stand in an access control list: a sign at its front would mean to
// let in or keep out.
func quotable(name string) bool {
	return name != "" && !strings.ContainsAny(name, "\",") && !strings.ContainsAny(name[:1], "+-")
}

// sameEverywhere is the list of a queue attribute; apart says that single hosts have others, which are not kept.
func sameEverywhere(q *model.Queue, key string) (list []string, present, apart bool) {
	a, ok := attributeOf(q, key)
	return words(a.Default), ok, len(a.Overrides) > 0
}

// userAccess makes access control lists of a queue's lists.
func (t *Translation) userAccess(q *model.Queue, to *model.Queue) {
	allow, _, _ := sameEverywhere(q, "user_lists")
	deny, _, _ := sameEverywhere(q, "xuser_lists")
	users, groups := t.entriesOf(allow)
	notUsers, notGroups := t.entriesOf(deny)
	userACL, groupACL := acl(users, notUsers), acl(groups, notGroups)
	found := "listed"
	switch {
	case len(users) > 0 && len(groups) > 0:
		groupACL, found = acl(nil, notGroups), "users_and_groups"
	case len(allow) > 0 && len(users) == 0 && len(groups) == 0:
		userACL, found = []string{"-"}, "nobody"
	}
	into := slices.Concat(setACL(to, "acl_user", "acl_users", userACL), setACL(to, "acl_group", "acl_groups", groupACL))
	for _, key := range []string{"user_lists", "xuser_lists"} {
		list, has, apart := sameEverywhere(q, key)
		at := ofQueue(q, key)
		if len(list) > 0 {
			t.tell(at, found, "{lists}", strings.Join(into, "\n"), "{groups}", strings.Join(groups, " "))
		} else if has && !apart {
			t.tell(at, "none")
		}
		if len(list) > 0 && len(t.From.Queues) > 1 {
			t.tell(at, "passed_by")
		}
		if apart {
			t.tell(at, "apart")
		}
	}
}

// acl is an access control list: who may enter, or all except some. PBS keeps it sorted.
func acl(allow, deny []string) (list []string) {
	for _, name := range deny {
		list = append(list, "-"+name)
	}
	for _, name := range allow {
		if !slices.Contains(deny, name) {
			list = append(list, name)
		}
	}
	if len(allow) == 0 && len(deny) > 0 {
		list = append(list, "+")
	}
	return list
}

// setACL gives a queue an access control list, unless it is empty.
func setACL(q *model.Queue, enable, list string, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	setQueue(q, enable+"_enable", "True")
	setQueue(q, list, strings.Join(names, ","))
	return []string{fmt.Sprintf("set queue %s %s_enable = True", q.Name, enable),
		fmt.Sprintf("set queue %s %s = %s", q.Name, list, shortList(names))}
}

// shortList names the first of many.
func shortList(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ",") + fmt.Sprintf(",… (%d)", len(names))
	}
	return strings.Join(names, ",")
}

// projectAccess lets the hook refuse jobs of projects that a queue is not for.
func (t *Translation) projectAccess(q *model.Queue, to *model.Queue) {
	gate := model.PBSGate{Queue: to.Name}
	for key, names := range map[string]*[]string{"projects": &gate.Allow, "xprojects": &gate.Deny} {
		list, has, apart := sameEverywhere(q, key)
		switch *names = list; {
		case apart:
			t.tell(ofQueue(q, key), "apart")
		case len(list) > 0:
			t.tell(ofQueue(q, key), "listed")
		case has:
			t.tell(ofQueue(q, key), "none")
		}
	}
	if len(gate.Allow)+len(gate.Deny) > 0 {
		t.Submit.Projects = append(t.Submit.Projects, gate)
	}
}

// translateLists makes managers and operators, and says what becomes of users, projects and access lists.
func translateLists(t *Translation) {
	t.rights("managers", t.From.Managers)
	t.rights("operators", t.From.Operators)
	for i := range t.From.Users {
		t.user(&t.From.Users[i])
	}
	for i := range t.From.Projects {
		p := &t.From.Projects[i]
		t.sayShares("project", p.Name, p.FunctionalShares, p.OverrideTickets)
	}
	for i := range t.From.Usersets {
		t.userset(&t.From.Usersets[i])
	}
}

// rights makes managers or operators of the server.
func (t *Translation) rights(kind string, names []string) {
	var list []string
	for _, name := range names {
		p := place{kind: kind, object: name, key: model.LineEntry}
		if !plainWord(name) {
			t.tell(p, "no_name")
			continue
		}
		list = append(list, name+"@*")
		t.tell(p, "set", "{name}", name)
	}
	if len(list) > 0 {
		t.setServer(kind, strings.Join(list, ","))
	}
}

// user says what becomes of a user's lines. Its shares and tickets are the formula's business.
func (t *Translation) user(u *model.User) {
	t.sayShares("user", u.Name, u.FunctionalShares, u.OverrideTickets)
	project := place{kind: "user", object: u.Name, key: "default_project"}
	if u.DefaultProject == "" {
		t.tell(project, "none")
		return
	}
	t.Submit.Defaults = append(t.Submit.Defaults, model.PBSMember{User: u.Name, Project: u.DefaultProject})
	t.tell(project, "set", "{project}", u.DefaultProject)
}

// sayShares says what becomes of functional shares and override tickets, as long as no formula says more.
func (t *Translation) sayShares(kind, name string, shares, tickets uint32) {
	for _, l := range []struct {
		key    string
		amount uint32
		counts bool
	}{{"fshare", shares, t.functional()}, {"oticket", tickets, t.From.Policy.WeightTicket != 0}} {
		found := "set"
		switch {
		case l.amount == 0:
			found = "none"
		case !l.counts:
			found = "idle"
		}
		rule, _ := pbsTable.Rule("shares", l.key+"/"+found, "")
		t.say(place{kind: kind, object: name, key: l.key}, rule.Verdict, "", rule.Note)
	}
}

func (t *Translation) userset(u *model.Userset) {
	t.sayShares("userset", u.Name, u.FunctionalShares, u.OverrideTickets)
	entries := entriesOf(u)
	switch {
	case u.Name == "arusers":
		t.reservers(u)
	case u.Name == "deadlineusers" && len(u.Entries) == 0:
		t.tell(entries, "no_deadlines")
	case u.Name == "deadlineusers" && t.From.Policy.WeightUrgency*t.From.Policy.WeightDeadline == 0:
		t.tell(entries, "idle_deadlines")
	case u.Name == "deadlineusers":
		t.tell(entries, "deadlines")
	case t.isUsed(u.Name):
		t.tell(entries, "used")
		if u.Department && t.counts(u) {
			t.members(u)
		}
	case len(u.Entries) == 0:
		t.tell(entries, "nobody")
	case u.Department && t.counts(u):
		t.members(u)
	case u.Department:
		t.tell(entries, "idle_department")
	default:
		t.tell(entries, "unused")
	}
}

// reservers are those who may make advance reservations.
func (t *Translation) reservers(u *model.Userset) {
	t.setServer("acl_resv_user_enable", "True")
	if len(u.Entries) == 0 {
		t.tell(entriesOf(u), "no_reservations")
		return
	}
	users, groups := t.entriesOf([]string{u.Name})
	t.setServer("acl_resv_users", strings.Join(acl(users, nil), ","))
	found := "reservations"
	if len(groups) > 0 {
		found = "reservations_of_groups"
	}
	t.tell(entriesOf(u), found, "{list}", shortList(users))
}

// Members and GroupMembers are names in a formula's ledger for members of departments that order jobs: users
// by name, and lists with groups.
const (
	Members      = "members"
	GroupMembers = "group members"
)

// counts reports whether a department's shares or tickets order jobs.
func (t *Translation) counts(u *model.Userset) bool {
	p := t.From.Policy
	return u.FunctionalShares > 0 && t.functional() && p.WeightDepartment > 0 || u.OverrideTickets > 0 &&
		p.WeightTicket > 0
}

// members says that the members of a department are the formula's business.
func (t *Translation) members(u *model.Userset) {
	key := Members
	if slices.ContainsFunc(u.Entries, func(e string) bool { return strings.HasPrefix(e, "@") }) {
		key = GroupMembers
	}
	t.made.members[place{kind: "userset", object: u.Name, key: "entries"}] = key
	t.made.belong[key] = saying{verdict: Lost,
		notes: []string{"its shares and tickets are for its members: PBS orders jobs by a formula, and no " +
			"formula can read them"}}
}

// isUsed reports whether a queue names an access list.
func (t *Translation) isUsed(list string) bool {
	return slices.ContainsFunc(t.From.Instances, func(i model.QueueInstance) bool {
		return slices.Contains(i.ACL, list) || slices.Contains(i.XACL, list)
	})
}
