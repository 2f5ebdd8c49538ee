package intend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// A kind is a job that can be made up: whose it is, what it asks for, how long it has waited.
type kind struct {
	owner, project, department string
	shape
	age  time.Duration
	like *model.Job // of PBS: a job at hand of the same owner; nil for none
}

// A shape is what a job asks for.
type shape struct {
	pe    string
	slots uint32
	hard  []model.Request
	posix int
	queue string // of PBS; empty for that of jobs like it
}

const (
	mostOwners = 4
	mostShapes = 6
	longWait   = 24 * time.Hour // of jobs that have waited
)

// made is a waiting job of a kind.
func (k *kind) made(number uint32, at time.Time, s *model.Snapshot) *model.Job {
	if s.PBS != nil {
		return k.madePBS(number, at, s)
	}
	j := &model.Job{Number: number, Name: "job.sh", Owner: k.owner, Project: k.project, Department: k.department,
		Submitted:     at.Add(-k.age - time.Second),
		PosixPriority: k.posix, Hard: k.hard, Detailed: true}
	if k.slots > 0 {
		j.PE, j.PERange = k.pe, []model.Range{{Min: k.slots, Max: k.slots, Step: 1}}
	}
	j.Tasks = []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: int(max(k.slots, 1))}}
	return j
}

// kinds are those of jobs that a sentence is tried with: owners that it speaks of and others, requests that
// count, fresh and after a day.
func kinds(i *Intention, s *model.Snapshot) (list []kind) {
	var whose []kind
	var asked []shape
	counts := i.By[0] == byWaiting // how long a job has waited
	if s.PBS != nil {
		names := readsPBS(s)
		whose, asked, counts = ownersPBS(i, s), shapesPBS(i, s, names), counts || reads(names, "eligible_time")
	} else {
		whose, asked, counts = owners(i, s), shapes(i, s), counts || s.Policy.WeightWaitingTime != 0
	}
	ages := []time.Duration{0}
	if counts {
		ages = append(ages, longWait)
	}
	for _, k := range whose {
		for _, k.shape = range asked {
			for _, k.age = range ages {
				list = append(list, k)
			}
		}
	}
	return list
}

// owners are those whom the sentence names, then those of jobs at hand, the greatest entitlement first, of
// each entitlement one.
func owners(i *Intention, s *model.Snapshot) (list []kind) {
	add := func(k kind) {
		if len(list) < mostOwners && !slices.ContainsFunc(list, func(o kind) bool {
			return o.owner == k.owner && o.project == k.project && o.department == k.department
		}) {
			list = append(list, k)
		}
	}
	for _, sel := range []Selector{i.First, i.Second} {
		for _, o := range atHand(s, sel, 1) {
			add(o)
		}
		if o, named := ownerNamed(sel, s); named {
			add(o)
		}
	}
	for _, o := range atHand(s, nil, mostOwners) {
		add(o)
	}
	if len(list) == 0 {
		add(kind{owner: "somebody", department: "defaultdepartment"})
	}
	return list
}

// atHand are owners of jobs that a selector means, but for what they ask for; most shares first, and of the
// same shares one.
func atHand(s *model.Snapshot, sel Selector, most int) (list []kind) {
	sel = slices.DeleteFunc(slices.Clone(sel), func(t Term) bool {
		return t.Kind == asking || t.Kind == atLeast || t.Kind == atMost
	})
	for k := range s.Jobs {
		if j := &s.Jobs[k]; sel.Selects(j) {
			list = append(list, kind{owner: j.Owner, project: j.Project, department: j.Department})
		}
	}
	slices.SortFunc(list, func(a, b kind) int {
		return cmp.Or(-slices.Compare(a.entitlement(s), b.entitlement(s)), strings.Compare(a.owner, b.owner),
			strings.Compare(a.project, b.project),
			strings.Compare(a.department, b.department))
	})
	list = slices.CompactFunc(list, func(a, b kind) bool {
		return slices.Equal(a.entitlement(s), b.entitlement(s)) && a.department == b.department && a.project == b.project
	})
	if len(list) > most && most > 1 { // the greatest and the least
		return append(list[:most-1:most-1], list[len(list)-1])
	}
	return list[:min(most, len(list))]
}

