package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// translateQuotas translates resource quota sets to limits. In Grid Engine only the first matching rule of
// a set counts; in PBS all limits count together. If limits alone can express a set, it becomes limits of
// ncpus. Otherwise qprism adds resources that count its usage, and the hook makes jobs request them at
// submission.
func translateQuotas(t *Translation) {
	for i := range t.From.Quotas {
		q := &t.From.Quotas[i]
		enabled := place{kind: "rqs", object: q.Name, key: "enabled"}
		if q.Enabled {
			t.tell(enabled, "on")
			t.quotaSet(q)
			continue
		}
		t.tell(enabled, "off")
		for n := range q.Rules {
			t.tell(limitOf(q, n), "off")
		}
	}
}

// limitOf is the line of a rule.
func limitOf(q *model.QuotaSet, n int) place {
	return place{kind: "rqs", object: q.Name, key: "limit", index: n}
}

// quotaSet translates a set: by limits alone where it has one rule, or rules that no job meets two of; else
// by resources.
func (t *Translation) quotaSet(q *model.QuotaSet) {
	counted := len(q.Rules) > 1 && !disjoint(q.Rules)
	quota := model.PBSQuota{Set: q.Name}
	for n := range q.Rules {
		r := &q.Rules[n]
		switch {
		case len(r.PEs.Include)+len(r.PEs.Exclude) > 0:
			t.tell(limitOf(q, n), "environment")
		case r.Hosts.Set:
			t.hostRule(q, n)
		default:
			t.entityRule(q, n, counted, &quota)
		}
	}
	if len(quota.Rules) > 0 {
		t.Submit.Quotas = append(t.Submit.Quotas, quota)
	}
}

// disjoint reports whether rules go by the same kind of filter alone and name no one twice but all in the
// end: limits of single users and a generic limit are told apart as rules are.
func disjoint(rules []model.QuotaRule) bool {
	seen := map[string]bool{}
	for i, r := range rules {
		filters := []model.QuotaFilter{r.Users, r.Projects, r.Queues}
		set := 0
		for k, f := range filters {
			if !f.Set {
				continue
			}
			set++
			for _, name := range f.Include {
				key := fmt.Sprint(k, " ", name)
				if seen[key] || name == "*" && i < len(rules)-1 || len(f.Exclude) > 0 || k == 2 &&
					name == "*" || strings.HasPrefix(name, "@") {
					return false
				}
				seen[key] = true
			}
			if k > 0 && seen["users"] || k != 1 && seen["projects"] || k < 2 && seen["queues"] {
				return false
			}
			seen[[]string{"users", "projects", "queues"}[k]] = true
		}
		if set != 1 {
			return false
		}
	}
	return true
}

// hostRule limits what is used on each host, or on hosts together.
func (t *Translation) hostRule(q *model.QuotaSet, n int) {
	r := &q.Rules[n]
	hosts := t.hostsOf(r.Hosts)
	alone := !r.Users.Set && !r.Projects.Set && !r.Queues.Set && len(q.Rules) == 1
	for _, l := range r.Limits {
		res, known := t.entryOf(l.Name)
		switch {
		case !known || res.name == "":
			t.tell(limitOf(q, n), "no_resource", "{name}", l.Name)
		case !alone:
			t.tell(limitOf(q, n), "hosts_and_others")
		case !r.Hosts.Each && len(hosts) > 1:
			t.tell(limitOf(q, n), "hosts_together", "{resource}", res.name)
		default:
			t.capHosts(q, n, hosts, res, l.Value)
		}
	}
}

// hostsOf are the nodes that a filter names.
func (t *Translation) hostsOf(f model.QuotaFilter) (list []string) {
	groups := match.NewHosts(t.From.HostGroups)
	resolve := func(patterns []string) (sets []match.HostSet) {
		for _, p := range patterns {
			sets = append(sets, groups.Set(p))
		}
		return sets
	}
	include, exclude := resolve(f.Include), resolve(f.Exclude)
	in := func(sets []match.HostSet, host string) bool {
		return slices.ContainsFunc(sets, func(s match.HostSet) bool { return s.Has(host) })
	}
	for _, h := range t.To.Hosts {
		if (len(include) == 0 || in(include, h.Name)) && !in(exclude, h.Name) {
			list = append(list, h.Name)
		}
	}
	return list
}

// capHosts gives nodes no more than a rule allows.
func (t *Translation) capHosts(q *model.QuotaSet, n int, hosts []string, res resource, value string) {
	if strings.Contains(value, "$") {
		t.tell(limitOf(q, n), "expression", "{value}", value)
		return
	}
	text, ok := amount(res.kind, value)
	most, valid := model.PBSAmount(text)
	if !ok || !valid {
		t.tell(limitOf(q, n), "no_amount", "{value}", value)
		return
	}
	for _, host := range hosts {
		node := t.nodeNamed(host)
		if own, has := model.Text(node.Capacity, res.name); has {
			if a, _ := model.PBSAmount(own); a <= most {
				continue
			}
		}
		node.Capacity = put(node.Capacity, res.name, text)
		t.tell(limitOf(q, n), "node", "{host}", host, "{resource}", res.name, "{value}", text)
	}
	t.say(limitOf(q, n), Exact, "", "")
}

// entityRule limits users, projects and queues.
func (t *Translation) entityRule(q *model.QuotaSet, n int, counted bool, quota *model.PBSQuota) {
	r := &q.Rules[n]
	for _, l := range r.Limits {
		res, known := t.entryOf(l.Name)
		value, ok := amount(res.kind, l.Value)
		if !known || res.name == "" || !ok || !numeric(res.kind) {
			t.tell(limitOf(q, n), "no_number", "{name}", l.Name, "{value}", l.Value)
			continue
		}
		if simple := t.simpleLimits(r, res.name, value); simple != nil && !counted {
			for _, limit := range simple {
				t.say(limitOf(q, n), Exact, limit(), "")
			}
			if r.Queues.Set && len(t.From.Queues) > 1 {
				t.tell(limitOf(q, n), "no_queue")
			}
			continue
		}
		t.countedRule(q, n, res, value, quota)
	}
}

