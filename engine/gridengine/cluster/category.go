package cluster

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// A Category holds jobs with the same requests. If one of these jobs cannot start, the run does not try to start
// the others.
type Category struct {
	Key      string
	First    *model.Job // its requests are those of all jobs of the category
	Count    int        // jobs in any state
	prepared bool

	Hard, Soft           []resource.Request
	Master, Slave        []resource.Request // requests of the master task only, and of the other tasks only
	HardQueues           match.QueueList
	MasterQueues         match.QueueList
	slaveQueues          match.QueueList
	SoftQueues           []match.QueueList // one for each entry
	Duration             seconds           // includes DURATION_OFFSET
	Immediate            bool
	User, Group, Project string

	NoStart       bool              // no job of it can start in this run
	NoReservation bool              // no job of it can get a reservation
	Caches        map[string]*Cache // by parallel environment, "" for none
	Eligibility   *Eligibility
	// what earlier tasks met that started elsewhere, at places that are skipped since
	earlier              []model.Reason
	met                  map[string]bool // places with such a reason
	Why                  []model.Reason
	WhyLimit, WhyForGood []model.Reason
}

// A Cache keeps, for a category and a parallel environment, the places where no job of the category can start in this
// run: by the configuration, or because something is not free.
type Cache struct {
	*admission
	NoQueue  []bool
	NoHost   []bool
	Slots    []int
	Parallel any          // state of the search for parallel jobs
	Quotas   [][]*Counter // for each instance: the counters of quota rules that apply
}

// KeyOf makes the key of a job's category from everything that decides where the job can run. -R, -p and soft
// queues are not part of it.
func (r *Cluster) KeyOf(b []byte, j *model.Job) []byte {
	text := func(tag byte, s string) {
		if s != "" {
			b = append(append(b, 0, tag), s...)
		}
	}
	list := func(tag byte, l []string) {
		for _, s := range ordered(l, strings.Compare) {
			text(tag, s)
		}
	}
	requests := func(tag byte, l []model.Request) {
		r.asked = append(r.asked[:0], l...)
		slices.SortStableFunc(r.asked, byResource)
		for _, q := range r.asked {
			text(tag, q.Resource)
			text('=', q.Value)
		}
	}
	b = append(b, r.accessOf(j)...)
	list('q', j.HardQueues)
	list('m', j.MasterQueues)
	requests('l', j.Hard)
	requests('s', j.Soft)
	if m := j.MasterScope; m != nil {
		requests('M', m.Hard)
	}
	if s := j.SlaveScope; s != nil {
		requests('S', s.Hard)
		list('Q', s.HardQueues)
	}
	text('p', j.PE)
	for _, n := range j.PERange {
		b = strconv.AppendUint(append(b, 0, 'n'), uint64(n.Min), 10)
		b = strconv.AppendUint(append(b, '-'), uint64(n.Max), 10)
		b = strconv.AppendUint(append(b, ':'), uint64(n.Step), 10)
	}
	text('c', j.Checkpoint)
	if j.Immediate() {
		text('I', "y")
	}
	if j.Reservation != 0 {
		b = strconv.AppendUint(append(b, 0, 'a'), uint64(j.Reservation), 10)
	}
	return b
}

// ordered is a sorted list: two jobs that ask for the same in another order are of one category.
func ordered[T any](list []T, compare func(a, b T) int) []T {
	if slices.IsSortedFunc(list, compare) {
		return list
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, compare)
	return list
}

// byResource is the order in which a run checks the requests of a job. It does not depend on the order of
// the -l options.
func byResource(a, b model.Request) int { return strings.Compare(a.Resource, b.Resource) }

// An Owner is the user, group and project of a job.
type Owner struct{ User, Group, Project string }

// accessOf is the part of a category that says who the job belongs to: the access lists that have the owner, and the
// names that quota rules or project lists speak of.
func (r *Cluster) accessOf(j *model.Job) string {
	o := Owner{j.Owner, j.Group, j.Project}
	text, known := r.access[o]
	if known {
		return text
	}
	var b []byte
	for _, name := range r.listsInUse {
		if r.Usersets.In(name, o.User, o.Group) {
			b = append(append(b, 0, 'U'), name...)
		}
	}
	if r.quotasName(o) {
		b = append(append(append(b, 0, 'u'), o.User...), "\x00g"+o.Group...)
	}
	if r.projectsInUse {
		b = append(append(b, 0, 'P'), o.Project...)
	}
	r.access[o] = string(b)
	return r.access[o]
}

// quotasName reports whether a quota rule speaks of users and so tells this one from others.
func (r *Cluster) quotasName(o Owner) bool {
	for _, set := range r.Snapshot.Quotas {
		for i := range set.Rules {
			u := &set.Rules[i].Users
			if u.Set && (u.Each || len(u.Exclude) > 0 || len(u.Include) != 1 || u.Include[0] != "*") &&
				(match.Quota{User: o.User, Group: o.Group}).Matches(&model.QuotaRule{Users: *u}, r.Groups, r.Usersets) {
				return true
			}
		}
	}
	return false
}

