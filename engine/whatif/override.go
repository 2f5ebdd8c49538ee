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
	switch {
	case !slices.Contains([]string{ByUser, ByProject, ByDepartment, ByJob}, o.Kind):
		return errors.New("the kind must be user, project, department or job")
	case o.Kind != ByUser && o.of(s) == nil:
		return fmt.Errorf("there is no such %s", o.Kind)
	}
	return nil
}

// of are the override tickets of the object in a snapshot; nil if there is none.
func (o *Override) of(s *model.Snapshot) *uint32 {
	switch o.Kind {
	case ByUser:
		if i := slices.IndexFunc(s.Users, func(u model.User) bool { return u.Name == o.Name }); i >= 0 {
			return &s.Users[i].OverrideTickets
		}
	case ByProject:
		if i := slices.IndexFunc(s.Projects, func(p model.Project) bool { return p.Name == o.Name }); i >= 0 {
			return &s.Projects[i].OverrideTickets
		}
	case ByDepartment:
		of := func(u model.Userset) bool { return u.Name == o.Name && u.Department }
		if i := slices.IndexFunc(s.Usersets, of); i >= 0 {
			return &s.Usersets[i].OverrideTickets
		}
	case ByJob:
		if i := slices.IndexFunc(s.Jobs, func(j model.Job) bool { return j.Number == o.Job }); i >= 0 {
			return &s.Jobs[i].OverrideTickets
		}
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
	tickets := o.of(s)
	if tickets == nil && o.Kind == ByUser {
		s.Users = append(s.Users, model.User{Name: o.Name})
		tickets = o.of(s)
	}
	if tickets != nil {
		*tickets = o.Tickets
	}
}
