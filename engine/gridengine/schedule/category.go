package schedule

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// A category holds jobs that ask for the same: once one of them cannot start, no other is tried in the same run.
type category struct {
	key      string
	first    *model.Job // what it asks for, all of them do
	count    int        // jobs in any state
	prepared bool

	hard, soft           []request
	master, slave        []request // of the master task alone, and of the others alone
	hardQueues           match.QueueList
	masterQueues         match.QueueList
	slaveQueues          match.QueueList
	softQueues           []match.QueueList // entry by entry
	duration             seconds           // with DURATION_OFFSET
	immediate            bool
	user, group, project string

	rejected, noReservation bool              // none of them can start, or be reserved for
	caches                  map[string]*cache // by parallel environment, "" for none
	standing                *standing
	earlier                 []model.Reason  // what earlier tasks met that started elsewhere, at places that are skipped since
	met                     map[string]bool // places with such a reason
	why                     []model.Reason
	whyLimit, whyForGood    []model.Reason
}

// A cache is what a category knows of the places of a parallel environment: where none of its jobs can start in this run.
type cache struct {
	*admission
	noQueue    []bool
	noHost     []bool
	slots      []int
	sweep      *sweep // of its hosts, where sweepKnown says so
	sweepKnown bool
	quotas     [][]*counter // by instance: the counters of quota rules that apply
}

// keyOf names a category: all that decides where a job can run. -R, -p and soft queues are not part of it.
func (r *run) keyOf(b []byte, j *model.Job) []byte {
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
		for _, q := range ordered(l, byResource) {
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

// byResource is the order in which the requests of a job are looked at, whatever the order of its -l options.
func byResource(a, b model.Request) int { return strings.Compare(a.Resource, b.Resource) }

// An owner is who a job belongs to, and for what.
type owner struct{ user, group, project string }

// accessOf is the part of a category that says who the job belongs to: the access lists that have the owner, and the
// names that quota rules or project lists speak of.
func (r *run) accessOf(j *model.Job) string {
	o := owner{j.Owner, j.Group, j.Project}
	text, known := r.access[o]
	if known {
		return text
	}
	var b []byte
	for _, name := range r.listsInUse {
		if r.world.usersets.In(name, o.user, o.group) {
			b = append(append(b, 0, 'U'), name...)
		}
	}
	if r.quotasName(o) {
		b = append(append(append(b, 0, 'u'), o.user...), "\x00g"+o.group...)
	}
	if r.projectsInUse {
		b = append(append(b, 0, 'P'), o.project...)
	}
	r.access[o] = string(b)
	return r.access[o]
}

// quotasName reports whether a quota rule speaks of users and so tells this one from others.
func (r *run) quotasName(o owner) bool {
	for _, set := range r.snapshot.Quotas {
		for i := range set.Rules {
			u := &set.Rules[i].Users
			if u.Set && (u.Each || len(u.Exclude) > 0 || len(u.Include) != 1 || u.Include[0] != "*") &&
				(match.Quota{User: o.user, Group: o.group}).Matches(&model.QuotaRule{Users: *u}, r.world.groups, r.world.usersets) {
				return true
			}
		}
	}
	return false
}

// findListsInUse notes which access lists and whether projects decide where jobs can run.
func (r *run) findListsInUse() {
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
	s := r.snapshot
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

// categoryOf is the category of a job, without what it takes to try one of it.
func (r *run) categoryOf(j *model.Job) *category {
	if c := r.ofJob[j]; c != nil {
		return c
	}
	r.key = r.keyOf(r.key[:0], j)
	if c := r.categories[string(r.key)]; c != nil {
		return c
	}
	return r.addCategory(string(r.key), j)
}

func (r *run) addCategory(key string, first *model.Job) *category {
	c := &category{key: key, first: first, standing: r.standingOf(key, first)}
	c.noReservation = r.memory.isRejected(key) && r.quirks.RejectForGood
	r.categories[key] = c
	return c
}

// countCategories finds the category of each job, and counts its jobs, whatever their state.
func (r *run) countCategories() {
	r.ofJob = make(map[*model.Job]*category, len(r.snapshot.Jobs))
	for i := range r.snapshot.Jobs {
		j := &r.snapshot.Jobs[i]
		c := r.knownCategory(j)
		c.count++
		r.ofJob[j] = c
	}
}

// prepare reads what the jobs of a category ask for.
func (r *run) prepare(c *category) {
	if c.prepared {
		return
	}
	j := c.first
	c.prepared = true
	if c.standing == nil {
		c.standing = &standing{}
	}
	r.readScopes(c)
	c.hard, c.soft = r.world.complex.requests(ordered(j.Hard, byResource)), r.world.complex.requests(ordered(j.Soft, byResource))
	c.hardQueues = match.NewQueueList(j.HardQueues, r.world.groups)
	c.masterQueues = match.NewQueueList(j.MasterQueues, r.world.groups)
	c.duration = later(r.bounded(r.runLength(c.hard)), r.offset)
	c.immediate = j.Immediate()
	c.user, c.group, c.project = j.Owner, j.Group, j.Project
	c.caches = map[string]*cache{}
}

func (r *run) cacheOf(c *category, p *pe) *cache {
	name := ""
	if p != nil {
		name = p.Name
	}
	k := c.caches[name]
	if k == nil {
		n := len(r.world.instances)
		k = &cache{admission: r.admissionOf(c, name), noQueue: make([]bool, n), noHost: make([]bool, len(r.world.hosts))}
		if len(r.world.quotas) > 0 {
			k.quotas = make([][]*counter, n)
		}
		c.caches[name] = k
	}
	return k
}

// asks is the hard request for an attribute, nil for none.
func (c *category) asks(a *attr) *request {
	for i := range c.hard {
		if c.hard[i].attr == a {
			return &c.hard[i]
		}
	}
	return nil
}

// amount is what a task takes of a consumable for one slot; ok says whether that matters at all.
func (c *category) amount(a *attr) (amount float64, exclusive, ok bool) {
	if req := c.asksMost(a); req != nil {
		return req.amount, req.amount != 0, true
	}
	switch {
	case a.Name == slotsName:
		return 1, true, true
	case a.exclusive:
		return 0, false, true
	}
	return a.standard, a.standard != 0, a.standard != 0
}
