// Package compat holds, as data, what the releases of a system do differently: their quirks.
package compat

import (
	"strings"

	"qprism/engine/model"
)

// Profiles are the sets of quirks that --quirks names. "fixed" is what the manual promises.
var Profiles = map[string]model.Quirks{
	"8.1.9": Profile("8.1.9"),
	"6.2u5": Profile("6.2u5"),
	"6.1":   Profile("6.1"),
	"9.0":   Profile("9.0"),
	"9.1":   Profile("9.1"),
	"fixed": {},
}

// Names are those of the profiles, the newest of Grid Engine's own line first.
func Names() []string { return []string{"8.1.9", "6.2u5", "6.1", "9.0", "9.1", "fixed"} }

// For is the profile of a release: of 8.1.9 for Son of Grid Engine and for what is not known.
func For(r model.Release) (name string, q model.Quirks) {
	name = "8.1.9"
	switch {
	case r.Version == "6.2", r.Version == "6.2u1", strings.HasPrefix(r.Version, "6.0"), strings.HasPrefix(r.Version, "6.1"):
		name = "6.1"
	case strings.HasPrefix(r.Version, "6.") || strings.HasPrefix(r.Version, "8.0"):
		name = "6.2u5"
	case strings.HasPrefix(r.Version, "9.0"):
		name = "9.0"
	case strings.HasPrefix(r.Version, "9."):
		name = "9.1"
	}
	return name, Profiles[name]
}
