package ticket

import (
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Tickets of one task.
type Tickets struct {
	Total     float64 // tckts
	Override  float64 // otckt
	Function  float64 // ftckt
	ShareTree float64 // stckt
	Share     float64 // fraction of all tickets of pending, or of running, tasks
}

// A TaskID names one task of one job.
type TaskID struct {
	Job, Task uint32
}

// A Result has the tickets of one scheduler run.
type Result struct {
	Running  Given     // of the second pass, over running tasks only
	Pending  Given     // of each job first the enrolled tasks, then the others in start order
	Maximum  float64   // the divisor of ntckts
	Override float64   // sum of the override tickets of running tasks
	Tree     *Node     // after the second pass, over running tasks only; nil without a share tree
	Both     *Node     // after the first pass, over running and pending tasks
	Users    []Account // with their usage after the run
	Projects []Account
	SendTree bool // the run sends the share tree to the master

	Most    TaskID                 // a task with the most tickets, the divisor for all
	Derived map[TaskID]*Derivation // with Input.Derive
}

// Given are the tickets of a list of jobs, task by task.
type Given struct {
	tasks []Task
	ends  []int32 // of each job's tasks
}

// Of are the tickets of the i-th job: of its first tasks, as far as they get any.
func (g *Given) Of(i int) []Task {
	from := int32(0)
	if i > 0 {
		from = g.ends[i-1]
	}
	return g.tasks[from:g.ends[i]]
}

// A Task is a task with its tickets.
type Task struct {
	Number uint32
	Tickets
}

// An Input has all inputs of the ticket policies in one run.
type Input struct {
	Lists     split.Lists
	Snapshot  *model.Snapshot
	At        time.Time // in whole seconds
	FreeSlots uint32    // in queue instances that the run can use
	Quirks    model.Quirks
	// UsageBooked means that the usage in the snapshot already includes what this run books. Nothing is
	// added.
	UsageBooked bool
	// HalfTimeKept means that halftime has not changed since the last run. The first run of a scheduler
	// decays the usage of every user.
	HalfTimeKept bool
	// Derive asks for a Derivation of each task.
	Derive bool
}

// Distribute gives out the tickets of one run.
func Distribute(in Input) *Result {
	r := newRun(in)
	r.pass(in.Lists.Running, in.Lists.Finished, in.Lists.Pending, !in.UsageBooked)
	res := &Result{Pending: r.given(len(in.Lists.Running), len(in.Lists.Pending)), Maximum: r.maximum, Most: r.most}
	if in.Derive {
		res.Derived = map[TaskID]*Derivation{}
		r.derivations(res.Derived)
	}
	if r.tree != nil {
		res.Both = r.tree.copy()
	}
	if in.Quirks.SecondPass {
		r.pass(in.Lists.Running, nil, nil, false)
	}
	res.Running = r.given(0, len(in.Lists.Running))
	if in.Quirks.MaximumOverPasses {
		res.Maximum, res.Most = r.maximum, r.most
	}
	if in.Derive && in.Quirks.SecondPass {
		r.derivations(res.Derived)
	}
	res.Maximum = math.Max(res.Maximum, 0)
	res.Override, res.Tree, res.SendTree = r.overrideSum, r.tree, r.treeChanged()
	res.Users, res.Projects = values(r.users), values(r.projects)
	return res
}

// A run is the state of one scheduler run.
type run struct {
	Input
	policy *model.Policy
	limit  int // tasks of one array that take part
	second int64

	users, projects, departments []*Account
	userByName, projectByName    map[string]*Account
	department                   func(j *model.Job) *Account
	tree                         *Node
	decay                        decay

	number      int // of the pass
	refs        []ref
	ends        []int32               // of the refs of each entry, the running ones first
	queued      []*ref                // the pending ones among refs
	whose       map[string][]*belongs // by owner, in this pass
	made        int                   // nodes of the tree, for users who map to "default"
	maximum     float64
	most        TaskID // that has the maximum
	overrideSum float64
	pendingSum  float64 // of all tickets of pending tasks
	runningSum  float64
	sums        sums // functional shares of running tasks
	levels      map[*Node][]Level
}

// A ref is one task in one pass. It holds all numbers of its job that the policies compare: looking at 50,000 jobs
// again and again takes longer than the arithmetic.
type ref struct {
	entry     *split.Entry
	submitted int64  // in microseconds
	number    uint32 // of the job
	task      uint32
	index     int32  // of the task in its entry's Tasks, -1 where it is not enrolled
	jobShare  uint32 // -js
	override  uint32 // -ot
	least     uint32 // slots, see leastSlots
	isQueued  bool

	*belongs

	o, f, s, total float64
	gained         float64 // tickets of policies that come earlier in the hierarchy
	uf, pf, df     float64 // functional shares of the last trial
	sort           float64 // the key in the ranking of a share-tree node

	derived *Derivation // nil where nobody asked
}

// belongs is to whom the tasks of an owner and an identity belong.
type belongs struct {
	identity
	user, project, department *Account
	node                      *Node // of the share tree
}

func newRun(in Input) *run {
	r := &run{Input: in, policy: &in.Snapshot.Policy, second: in.At.Unix(), maximum: -1}
	r.limit = math.MaxInt
	if in.Quirks.TasksByFreeSlots {
		r.limit = int(min(r.policy.MaxPendingTasks, in.FreeSlots+1))
	} else if r.policy.MaxPendingTasks > 0 {
		r.limit = int(r.policy.MaxPendingTasks)
	}
	r.loadAccounts()
	r.decay = newDecay(r.policy, in.Quirks)
	if r.Snapshot.ShareTree != nil {
		r.tree = newTree(r.Snapshot.ShareTree)
	}
	return r
}

// pass runs one calculation of tickets over the lists.
func (r *run) pass(running, finished, pending []split.Entry, book bool) {
	r.number++
	if r.number == 1 && !r.HalfTimeKept {
		r.decayAll()
	}
	r.resetTree()
	r.collect(running, pending)
	r.countNodes()
	r.markFinished(finished)
	if book {
		r.bookFinished(finished, running)
	}
	for i := range r.refs {
		if ref := &r.refs[i]; !ref.isQueued {
			ref.count(+1)
		}
		if book {
			r.book(&r.refs[i])
		}
	}
	if r.tree != nil {
		r.measureUsage()
		r.setTargets()
		r.deriveLevels()
	}
	r.giveRunning()
	if len(pending) > 0 {
		r.givePending()
	}
	r.total()
}

// collect makes the references of a pass: running tasks first, then pending ones, each in list order.
func (r *run) collect(running, pending []split.Entry) {
	jobs := len(running) + len(pending)
	r.refs, r.ends, r.queued = slices.Grow(r.refs[:0], jobs), slices.Grow(r.ends[:0], jobs),
		slices.Grow(r.queued[:0], len(pending))
	r.whose = map[string][]*belongs{}
	for i := range running {
		for k := range running[i].Tasks {
			r.add(&running[i], running[i].Tasks[k].Number, k, false)
		}
		r.ends = append(r.ends, int32(len(r.refs)))
	}
	first := len(r.refs)
	for i := range pending {
		r.addPending(&pending[i])
		r.ends = append(r.ends, int32(len(r.refs)))
	}
	for i := first; i < len(r.refs); i++ {
		r.queued = append(r.queued, &r.refs[i])
	}
	r.resetCounts()
}

// addPending adds the first tasks of a pending job, enrolled ones first, up to the limit (Q16).
func (r *run) addPending(e *split.Entry) {
	n := 0
	for k := range e.Tasks {
		if n++; n <= r.limit {
			r.add(e, e.Tasks[k].Number, k, true)
		}
	}
	for _, ids := range e.Waiting {
		for id := range ids.All() {
			if n++; n > r.limit {
				return
			}
			r.add(e, id, -1, true)
		}
	}
}

func (r *run) add(e *split.Entry, task uint32, index int, queued bool) {
	j := e.Job
	t := ref{entry: e, submitted: j.Submitted.UnixMicro(), number: j.Number, task: task, index: int32(index),
		jobShare: j.JobShare, override: j.OverrideTickets, least: leastSlots(j), isQueued: queued}
	if r.Derive {
		t.derived = &Derivation{Running: !queued}
	}
	t.belongs = r.belongsTo(j)
	r.refs = append(r.refs, t)
}

// giveRunning gives running tasks their tickets.
func (r *run) giveRunning() {
	r.sums = sums{}
	for i := range r.refs {
		if ref := &r.refs[i]; !ref.isQueued {
			r.addFunctionalShares(ref)
			if ref.node != nil {
				ref.node.jobShares += ref.jobShare
			}
		}
	}
	weights := r.runningWeights()
	r.overrideSum = 0
	for i := range r.refs {
		if ref := &r.refs[i]; !ref.isQueued {
			ref.s = r.runningShare(ref)
			ref.f = r.runningFunctional(ref, weights)
			ref.o = r.plainOverride(ref)
			r.overrideSum += ref.o
		}
	}
}

// givePending gives pending tasks their tickets, policy by policy in the order of policy_hierarchy. A policy that the
// hierarchy names ranks jobs by what earlier ones gave; the others follow in the fixed order O, F, S and do not (R20).
func (r *run) givePending() {
	rest := []byte("OFS")
	for _, letter := range []byte(r.policy.Hierarchy) {
		r.givePolicy(letter, true)
		rest = slices.DeleteFunc(rest, func(b byte) bool { return b == letter })
	}
	for _, letter := range rest {
		r.givePolicy(letter, false)
	}
}

func (r *run) givePolicy(letter byte, dependent bool) {
	switch letter {
	case 'O':
		r.pendingOverride(dependent)
	case 'F':
		r.pendingFunctional(dependent)
	case 'S':
		r.pendingShare(dependent)
	}
}

// total adds up the tickets of each task, and those of all pending and of all running tasks.
func (r *run) total() {
	pending, running := 0.0, 0.0
	for i := range r.refs {
		ref := &r.refs[i]
		ref.total = (ref.s + ref.f) + ref.o
		if ref.total > r.maximum {
			r.most = TaskID{ref.number, ref.task}
		}
		r.maximum = math.Max(r.maximum, ref.total)
		if ref.isQueued {
			pending += ref.total
		} else {
			running += ref.total
		}
	}
	r.pendingSum, r.runningSum = pending, running
}

// tickets are those of a task, with its share: of all pending tasks' tickets, or of all running ones' (R19).
func (r *run) tickets(t *ref) Tickets {
	all := Tickets{Total: t.total, Override: t.o, Function: t.f, ShareTree: t.s}
	if t.total > 0 && t.isQueued {
		all.Share = t.total / r.pendingSum
	} else if t.total > 0 {
		all.Share = t.total / r.runningSum
	}
	return all
}

// given are the tickets of so many entries, from one on.
func (r *run) given(first, entries int) Given {
	g := Given{ends: make([]int32, entries)}
	from := int32(0)
	if first > 0 {
		from = r.ends[first-1]
	}
	for i := range entries {
		g.ends[i] = r.ends[first+i] - from
	}
	if entries > 0 {
		g.tasks = make([]Task, 0, g.ends[entries-1])
	}
	for i := range cap(g.tasks) {
		t := &r.refs[int(from)+i]
		g.tasks = append(g.tasks, Task{Number: t.task, Tickets: r.tickets(t)})
	}
	return g
}
