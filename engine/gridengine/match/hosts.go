package match

import (
	"strings"

	"qprism/engine/model"
)

// Hosts resolves host groups, hostgroup(5).
type Hosts struct {
	groups []hostGroup
}

type hostGroup struct {
	name    string // without its "@", as Host has it
	members []string
}

// NewHosts prepares host groups.
func NewHosts(groups []model.HostGroup) Hosts {
	var h Hosts
	for _, g := range groups {
		name := strings.TrimPrefix(g.Name, "@")
		h.groups = append(h.groups, hostGroup{Host(name), g.Members})
	}
	return h
}

// A HostSet holds the hosts that a pattern selects. The zero HostSet has none.
type HostSet struct {
	names    map[string]bool
	patterns []Pattern
}

// Set resolves a pattern once, for many hosts. The pattern is an expression, or "@" and an expression for
// names of host groups. A group selects its members and the members of groups in it.
func (h Hosts) Set(pattern string) HostSet {
	set := HostSet{names: map[string]bool{}}
	h.collect(pattern, &set, make([]bool, len(h.groups)))
	return set
}

// collect adds what a pattern selects; no group is resolved twice, so that cycles end.
func (h Hosts) collect(pattern string, set *HostSet, seen []bool) {
	groups, isGroup := strings.CutPrefix(pattern, "@")
	if !isGroup {
		set.add(pattern)
		return
	}
	wanted := New(model.TypeHost, groups)
	for i, g := range h.groups {
		if seen[i] || wanted.Match(g.name) != Matches {
			continue
		}
		seen[i] = true
		for _, m := range g.members {
			h.collect(m, set, seen)
		}
	}
}

func (s *HostSet) add(pattern string) {
	p := New(model.TypeHost, pattern)
	switch {
	case p.bad:
	case p.node == nil:
		s.names[p.plain] = true
	default:
		s.patterns = append(s.patterns, p)
	}
}

// Has reports whether the set has a host.
func (s HostSet) Has(host string) bool {
	if len(host) >= longest {
		return false
	}
	host = Host(host)
	if s.names[host] {
		return true
	}
	for _, p := range s.patterns {
		if p.holds(host) {
			return true
		}
	}
	return false
}
