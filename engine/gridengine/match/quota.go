package match

import (
	"strings"

	"qprism/engine/model"
)

// A Quota is a user, project, parallel environment, queue and host, for the filters of sge_resource_quota(5).
// An empty Project or PE means none.
type Quota struct {
	User, Group, Project, PE, Queue, Host string
}

// Rules are the parsed rules of a resource quota set.
type Rules struct {
	rules []rule
}

type rule struct {
	of    *model.QuotaRule
	users userFilter
	hosts hostFilter

	projects, pes, queues nameFilter
}

// NewRules parses the rules of a set. A disabled set has none.
func NewRules(set *model.QuotaSet, hosts Hosts, users Usersets) Rules {
	var r Rules
	if !set.Enabled {
		return r
	}
	for i := range set.Rules {
		r.rules = append(r.rules, newRule(&set.Rules[i], hosts, users))
	}
	return r
}

func newRule(r *model.QuotaRule, hosts Hosts, users Usersets) rule {
	return rule{
		of:       r,
		users:    newUserFilter(r.Users, users),
		hosts:    newHostFilter(r.Hosts, hosts),
		projects: newNameFilter(r.Projects),
		pes:      newNameFilter(r.PEs),
		queues:   newNameFilter(r.Queues),
	}
}

// Find is the index of the rule that applies: the first one whose filters all match; -1 for none.
func (r Rules) Find(q Quota) int {
	for i := range r.rules {
		if r.rules[i].matches(q) {
			return i
		}
	}
	return -1
}

// Matches reports whether all filters of a rule match.
func (q Quota) Matches(r *model.QuotaRule, hosts Hosts, users Usersets) bool {
	return newRule(r, hosts, users).matches(q)
}

func (r rule) matches(q Quota) bool {
	return r.users.matches(q.User, q.Group) && r.projects.matches(q.Project) && r.pes.matches(q.PE) &&
		r.queues.matches(q.Queue) && r.hosts.matches(q.Host)
}

// Key names the counter of a rule: "user/project/pe/queue/host/". A part is present if the filter gives each
// of its members a limit of its own. It is the resource in the L lines of the schedule file.
func (q Quota) Key(r *model.QuotaRule) string {
	var key strings.Builder
	part := func(f model.QuotaFilter, value string) {
		if f.Set && f.Each {
			key.WriteString(value)
		}
		key.WriteByte('/')
	}
	part(r.Users, q.User)
	part(r.Projects, q.Project)
	part(r.PEs, q.PE)
	part(r.Queues, q.Queue)
	part(r.Hosts, Host(q.Host))
	return key.String()
}
