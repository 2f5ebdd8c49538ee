package cycle

import (
	"slices"

	"qprism/engine/model"
)

// A scope says which jobs are counted by a limit.
type scope struct {
	kind     int
	queue    bool
	resource bool
}

// limitScopes are the limits, by the reason that one is reached.
var limitScopes = func() map[model.Failure]scope {
	m := map[model.Failure]scope{}
	for i, tests := range [][]limitTest{runTests, resourceTests} {
		for _, t := range tests {
			m[t.by], m[t.over] = scope{t.kind, t.queue, i == 1}, scope{t.kind, t.queue, i == 1}
		}
	}
	return m
}()

// counted reports whether a limit counts both jobs together.
func (s scope) counted(a, b *claim) bool {
	return (!s.queue || a.queue == b.queue) && a.entities()[s.kind] == b.entities()[s.kind]
}

// filter are the running jobs by whose end a reason may disappear.
func (p *preemption) filter(why failure) []*claim {
	s, isLimit := limitScopes[why.code]
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
		if isLimit && s.counted(c, p.job) && (!s.resource || find(c.asked, why.res) != nil) || !isLimit && p.uses(c, why) {
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
		s, isLimit := limitScopes[f.code]
		switch {
		case isLimit:
			if s.counted(c, p.job) {
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
