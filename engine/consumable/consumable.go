// Package consumable says which running jobs use consumables such as licenses, and which waiting jobs
// request them. For Grid Engine, these are the consumables of complex(5). For PBS, these are custom
// resources of the server or its vnodes, pbs_resources(7B).
package consumable

import (
	"cmp"
	"slices"

	"qprism/engine/delay"
	"qprism/engine/model"
)

// A Use is a consumable resource, such as a license, with the jobs that hold it and the jobs that ask for it.
// Slots and CPUs are not included, because the page shows these everywhere.
type Use struct {
	Name  string   `json:"name"`
	Total *float64 `json:"total"` // of the whole cluster; null where no file says it
	Bytes bool     `json:"bytes"` // amounts are bytes
	Held  float64  `json:"held"`  // by running jobs
	By    []Job    `json:"by"`    // the jobs that hold it, the largest amount first
	Asked []Job    `json:"asked"` // waiting jobs, in dispatch order
}

// A Job is a job with its amount of a consumable.
type Job struct {
	Job    string  `json:"job"`
	User   string  `json:"user"`
	Amount float64 `json:"amount"` // of all tasks that hold it; of a waiting job, of one task
	Short  bool    `json:"short"`  // the job waits because there is too little of it
}

// Of are the consumables that a job asks for, by name. A plan of the next run says which jobs wait for them.
func Of(s *model.Snapshot, p *model.Plan) []Use {
	list, jobs := []Use{}, s.JobsByNumber()
	short := shortages{s, map[*model.Reason]map[string]bool{}}
	for _, r := range asked(s) {
		u := Use{Name: r.Name, Bytes: r.Type == model.TypeMemory || r.Type == model.TypePBSSize, Total: totalOf(s, r.Name),
			By: []Job{}, Asked: []Job{}}
		u.addHolders(s, r)
		u.addWaiting(p, jobs, r, short)
		list = append(list, u)
	}
	return list
}

// asked are the consumables that a job asks for, by name.
func asked(s *model.Snapshot) (found []*model.Resource) {
	known := map[string]*model.Resource{}
	for i := range s.Resources {
		r := &s.Resources[i]
		known[r.Name], known[r.Shortcut] = r, r
	}
	for i := range s.Jobs {
		for _, q := range s.Jobs[i].Hard {
			if r := known[q.Resource]; r != nil && consumed(s, r) && !slices.Contains(found, r) {
				found = append(found, r)
			}
		}
	}
	slices.SortFunc(found, func(a, b *model.Resource) int { return cmp.Compare(a.Name, b.Name) })
	return found
}

// consumed reports whether jobs use a resource up. Of PBS that are the resources that the server or a vnode has so
// much of, but for CPUs and memory, which have views of their own.
func consumed(s *model.Snapshot, r *model.Resource) bool {
	if s.PBS == nil {
		return r.Name != "slots" && r.Consumable != "" && r.Consumable != model.ConsumeNo
	}
	return !r.BuiltIn && r.Type.Numeric() && totalOf(s, r.Name) != nil
}

// totalOf is how much of a resource the cluster has: by the global host or the server, else by all hosts together.
func totalOf(s *model.Snapshot, name string) *float64 {
	if s.PBS != nil {
		if n, ok := amountIn(s.PBS.Server.Available, name, true); ok {
			return &n
		}
	}
	var sum *float64
	for i := range s.Hosts {
		n, ok := amountIn(s.Hosts[i].Capacity, name, s.PBS != nil)
		switch {
		case !ok:
		case s.Hosts[i].Name == "global":
			return &n
		case sum == nil:
			sum = &n
		default:
			*sum += n
		}
	}
	return sum
}

func amountIn(list []model.Setting, name string, pbs bool) (float64, bool) {
	text, ok := model.Text(list, name)
	if !ok {
		return 0, false
	}
	if pbs {
		return model.PBSAmount(text) // memory in kilobytes
	}
	n, err := model.ParseNumber(text)
	return n, err == nil
}

// amountOf is how much of a resource a task asks for with so many slots on so many hosts.
func amountOf(j *model.Job, r *model.Resource, slots, hosts int) (amount float64) {
	for _, q := range j.Hard {
		if q.Resource == r.Name || q.Resource == r.Shortcut {
			amount = q.Amount
		}
	}
	switch {
	case j.PBS != nil || r.Consumable == model.ConsumeJob: // of PBS, Resource_List has the sum
		return amount
	case r.Consumable == model.ConsumeHost:
		return amount * float64(hosts)
	}
	return amount * float64(slots)
}

// addHolders adds the jobs that hold the resource.
func (u *Use) addHolders(s *model.Snapshot, r *model.Resource) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		held := 0.0
		for _, t := range j.Tasks {
			if len(t.Granted) > 0 {
				held += amountOf(j, r, t.Slots, len(t.Granted))
			}
		}
		if held > 0 {
			u.Held += held
			u.By = append(u.By, Job{Job: j.KnownAs(), User: j.Owner, Amount: held})
		}
	}
	slices.SortStableFunc(u.By, func(a, b Job) int { return cmp.Compare(b.Amount, a.Amount) })
}

// addWaiting adds the waiting jobs that ask for the resource, each once.
func (u *Use) addWaiting(p *model.Plan, jobs map[uint32]*model.Job, r *model.Resource, short shortages) {
	seen := map[*model.Job]bool{}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || seen[j] || d.Verdict == model.Now {
			continue
		}
		if amount := amountOf(j, r, j.LeastSlots(), 1); amount > 0 {
			seen[j] = true
			u.Asked = append(u.Asked, Job{cmp.Or(d.ID, j.KnownAs()), j.Owner, amount, short.of(d)[r.Name]})
		}
	}
}

// shortages are the resources that decisions wait for. Jobs of one category share their list of reasons, which can be as
// long as the cluster has queue instances, so each list is read once.
type shortages struct {
	snapshot *model.Snapshot
	known    map[*model.Reason]map[string]bool // by the first reason of a list
}

func (s shortages) of(d *model.Decision) map[string]bool {
	if len(d.Why) == 0 {
		return nil
	}
	shared := d.Verdict != model.Later // what is reserved for waits for a place of its own
	if found, known := s.known[&d.Why[0]]; known && shared {
		return found
	}
	resources := map[string]bool{}
	for place := range delay.WantedBy(s.snapshot, d) {
		resources[place.Resource] = true
	}
	if shared {
		s.known[&d.Why[0]] = resources
	}
	return resources
}
