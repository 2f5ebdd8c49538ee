package parallel

import (
	"slices"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// sortOut skips, for the rest of a try, the cluster queues or hosts in which an exhausted quota rule leaves
// no slots for a parallel job.
//
// The search does not look at them, so it does not mark them as unable to take the master task. That
// concerns later tries (D46) and later jobs (D21). They keep the mark of one slot, even if the rule denied
// the job (D73).
func (a *search) sortOut(c *cluster.Counter, q *cluster.Instance) {
	everyQueue, everyHost := unscoped(c.Rule.Queues), unscoped(c.Rule.Hosts)
	switch {
	case everyQueue && everyHost:
		if !each(c.Rule.Queues) && !each(c.Rule.Hosts) {
			a.sortOutGlobally(c)
		}
	case !everyQueue && !everyHost:
	case !everyQueue:
		if !a.shadowed(c, func(r *model.QuotaRule) bool { return !unscoped(r.Hosts) }) {
			a.skipQueuesOf(c, q)
		}
	case !a.shadowed(c, func(r *model.QuotaRule) bool { return !unscoped(r.Queues) }):
		a.skipHostsOf(c, q.ExecHost)
	}
}

// unscoped reports whether a filter is for all there is.
func unscoped(f model.QuotaFilter) bool {
	return !f.Set || slices.Contains(f.Include, "*") && len(f.Exclude) == 0
}

func each(f model.QuotaFilter) bool { return f.Set && f.Each }

// sortOutGlobally skips all that no earlier rule of the set is about. The master takes it that each of
// these is for the job if the rule is, and that no rule is that names parallel environments (matchesNoPE).
func (a *search) sortOutGlobally(c *cluster.Counter) {
	earlier := c.Set.Rules[:c.Number]
	if !a.matchesNoPE(*c.Rule) {
		earlier = nil
	}
	queues := slices.ContainsFunc(earlier, func(r model.QuotaRule) bool { return !unscoped(r.Queues) })
	hosts := slices.ContainsFunc(earlier, func(r model.QuotaRule) bool { return !unscoped(r.Hosts) })
	about := func(who match.Quota, filter func(*model.QuotaRule) model.QuotaRule) bool {
		return slices.ContainsFunc(earlier, func(r model.QuotaRule) bool { return a.filterMatches(who, filter(&r)) })
	}
	if queues {
		a.skipQueues(func(name string) bool { return !about(match.Quota{Queue: name}, onlyQueues) })
	}
	if hosts {
		a.skipHosts(func(name string) bool { return !about(match.Quota{Host: name}, onlyHosts) })
	}
	if !queues && !hosts {
		a.skipHostsOf(c, nil)
	}
}

func onlyQueues(r *model.QuotaRule) model.QuotaRule { return model.QuotaRule{Queues: r.Queues} }
func onlyHosts(r *model.QuotaRule) model.QuotaRule  { return model.QuotaRule{Hosts: r.Hosts} }

func (a *search) filterMatches(who match.Quota, r model.QuotaRule) bool {
	return who.Matches(&r, a.Run.Groups, a.Run.Usersets)
}

// shadowed reports whether an earlier rule of the set is for the job and of a certain kind.
func (a *search) shadowed(c *cluster.Counter, kind func(*model.QuotaRule) bool) bool {
	return slices.ContainsFunc(c.Set.Rules[:c.Number], func(r model.QuotaRule) bool {
		return kind(&r) && a.matchesNoPE(r)
	})
}

// matchesNoPE reports whether a rule is for the job, wherever it runs. The master asks as if the job had no
// parallel environment.
func (a *search) matchesNoPE(r model.QuotaRule) bool {
	who := match.Quota{User: a.Category.User, Group: a.Category.Group, Project: a.Category.Project}
	return a.filterMatches(who, model.QuotaRule{Users: r.Users, Projects: r.Projects, PEs: r.PEs})
}

func (a *search) skipQueuesOf(c *cluster.Counter, q *cluster.Instance) {
	if each(c.Rule.Queues) {
		a.SkipCluster(q.Cluster)
		return
	}
	a.skipQueues(func(name string) bool {
		who := match.Quota{Queue: name}
		return a.filterMatches(who, onlyQueues(c.Rule)) && !a.shadowed(c,
			func(r *model.QuotaRule) bool { return a.filterMatches(who, onlyQueues(r)) })
	})
}

// skipHostsOf skips the hosts of a rule: the one at hand, where the rule counts each apart.
func (a *search) skipHostsOf(c *cluster.Counter, at *cluster.Host) {
	if at != nil && each(c.Rule.Hosts) {
		a.SkipHost(at)
		return
	}
	a.skipHosts(func(name string) bool {
		who := match.Quota{Host: name}
		return a.filterMatches(who, onlyHosts(c.Rule)) && !a.shadowed(c,
			func(r *model.QuotaRule) bool { return a.filterMatches(who, onlyHosts(r)) })
	})
}

func (a *search) skipQueues(out func(name string) bool) {
	seen := map[int]bool{}
	for _, q := range a.Run.Queues {
		if !seen[q.Cluster] {
			seen[q.Cluster] = true
			if out(q.Queue) {
				a.SkipCluster(q.Cluster)
			}
		}
	}
}

func (a *search) skipHosts(out func(name string) bool) {
	for _, h := range a.Run.Hosts {
		if out(h.Name) {
			a.SkipHost(h)
		}
	}
}
