package match_test

import (
	"fmt"
	"strings"
	"testing"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

var groups = []model.HostGroup{
	{Name: "@allhosts", Members: []string{"n1", "n2", "@gpu"}},
	{Name: "@gpu", Members: []string{"g1.a.org", "G2"}},
	{Name: "@loop", Members: []string{"@pool", "n3"}},
	{Name: "@pool", Members: []string{"@loop", "n4"}},
	{Name: "@none"},
	{Name: "@wild", Members: []string{"w[0-9]"}},
}

func TestHosts(t *testing.T) {
	hosts := match.NewHosts(groups)
	for name, tc := range map[string]struct {
		pattern, host string
		want          bool
	}{
		"a host is itself":                                 {"n1", "n1", true},
		"in any case, with or without its domain":          {"N1.a.org", "n1", true},
		"a host is not another":                            {"n1", "n11", false},
		"a pattern is an expression":                       {"n*&!n1", "n2", true},
		"a group has its members":                          {"@gpu", "g1", true},
		"a group has nobody else":                          {"@gpu", "n1", false},
		"a group has the members of its groups":            {"@allhosts", "g2", true},
		"a group that has itself has its members":          {"@loop", "n4", true},
		"and ends there":                                   {"@loop", "n1", false},
		"the name of a group may have wildcards":           {"@g*|loop", "n3", true},
		"the name of a group is compared in any case":      {"@GPU", "g2", true},
		"a group's negation are the other groups' members": {"@!gpu", "n1", true},
		"and their groups' members":                        {"@!gpu", "g1", true},
		"a group without members has none":                 {"@none", "n1", false},
		"a group that does not exist has none":             {"@nowhere", "n1", false},
		"a member is an expression too":                    {"@wild", "w7", true},
		"what is no expression has no host":                {"(n1", "n1", false},
	} {
		if got := hosts.Set(tc.pattern).Has(tc.host); got != tc.want {
			t.Errorf("%s: %q has %q: %v", name, tc.pattern, tc.host, got)
		}
	}
}

// TestGroupsOfGroupsAreResolvedOnce has 40 layers of two groups, each with both of the next layer: a million million
// ways from the first to the last.
func TestGroupsOfGroupsAreResolvedOnce(t *testing.T) {
	var layers []model.HostGroup
	for i := range 40 {
		next := []string{fmt.Sprintf("@a%d", i+1), fmt.Sprintf("@b%d", i+1)}
		layers = append(layers, model.HostGroup{Name: fmt.Sprintf("@a%d", i), Members: next})
		layers = append(layers, model.HostGroup{Name: fmt.Sprintf("@b%d", i), Members: next})
	}
	layers = append(layers, model.HostGroup{Name: "@a40", Members: []string{"n1"}})
	if hosts := match.NewHosts(layers); !hosts.Set("@a0").Has("n1") || hosts.Set("@a0").Has("n2") {
		t.Error("the last layer is not reached")
	}
}

func TestQueueList(t *testing.T) {
	hosts := match.NewHosts(groups)
	for name, tc := range map[string]struct {
		list                    string
		cluster, instance, host bool // all.q, all.q@g1, g1
	}{
		"a queue is on every host":                         {"all.q", true, true, true},
		"a queue of another name is too":                   {"b.q", false, false, true},
		"a queue on a host":                                {"all.q@g1", true, true, true},
		"a queue on another host":                          {"all.q@n1", true, false, false},
		"a queue on the hosts of a group":                  {"all.q@@gpu", true, true, true},
		"a queue on the hosts of groups":                   {"all.q@@g*", true, true, true},
		"any queue on a host":                              {"*@g[1-3]", true, true, true},
		"an expression of queues":                          {"!(b*|c*)@!n*", true, true, true},
		"one entry has the queue and another one the host": {"all.q@n1,b.q@g1", true, false, true},
		"one entry of several has both":                    {"b.q,all.q@g1", true, true, true},
		"a queue's name is compared in its case":           {"ALL.q", false, false, true},
		"a host's is not":                                  {"all.q@G1.a.org", true, true, true},
		"a queue without a name is none":                   {"@g1", false, false, true},
	} {
		l := match.NewQueueList(strings.Split(tc.list, ","), hosts)
		if l.Empty() {
			t.Errorf("%s: empty", name)
		}
		got := [3]bool{l.Cluster("all.q"), l.Instance("all.q", "g1"), l.Host("g1")}
		if want := [3]bool{tc.cluster, tc.instance, tc.host}; got != want {
			t.Errorf("%s: %q selects cluster queue, instance, host: %v, want %v", name, tc.list, got, want)
		}
	}
}

func TestAnEmptyQueueListSelectsNothing(t *testing.T) {
	l := match.NewQueueList(nil, match.Hosts{})
	if !l.Empty() || l.Cluster("all.q") || l.Instance("all.q", "n1") || l.Host("n1") {
		t.Error("it does")
	}
}

func TestUsersets(t *testing.T) {
	sets := match.NewUsersets([]model.Userset{
		{Name: "dev", Entries: []string{"ann", "@staff"}},
		{Name: "ops", Entries: []string{"bob"}},
		{Name: "dev", Entries: []string{"eve"}},
		{Name: "none"},
	})
	for name, tc := range map[string]struct {
		user, group string
		acl, xacl   []string
		want        bool
	}{
		"without lists everybody may":               {"eve", "x", nil, nil, true},
		"who is in the list may":                    {"ann", "x", []string{"ops", "dev"}, nil, true},
		"who is in none may not":                    {"eve", "x", []string{"ops", "dev"}, nil, false},
		"whose group is in the list may":            {"eve", "staff", []string{"dev"}, nil, true},
		"a user is no group":                        {"@staff", "", []string{"ops"}, nil, false},
		"a group is no user":                        {"x", "ann", []string{"dev"}, nil, false},
		"who is in the other list may not":          {"ann", "x", nil, []string{"dev"}, false},
		"who is in both may not":                    {"ann", "x", []string{"dev"}, []string{"dev"}, false},
		"who is not in the other list may":          {"bob", "x", nil, []string{"dev"}, true},
		"nobody is in a list that does not exist":   {"ann", "x", []string{"gone"}, nil, false},
		"nor does such a list shut anybody out":     {"ann", "x", nil, []string{"gone"}, true},
		"nobody is in an empty list":                {"ann", "x", []string{"none"}, nil, false},
		"a user without a name is in no list":       {"", "", []string{"dev", "ops"}, nil, false},
		"of two lists of one name the first counts": {"eve", "x", []string{"dev"}, nil, false},
	} {
		if got := sets.Access(tc.user, tc.group, tc.acl, tc.xacl); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
