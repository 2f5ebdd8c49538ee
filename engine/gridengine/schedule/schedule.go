package schedule

import (
	"slices"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// Options say which run of which scheduler.
type Options struct {
	At     time.Time // moment of the run
	Quirks model.Quirks
	// Sequence holds each job's place among the changes to jobs, as split.Assumed has it; nil infers it.
	Sequence map[uint32]int
	Memory   *Memory // of the scheduler's earlier runs, brought up to date by this one; nil for a scheduler that just began
	Past     *Past   // what earlier runs did, where several are planned of one snapshot; nil for what the policy of this one says of them
	Quiet    bool    // nobody asks why what does not start waits: decisions have no reasons
	Brief    bool    // nobody asks for what waits at all: there are decisions only of what starts or is reserved for, without reasons
}

// Run plans the run at a moment from the state of the cluster before it.
func Run(s *model.Snapshot, opts Options) *model.Plan {
	lists := split.Jobs(s, opts.At, opts.Quirks, split.Assumed{Sequence: opts.Sequence, Coming: true})
	return Dispatch(s, lists, priority.Rank(s, lists, opts.At, opts.Quirks), opts)
}

// Dispatch is Run where the priorities are known.
func Dispatch(s *model.Snapshot, lists split.Lists, ranked *priority.Result, opts Options) *model.Plan {
	r := newRun(s, lists, ranked, opts)
	r.debitRunning()
	r.correctLoad()
	r.openQueues()
	r.bookRunning()
	r.correctCapacities()
	r.dropUnusable()
	if !r.brief {
		r.explainClosed()
	}
	if r.anyQueue() {
		r.rankByLoad()
		r.recallRejected()
		r.queuePending()
		r.dispatch()
	}
	if !r.brief {
		r.explainRest()
		r.noteBound()
		r.picture()
	}
	r.remember()
	return r.plan
}

// A run is one scheduler run: what it is given, the world that it makes of it, and what its parts note for each other.
type run struct {
	snapshot *model.Snapshot
	lists    split.Lists
	ranked   *priority.Result
	quirks   model.Quirks
	memory   *Memory
	past     *Past
	plan     *model.Plan
	world    world

	settings
	demand
	recency
	sorting
	effects
	skipped
	tally

	booked []*use // in order of first booking
}

// settings are what the policy and the snapshot lay down for the whole run.
type settings struct {
	now            seconds
	offset         seconds // DURATION_OFFSET
	standardLength seconds // default_duration
	maxReserved    int     // max_reservation
	empty          bool    // the cluster is an idle one
	overTime       bool    // resources are looked at over time: max_reservation is above 0
	lines          bool    // what MONITOR records is known
	rangesKnown    bool    // what the scheduler learnt from earlier searches of ranges
	clusterQueues  map[string]*model.Queue
	quiet          int  // above 0 nobody asks for reasons
	brief          bool // nobody asks for what waits
}

// demand is what runs, what waits, and what all of it asks for.
type demand struct {
	running       []*runningTask
	pending       pending
	categories    map[string]*category
	ofJob         map[*model.Job]*category
	key           []byte // of a category, while it is made
	access        map[owner]string
	perOwner      map[string]int
	oneSlot       request
	forced        []*attr
	listsInUse    []string
	projectsInUse bool
}

// recency is the order in which the scheduler learnt of jobs, starts and ends, as far as it is known.
type recency struct {
	sequence    map[uint32]int        // of the jobs, where it is known
	ended       map[ticket.TaskID]int // in the order of the accounting file, nil until it is asked for
	jobOrder    map[uint32]int        // in which the scheduler held jobs in the last recorded run
	jobPlaces   int                   // given so far
	startOrder  map[ticket.TaskID]int // when a task started, among all changes
	changes     int                   // of queue instances, parallel environments and quota sets, that the snapshot shows
	changing    ticket.TaskID         // whose start or end the last change belongs to,
	firstChange int                   // and the first change of that
}

// sorting is what hosts and queue instances are sorted with.
type sorting struct {
	kept, moved []*instance // while queue instances are sorted
	otherHosts  []*host     // while hosts are
	loadChanged bool        // of a host, by the attempt before
	hostsMoved  bool        // among each other, since the queue instances got their ranks
	lastSearch  searchKind
}

// effects are what starts of the run, or what runs, did to the cluster.
type effects struct {
	opened         bool // closed queue instances are among the open ones
	subordinated   bool // a start suspended others
	suspensions    int  // how many queue instances starts suspended
	mastersLowered bool // a queue instance was found to take no master task now
	globalLoad     bool // a start can overload queue instances of other hosts, by what the cluster as a whole reports
	watches        bool // it can, by a consumable that is a load threshold
	oversubscribed bool // a queue instance has more slots in use than it has
}

// skipped are the hosts and cluster queues that a round of a search passes over: those that have its number.
type skipped struct {
	rounds         uint32
	hostSkipped    []uint32
	clusterSkipped []uint32
}

// tally counts what has bounds.
type tally struct {
	reserved   int // tasks
	placed     int // tasks started or reserved for
	idleChecks int // of closed places, to say why jobs were not tried
	said       int // reasons
	manyTimes  int // at which parallel jobs were tried, the most of all jobs
}

func newRun(s *model.Snapshot, lists split.Lists, ranked *priority.Result, opts Options) *run {
	p := &s.Policy
	r := &run{snapshot: s, lists: lists, ranked: ranked, quirks: opts.Quirks, memory: opts.Memory, past: opts.Past,
		plan: &model.Plan{RunAt: opts.At},
		settings: settings{now: unix(opts.At), offset: offsetOf(p), standardLength: whole(p.DefaultDuration), maxReserved: p.MaxReservation,
			overTime: p.MaxReservation > 0, clusterQueues: make(map[string]*model.Queue, len(s.Queues))},
		demand:  demand{categories: map[string]*category{}, access: map[owner]string{}, perOwner: map[string]int{}},
		recency: recency{sequence: opts.Sequence, startOrder: map[ticket.TaskID]int{}}}
	if r.memory == nil {
		r.memory = &Memory{}
	}
	if r.past == nil {
		r.past = NewPast(s)
	}
	if r.brief = opts.Brief; opts.Quiet || opts.Brief {
		r.quiet = 1
	}
	for i := range s.Queues {
		r.clusterQueues[s.Queues[i].Name] = &s.Queues[i]
	}
	r.rangesKnown = r.memory.known || r.recallWeights()
	r.build()
	r.hostSkipped = make([]uint32, len(r.world.hosts))
	r.clusterSkipped = make([]uint32, r.world.clusters)
	r.findListsInUse()
	r.findForced()
	r.findThresholds()
	r.keepMemory(opts.Memory != nil)
	r.countCategories()
	return r
}

// findThresholds notes whether starting jobs can overload anything.
func (r *run) findThresholds() {
	for _, q := range r.world.instances {
		q.watched = slices.ContainsFunc(q.loadThresholds, func(t threshold) bool { return t.attr != nil && t.attr.consumable })
		r.watches = r.watches || q.watched
	}
	for _, v := range r.world.global.load {
		r.globalLoad = r.globalLoad || v.adjust != 0
	}
}

// standardOffset is DURATION_OFFSET where params does not say: how long a job may take beside its run time.
const standardOffset = 60

// DurationOffset is how much longer than for its run time the scheduler books what a job uses (params DURATION_OFFSET).
func DurationOffset(p *model.Policy) time.Duration { return time.Duration(offsetOf(p)) * time.Second }

func offsetOf(p *model.Policy) seconds {
	if text, ok := model.Text(p.Params, "DURATION_OFFSET"); ok {
		return secondsOf(text)
	}
	return standardOffset
}

// openQueues sorts the queue instances into those that can start jobs and those that can only be reserved, in the order
// of the scheduler's own list.
func (r *run) openQueues() {
	w := &r.world
	for _, q := range r.listOrder() {
		switch {
		case q.isOpen():
			w.queues = append(w.queues, q)
			q.host.instances = append(q.host.instances, q)
		case q.isReservable():
			w.closed = append(w.closed, q)
		}
	}
}

// dropUnusable takes out the queue instances that exceed a threshold or are disabled; those closed by their calendar, and
// full ones, can still be reserved.
func (r *run) dropUnusable() {
	r.discard(func(q *instance) bool { return r.refuses(q, q.suspendThresholds, false) })
	r.discard(func(q *instance) bool { return r.refuses(q, q.loadThresholds, true) })
	r.close(func(q *instance) bool { return !q.calendarOff })
	r.discard(func(q *instance) bool { return q.disabled })
	r.close(func(q *instance) bool {
		q.full = q.isFull()
		return !q.full
	})
}

// refuses reports whether a queue instance exceeds one of its thresholds, and remembers which.
func (r *run) refuses(q *instance, thresholds []threshold, consumables bool) bool {
	why, exceeded := r.alarm(q, thresholds, consumables)
	if exceeded {
		q.out = why
	}
	return exceeded
}

// anyQueue reports whether jobs can be started or, in a run that reserves, reserved for.
func (r *run) anyQueue() bool {
	w := &r.world
	return len(w.queues) > 0 || r.overTime && len(w.closed) > 0
}
