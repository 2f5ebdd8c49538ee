package place

import (
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// QuotasOf are the counters of quota rules for the job in a queue instance.
func (a *Attempt) QuotasOf(q *cluster.Instance) []*cluster.Counter {
	if a.Advance != nil {
		return nil
	}
	return a.Run.QuotasOf(a.Category, a.PE, q)
}

// timeOfQuotas finds whether the quotas let a sequential job into a queue instance, and when; everywhere says that no
// other instance can be better, because the rule that decides holds for all of them.
func (h *sequential) timeOfQuotas(q *cluster.Instance, best seconds) (got resource.Result, latest seconds,
	everywhere bool) {
	for _, c := range h.QuotasOf(q) {
		if c.Round != h.Round {
			c.Round = h.Round
			h.evaluate(c, q)
			if c.Result != resource.Fits && c.Result != resource.NotThere {
				h.Note(h.Exceeds(c))
				everywhere = everywhere || h.everywhere(c)
			}
		}
		switch {
		case c.Result == resource.NotThere:
			continue
		case c.Result != resource.Fits:
			return c.Result, latest, everywhere
		case h.Reserve && c.At >= best && h.everywhere(c):
			everywhere = true
		}
		latest = max(latest, c.At)
	}
	return resource.Fits, latest, everywhere
}

// Exceeds is the reason that a quota rule refuses the job.
func (a *Attempt) Exceeds(c *cluster.Counter) model.Reason {
	return model.Reason{Kind: model.ReasonQuota, Level: resource.LevelQuota, Object: c.Title(),
		Resource: c.Usage(), Later: a.fitsUnused(c)}
}

// fitsUnused reports whether a rule would let the job in if nothing were counted yet, so that another time would do.
func (a *Attempt) fitsUnused(c *cluster.Counter) bool {
	for i, l := range c.Limits {
		req, got := a.Limited(l.Attr)
		switch {
		case got != resource.Fits:
			return false
		case req == nil:
		case l.Attr.IsConsumable && !c.Suffices(req, 1), !l.Attr.IsConsumable && !a.WithinLimit(req, c.Capacities[i]):
			return false
		}
	}
	return true
}

// evaluate looks at all limits of a rule, for a sequential job.
func (h *sequential) evaluate(c *cluster.Counter, q *cluster.Instance) {
	c.Compute(h.Run.Cluster, q.ExecHost)
	c.Result, c.At = resource.NotThere, h.Start
	h.Quiet++
	defer func() { h.Quiet-- }()
	latest := seconds(0)
	for _, l := range c.Limits {
		req, r := h.Limited(l.Attr)
		if r == resource.NeverAny {
			c.Result = resource.NeverAny
			return
		}
		if req == nil {
			continue
		}
		got, t := h.timeOf(req, &c.Layer, 1, h.Start, true)
		c.Result = got
		if got != resource.Fits {
			return
		}
		if h.Reserve {
			c.At, latest = t, max(latest, t)
		}
	}
	if h.Reserve && c.Result == resource.Fits && !h.Run.Quirks.LastLimitDecides {
		c.At = latest
	}
}

// Limited is the request for an attribute that a rule limits, nil if the job takes none of it.
func (a *Attempt) Limited(at *resource.Attribute) (*resource.Request, resource.Result) {
	if req := a.Category.Asks(at); req != nil {
		return req, resource.Fits
	}
	switch {
	case at.Name == resource.SlotsName:
		return &a.Run.OneSlot, resource.Fits
	case at.IsConsumable && (at.Standard != 0 || at.Exclusive):
		return a.Run.Standard(at), resource.Fits
	case !at.IsConsumable && at.Requestable == model.RequestForced:
		return nil, resource.NeverAny
	}
	return nil, resource.Fits
}

// Meets reports whether the limits and the host of a queue instance meet requests such as -l h_rt and -l
// hostname.
func (a *Attempt) Meets(q *cluster.Instance) bool {
	for i := range a.Category.Hard {
		req := &a.Category.Hard[i]
		if req.Attr == nil {
			continue
		}
		if v, ok := q.BuiltIn(req.Attr); ok && !resource.Matches(req, resource.Offer{Attr: req.Attr, PerSlot: v}, 1, true) {
			return false
		}
	}
	return true
}

// everywhere reports whether a rule that is exceeded holds for all queue instances.
func (h *sequential) everywhere(c *cluster.Counter) bool {
	if c.Rule.Queues.Set || c.Rule.Hosts.Set {
		return false
	}
	who := match.Quota{User: h.Category.User, Group: h.Category.Group, Project: h.Category.Project}
	for i := range c.Number {
		before := &c.Set.Rules[i]
		scoped := before.Queues.Set || before.Hosts.Set
		only := model.QuotaRule{Users: before.Users, Projects: before.Projects, PEs: before.PEs}
		if scoped && who.Matches(&only, h.Run.Groups, h.Run.Usersets) {
			return false
		}
	}
	return true
}

// WithinLimit compares a request with the limit of a rule. Some releases swap request and limit, and so
// refuse every request (D24).
func (a *Attempt) WithinLimit(req *resource.Request, c resource.Capacity) bool {
	if a.Run.Quirks.ReversedLimit {
		return false
	}
	return resource.Matches(req, resource.Offer{Attr: req.Attr,
		PerSlot: resource.Value{Kind: resource.FromFixed, Amount: c.Amount, Text: c.Text}}, 1, true)
}
