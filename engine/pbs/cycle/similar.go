package cycle

import (
	"slices"

	"qprism/engine/model"
)

// limitOf are the tests of limits, by the reason that one is reached.
var limitOf = func() map[model.Failure]*limitTest {
	m := map[model.Failure]*limitTest{}
	for i := range limitTests {
		t := &limitTests[i]
		m[t.by], m[t.over] = t, t
	}
	return m
}()

// countsBoth reports whether a limit counts both jobs together.
func countsBoth(t *limitTest, a, b *claim) bool {
	return (!t.queue || a.queue == b.queue) && a.subject().entities[t.kind] == b.subject().entities[t.kind]
}

// filter are the running jobs by whose end a reason may disappear.
func (p *preemption) filter(why failure) []*claim {
	limit, isLimit := limitOf[why.code]
	switch {
	case isLimit:
	case why.code == model.FailInsufficient, why.code == model.FailQueueInsufficient, why.code == model.FailServerInsufficient:
	default:
		return slices.Clone(p.running)
	}
	var list []*claim
	for _, c := range p.running {
		if !c.running() || c.level >= p.job.level {
			continue
		}
		if isLimit && countsBoth(limit, c, p.job) && (!limit.resource || find(c.asked, why.res) != nil) || !isLimit && p.uses(c, why) {
			list = append(list, c)
		}
	}
	return list
}

// uses reports whether a job has some of the resource that is short.
func (p *preemption) uses(c *claim, why failure) bool {
	switch {
	case why.code == model.FailQueueInsufficient && c.queue != p.job.queue:
		return false
	case why.code != model.FailInsufficient:
		return find(c.asked, why.res) != nil
	case why.res == p.res.vnode:
		return slices.ContainsFunc(c.vnodes, func(v int) bool { return p.vnodes[v].name == why.place })
	case why.res == p.res.host:
		return slices.ContainsFunc(c.vnodes, func(v int) bool { return p.vnodes[v].host == why.place })
	case !p.res.list[why.res].kind.consumable():
		return true
	}
	for i := range c.selection.chunks {
		if n := find(c.selection.chunks[i].needs, why.res); n != nil && n.amount > 0 {
			return true
		}
	}
	return false
}

// similar reports whether stopping a job has to do with one of the reasons why the other one could not start.
func (p *preemption) similar(c *claim) bool {
	for _, f := range p.reasons {
		limit, isLimit := limitOf[f.code]
		switch {
		case isLimit:
			if countsBoth(limit, c, p.job) {
				return true
			}
		case f.code == model.FailQueueInsufficient && c.queue != p.job.queue:
		case f.code == model.FailQueueInsufficient:
			if p.bounded(&c.queue.stock, c) {
				return true
			}
		case f.code == model.FailServerInsufficient:
			if p.bounded(&p.server.stock, c) {
				return true
			}
		case onVnodes[f.code]:
			if slices.ContainsFunc(p.job.vnodes, func(v int) bool { return slices.Contains(c.vnodes, v) }) {
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
	model.FailNoNodeResources: true, model.FailNodeJobLimit: true, model.FailNodeUserLimit: true, model.FailNodeGroupLimit: true,
	model.FailNodeNoMultiJobs: true,
	model.FailInsufficient:    true, model.FailNoFreeNodes: true, model.FailNoTotalNodes: true, model.FailNodeNotExcl: true,
	model.FailCantSpanSets: true, model.FailReservedAhead: true,
	model.FailSetTooSmall: true,
}

// bounded reports whether a job asks for something of which there is only so much.
func (p *preemption) bounded(s *stock, c *claim) bool {
	return slices.ContainsFunc(c.asked, func(n request) bool {
		return n.res < len(s.held) && s.held[n.res].set
	})
}
