package match

import (
	"strings"

	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// The filters of a quota rule: nothing of what they exclude matches, and of the rest what they include, or all where
// they include nothing.

type userFilter struct{ include, exclude []userEntry }

// A userEntry is a name with wildcards, or "@" and the name of a list with wildcards.
type userEntry struct {
	name   glob.Pattern
	lists  Usersets
	isList bool
	list   glob.Pattern
}

func newUserFilter(f model.QuotaFilter, users Usersets) userFilter {
	return userFilter{newUserEntries(f.Include, users), newUserEntries(f.Exclude, users)}
}

func newUserEntries(texts []string, users Usersets) []userEntry {
	var entries []userEntry
	for _, text := range texts {
		list, isList := strings.CutPrefix(text, "@")
		entries = append(entries, userEntry{glob.New(text), users, isList, glob.New(list)})
	}
	return entries
}

func (f userFilter) matches(user, group string) bool {
	return !anyUser(f.exclude, user, group) && (len(f.include) == 0 || anyUser(f.include, user, group))
}

func anyUser(entries []userEntry, user, group string) bool {
	for _, e := range entries {
		if e.name.Match(user) || e.isList && e.lists.inMatching(e.list, user, group) {
			return true
		}
	}
	return false
}

type hostFilter struct{ include, exclude []HostSet }

func newHostFilter(f model.QuotaFilter, hosts Hosts) hostFilter {
	return hostFilter{newHostSets(f.Include, hosts), newHostSets(f.Exclude, hosts)}
}

func newHostSets(texts []string, hosts Hosts) []HostSet {
	var sets []HostSet
	for _, text := range texts {
		sets = append(sets, hosts.Set(text))
	}
	return sets
}

func (f hostFilter) matches(host string) bool {
	return !anyHost(f.exclude, host) && (len(f.include) == 0 || anyHost(f.include, host))
}

func anyHost(sets []HostSet, host string) bool {
	for _, s := range sets {
		if s.Has(host) {
			return true
		}
	}
	return false
}

// A nameFilter is for projects, parallel environments and queues. A job without one is not excluded, and not included.
type nameFilter struct{ include, exclude []nameEntry }

type nameEntry struct {
	text string
	glob glob.Pattern
}

func newNameFilter(f model.QuotaFilter) nameFilter {
	return nameFilter{newNameEntries(f.Include), newNameEntries(f.Exclude)}
}

func newNameEntries(texts []string) []nameEntry {
	var entries []nameEntry
	for _, text := range texts {
		entries = append(entries, nameEntry{text, glob.New(text)})
	}
	return entries
}

func (f nameFilter) matches(name string) bool {
	return !anyName(f.exclude, name) && (len(f.include) == 0 || anyName(f.include, name))
}

// anyName takes the name for a pattern too, as the master does.
func anyName(entries []nameEntry, name string) bool {
	if name == "" {
		return false
	}
	isPattern := strings.ContainsAny(name, `*?[\`)
	for _, e := range entries {
		if e.text == name || e.glob.Match(name) || isPattern && glob.Match(name, e.text) {
			return true
		}
	}
	return false
}
