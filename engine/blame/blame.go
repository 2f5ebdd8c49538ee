package blame

import (
	"slices"

	"qprism/engine/batch"
	"qprism/engine/model"
)

// A Fits reports whether a job would find a place on an idle cluster.
type Fits func(*model.Job) bool

// A Change changes one request of a job.
type Change struct {
	Drop func(*model.Job)       // removes the request; it must not change data that copies of a job share
	Name func(Fits) batch.Blame // names the requests that would fit, if all others are as fits has them
}

// Search finds the requests that must change. If all is false, a change of any one of them is enough. If all
// is true, all of them must change. Search finds nothing if even all changes together do not help.
func Search(j *model.Job, changes []Change, fits Fits) (blames []batch.Blame, all bool) {
	for _, c := range changes {
		if fits(With(j, c.Drop)) {
			blames = append(blames, c.Name(fits))
		}
	}
	if len(blames) > 0 {
		return blames, false
	}
	return together(j, changes, fits), true
}

// With is a copy of the job after changes.
func With(j *model.Job, changes ...func(*model.Job)) *model.Job {
	own := *j
	own.Hard = slices.Clone(j.Hard)
	own.MasterScope, own.SlaveScope = cloned(j.MasterScope), cloned(j.SlaveScope)
	if j.PBS != nil {
		p := *j.PBS
		own.PBS = &p
	}
	for _, c := range changes {
		c(&own)
	}
	return &own
}

func cloned(s *model.Scope) *model.Scope {
	if s == nil {
		return nil
	}
	own := *s
	own.Hard = slices.Clone(s.Hard)
	return &own
}

// together is a set of changes that helps, where no single change does. Without any change of the set, the set does not
// help. It is nil if not even all changes help.
func together(j *model.Job, changes []Change, fits Fits) (blames []batch.Blame) {
	if !fits(With(j, drops(changes)...)) {
		return nil
	}
	needed := slices.Clone(changes)
	for i := 0; i < len(needed); {
		rest := without(needed, i)
		if fits(With(j, drops(rest)...)) {
			needed = rest
		} else {
			i++
		}
	}
	for i := range needed {
		others := drops(without(needed, i))
		blames = append(blames, needed[i].Name(func(j *model.Job) bool { return fits(With(j, others...)) }))
	}
	return blames
}

func without(list []Change, i int) []Change { return slices.Delete(slices.Clone(list), i, i+1) }

func drops(list []Change) (all []func(*model.Job)) {
	for _, c := range list {
		all = append(all, c.Drop)
	}
	return all
}

// Plain is a request that the job must drop.
func Plain(option string, drop func(*model.Job)) Change {
	return Change{drop, func(Fits) batch.Blame { return batch.Blame{Kind: batch.Other, Option: option} }}
}

// Requests are the -l requests of a job, or of one scope of it.
func Requests(j *model.Job, scope model.TaskScope) *[]model.Request {
	switch {
	case scope == model.ScopeMaster && j.MasterScope != nil:
		return &j.MasterScope.Hard
	case scope == model.ScopeSlave && j.SlaveScope != nil:
		return &j.SlaveScope.Hard
	case scope == "":
		return &j.Hard
	}
	return new([]model.Request)
}

// SetRequest sets the value of every -l request for a resource.
func SetRequest(scope model.TaskScope, resource, value string) func(*model.Job) {
	return func(j *model.Job) {
		list := *Requests(j, scope)
		for i := range list {
			if list[i].Resource == resource {
				list[i].Value = value
			}
		}
	}
}

// DropRequest removes the -l requests for a resource.
func DropRequest(scope model.TaskScope, resource string) func(*model.Job) {
	return func(j *model.Job) {
		list := Requests(j, scope)
		*list = slices.DeleteFunc(*list, func(r model.Request) bool { return r.Resource == resource })
	}
}
