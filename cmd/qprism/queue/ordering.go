package queue

import (
	"io"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
)

// An ordering prints why the queue is in its order, by the rules of one batch system.
type ordering interface {
	Priorities(d *cli.Deps, opts PrioritiesOptions, w io.Writer) error
}

// OrderingOf is the ordering of a subject's system.
func OrderingOf(s *subject.Subject) ordering {
	if s.PBS != nil {
		return PBSOrdering{OpenPBS: subject.OpenPBS{Subject: s}}
	}
	return geOrdering{subject.GridEngine{Subject: s}}
}

// geOrdering is that of Grid Engine.
type geOrdering struct{ subject.GridEngine }

// PBSOrdering is that of PBS.
type PBSOrdering struct{ subject.OpenPBS }
