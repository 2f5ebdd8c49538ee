package compat

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// A Release is a family of releases that behave the same.
type Release struct {
	Name     string   // as --release has it, "8.1.9"
	Product  string   // for people
	Versions string   // that it stands for, in words
	After    *Release // the one that it comes from; nil for the first

	products []string // as masters call theirs
	prefixes []string // of their versions; the longest that fits decides
	// options of the global configuration that the one before it does not have: they tell it where no version does
	brought []string
}

// Releases are those that are known, the newest of Grid Engine's own line first.
var Releases = []*Release{&sge819, &ge62u5, &ge61, &ocs90, &ocs91}

// Fixed is the name of the behaviour that the manual promises: no quirk at all.
const Fixed = "fixed"

// Named is the release of that name, nil for none.
func Named(name string) *Release {
	i := slices.IndexFunc(Releases, func(r *Release) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return Releases[i]
}

// Profiles are the sets of quirks by the names of their releases.
var Profiles = profiles()

func profiles() map[string]model.Quirks {
	all := map[string]model.Quirks{Fixed: {}}
	for _, r := range Releases {
		all[r.Name] = profile(r.Name)
	}
	return all
}

// Names are those of the profiles.
func Names() (names []string) {
	for _, r := range Releases {
		names = append(names, r.Name)
	}
	return append(names, Fixed)
}

// profile is what a release does: all quirks that it has.
func profile(name string) model.Quirks { return Without(name, "") }

// Without is a profile without one of its quirks.
func Without(name, id string) (q model.Quirks) {
	r := Named(name)
	if r == nil {
		return q
	}
	for _, k := range r.Quirks() {
		if k.ID != id {
			*k.In(&q) = true
		}
	}
	return q
}

// For is the profile of a master's release: that of the nearest release that is known.
func For(r model.Release) (name string, q model.Quirks) {
	name, _ = Nearest(r)
	return name, Profiles[name]
}

// Nearest is the release whose rules are followed for a master of a release; known says whether they are its own.
func Nearest(r model.Release) (name string, known bool) {
	if c := numbered(r.Version); c != nil {
		return c.Name, r.Product == "" || slices.Contains(c.products, r.Product)
	}
	switch {
	case isCluster(r) || r.Version != "" && atLeast(r.Version, "9"):
		return ocs91.Name, false
	case r.Product == "GE":
		return ge62u5.Name, false
	}
	return sge819.Name, false
}

// ByConfiguration is the newest release of a product whose options the global configuration has; empty
// where none of them says anything. It is for bundles that do not tell the version.
func ByConfiguration(product string, has func(option string) bool) (name string) {
	for _, c := range Releases {
		if len(c.brought) > 0 && slices.Contains(c.products, product) &&
			!slices.ContainsFunc(c.brought, func(option string) bool { return !has(option) }) {
			name = c.Name
		}
	}
	return name
}

// numbered is the release that a version begins like, by most of its characters; nil for none.
func numbered(version string) (found *Release) {
	most := 0
	for _, c := range Releases {
		for _, p := range c.prefixes {
			if len(p) > most && strings.HasPrefix(version, p) {
				found, most = c, len(p)
			}
		}
	}
	return found
}

// A Format is what the files of a release look like where they do not show it themselves.
type Format struct {
	Microseconds   bool // the schedule file has times in microseconds
	SeparatorAfter bool // of a run's section in the schedule file, where others have it before
}

// FormatOf is the format of a master's release.
func FormatOf(r model.Release) Format {
	return Format{Microseconds: isCluster(r), SeparatorAfter: isCluster(r) && atLeast(r.Version, "9.0.6")}
}

// isCluster reports whether a release is one of Open Cluster Scheduler, or of Gridware Cluster Scheduler made of it.
func isCluster(r model.Release) bool { return r.Product == "OCS" || r.Product == "GCS" }

// atLeast compares versions number by number: "9.0.13" is newer than "9.0.6", "9.2.0prealpha" newer than "9.1.4".
func atLeast(version, least string) bool {
	for version != "" || least != "" {
		var x, y int
		x, version = cutNumber(version)
		y, least = cutNumber(least)
		if x != y {
			return x > y
		}
	}
	return true
}

// cutNumber takes the first number off a version; letters end it.
func cutNumber(version string) (n int, rest string) {
	rest = strings.TrimLeft(version, "0123456789")
	n, _ = strconv.Atoi(version[:min(len(version)-len(rest), 9)]) // 0 where there is none
	rest, more := strings.CutPrefix(rest, ".")
	if !more {
		rest = ""
	}
	return n, rest
}
