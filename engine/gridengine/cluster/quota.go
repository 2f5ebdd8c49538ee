package cluster

import (
	"strconv"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// A QuotaSet is an enabled resource quota set.
type QuotaSet struct {
	*model.QuotaSet
	rules    match.Rules
	Counters map[quotaKey]*Counter
	Modified int // place among the changes; more is later
}

type quotaKey struct {
	rule  int
	usage string
}

// A Counter counts the use under one quota rule, for all jobs that share one limit.
type Counter struct {
	resource.Layer
	Set    *QuotaSet
	Rule   *model.QuotaRule
	Number int // of the rule in its set
	Limits []limit

	Round      uint32 // the last search that looked at it, and the result:
	Result     resource.Result
	At         seconds
	Slots      int
	SlotsAtEnd int
	Master     uint8
}

// A limit is one limit of a rule. A formula is computed for each host anew.
type limit struct {
	Attr    *resource.Attribute
	formula *formula.Formula
}

func (r *Cluster) buildQuotas() {
	for i := range r.Snapshot.Quotas {
		set := &r.Snapshot.Quotas[i]
		if set.Enabled {
			r.Quotas = append(r.Quotas, &QuotaSet{QuotaSet: set,
				rules: match.NewRules(set, r.Groups, r.Usersets), Counters: map[quotaKey]*Counter{}})
		}
	}
}

// CountersOf finds the counters for a job in a queue instance. Only the first matching rule of each set
// counts.
func (r *Cluster) CountersOf(o Owner, p *PE, q *Instance) []*Counter {
	var list []*Counter
	who := match.Quota{User: o.User, Group: o.Group, Project: o.Project, Queue: q.Queue, Host: q.Host}
	if p != nil {
		who.PE = p.Name
	}
	for _, set := range r.Quotas {
		if n := set.rules.Find(who); n >= 0 {
			list = append(list, r.counter(set, n, who.Key(&set.Rules[n])))
		}
	}
	return list
}

func (r *Cluster) counter(set *QuotaSet, n int, usage string) *Counter {
	key := quotaKey{n, usage}
	c := set.Counters[key]
	if c != nil {
		return c
	}
	c = &Counter{Set: set, Rule: &set.Rules[n], Number: n,
		Layer: resource.Layer{Level: resource.LevelQuota, Object: set.Name}}
	for _, s := range c.Rule.Limits {
		a := r.Complex[s.Name]
		if a == nil || c.Configured(a) != nil {
			continue
		}
		l := limit{Attr: a}
		if strings.Contains(s.Value, "$") {
			f := formula.Parse(s.Value)
			l.formula = &f
		}
		c.Add(a, s.Value)
		if u := c.UseOf(a); u != nil {
			u.Resource = usage
		}
		c.Limits = append(c.Limits, l)
	}
	set.Counters[key] = c
	return c
}

// Title names a rule as messages do: "set/rule", or the rule's number if it has no name.
func (c *Counter) Title() string {
	name := c.Rule.Name
	if name == "" {
		name = strconv.Itoa(c.Number + 1)
	}
	return c.Set.Name + "/" + name
}

// Compute computes limits that are formulas, for a host.
func (c *Counter) Compute(r *Cluster, h *Host) {
	for i := range c.Limits {
		if f := c.Limits[i].formula; f != nil {
			amount := f.Load(func(name string) (float64, bool) { return r.valueAt(h, name) })
			c.Capacities[i].Amount = amount
			if u := c.UseOf(c.Limits[i].Attr); u != nil {
				u.Total = amount
			}
		}
	}
}

// QuotasOf are the counters for a job of a category in a queue instance.
func (r *Cluster) QuotasOf(c *Category, p *PE, q *Instance) []*Counter {
	if len(r.Quotas) == 0 {
		return nil
	}
	k := r.CacheOf(c, p)
	if k.Quotas[q.Id] == nil {
		k.Quotas[q.Id] = r.CountersOf(Owner{c.User, c.Group, c.Project}, p, q)
		if k.Quotas[q.Id] == nil {
			k.Quotas[q.Id] = []*Counter{}
		}
	}
	return k.Quotas[q.Id]
}

// Usage is the usage key of the counter: it names the users, projects, queues and hosts that share the limit.
func (c *Counter) Usage() string {
	if len(c.Uses) == 0 {
		return ""
	}
	return c.Uses[0].Resource
}
