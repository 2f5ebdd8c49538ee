package whatif

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// An Override gives override tickets to a user, project, department or job, like qconf and qalter -ot.
type Override struct {
	Kind, Name string // ByUser, ByProject, ByDepartment or ByJob
	Job        uint32
	Tickets    uint32
}

// ByJob is the kind of an override of one job.
const ByJob = "job"

// Check reports whether a snapshot has the object of an override. A user without an object gets one.
func (o *Override) Check(s *model.Snapshot) error {
	known := true
	switch o.Kind {
	case ByUser:
	case ByProject:
		known = slices.ContainsFunc(s.Projects, func(p model.Project) bool { return p.Name == o.Name })
	case ByDepartment:
		known = slices.ContainsFunc(s.Usersets, func(u model.Userset) bool { return u.Name == o.Name && u.Department })
	case ByJob:
		known = slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.Number == o.Job })
	default:
		return errors.New("the kind must be user, project, department or job")
	}
	if !known {
		return fmt.Errorf("there is no such %s", o.Kind)
	}
	return nil
}

// overridden is a snapshot with the override tickets of the case, until they are taken back.
func (c *Case) overridden(s *model.Snapshot, at time.Time) *model.Snapshot {
	if len(c.Overrides) == 0 || !c.Until.IsZero() && !at.Before(c.Until) {
		return s
	}
	own := *s
	own.Users, own.Projects, own.Usersets = slices.Clone(s.Users), slices.Clone(s.Projects), slices.Clone(s.Usersets)
	if slices.ContainsFunc(c.Overrides, func(o Override) bool { return o.Kind == ByJob }) {
		own.Jobs = slices.Clone(s.Jobs)
	}
	for _, o := range c.Overrides {
		o.apply(&own)
	}
	return &own
}

// apply gives the tickets, in lists that are the snapshot's own.
func (o *Override) apply(s *model.Snapshot) {
	switch o.Kind {
	case ByUser:
		i := slices.IndexFunc(s.Users, func(u model.User) bool { return u.Name == o.Name })
		if i < 0 {
			i, s.Users = len(s.Users), append(s.Users, model.User{Name: o.Name})
		}
		s.Users[i].OverrideTickets = o.Tickets
	case ByProject:
		for i := range s.Projects {
			if s.Projects[i].Name == o.Name {
				s.Projects[i].OverrideTickets = o.Tickets
			}
		}
	case ByDepartment:
		for i := range s.Usersets {
			if s.Usersets[i].Name == o.Name {
				s.Usersets[i].OverrideTickets = o.Tickets
			}
		}
	case ByJob:
		for i := range s.Jobs {
			if s.Jobs[i].Number == o.Job {
				s.Jobs[i].OverrideTickets = o.Tickets
			}
		}
	}
}
