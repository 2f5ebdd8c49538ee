// Package compat holds, as data, what the releases of a system do differently: their quirks, and how they print.
package compat

import (
	"strings"

	"qprism/engine/model"
)

// Profiles are the sets of quirks that --quirks names. "fixed" is what the manual promises.
var Profiles = map[string]model.Quirks{
	"8.1.9": Profile("8.1.9"),
	"6.2u5": Profile("6.2u5"),
	"fixed": {},
}

// For is the profile of a release: of 8.1.9 for Son of Grid Engine and for what is not known.
func For(r model.Release) (name string, q model.Quirks) {
	name = "8.1.9"
	if strings.HasPrefix(r.Version, "6.") || strings.HasPrefix(r.Version, "8.0") {
		name = "6.2u5"
	}
	return name, Profiles[name]
}
