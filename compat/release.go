package compat

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// A Release is a family of releases that behave the same.
type Release struct {
	Name     string   // as for --release, "8.1.9"
	Product  string   // for people
	Versions string   // versions of the family, in words
	After    *Release // its predecessor; nil for the first

	products []string // the products' names, as masters print them
	prefixes []string // beginnings of the versions; the longest one that fits decides
	// Options of the global configuration that the predecessor does not have. They show the release if the
	// version is unknown.
	brought []string
}

// Releases are the known releases. Grid Engine's own come first, the newest at the top.
var Releases = []*Release{&sge819, &ge62u5, &ge61, &ocs90, &ocs91}

// Fixed is the name of the profile without quirks: everything works as in the manual.
const Fixed = "fixed"

// Named returns the release with a name, or nil.
func Named(name string) *Release {
	i := slices.IndexFunc(Releases, func(r *Release) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return Releases[i]
}

// Profiles are the sets of quirks, by name of the release.
var Profiles = profiles()

func profiles() map[string]model.Quirks {
	all := map[string]model.Quirks{Fixed: {}}
	for _, r := range Releases {
		all[r.Name] = profile(r.Name)
	}
	return all
}

// Names returns the names of the profiles.
func Names() (names []string) {
	for _, r := range Releases {
		names = append(names, r.Name)
	}
	return append(names, Fixed)
}

// profile returns all quirks of a release.
func profile(name string) model.Quirks { return Without(name, "") }

// Without returns the quirks of a profile except one.
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

// For returns the profile for a master's release. It is the profile of the nearest known release.
func For(r model.Release) (name string, q model.Quirks) {
	name, _ = Nearest(r)
	return name, Profiles[name]
}

// Nearest returns the known release whose rules apply to a master's release. known reports whether they are the
// rules of that very release.
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

// ByConfiguration returns the newest release of a product whose options are in the global configuration. It is
// empty if no option shows it. It is for bundles without a version.
func ByConfiguration(product string, has func(option string) bool) (name string) {
	for _, c := range Releases {
		if len(c.brought) > 0 && slices.Contains(c.products, product) &&
			!slices.ContainsFunc(c.brought, func(option string) bool { return !has(option) }) {
			name = c.Name
		}
	}
	return name
}

// numbered returns the release whose prefix fits the version. If several prefixes fit, the longest one wins. It
// is nil if none fits.
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

// A Format is the form of a release's files, if they do not show it themselves.
type Format struct {
	Microseconds   bool // the schedule file has times in microseconds
	SeparatorAfter bool // in the schedule file, the separator comes after a run, not before
}

// FormatOf returns the format of a master's release.
func FormatOf(r model.Release) Format {
	return Format{Microseconds: isCluster(r), SeparatorAfter: isCluster(r) && atLeast(r.Version, "9.0.6")}
}

// isCluster reports whether a release is Open Cluster Scheduler, or Gridware Cluster Scheduler, which comes
// from it.
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

// cutNumber removes the first number of a version. Letters end the number.
func cutNumber(version string) (n int, rest string) {
	rest = strings.TrimLeft(version, "0123456789")
	n, _ = strconv.Atoi(version[:min(len(version)-len(rest), 9)]) // 0 if there is no number
	rest, more := strings.CutPrefix(rest, ".")
	if !more {
		rest = ""
	}
	return n, rest
}