// findListsInUse notes which access lists and whether projects decide where jobs can run.
func (r *Cluster) findListsInUse() {
	seen := map[string]bool{}
	note := func(lists ...[]string) {
		for _, l := range lists {
			for _, name := range l {
				if !seen[name] {
					seen[name] = true
					r.listsInUse = append(r.listsInUse, name)
				}
			}
		}
	}
	s := r.Snapshot
	for i := range s.Instances {
		note(s.Instances[i].ACL, s.Instances[i].XACL)
		r.projectsInUse = r.projectsInUse || len(s.Instances[i].Projects)+len(s.Instances[i].XProjects) > 0
	}
	for i := range s.Hosts {
		note(s.Hosts[i].ACL, s.Hosts[i].XACL)
		r.projectsInUse = r.projectsInUse || len(s.Hosts[i].Projects)+len(s.Hosts[i].XProjects) > 0
	}
	for i := range s.PEs {
		note(s.PEs[i].ACL, s.PEs[i].XACL)
	}
	for _, set := range s.Quotas {
		for i := range set.Rules {
			r.projectsInUse = r.projectsInUse || set.Rules[i].Projects.Set
		}
	}
}

// CategoryOfEntry is the category of a job in the lists of the run.
func (r *Cluster) CategoryOfEntry(e *split.Entry) *Category {
	if i := int(e.Place); i < len(r.categoryAt) && &r.Snapshot.Jobs[i] == e.Job {
		return r.categoryAt[i]
	}
	return r.CategoryOf(e.Job)
}

// CategoryOf is the category of a job. Prepare must fill the category before the run tries one of its jobs.
func (r *Cluster) CategoryOf(j *model.Job) *Category {
	if c := r.ofRunning[j]; c != nil {
		return c
	}
	r.key = r.KeyOf(r.key[:0], j)
	if c := r.Categories[string(r.key)]; c != nil {
		return c
	}
	return r.addCategory(string(r.key), j)
}

func (r *Cluster) addCategory(key string, first *model.Job) *Category {
	c := &Category{Key: key, First: first, Eligibility: r.standingOf(key, first)}
	c.NoReservation = r.Rejected[key] && r.Quirks.RejectForGood
	r.Categories[key] = c
	return c
}

// CountCategories finds the category of each job, and counts the jobs in all states.
func (r *Cluster) CountCategories() {
	r.Begun = r.Lists.Begun(r.Snapshot)
	r.categoryAt, r.ofRunning = make([]*Category, len(r.Snapshot.Jobs)), make(map[*model.Job]*Category, len(r.Begun))
	count := func(i int, c *Category) {
		c.Count++
		r.categoryAt[i] = c
		if n := len(r.ofRunning); n < len(r.Begun) && r.Begun[n] == &r.Snapshot.Jobs[i] {
			r.ofRunning[r.Begun[n]] = c
		}
	}
	if r.register != nil {
		r.findCategories(count)
		return
	}
	for i := range r.Snapshot.Jobs {
		count(i, r.CategoryOf(&r.Snapshot.Jobs[i]))
	}
}

// Prepare reads the requests of a category.
func (r *Cluster) Prepare(c *Category) {
	if c.prepared {
		return
	}
	j := c.First
	c.prepared = true
	if c.Eligibility == nil {
		c.Eligibility = &Eligibility{}
	}
	r.readScopes(c)
	c.Hard, c.Soft = r.Complex.Requests(ordered(j.Hard, byResource)), r.Complex.Requests(ordered(j.Soft, byResource))
	c.HardQueues = match.NewQueueList(j.HardQueues, r.Groups)
	c.MasterQueues = match.NewQueueList(j.MasterQueues, r.Groups)
	c.Duration = utilization.Later(r.bounded(r.runLength(c.Hard)), r.offset)
	c.Immediate = j.Immediate()
	c.User, c.Group, c.Project = j.Owner, j.Group, j.Project
	c.Caches = map[string]*Cache{}
}

// CacheOf is the cache of a category for a parallel environment; nil for p means no parallel environment.
func (r *Cluster) CacheOf(c *Category, p *PE) *Cache {
	name := ""
	if p != nil {
		name = p.Name
	}
	k := c.Caches[name]
	if k == nil {
		n := len(r.Instances)
		k = &Cache{admission: r.admissionOf(c, name), NoQueue: make([]bool, n), NoHost: make([]bool, len(r.Hosts))}
		if len(r.Quotas) > 0 {
			k.Quotas = make([][]*Counter, n)
		}
		c.Caches[name] = k
	}
	return k
}

// Asks is the hard request for an attribute, nil for none.
func (c *Category) Asks(a *resource.Attribute) *resource.Request {
	for i := range c.Hard {
		if c.Hard[i].Attr == a {
			return &c.Hard[i]
		}
	}
	return nil
}

// Amount is the amount of a consumable that a task takes for one slot. If ok is false, the task takes none.
func (c *Category) Amount(a *resource.Attribute) (amount float64, exclusive, ok bool) {
	if req := c.asksMost(a); req != nil {
		return req.Amount, req.Amount != 0, true
	}
	switch {
	case a.Name == resource.SlotsName:
		return 1, true, true
	case a.Exclusive:
		return 0, false, true
	}
	return a.Standard, a.Standard != 0, a.Standard != 0
}

// TakesAnywhere reports whether jobs of a category consume an attribute that some host or queue instance has
// configured.
func (r *Cluster) TakesAnywhere(c *Category, at *resource.Attribute) bool {
	_, _, takes := c.Amount(at)
	return takes && (at.Exclusive || c.Asks(at) != nil || at.Standard != 0)
}

// findForced lists the attributes that every job must ask for, in the order of the complex.
func (r *Cluster) findForced() {
	for _, m := range r.Snapshot.Resources {
		if a := r.Complex[m.Name]; m.Requestable == model.RequestForced && a != nil {
			r.Forced = append(r.Forced, a)
		}
	}
}
