package compat

import (
	"slices"
	"strings"

	"qprism/engine/model/quirk"
)

// Quirks are all known quirks; the profile "fixed" has none.
var Quirks = slices.Concat(quirk.Priority, quirk.Dispatch)

// Has reports whether a release has a quirk of its own or from its predecessor.
func (r *Release) Has(q *quirk.Quirk) bool {
	switch {
	case names(q.From, r):
		return true
	case r.After == nil || names(q.Until, r):
		return false
	}
	return r.After.Has(q)
}

func names(list string, r *Release) bool { return slices.Contains(strings.Fields(list), r.Name) }

// Quirks returns the quirks of a release.
func (r *Release) Quirks() []quirk.Quirk {
	return slices.DeleteFunc(slices.Clone(Quirks), func(q quirk.Quirk) bool { return !r.Has(&q) })
}

// New returns the ids of the quirks that the release introduced.
func (r *Release) New() []string { return r.ids(func(q *quirk.Quirk) bool { return names(q.From, r) }) }

// Gone returns the ids of the quirks that the release removed.
func (r *Release) Gone() []string {
	return r.ids(func(q *quirk.Quirk) bool { return names(q.Until, r) })
}

func (r *Release) ids(is func(*quirk.Quirk) bool) []string {
	list := []string{}
	for i := range Quirks {
		if is(&Quirks[i]) {
			list = append(list, Quirks[i].ID)
		}
	}
	return list
}

// With returns the names of the releases with a quirk.
func With(q *quirk.Quirk) (list []string) {
	for _, r := range Releases {
		if r.Has(q) {
			list = append(list, r.Name)
		}
	}
	return list
}
