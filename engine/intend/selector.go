package intend

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A Selector selects the jobs that match all its terms.
type Selector []Term

// A Term is one condition on a job.
type Term struct {
	Kind   string // user, project, department, job, -l, "at least", "at most", all
	Name   string // of a user, project, department or resource
	Number int    // of a job, or of slots
}

// The kinds of terms.
const (
	ofUser       = "user"
	ofProject    = "project"
	ofDepartment = "department"
	ofJob        = "job"
	asking       = "-l"
	atLeast      = "at least"
	atMost       = "at most"
	anybody      = "all jobs"
)

// Selects reports whether the selector selects a job.
func (s Selector) Selects(j *model.Job) bool {
	return !slices.ContainsFunc(s, func(t Term) bool { return !t.fits(j) })
}

func (t *Term) fits(j *model.Job) bool {
	switch t.Kind {
	case ofUser:
		return j.Owner == t.Name
	case ofProject:
		return j.Project == t.Name
	case ofDepartment:
		return j.Department == t.Name
	case ofJob:
		return int(j.Number) == t.Number
	case asking:
		return asks(j, t.Name)
	case atLeast:
		return j.LeastSlots() >= t.Number
	case atMost:
		return j.LeastSlots() <= t.Number
	}
	return t.Kind == anybody
}

// asks reports whether a job asks for a resource, and not for its absence.
func asks(j *model.Job, name string) bool {
	return slices.ContainsFunc(j.Hard, func(r model.Request) bool {
		return r.Resource == name && !strings.EqualFold(r.Value, "FALSE") && r.Value != "0"
	})
}

// unknownName says of which department, project or resource a sentence speaks that neither the
// configuration nor any job has; empty for none. Users need no configuration, and PBS keeps no list of the
// others.
func (c *checker) unknownName(i *Intention) string {
	s := c.Snapshot
	if s.PBS != nil {
		return ""
	}
	anyJob := func(has func(*model.Job) bool) bool {
		return slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return has(&j) })
	}
	for _, t := range slices.Concat(i.First, i.Second) {
		known := true
		switch t.Kind {
		case ofDepartment:
			known = slices.ContainsFunc(s.Usersets, func(u model.Userset) bool { return u.Name == t.Name })
		case ofProject:
			known = slices.ContainsFunc(s.Projects, func(p model.Project) bool { return p.Name == t.Name })
		case asking:
			known = slices.ContainsFunc(s.Resources, func(r model.Resource) bool {
				return r.Name == t.Name || r.Shortcut == t.Name
			})
		}
		if !known && !anyJob(t.fits) {
			return fmt.Sprintf("there is no %s %s", strings.Replace(t.Kind, asking, "resource", 1), t.Name)
		}
	}
	return ""
}
