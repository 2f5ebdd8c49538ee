package cycle

import (
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// seconds are a Unix time or a length of time in seconds. Unset ones are never.
type seconds = int64

const (
	never    seconds = -1
	forever  seconds = -2                     // of the end of prime time: it has none
	fiveYear seconds = 5 * 365 * 24 * 60 * 60 // the length of a job that says none
)

// A world is the state of a cluster as one cycle sees and changes it. What starts, ends or is planned is booked in it.
// Estimates and preemption try things out in a copy.
type world struct {
	*setting // what no cycle changes

	now      seconds
	policy   policy
	vnodes   []vnode
	order    []int // vnodes by node_sort_key
	anyone   []int // those of them that belong to no queue
	server   holder
	queues   []*queue
	jobs     []*claim // all jobs, in the order in which they are tried
	running  []*claim
	reserved []*claim // reservations, each occurrence of a standing one
	calendar calendar
	all      *set   // every vnode that belongs to no queue
	hosts    []*set // the vnodes of each host, only where one has several
	groups   []*set // placement sets of the server
	stale    bool   // something ended since the sets were added up
	buckets  []*bucket
	checks   []bool  // resources that any job asks for, or had its vnodes by and ended: no others are looked at
	scratch  []uint8 // marks of one search, by vnode
}

// A setting is what holds for a whole cycle.
type setting struct {
	snapshot    *model.Snapshot
	pbs         *model.PBS
	sched       *model.PBSScheduler
	conf        *model.SchedConfig
	res         *resources
	infinite    []bool // resource_unset_infinite, by resource
	vnodeIndex  map[string]int
	clock       clock
	levels      []level              // preempt_prio
	normal      int                  // priority of normal jobs
	expressMany bool                 // several queues are express
	multiVnode  bool                 // some host has several vnodes
	queueVnodes bool                 // some vnodes belong to queues
	preemptions map[string]time.Time // by log and accounting, of each job the last one; the zero time where it was started again
	guessed     int                  // jobs that the scheduler suspended, and no file says when
	requeued    []string             // jobs that wait again, and no file says whether the scheduler preempted them
	fuzz        seconds
	limited     []int             // resources that max_run_res limits somewhere, in order of appearance
	qrun        string            // job that qrun asks for, empty for none
	refused     map[string]string // what the server refuses in this cycle, by job; nil where comments tell
	tree        *fairshare.Memory
	charge      func(c *claim) float64 // fairshare_usage_res over Resource_List

	checksNode []bool    // those that any job asked for at the beginning, without host and vnode
	checksSum  []bool    // the same that the server counts and that belong into chunks
	classes    []failure // why no job of a class can run
	releases   []bool    // restrict_res_to_release_on_suspend, nil for all
	lastHost   *string   // vnode where round_robin placed a job last; estimates move it, too
}

// A policy is what may change at the boundary of primetime.
type policy struct {
	model.CyclePolicy
	prime    bool
	depth    int64 // backfill_depth of the server, -1 for unset
	spill    seconds
	end      seconds // of the present state, forever for none
	byUse    bool    // vnodes are sorted by what is used or unused
	nodeKeys []nodeKey
	jobKeys  []jobKey
}

// A holder is the server or a queue: its resources, what runs, and its limits.
type holder struct {
	stock
	anyStock bool // resources_available or resources_assigned is set
	limits   limits
	counts   counts
}

// A queue is an execution or routing queue.
type queue struct {
	holder
	name            string
	index           int
	priority        int
	execution       bool
	started         bool
	open            failure // why none of its jobs runs
	prime, nonPrime bool    // by its name's prefix
	dedicated       bool
	depth           int64 // backfill_depth, -1 for unset
	tops            int64 // top jobs of a queue with a depth of its own
	ownVnodes       bool
	vnodes          []int
	groupKey        []string
	all             *set
	groups          []*set
	jobs            []*claim
	reservation     *claim
	limitsResources bool // resources_available is set
}

// clone is a copy of the world in which things can be tried out, and the copies of some claims in it.
func (w *world) clone(claims ...*claim) (*world, []*claim) {
	n := *w
	d := duplicator{queues: map[*queue]*queue{}, claims: map[*claim]*claim{}, sets: map[*set]*set{}}
	n.vnodes = slices.Clone(w.vnodes)
	for i := range n.vnodes {
		n.vnodes[i].duplicate()
		n.vnodes[i].follows = nil
		if s := w.vnodes[i].follows; slices.Contains(w.groups, s) { // a copy knows no other sets of a vnode
			n.vnodes[i].follows = d.set(s)
		}
	}
	n.order, n.anyone = slices.Clone(w.order), slices.Clone(w.anyone)
	if !w.queueVnodes {
		n.anyone = n.order
	}
	n.server = w.server.duplicate()
	n.queues = make([]*queue, len(w.queues))
	for i, q := range w.queues {
		n.queues[i] = d.queue(q)
	}
	n.running, n.reserved = d.all(w.running), d.all(w.reserved)
	n.calendar = w.calendar.duplicate(&d)
	n.all, n.hosts, n.groups = d.set(w.all), d.setsOf(w.hosts), d.setsOf(w.groups)
	for _, q := range n.queues {
		q.all, q.groups = d.set(q.all), d.setsOf(q.groups)
		q.reservation = d.claim(q.reservation)
	}
	n.scratch, n.jobs = slices.Clone(w.scratch), nil
	copies := d.all(claims)
	d.finish()
	return &n, copies
}

// A duplicator copies a web of pointers, each target once.
type duplicator struct {
	queues map[*queue]*queue
	claims map[*claim]*claim
	sets   map[*set]*set
	todo   []*claim
}

func (d *duplicator) queue(q *queue) *queue {
	if q == nil {
		return nil
	}
	n, done := d.queues[q]
	if !done {
		c := *q
		n = &c
		n.holder, n.vnodes, n.jobs = q.holder.duplicate(), slices.Clone(q.vnodes), nil
		d.queues[q] = n
	}
	return n
}

func (d *duplicator) claim(c *claim) *claim {
	if c == nil {
		return nil
	}
	n, done := d.claims[c]
	if !done {
		copied := *c
		n = &copied
		d.claims[c] = n
		d.todo = append(d.todo, n)
	}
	return n
}

// finish leads the pointers of all copied claims to copies.
func (d *duplicator) finish() {
	for len(d.todo) > 0 {
		c := d.todo[0]
		d.todo = d.todo[1:]
		c.queue, c.inside, c.array = d.queue(c.queue), d.claim(c.inside), d.claim(c.array)
	}
}

func (d *duplicator) all(list []*claim) []*claim {
	n := make([]*claim, len(list))
	for i, c := range list {
		n[i] = d.claim(c)
	}
	return n
}

func (d *duplicator) set(s *set) *set {
	if s == nil {
		return nil
	}
	n, done := d.sets[s]
	if !done {
		c := *s
		n = &c
		n.stock, n.vnodes = s.stock.own(), slices.Clone(s.vnodes)
		d.sets[s] = n
	}
	return n
}

func (d *duplicator) setsOf(list []*set) []*set {
	if list == nil { // not made, which is not none
		return nil
	}
	n := make([]*set, len(list))
	for i, s := range list {
		n[i] = d.set(s)
	}
	return n
}

func (h holder) duplicate() holder {
	h.stock, h.counts = h.stock.duplicate(), h.counts.duplicate()
	return h
}
