package schedule

import (
	"strings"

	"qprism/engine/formula"
	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// A quotaSet is a resource quota set that is enabled.
type quotaSet struct {
	*model.QuotaSet
	rules    match.Rules
	counters map[quotaKey]*counter
	modified int // its last change, counted
}

type quotaKey struct {
	rule  int
	usage string
}

// A counter is what one rule of a quota set counts for those who share its limits.
type counter struct {
	layer
	set    *quotaSet
	rule   *model.QuotaRule
	number int // of the rule in its set
	limits []limit

	round      uint32 // of the search that looked at it last, and what that found:
	result     result
	at         seconds
	slots      int
	slotsAtEnd int
	master     uint8
}

// A limit is one limit of a rule. A formula is computed for each host anew.
type limit struct {
	attr    *attr
	formula *formula.Formula
}

func (r *run) buildQuotas() {
	for i := range r.snapshot.Quotas {
		set := &r.snapshot.Quotas[i]
		if set.Enabled {
			r.world.quotas = append(r.world.quotas, &quotaSet{QuotaSet: set,
				rules: match.NewRules(set, r.world.groups, r.world.usersets), counters: map[quotaKey]*counter{}})
		}
	}
}

// countersOf finds the counters that count a job in a queue instance: of each set that of the first rule that applies.
func (r *run) countersOf(o owner, p *pe, q *instance) []*counter {
	var list []*counter
	who := match.Quota{User: o.user, Group: o.group, Project: o.project, Queue: q.Queue, Host: q.Host()}
	if p != nil {
		who.PE = p.Name
	}
	for _, set := range r.world.quotas {
		if n := set.rules.Find(who); n >= 0 {
			list = append(list, r.counter(set, n, who.Key(&set.Rules[n])))
		}
	}
	return list
}

func (r *run) counter(set *quotaSet, n int, usage string) *counter {
	key := quotaKey{n, usage}
	c := set.counters[key]
	if c != nil {
		return c
	}
	c = &counter{set: set, rule: &set.Rules[n], number: n, layer: layer{level: levelQuota, name: set.Name}}
	for _, s := range c.rule.Limits {
		a := r.world.complex[s.Name]
		if a == nil || c.configured(a) != nil {
			continue
		}
		l := limit{attr: a}
		if strings.Contains(s.Value, "$") {
			f := formula.Parse(s.Value)
			l.formula = &f
		}
		c.add(a, s.Value)
		if u := c.used(a); u != nil {
			u.resource = usage
		}
		c.limits = append(c.limits, l)
	}
	set.counters[key] = c
	return c
}

// title is a rule as messages name it: "set/rule", with the rule's number where it has no name.
func (c *counter) title() string {
	name := c.rule.Name
	if name == "" {
		name = itoa(c.number + 1)
	}
	return c.set.Name + "/" + name
}

// fix computes the limits that are formulas for a host.
func (c *counter) fix(r *run, h *host) {
	for i := range c.limits {
		if f := c.limits[i].formula; f != nil {
			amount := f.Load(func(name string) (float64, bool) { return r.valueAt(h, name) })
			c.conf[i].amount = amount
			if u := c.used(c.limits[i].attr); u != nil {
				u.total = amount
			}
		}
	}
}

// quotasOf are the counters that would count the job in a queue instance.
func (a *attempt) quotasOf(q *instance) []*counter {
	if len(a.run.world.quotas) == 0 || a.advance != nil {
		return nil
	}
	k := a.run.cacheOf(a.cat, a.pe)
	if k.quotas[q.id] == nil {
		k.quotas[q.id] = a.run.countersOf(owner{a.cat.user, a.cat.group, a.cat.project}, a.pe, q)
		if k.quotas[q.id] == nil {
			k.quotas[q.id] = []*counter{}
		}
	}
	return k.quotas[q.id]
}

// timeOfQuotas finds whether the quotas let a sequential job into a queue instance, and when; everywhere says that no
// other instance can be better, because the rule that decides holds for all of them.
func (h *hunt) timeOfQuotas(q *instance, best seconds) (got result, latest seconds, everywhere bool) {
	for _, c := range h.quotasOf(q) {
		if c.round != h.round {
			c.round = h.round
			h.evaluate(c, q)
			if c.result != fits && c.result != notThere {
				h.note(h.exceeds(c))
				everywhere = everywhere || h.everywhere(c)
			}
		}
		switch {
		case c.result == notThere:
			continue
		case c.result != fits:
			return c.result, latest, everywhere
		case h.reserve && c.at >= best && h.everywhere(c):
			everywhere = true
		}
		latest = max(latest, c.at)
	}
	return fits, latest, everywhere
}

// exceeds is the reason that a quota rule refuses the job.
func (a *attempt) exceeds(c *counter) model.Reason {
	return model.Reason{Kind: model.ReasonQuota, Level: levelQuota, Object: c.title(), Resource: c.uses0(), Later: a.fitsUnused(c)}
}

// fitsUnused reports whether a rule would let the job in if nothing were counted yet, so that another time would do.
func (a *attempt) fitsUnused(c *counter) bool {
	for i, l := range c.limits {
		req, got := a.limited(l.attr)
		switch {
		case got != fits:
			return false
		case req == nil:
		case l.attr.consumable && !c.suffices(req, 1), !l.attr.consumable && !a.withinLimit(req, c.conf[i]):
			return false
		}
	}
	return true
}

// uses0 is the usage key of the counter: who shares it.
func (c *counter) uses0() string {
	if len(c.uses) == 0 {
		return ""
	}
	return c.uses[0].resource
}

// evaluate looks at all limits of a rule, for a sequential job.
func (h *hunt) evaluate(c *counter, q *instance) {
	c.fix(h.run, q.host)
	c.result, c.at = notThere, h.start
	h.quiet++
	defer func() { h.quiet-- }()
	latest := seconds(0)
	for _, l := range c.limits {
		req, r := h.limited(l.attr)
		if r == neverAny {
			c.result = neverAny
			return
		}
		if req == nil {
			continue
		}
		got, t := h.timeOf(req, &c.layer, 1, h.start, true)
		c.result = got
		if got != fits {
			return
		}
		if h.reserve {
			c.at, latest = t, max(latest, t)
		}
	}
	if h.reserve && c.result == fits && !h.run.quirks.LastLimitDecides {
		c.at = latest
	}
}

// limited is what a job takes of an attribute that a rule limits, nil for nothing.
func (a *attempt) limited(at *attr) (*request, result) {
	if req := a.cat.asks(at); req != nil {
		return req, fits
	}
	switch {
	case at.Name == slotsName:
		return &a.run.oneSlot, fits
	case at.consumable && (at.standard != 0 || at.exclusive):
		return a.run.standard(at), fits
	case !at.consumable && at.Requestable == model.RequestForced:
		return nil, neverAny
	}
	return nil, fits
}

// meets reports whether what a queue instance is configured with meets the requests for that: -l h_rt, -l hostname.
func (a *attempt) meets(q *instance) bool {
	for i := range a.cat.hard {
		req := &a.cat.hard[i]
		if req.attr == nil {
			continue
		}
		if v, ok := q.builtIn(req.attr); ok && !matches(req, offer{attr: req.attr, perSlot: v}, 1, true) {
			return false
		}
	}
	return true
}

// everywhere reports whether a rule that is exceeded holds for all queue instances.
func (h *hunt) everywhere(c *counter) bool {
	if c.rule.Queues.Set || c.rule.Hosts.Set {
		return false
	}
	who := match.Quota{User: h.cat.user, Group: h.cat.group, Project: h.cat.project}
	for i := range c.number {
		before := &c.set.Rules[i]
		scoped := before.Queues.Set || before.Hosts.Set
		only := model.QuotaRule{Users: before.Users, Projects: before.Projects, PEs: before.PEs}
		if scoped && who.Matches(&only, h.run.world.groups, h.run.world.usersets) {
			return false
		}
	}
	return true
}
