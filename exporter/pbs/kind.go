package pbs

import (
	"strings"

	"qprism/exporter"
)

// resourceKind begins the kind of pushes through a resource, whose name follows.
const resourceKind = "qalter -l "

// SystemOf is the system of pushes of a kind, nil where they are not those of PBS.
func SystemOf(kind string) exporter.System {
	if name, ok := strings.CutPrefix(kind, resourceKind); ok {
		return Resource{Name: name}
	}
	for _, s := range []exporter.System{Priority{}, Swaps{}, Starts{}} {
		if s.Kind() == kind {
			return s
		}
	}
	return nil
}
