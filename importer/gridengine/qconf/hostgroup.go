package qconf

import (
	"errors"
	"strings"

	"qprism/engine/model"
)

// A hostSet is a set of host names. It ignores case.
type hostSet map[string]bool

func (s hostSet) has(host string) bool { return s[strings.ToLower(host)] }

// add reports whether the host is new.
func (s hostSet) add(host string) bool {
	host = strings.ToLower(host)
	if s[host] {
		return false
	}
	s[host] = true
	return true
}

// A groupResolver finds the hosts in host groups.
type groupResolver struct {
	groups map[string]*model.HostGroup
	sets   map[string]hostSet // hosts of groups that were looked up before
	work   int
}

// Limits of the work for host lists: tests whether a host is in a group, and lookups of references.
const (
	maxWork       = 1 << 28
	testWork      = 1
	referenceWork = 64
)

var errWork = errors.New("host groups hold too much")

func newGroupResolver(all []model.HostGroup) *groupResolver {
	g := &groupResolver{groups: map[string]*model.HostGroup{}, sets: map[string]hostSet{}}
	for i := range all {
		g.groups[strings.ToLower(all[i].Name)] = &all[i]
	}
	return g
}

// resolve lists hosts in the master's order: first the named hosts, then the hosts of the named groups, then
// the hosts of groups inside these. A group that does not exist has no hosts. A group inside itself is read
// once.
func (g *groupResolver) resolve(references []string) (hosts []string, set hostSet, err error) {
	set = hostSet{}
	looked := hostSet{}
	for len(references) > 0 {
		if err := g.countWork(referenceWork * len(references)); err != nil {
			return nil, nil, err
		}
		var inside []string
		for _, name := range references {
			switch group := g.groups[strings.ToLower(name)]; {
			case !strings.HasPrefix(name, "@"):
				if set.add(name) {
					hosts = append(hosts, name)
				}
			case group != nil && looked.add(name):
				inside = append(inside, group.Members...)
			}
		}
		references = inside
	}
	return hosts, set, nil
}

// members returns the hosts in a group.
func (g *groupResolver) members(group string) (hostSet, error) {
	if set, ok := g.sets[group]; ok {
		return set, nil
	}
	_, set, err := g.resolve([]string{group})
	g.sets[group] = set
	return set, err
}

func (g *groupResolver) countWork(work int) error {
	if g.work += work; g.work > maxWork {
		return errWork
	}
	return nil
}
