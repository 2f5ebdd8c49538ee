package main

import (
	"context"
	"io"
)

// An ordering prints why the queue is in its order, by the rules of one batch system.
type ordering interface {
	audit(ctx context.Context, d *deps, opts auditOptions, w io.Writer) error
	priorities(d *deps, opts prioritiesOptions, w io.Writer) error
	shares(d *deps, v fairView, w io.Writer) error
}

// orderingOf is the ordering of a subject's system.
func orderingOf(s *subject) ordering {
	if s.PBS != nil {
		return pbsOrdering{openPBS{s}}
	}
	return geOrdering{gridEngine{s}}
}

// geOrdering is that of Grid Engine.
type geOrdering struct{ gridEngine }

// pbsOrdering is that of PBS.
type pbsOrdering struct{ openPBS }
