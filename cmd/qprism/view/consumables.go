package view

import (
	"cmp"
	"context"
	"slices"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// A consumable is a resource of which there is only so much, such as a license, with the jobs that hold it and
// those that ask for it. Slots and CPUs are not among them: the page shows them everywhere.
type consumable struct {
	Name  string          `json:"name"`
	Total *float64        `json:"total"` // of the whole cluster; null where no file says it
	Bytes bool            `json:"bytes"` // amounts are bytes
	Held  float64         `json:"held"`  // by running jobs
	By    []consumableJob `json:"by"`    // the jobs that hold it, the largest amount first
	Asked []consumableJob `json:"asked"` // waiting jobs, in dispatch order
}

// A consumableJob is a job with its amount of a consumable.
type consumableJob struct {
	Job    string  `json:"job"`
	User   string  `json:"user"`
	Amount float64 `json:"amount"` // of all tasks that hold it; of a waiting job, of one task
	Short  bool    `json:"short"`  // the job waits because there is too little of it
}

// consumables says who holds and who asks for what.
func (s *Site) consumables(ctx context.Context, c *Cluster, m *Moment) (*packed, error) {
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	return a.about(ctx, m, "consumables", func(about *subject.Subject) ([]byte, error) {
		list, err := consumablesOf(about)
		if err != nil {
			return nil, err
		}
		return show.Marshal(list)
	})
}

func consumablesOf(s *subject.Subject) ([]consumable, error) {
	list := []consumable{}
	at, err := s.Moment()
	if err != nil || s.Batch.Lacks(false) != nil {
		return list, err
	}
	found := asked(s.Snapshot)
	if len(found) == 0 {
		return list, nil
	}
	plan := s.Batch.Plan(at.At)
	for _, r := range found {
		c := consumable{Name: r.Name, Bytes: r.Type == model.TypeMemory || r.Type == model.TypePBSSize, Total: totalOf(s.Snapshot, r.Name), By: []consumableJob{}, Asked: []consumableJob{}}
		c.addHolders(s.Snapshot, r)
		c.addWaiting(s, plan, r)
		list = append(list, c)
	}
	return list, nil
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
func (c *consumable) addHolders(s *model.Snapshot, r *model.Resource) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		held := 0.0
		for _, t := range j.Tasks {
			if len(t.Granted) > 0 {
				held += amountOf(j, r, t.Slots, len(t.Granted))
			}
		}
		if held > 0 {
			c.Held += held
			c.By = append(c.By, consumableJob{Job: j.KnownAs(), User: j.Owner, Amount: held})
		}
	}
	slices.SortStableFunc(c.By, func(a, b consumableJob) int { return cmp.Compare(b.Amount, a.Amount) })
}

// addWaiting adds the waiting jobs that ask for the resource, each once.
func (c *consumable) addWaiting(s *subject.Subject, p *model.Plan, r *model.Resource) {
	jobs, seen := s.JobsByNumber(), map[*model.Job]bool{}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || seen[j] || d.Verdict == model.Now {
			continue
		}
		if amount := amountOf(j, r, j.LeastSlots(), 1); amount > 0 {
			seen[j] = true
			c.Asked = append(c.Asked, consumableJob{subject.JobText(d), j.Owner, amount, shortOf(s.Snapshot, d, r)})
		}
	}
}

// shortOf reports whether a decision waits for a resource.
func shortOf(s *model.Snapshot, d *model.Decision, r *model.Resource) bool {
	for place := range delay.WantedBy(s, d) {
		if place.Resource == r.Name {
			return true
		}
	}
	return false
}
