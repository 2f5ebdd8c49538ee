package match_test

import (
	"strings"
	"testing"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

var usersets = match.NewUsersets([]model.Userset{
	{Name: "dev", Entries: []string{"ann", "@staff"}},
	{Name: "devops", Entries: []string{"bob"}},
})

// filter is a filter as it stands in a rule: "{@dev,!eve}".
func filter(text string) model.QuotaFilter {
	if text == "" {
		return model.QuotaFilter{}
	}
	f := model.QuotaFilter{Set: true, Each: text[0] == '{'}
	for _, entry := range strings.Split(strings.Trim(text, "{}"), ",") {
		if name, not := strings.CutPrefix(entry, "!"); not {
			f.Exclude = append(f.Exclude, name)
		} else {
			f.Include = append(f.Include, entry)
		}
	}
	return f
}

// rule is a rule with filters for users, projects, parallel environments, queues and hosts.
func rule(filters [5]string) model.QuotaRule {
	return model.QuotaRule{Users: filter(filters[0]), Projects: filter(filters[1]), PEs: filter(filters[2]),
		Queues: filter(filters[3]), Hosts: filter(filters[4])}
}

func TestQuotaRules(t *testing.T) {
	ann := match.Quota{User: "ann", Group: "x", Project: "p1", PE: "mpi", Queue: "all.q", Host: "g1.a.org"}
	serial := match.Quota{User: "eve", Group: "staff", Queue: "b.q", Host: "n1"}
	for name, tc := range map[string]struct {
		filters [5]string
		quota   match.Quota
		want    bool
		key     string
	}{
		"a rule without filters is everybody's":          {[5]string{}, ann, true, "/////"},
		"a user by name":                                 {[5]string{0: "ann,bob"}, ann, true, "/////"},
		"a user by pattern":                              {[5]string{0: "a?n"}, ann, true, "/////"},
		"a user by list":                                 {[5]string{0: "@dev"}, ann, true, "/////"},
		"a user by list and group":                       {[5]string{0: "@dev"}, serial, true, "/////"},
		"a user by a pattern of lists":                   {[5]string{0: "@de*"}, ann, true, "/////"},
		"a user who is in no list":                       {[5]string{0: "@devops"}, ann, false, "/////"},
		"braces count each user":                         {[5]string{0: "{*}"}, ann, true, "ann/////"},
		"braces count the users of a list, not the list": {[5]string{0: "{@dev}"}, ann, true, "ann/////"},
		"who is left out":                                {[5]string{0: "*,!ann"}, ann, false, "/////"},
		"who is left out as one of a list":               {[5]string{0: "!@dev"}, ann, false, "/////"},
		"all but a list":                                 {[5]string{0: "!@devops"}, ann, true, "/////"},
		"a project by name":                              {[5]string{1: "p1"}, ann, true, "/////"},
		"a project by pattern, each":                     {[5]string{1: "{p*}"}, ann, true, "/p1////"},
		"no project is no project":                       {[5]string{1: "*"}, serial, false, "/////"},
		"no project is not left out":                     {[5]string{1: "!*"}, serial, true, "/////"},
		"a project is":                                   {[5]string{1: "!*"}, ann, false, "/////"},
		"all projects but one":                           {[5]string{1: "*,!p2"}, ann, true, "/////"},
		"a parallel environment, each":                   {[5]string{2: "{*}"}, ann, true, "//mpi///"},
		"no parallel environment is none":                {[5]string{2: "{*}"}, serial, false, "/////"},
		"not parallel":                                   {[5]string{2: "!*"}, serial, true, "/////"},
		"a queue by pattern":                             {[5]string{3: "{a*}"}, ann, true, "///all.q//"},
		"another queue":                                  {[5]string{3: "b*"}, ann, false, "/////"},
		"a queue left out":                               {[5]string{3: "!b.q"}, serial, false, "/////"},
		"a host in any case, its domain aside":           {[5]string{4: "{G1}"}, ann, true, "////g1/"},
		"every host":                                     {[5]string{4: "{*}"}, ann, true, "////g1/"},
		"a host of a group":                              {[5]string{4: "{@allhosts}"}, ann, true, "////g1/"},
		"a host of a pattern of groups":                  {[5]string{4: "@g*"}, ann, true, "/////"},
		"a host of another group":                        {[5]string{4: "@gpu"}, serial, false, "/////"},
		"a host left out of a group":                     {[5]string{4: "@allhosts,!@gpu"}, ann, false, "/////"},
		"a host that is not left out":                    {[5]string{4: "@allhosts,!@gpu"}, serial, true, "/////"},
		"all filters have to match":                      {[5]string{"ann", "p2", "", "", ""}, ann, false, "/////"},
		"all filters match, and all are counted apart":   {[5]string{"{ann}", "{*}", "{*}", "{*}", "{*}"}, ann, true, "ann/p1/mpi/all.q/g1/"},
	} {
		r := rule(tc.filters)
		got := tc.quota.Matches(&r, match.NewHosts(groups), usersets)
		if got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
		if key := tc.quota.Key(&r); got && key != tc.key {
			t.Errorf("%s: key %q, want %q", name, key, tc.key)
		}
	}
}

func TestTheFirstRuleThatMatchesApplies(t *testing.T) {
	set := model.QuotaSet{Enabled: true, Rules: []model.QuotaRule{rule([5]string{0: "bob"}),
		rule([5]string{0: "ann"}), rule([5]string{})}}
	rules := match.NewRules(&set, match.Hosts{}, match.Usersets{})
	for user, want := range map[string]int{"bob": 0, "ann": 1, "eve": 2} {
		if got := rules.Find(match.Quota{User: user}); got != want {
			t.Errorf("%s: rule %d, want %d", user, got, want)
		}
	}
	set.Enabled = false
	if got := match.NewRules(&set, match.Hosts{}, match.Usersets{}).Find(match.Quota{User: "ann"}); got != -1 {
		t.Errorf("a set that is not enabled has rule %d", got)
	}
}

// TestTheDepartmentOfAJobIsThatOfItsUserOrOfHisGroup, in this order, else defaultdepartment.
func TestTheDepartmentOfAJobIsThatOfItsUserOrOfHisGroup(t *testing.T) {
	sets := []model.Userset{{Name: "list", Entries: []string{"ann"}}, {Name: "phys", Department: true, Entries: []string{"@staff"}},
		{Name: "chem", Department: true, Entries: []string{"ann"}}, {Name: "defaultdepartment", Department: true}}
	for _, c := range []struct{ user, group, want string }{
		{"ann", "staff", "chem"}, {"bob", "staff", "phys"}, {"bob", "other", "defaultdepartment"}, {"bob", "", "defaultdepartment"},
	} {
		if got := match.NewUsersets(sets).Department(c.user, c.group); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.user, c.group, got, c.want)
		}
	}
	if got := match.NewUsersets(sets[:1]).Department("ann", "staff"); got != "" {
		t.Errorf("without departments: %q", got)
	}
}
