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
					t.say(place{kind: "userset", object: u.Name, key: "entries"}, Lost, "", "no name that qmgr can be told: "+e)
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

// quotable reports whether a name can stand in an access control list: a sign at its front would mean to
// let in or keep out.
func quotable(name string) bool {
	return name != "" && !strings.ContainsAny(name, "\",") && !strings.ContainsAny(name[:1], "+-")
}

// queueAccess makes access control lists of a queue's lists.
func (t *Translation) queueAccess(q *model.Queue, to *model.Queue) {
	t.userAccess(q, to)
	t.projectAccess(q, to)
}

// sameEverywhere is the list of a queue attribute; the note says that single hosts have others, which are not kept.
func sameEverywhere(q *model.Queue, key string) (list []string, present bool, note string) {
	a, ok := attributeOf(q, key)
	for _, word := range strings.FieldsFunc(a.Default, func(c rune) bool { return strings.ContainsRune(", \t\r", c) }) {
		if !strings.EqualFold(word, "none") {
			list = append(list, word)
		}
	}
	if len(a.Overrides) > 0 {
		note = "of single hosts: PBS knows no lists for parts of a queue; make a queue of its own for them"
	}
	return list, ok, note
}

func (t *Translation) userAccess(q *model.Queue, to *model.Queue) {
	allow, hasAllow, note1 := sameEverywhere(q, "user_lists")
	deny, hasDeny, note2 := sameEverywhere(q, "xuser_lists")
	users, groups := t.entriesOf(allow)
	notUsers, notGroups := t.entriesOf(deny)
	userACL := acl(users, notUsers)
	groupACL := acl(groups, notGroups)
	verdict, note := Exact, ""
	switch {
	case len(users) > 0 && len(groups) > 0:
		groupACL = acl(nil, notGroups)
		verdict, note = Approximate, "PBS lets in who is on both its lists, not on one of them: members "+
			"of the groups "+strings.Join(groups, " ")+
			" have to be added to acl_users by name"
	case len(allow) > 0 && len(users) == 0 && len(groups) == 0:
		userACL = []string{"-"}
		note = "the lists are empty: nobody is let in"
	}
	var into []string
	if len(userACL) > 0 {
		into = append(into, setACL(to, "acl_user", "acl_users", userACL)...)
	}
	if len(groupACL) > 0 {
		into = append(into, setACL(to, "acl_group", "acl_groups", groupACL)...)
	}
	for _, l := range []struct {
		key  string
		has  bool
		list []string
		over string
	}{{"user_lists", hasAllow, allow, note1}, {"xuser_lists", hasDeny, deny, note2}} {
		if len(l.list) > 0 {
			t.sayQueue(q, l.key, verdict, strings.Join(into, "\n"), note)
			if len(t.From.Queues) > 1 {
				t.sayQueue(q, l.key, Approximate, "",
					"jobs that name no queue do not pass through it: they run on nodes that have another queue, for everybody")
			}
		} else if l.has && l.over == "" {
			t.sayQueue(q, l.key, NoEffect, "", "none")
		}
		if l.over != "" {
			t.sayQueue(q, l.key, Lost, "", l.over)
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

func setACL(q *model.Queue, enable, list string, names []string) []string {
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

func (t *Translation) projectAccess(q *model.Queue, to *model.Queue) {
	gate := model.PBSGate{Queue: to.Name}
	for _, key := range []string{"projects", "xprojects"} {
		list, has, over := sameEverywhere(q, key)
		switch {
		case over != "":
			t.sayQueue(q, key, Lost, "", over)
		case len(list) > 0:
			t.sayQueue(q, key, Exact, "hook: the queue refuses jobs of other projects", "")
		case has:
			t.sayQueue(q, key, NoEffect, "", "none")
		}
		if key == "projects" {
			gate.Allow = list
		} else {
			gate.Deny = list
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
			t.say(p, Lost, "", "no name of a PBS user")
			continue
		}
		list = append(list, name+"@*")
		t.say(p, Exact, "set server "+kind+" += "+name+"@*", "")
	}
	if len(list) > 0 {
		t.setServer(kind, strings.Join(list, ","))
	}
}

// user says what becomes of a user's lines. Its shares and tickets are the formula's business.
func (t *Translation) user(u *model.User) {
	say := func(key string, v Verdict, into, note string) {
		t.say(place{kind: "user", object: u.Name, key: key}, v, into, note)
	}
	t.sayShares("user", u.Name, u.FunctionalShares, u.OverrideTickets)
	if u.DefaultProject == "" {
		say("default_project", NoEffect, "", "none")
		return
	}
	t.Submit.Defaults = append(t.Submit.Defaults, model.PBSMember{User: u.Name, Project: u.DefaultProject})
	say("default_project", Exact, "hook: project "+u.DefaultProject+" for jobs that name none", "")
}

// sayShares says what becomes of functional shares and override tickets, as long as no formula says more.
func (t *Translation) sayShares(kind, name string, shares, tickets uint32) {
	fshare := place{kind: kind, object: name, key: "fshare"}
	switch {
	case shares == 0:
		t.say(fshare, NoEffect, "", "no shares")
	case !t.functional():
		t.say(fshare, NoEffect, "", "the functional policy orders nothing")
	default:
		t.say(fshare, Lost, "", "PBS has no functional policy: the formula has to stand for it")
	}
	oticket := place{kind: kind, object: name, key: "oticket"}
	switch {
	case tickets == 0:
		t.say(oticket, NoEffect, "", "no tickets")
	case t.From.Policy.WeightTicket == 0:
		t.say(oticket, NoEffect, "", "tickets order nothing")
	default:
		t.say(oticket, Lost, "", "PBS has no override policy: the formula has to stand for it, or a "+
			"resource that managers set with qalter -l")
	}
}

func (t *Translation) userset(u *model.Userset) {
	say := func(key string, v Verdict, into, note string) {
		t.say(place{kind: "userset", object: u.Name, key: key}, v, into, note)
	}
	t.sayShares("userset", u.Name, u.FunctionalShares, u.OverrideTickets)
	switch {
	case u.Name == "arusers" && len(u.Entries) > 0:
		t.setServer("acl_resv_user_enable", "True")
		users, groups := t.entriesOf([]string{u.Name})
		t.setServer("acl_resv_users", strings.Join(acl(users, nil), ","))
		verdict, note := Exact, ""
		if len(groups) > 0 {
			verdict, note = Approximate, "groups have to be added by name"
		}
		say("entries", verdict, "set server acl_resv_users = "+shortList(users), note)
	case u.Name == "arusers":
		t.setServer("acl_resv_user_enable", "True")
		say("entries", Exact, "set server acl_resv_user_enable = True", "nobody but managers may reserve")
	case u.Name == "deadlineusers" && len(u.Entries) == 0:
		say("entries", NoEffect, "", "nobody may ask for a deadline")
	case u.Name == "deadlineusers" && t.From.Policy.WeightUrgency*t.From.Policy.WeightDeadline == 0:
		say("entries", NoEffect, "", "deadlines order no jobs: their weight is 0")
	case u.Name == "deadlineusers":
		say("entries", Lost, "", "PBS jobs have no deadlines")
	case t.isUsed(u.Name):
		say("entries", Exact, "the lists of the queues that name it", "")
		if u.Department && t.counts(u) {
			t.members(u)
		}
	case len(u.Entries) == 0:
		say("entries", NoEffect, "", "nobody")
	case u.Department && t.counts(u):
		t.members(u)
	case u.Department:
		say("entries", NoEffect, "", "a department orders jobs through its shares and tickets alone, "+
			"and it has none that count")
	default:
		say("entries", NoEffect, "", "no queue, project or host names it")
	}
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
		notes: []string{"its shares and tickets are for its members: PBS orders jobs by a formula, and none knows them"}}
}

// isUsed reports whether a queue names an access list.
func (t *Translation) isUsed(list string) bool {
	return slices.ContainsFunc(t.From.Instances, func(i model.QueueInstance) bool {
		return slices.Contains(i.ACL, list) || slices.Contains(i.XACL, list)
	})
}