// simpleLimits are the limits of a rule that limit attributes express; nil where they cannot.
func (t *Translation) simpleLimits(r *model.QuotaRule, resource, value string) (list []func() string) {
	limit := func(kind, entity string) model.Limit { return newLimit("max_run_res", resource, kind, entity, value) }
	limits := []model.Limit{limit("o", "PBS_ALL")}
	users, usersOK := entities(r.Users, "u")
	projects, projectsOK := entities(r.Projects, "p")
	queues, all, ok := t.queuesOf(r.Queues)
	if !usersOK || !projectsOK || !ok || r.Users.Set && r.Projects.Set {
		return nil
	}
	if r.Users.Set || r.Projects.Set {
		limits = nil
		for _, e := range slices.Concat(users, projects) {
			limits = append(limits, limit(e[0], e[1]))
		}
	}
	for _, l := range limits {
		if all {
			list = append(list, func() string { return t.limitServer(l) })
			continue
		}
		for _, name := range queues {
			list = append(list, func() string { return limitQueue(t.queueNamed(name), l) })
		}
	}
	return list
}

// entities are the users or projects that a filter gives a limit each, by kind of limit and name; ok is
// false where a filter needs more than that.
func entities(f model.QuotaFilter, kind string) (list [][2]string, ok bool) {
	if !f.Set {
		return nil, true
	}
	if len(f.Exclude) > 0 || !f.Each && (len(f.Include) != 1 || f.Include[0] != "*" &&
		strings.HasPrefix(f.Include[0], "@")) {
		return nil, false
	}
	for _, name := range f.Include {
		switch {
		case name == "*" && f.Each:
			list = append(list, [2]string{kind, "PBS_GENERIC"})
		case name == "*":
			list = append(list, [2]string{"o", "PBS_ALL"})
		case strings.HasPrefix(name, "@"): // an access list, or a group of the system: what each of its members may use
			return nil, false
		case !plainWord(name):
			return nil, false
		default:
			list = append(list, [2]string{kind, name})
		}
	}
	return list, true
}

// queuesOf are the queues that a filter limits one by one; all says that it is for the whole cluster.
func (t *Translation) queuesOf(f model.QuotaFilter) (queues []string, all, ok bool) {
	switch {
	case !f.Set || !f.Each && slices.Equal(f.Include, []string{"*"}) && len(f.Exclude) == 0:
		return nil, true, true
	case !f.Each && len(f.Include) != 1 || len(f.Exclude) > 0 && !f.Each:
		return nil, false, false
	}
	for _, q := range t.From.Queues {
		if matchesName(f, q.Name) {
			queues = append(queues, t.queueName(q.Name))
		}
	}
	return queues, false, f.Each || len(queues) == 1
}

// matchesName reports whether a filter fits a name, by wildcards.
func matchesName(f model.QuotaFilter, name string) bool {
	fits := func(p string) bool { return glob.Match(p, name) }
	return (len(f.Include) == 0 || slices.ContainsFunc(f.Include, fits)) && !slices.ContainsFunc(f.Exclude, fits)
}

// countedRule counts a rule by a resource of its own.
func (t *Translation) countedRule(q *model.QuotaSet, n int, res resource, value string, quota *model.PBSQuota) {
	r := &q.Rules[n]
	name := t.newResourceName("quota_" + q.Name + "_" + strconv.Itoa(n+1) + "_" + res.name)
	t.addResource(model.Resource{Name: name, Type: res.kind})
	kind, entity := "o", "PBS_ALL"
	switch {
	case r.Users.Each && r.Projects.Each, r.Queues.Each:
		t.tell(limitOf(q, n), "each_of_several")
		return
	case r.Users.Each:
		kind, entity = "u", "PBS_GENERIC"
	case r.Projects.Each:
		kind, entity = "p", "PBS_GENERIC"
	}
	into := t.limitServer(newLimit("max_run_res", name, kind, entity, value))
	queues := model.PBSFilter{}
	if r.Queues.Set {
		for _, other := range t.From.Queues {
			if matchesName(r.Queues, other.Name) {
				queues.Include = append(queues.Include, t.queueName(other.Name))
			}
		}
	}
	quota.Rules = append(quota.Rules, model.PBSQuotaRule{Resource: name, Of: res.name, Users: t.expanded(r.Users),
		Projects: model.PBSFilter{Include: r.Projects.Include, Exclude: r.Projects.Exclude},
		Queues:   queues})
	t.tell(limitOf(q, n), "counted", "{limit}", into, "{resource}", name, "{of}", res.name)
	if r.Queues.Set && len(t.From.Queues) > 1 {
		t.tell(limitOf(q, n), "no_queue")
	}
}

// expanded is a filter of users with access lists as their members.
func (t *Translation) expanded(f model.QuotaFilter) model.PBSFilter {
	names := func(list []string) (out []string) {
		for _, name := range list {
			set, isSet := strings.CutPrefix(name, "@")
			if !isSet || !slices.ContainsFunc(t.From.Usersets, func(u model.Userset) bool { return u.Name == set }) {
				out = append(out, name)
				continue
			}
			users, groups := t.entriesOf([]string{set})
			out = append(out, users...)
			for _, g := range groups {
				out = append(out, "@"+g)
			}
		}
		return out
	}
	return model.PBSFilter{Include: names(f.Include), Exclude: names(f.Exclude)}
}