// entitlement is what a job's owner, project and department have of functional shares.
func (k *kind) entitlement(s *model.Snapshot) []uint32 {
	shares := make([]uint32, 3)
	for i, of := range []Term{{Kind: ofDepartment, Name: k.department}, {Kind: ofProject, Name: k.project},
		{Kind: ofUser, Name: k.owner}} {
		if n := s.SharesOf(of.Kind, of.Name); n != nil {
			shares[i] = *n
		}
	}
	return shares
}

// ownerNamed is an owner as a selector names it, where no job at hand is his.
func ownerNamed(sel Selector, s *model.Snapshot) (k kind, named bool) {
	k = kind{owner: "somebody", department: "defaultdepartment"}
	for _, t := range sel {
		switch t.Kind {
		case ofUser:
			k.owner, named = t.Name, true
			for _, u := range s.Usersets {
				if u.Department && slices.Contains(u.Entries, t.Name) {
					k.department = u.Name
				}
			}
		case ofProject:
			k.project, named = t.Name, true
		case ofDepartment:
			k.department, named = t.Name, true
			for _, u := range s.Usersets {
				if i := slices.IndexFunc(u.Entries, func(e string) bool {
					return !strings.HasPrefix(e, "@")
				}); u.Name == t.Name && i >= 0 {
					k.owner = u.Entries[i]
				}
			}
		}
	}
	return k, named
}

// shapes are what jobs are tried with: nothing, what the sentence names, each resource that has an urgency,
// the widest job at hand, a -p that anybody may ask for.
func shapes(i *Intention, s *model.Snapshot) []shape {
	list := []shape{{}}
	add := func(sh shape) {
		if len(list) < mostShapes {
			list = append(list, sh)
		}
	}
	for _, t := range slices.Concat(i.First, i.Second) {
		switch t.Kind {
		case asking:
			if r, ok := resource(s, t.Name); ok {
				add(shape{hard: []model.Request{one(r)}})
			}
		case atLeast:
			add(wide(s, uint32(t.Number)))
		}
	}
	for _, r := range s.Resources {
		if r.Name != slotsName && urgencyOf(s, r.Name) != 0 && (r.Type == model.TypeBool || r.Type == model.TypeInt) &&
			!slices.ContainsFunc(list, func(sh shape) bool { return len(sh.hard) > 0 && sh.hard[0].Resource == r.Name }) {
			add(shape{hard: []model.Request{one(&r)}})
		}
	}
	if urgencyOf(s, slotsName) != 0 || i.By[0] == bySlots {
		add(wide(s, 0))
	}
	if s.Policy.WeightPriority != 0 || slices.Contains(i.By[:], byPosix) {
		add(shape{posix: -100})
	}
	return list
}

const slotsName = "slots"

// one is a request for one of a resource, or for it to be there.
func one(r *model.Resource) model.Request {
	if r.Type == model.TypeBool {
		return model.Request{Resource: r.Name, Value: "TRUE", Amount: 1}
	}
	return model.Request{Resource: r.Name, Value: "1", Amount: 1}
}

func resource(s *model.Snapshot, name string) (*model.Resource, bool) {
	i := slices.IndexFunc(s.Resources, func(r model.Resource) bool { return r.Name == name })
	if i < 0 {
		return nil, false
	}
	return &s.Resources[i], true
}

// wide is a parallel job with a number of slots. With 0 it has as many as the widest present job requests,
// or two.
func wide(s *model.Snapshot, slots uint32) shape {
	sh := shape{slots: 2}
	if len(s.PEs) > 0 {
		sh.pe = s.PEs[0].Name
	}
	for k := range s.Jobs {
		if n, ok := model.First(s.Jobs[k].PERange); ok && n > sh.slots {
			sh.slots, sh.pe = n, s.Jobs[k].PE
		}
	}
	if slots > 0 {
		sh.slots = slots
	}
	return sh
}
