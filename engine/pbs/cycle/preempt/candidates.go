package preempt

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// limitOf are the tests of limits, by the reason that one is reached.
var limitOf = func() map[model.Failure]*limit.Test {
	m := map[model.Failure]*limit.Test{}
	for i := range limit.Tests {
		t := &limit.Tests[i]
		m[t.By], m[t.Over] = t, t
	}
	return m
}()

// countsBoth reports whether a limit counts both jobs together.
func countsBoth(t *limit.Test, a, b *cluster.Claim) bool {
	return (!t.Queue || a.Queue == b.Queue) && a.Subject().Entities[t.Kind] == b.Subject().Entities[t.Kind]
}

// filter are the running jobs by whose end a reason may disappear.
func (p *preemption) filter(why reason.Failure) []*cluster.Claim {
	limit, isLimit := limitOf[why.Code]
	switch {
	case isLimit:
	case why.Code == model.FailInsufficient, why.Code == model.FailQueueInsufficient,
		why.Code == model.FailServerInsufficient:
	default:
		return slices.Clone(p.running)
	}
	var list []*cluster.Claim
	for _, c := range p.running {
		if !c.Running() || c.Level >= p.job.Level {
			continue
		}
		if isLimit && countsBoth(limit, c, p.job) &&
			(!limit.Resource || resource.Find(c.Asked, why.Res) != nil) || !isLimit && p.uses(c, why) {
			list = append(list, c)
		}
	}
	return list
}

// uses reports whether a job has some of the resource that is short.
func (p *preemption) uses(c *cluster.Claim, why reason.Failure) bool {
	switch {
	case why.Code == model.FailQueueInsufficient && c.Queue != p.job.Queue:
		return false
	case why.Code != model.FailInsufficient:
		return resource.Find(c.Asked, why.Res) != nil
	case why.Res == p.Res.Vnode:
		return slices.ContainsFunc(c.Vnodes, func(v int) bool { return p.Vnodes[v].Name == why.Place })
	case why.Res == p.Res.Host:
		return slices.ContainsFunc(c.Vnodes, func(v int) bool { return p.Vnodes[v].Host == why.Place })
	case !p.Res.List[why.Res].Kind.Consumable():
		return true
	}
	for i := range c.Selection.Chunks {
		if n := resource.Find(c.Selection.Chunks[i].Needs, why.Res); n != nil && n.Amount > 0 {
			return true
		}
	}
	return false
}

// similar reports whether stopping a job has to do with one of the reasons why the other one could not start.
func (p *preemption) similar(c *cluster.Claim) bool {
	for _, f := range p.reasons {
		limit, isLimit := limitOf[f.Code]
		switch {
		case isLimit:
			if countsBoth(limit, c, p.job) {
				return true
			}
		case f.Code == model.FailQueueInsufficient && c.Queue != p.job.Queue:
		case f.Code == model.FailQueueInsufficient:
			if p.bounded(&c.Queue.Stock, c) {
				return true
			}
		case f.Code == model.FailServerInsufficient:
			if p.bounded(&p.Server.Stock, c) {
				return true
			}
		case onVnodes[f.Code]:
			if slices.ContainsFunc(p.job.Vnodes, func(v int) bool { return slices.Contains(c.Vnodes, v) }) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// onVnodes are the reasons about vnodes.
var onVnodes = map[model.Failure]bool{
	model.FailNoNodeResources: true, model.FailNodeJobLimit: true, model.FailNodeUserLimit: true,
	model.FailNodeGroupLimit:  true,
	model.FailNodeNoMultiJobs: true,
	model.FailInsufficient:    true, model.FailNoFreeNodes: true, model.FailNoTotalNodes: true,
	model.FailNodeNotExcl:  true,
	model.FailCantSpanSets: true, model.FailReservedAhead: true,
	model.FailSetTooSmall: true,
}

// bounded reports whether a job asks for something of which there is only so much.
func (p *preemption) bounded(s *resource.Stock, c *cluster.Claim) bool {
	return slices.ContainsFunc(c.Asked, func(n resource.Request) bool {
		return n.Res < len(s.Held) && s.Held[n.Res].Set
	})
}
