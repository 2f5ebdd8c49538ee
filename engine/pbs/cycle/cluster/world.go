package cluster

import (
	"maps"
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// A World is the state of a cluster in one cycle. Starts, ends and plans are booked in it. Estimates and
// preemption use a copy.
type World struct {
	*Setting // the same for the whole cycle

	Now       clock.Seconds
	Policy    Policy
	Vnodes    []Vnode
	Order     []int // vnodes by node_sort_key
	Common    []int // vnodes of Order that belong to no queue
	Server    Holder
	Queues    []*Queue
	Jobs      []*Claim // in the order in which they are tried
	Running   []*Claim
	Reserved  []*Claim // reservations, each occurrence of a standing one
	Calendar  Calendar
	All       *Set   // every vnode that belongs to no queue
	Hosts     []*Set // the vnodes of each host, only for hosts with several
	Groups    []*Set // placement sets of the server
	Stale     bool   // a claim ended after the sums were made
	Buckets   []*Bucket
	groupings map[grouping][]*Set
	Checked   []bool  // resources of any request, or of an ended job's vnodes; others are ignored
	Marks     []uint8 // marks of one search, by vnode

	LevelCounts map[int]int // running jobs of each preempt priority, as the scheduler last counted them
}

// A Setting has what is the same for a whole cycle.
type Setting struct {
	Snapshot       *model.Snapshot
	PBS            *model.PBS
	Sched          *model.PBSScheduler
	Config         *model.SchedConfig
	Res            *resource.Table
	UnsetInfinite  []bool // resource_unset_infinite, by resource
	VnodeIndex     map[string]int
	Hours          clock.Hours
	Levels         []Level  // preempt_prio
	Normal         int      // priority of normal jobs
	SeveralExpress bool     // several queues are express
	MultiVnode     bool     // some host has several vnodes
	QueueVnodes    bool     // some vnodes belong to queues
	Guessed        int      // jobs that the scheduler suspended at an unknown time
	Requeued       []string // jobs that wait again; no file says whether the scheduler preempted them
	Fuzz           clock.Seconds
	Limited        []int  // resources with a max_run_res limit somewhere, in order of appearance
	Qrun           string // job of qrun, empty for none
	Tree           *fairshare.Memory
	Charge         func(c *Claim) float64 // fairshare_usage_res over Resource_List

	CheckedOnVnode []bool           // resources of any request at the start, without host and vnode
	CheckedInSums  []bool           // those of them that the server counts and that belong in chunks
	Classes        []reason.Failure // why no job of a class can run
	Releases       []bool           // restrict_res_to_release_on_suspend, nil for all
	LastHost       *string          // the last vnode that round_robin used; estimates change it, too
}

// A Policy has what may change at the boundary of primetime.
type Policy struct {
	model.CyclePolicy
	Prime         bool
	BackfillDepth int64 // backfill_depth of the server, -1 for unset
	Spill         clock.Seconds
	End           clock.Seconds // of the present primetime or non-primetime, forever for none
	ByUse         bool          // vnodes are sorted by used or unused amounts
	NodeKeys      []SortKey
	JobKeys       []SortKey
}

// A Holder is the server or a queue: its resources, running jobs, and limits.
type Holder struct {
	resource.Stock
	HasStock bool // resources_available or resources_assigned is set
	Limits   limit.Limits
	Counts   limit.Counts
}

// A Queue is an execution or routing queue.
type Queue struct {
	Holder
	Name            string
	Index           int
	Priority        int
	Execution       bool
	Started         bool
	Open            reason.Failure // why none of its jobs can run
	Prime, NonPrime bool           // by the prefix of its name
	Dedicated       bool
	BackfillDepth   int64 // backfill_depth, -1 for unset
	TopJobs         int64 // top jobs of a queue with its own depth
	OwnVnodes       bool
	Vnodes          []int
	GroupKey        []string
	All             *Set
	Groups          []*Set
	Jobs            []*Claim
	Reservation     *Claim
	LimitsResources bool // resources_available is set
}

// Clone copies the world for a trial, and returns the copies of these claims.
func (w *World) Clone(claims ...*Claim) (*World, []*Claim) {
	n := *w
	d := copier{queues: map[*Queue]*Queue{}, claims: map[*Claim]*Claim{}, sets: map[*Set]*Set{}}
	n.Vnodes = slices.Clone(w.Vnodes)
	for i := range n.Vnodes {
		n.Vnodes[i].duplicate()
		n.Vnodes[i].LastSet = nil
		if s := w.Vnodes[i].LastSet; slices.Contains(w.Groups, s) { // a copy knows no other sets of a vnode
			n.Vnodes[i].LastSet = d.set(s)
		}
	}
	n.Order, n.Common = slices.Clone(w.Order), slices.Clone(w.Common)
	if !w.QueueVnodes {
		n.Common = n.Order
	}
	n.Server = w.Server.duplicate()
	n.Queues = make([]*Queue, len(w.Queues))
	for i, q := range w.Queues {
		n.Queues[i] = d.queue(q)
	}
	n.Running, n.Reserved = d.all(w.Running), d.all(w.Reserved)
	n.Calendar = w.Calendar.duplicate(&d)
	n.All, n.Hosts, n.Groups = d.set(w.All), d.setsOf(w.Hosts), d.setsOf(w.Groups)
	for _, q := range n.Queues {
		q.All, q.Groups = d.set(q.All), d.setsOf(q.Groups)
		q.Reservation = d.claim(q.Reservation)
	}
	n.Marks, n.Jobs, n.groupings = slices.Clone(w.Marks), nil, nil
	copies := d.all(claims)
	d.finish()
	return &n, copies
}

// A duplicator copies a web of pointers, each target once.
type copier struct {
	queues map[*Queue]*Queue
	claims map[*Claim]*Claim
	sets   map[*Set]*Set
	todo   []*Claim
}

func (d *copier) queue(q *Queue) *Queue {
	if q == nil {
		return nil
	}
	n, done := d.queues[q]
	if !done {
		c := *q
		n = &c
		n.Holder, n.Vnodes, n.Jobs = q.Holder.duplicate(), slices.Clone(q.Vnodes), nil
		d.queues[q] = n
	}
	return n
}

func (d *copier) claim(c *Claim) *Claim {
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
func (d *copier) finish() {
	for len(d.todo) > 0 {
		c := d.todo[0]
		d.todo = d.todo[1:]
		c.Queue, c.Inside, c.Array = d.queue(c.Queue), d.claim(c.Inside), d.claim(c.Array)
	}
}

func (d *copier) all(list []*Claim) []*Claim {
	n := make([]*Claim, len(list))
	for i, c := range list {
		n[i] = d.claim(c)
	}
	return n
}

func (d *copier) set(s *Set) *Set {
	if s == nil {
		return nil
	}
	n, done := d.sets[s]
	if !done {
		c := *s
		n = &c
		n.Stock, n.Vnodes, n.pools = s.Stock.Clone(), slices.Clone(s.Vnodes), maps.Clone(s.pools)
		d.sets[s] = n
	}
	return n
}

func (d *copier) setsOf(list []*Set) []*Set {
	if list == nil { // not made, which is not none
		return nil
	}
	n := make([]*Set, len(list))
	for i, s := range list {
		n[i] = d.set(s)
	}
	return n
}

func (h Holder) duplicate() Holder {
	h.Stock, h.Counts = h.Stock.Copy(), h.Counts.Copy()
	return h
}
