package schedule

import (
	"slices"
	"time"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/memory"
	"qprism/engine/gridengine/parallel"
	"qprism/engine/gridengine/place"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/halves"
	"qprism/engine/model"
)

// seconds count from 1970.
type seconds = utilization.Seconds

// Options choose the run and the scheduler.
type Options struct {
	At     time.Time // moment of the run
	Quirks model.Quirks
	// Sequence has each job's place in the list of jobs by last change, as in split.Assumed. If it is nil, the run
	// infers the places.
	Sequence map[uint32]int
	// Memory is from the earlier runs of the scheduler, and the run updates it. If it is nil, the run infers it.
	Memory *Memory
	// Past is shared by several runs of one snapshot. If it is nil, the run infers it with its own policy.
	Past *Past
	// Brief leaves out jobs that only wait, all reasons, and the queue instances that are as good as the chosen one.
	Brief bool
}

// Run plans the run at a moment, from the state of the cluster before it. While another goroutine ranks the jobs, Run
// finds what running tasks occupy.
func Run(s *model.Snapshot, opts Options) *model.Plan {
	lists := split.Jobs(s, opts.At, opts.Quirks, split.Assumed{Sequence: opts.Sequence, Coming: true})
	var ranked *priority.Result
	var r *run
	halves.Both(func() { ranked = priority.Rank(s, lists, opts.At, opts.Quirks) }, func() {
		r = newRun(s, lists, opts)
		r.occupy()
	})
	plan := r.plan(ranked)
	ranked.Release()
	lists.Release()
	return plan
}

// Dispatch is Run with known priorities.
func Dispatch(s *model.Snapshot, lists split.Lists, ranked *priority.Result, opts Options) *model.Plan {
	r := newRun(s, lists, opts)
	r.occupy()
	return r.plan(ranked)
}

// occupy finds what running tasks occupy, and which queue instances are open, step by step. DebitRunning finds the running
// tasks, ListOrder sorts them, BookRunning books them in this order, and also books the calendars of the search list.
// CorrectCapacities and DropUnusable need the amounts in use, the corrected load and the bookings.
func (r *run) occupy() {
	r.DebitRunning()
	r.CorrectLoad()
	r.OpenQueues(r.recall.ListOrder())
	r.BookRunning()
	r.CorrectCapacities()
	r.DropUnusable()
	if !r.brief {
		r.explainClosed()
	}
}

// plan tries the jobs in the order of their priorities, and returns the plan.
func (r *run) plan(ranked *priority.Result) *model.Plan {
	r.ranked = ranked
	if r.AnyQueue() {
		r.RankByLoad()
		r.recall.InferRejected(ranked.Pending)
		r.queuePending()
		r.dispatch()
	}
	if !r.brief {
		r.explainRest()
		r.noteBound()
		r.Picture()
	}
	r.recall.Remember()
	return r.Plan
}

// A run is one scheduler run: the searches in its cluster, what earlier runs left, and what its parts note
// for each other.
type run struct {
	*place.Run
	recall *memory.Recall
	memory *Memory
	ranked *priority.Result

	pending  pending
	perOwner map[string]int // tasks that run
	brief    bool           // nobody asks for what waits, or for places that are as good
	effects
	tally
}

// effects are what starts of the run did to the cluster.
type effects struct {
	opened       bool // closed queue instances are among the open ones
	subordinated bool // a start suspended others
	suspensions  int  // how many queue instances starts suspended
	globalLoad   bool // a start can overload queue instances of other hosts, by what the cluster as a whole reports
	watches      bool // it can, by a consumable that is a load threshold
}

// tally counts what has bounds.
type tally struct {
	reserved   int // tasks
	placed     int // tasks started or reserved for
	idleChecks int // of closed places, to say why jobs were not tried
	said       int // reasons
}

// copyCluster copies the cluster of a snapshot, with what the memory has of categories and places, and finds the categories
// of its jobs.
func copyCluster(s *model.Snapshot, lists split.Lists, opts Options) *cluster.Cluster {
	cl := cluster.NewCluster(s, lists, opts.At, opts.Quirks)
	if m := opts.Memory; m != nil {
		cl.Rejected, cl.RanBefore = m.Rejected, slices.Concat(m.TaskPlaces, m.StartedPlaces)
		cl.KeepRegister(&m.Register)
	}
	if opts.Brief {
		cl.Quiet = 1
	}
	cl.CountCategories()
	return cl
}

// newRun begins a run on a new copy of the cluster.
func newRun(s *model.Snapshot, lists split.Lists, opts Options) *run {
	cl, m := copyCluster(s, lists, opts), opts.Memory
	if m == nil {
		m = &Memory{}
	}
	r := &run{Run: place.NewRun(cl, &m.Weights), recall: memory.NewRecall(cl, m, opts.Past, opts.Sequence), memory: m,
		perOwner: map[string]int{}, brief: opts.Brief}
	if !m.Known {
		parallel.RecallWeights(r.Run)
	}
	r.findThresholds()
	return r
}

// findThresholds notes whether starting jobs can overload anything.
func (r *run) findThresholds() {
	for _, q := range r.Instances {
		q.Watched = slices.ContainsFunc(q.LoadLimits, func(t cluster.Threshold) bool {
			return t.Attr != nil && t.Attr.IsConsumable
		})
		r.watches = r.watches || q.Watched
	}
	for _, v := range r.Global.Loads {
		r.globalLoad = r.globalLoad || v.Adjust != 0
	}
}

// A Memory is what a scheduler keeps from run to run. A Past is the order in which earlier runs tried jobs.
type (
	Memory = memory.Memory
	Past   = memory.Past
)
