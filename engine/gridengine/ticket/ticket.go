package ticket

import (
	"cmp"
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/room"
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
	tasks  []Task
	bounds []int32 // where the tasks of each job begin, and last where those of the last job end
}

// Of are the tickets of the i-th job: of its first tasks, as far as they get any. The capacity is cut, so that append
// never writes into the tasks of the next job.
func (g *Given) Of(i int) []Task {
	from, to := g.bounds[i], g.bounds[i+1]
	return g.tasks[from:to:to]
}

// A Task is the result for one task. Package priority fills in the last two fields here, and not in a list of its own:
// for a million tasks, a second list would have 64 MB.
type Task struct {
	Number uint32
	Tickets
	NTckts float64
	Prio   float64
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

// Distribute gives out the tickets of one run. The result has the pending tasks of the first pass, and the running ones of the
// last pass.
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
	refLists.Keep(r.refs)
	return res
}

var (
	refLists  room.Lists[ref]
	taskLists room.Lists[Task]
)

// Release lets later runs use the memory of the tasks. The caller must not use the tasks of the result afterwards.
func (r *Result) Release() { taskLists.Keep(r.Pending.tasks) }

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
	tasks       []Task                // the results, in the order of refs
	bounds      []int32               // of the refs of each entry, the running ones first; see Given
	queued      []ref                 // the pending ones, the last of refs
	inOrder     bool                  // in queued, submissions rise, and so do job and task numbers
	whose       map[string][]*belongs // by owner, in this pass
	owners      int                   // values of belongs in this pass
	made        int                   // nodes of the tree, for users who map to "default"
	maximum     float64
	most        TaskID // that has the maximum
	overrideSum float64
	sums        sums // functional shares of running tasks
	levels      map[*Node][]Level
}

// A ref is one task in one pass. It holds all numbers of its job that the policies compare: looking at 50,000 jobs
// again and again takes longer than the arithmetic.
type ref struct {
	given *Task // the tickets that the policies have given it so far
	*belongs
	derived *Derivation // nil where nobody asked

	submitted int64   // in microseconds
	gained    float64 // tickets of policies that come earlier in the hierarchy
	sort      float64 // the key in the ranking of a share-tree node
	number    uint32  // of the job
	jobShare  uint32  // -js
	override  uint32  // -ot
	least     uint32  // slots, see leastSlots
}

// compareNumber compares jobs, and tasks of one job, by number.
func (t *ref) compareNumber(u *ref) int {
	return cmp.Or(cmp.Compare(t.number, u.number), cmp.Compare(t.given.Number, u.given.Number))
}

// belongs is to whom the tasks of an owner and an identity belong.
type belongs struct {
	identity
	user, project, department *Account
	node                      *Node // of the share tree
	index                     int   // in the order in which the pass found them
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
		if !r.isQueued(i) {
			r.refs[i].count(+1)
		}
	}
	if book {
		r.book(running, 0)
		r.book(pending, len(running))
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

// collect makes the references of a pass: running tasks first, then pending ones, each in list order. The tasks are new
// in each pass: those of the first pass are the result for pending jobs.
func (r *run) collect(running, pending []split.Entry) {
	tasks := 0
	for i := range running {
		tasks += len(running[i].Tasks)
	}
	first := tasks
	for i := range pending {
		tasks += min(len(pending[i].Tasks)+model.CountOf(pending[i].Waiting), r.limit)
	}
	if cap(r.refs) < tasks {
		r.refs = refLists.For(tasks)
	}
	if r.refs = r.refs[:0]; r.number == 1 {
		r.tasks = taskLists.For(tasks)[:0]
	} else {
		r.tasks = make([]Task, 0, tasks)
	}
	r.bounds = append(make([]int32, 0, len(running)+len(pending)+1), 0)
	r.whose, r.owners = map[string][]*belongs{}, 0
	for i := range running {
		for k := range running[i].Tasks {
			r.add(running[i].Job, running[i].Tasks[k].Number, false)
		}
		r.bounds = append(r.bounds, int32(len(r.refs)))
	}
	for i := range pending {
		r.addPending(&pending[i])
		r.bounds = append(r.bounds, int32(len(r.refs)))
	}
	r.queued = r.refs[first:]
	r.inOrder = true
	for i := 1; i < len(r.queued) && r.inOrder; i++ {
		a, b := &r.queued[i-1], &r.queued[i]
		r.inOrder = a.submitted <= b.submitted && a.compareNumber(b) < 0
	}
	r.resetCounts()
}

// addPending adds the first tasks of a pending job, enrolled ones first, up to the limit (Q16).
func (r *run) addPending(e *split.Entry) {
	n := 0
	for k := range e.Tasks {
		if n++; n <= r.limit {
			r.add(e.Job, e.Tasks[k].Number, true)
		}
	}
	for _, ids := range e.Waiting {
		for id := range ids.All() {
			if n++; n > r.limit {
				return
			}
			r.add(e.Job, id, true)
		}
	}
}

func (r *run) add(j *model.Job, task uint32, queued bool) {
	r.tasks = append(r.tasks, Task{Number: task})
	t := ref{given: &r.tasks[len(r.tasks)-1], belongs: r.belongsTo(j), submitted: j.Submitted.UnixMicro(), number: j.Number,
		jobShare: j.JobShare, override: j.OverrideTickets, least: leastSlots(j)}
	if r.Derive {
		t.derived = &Derivation{Running: !queued}
	}
	r.refs = append(r.refs, t)
}

// isQueued reports whether the i-th task is pending.
func (r *run) isQueued(i int) bool { return i >= len(r.refs)-len(r.queued) }

// giveRunning gives running tasks their tickets.
func (r *run) giveRunning() {
	r.sums = sums{}
	for i := range r.refs {
		if ref := &r.refs[i]; !r.isQueued(i) {
			r.addFunctionalShares(ref)
			if ref.node != nil {
				ref.node.jobShares += ref.jobShare
			}
		}
	}
	weights := r.runningWeights()
	r.overrideSum = 0
	for i := range r.refs {
		if ref := &r.refs[i]; !r.isQueued(i) {
			t := ref.given
			t.ShareTree = r.runningShare(ref)
			t.Function = r.runningFunctional(ref, weights)
			t.Override = r.plainOverride(ref)
			r.overrideSum += t.Override
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

// total adds up the tickets of each task, and those of all pending and of all running tasks. A task has a share: of all
// pending tasks' tickets, or of all running ones' (R19).
func (r *run) total() {
	pending, running := 0.0, 0.0
	for i := range r.refs {
		ref, t := &r.refs[i], &r.tasks[i]
		t.Total = (t.ShareTree + t.Function) + t.Override
		if t.Total > r.maximum {
			r.most = TaskID{ref.number, t.Number}
		}
		r.maximum = math.Max(r.maximum, t.Total)
		if r.isQueued(i) {
			pending += t.Total
		} else {
			running += t.Total
		}
	}
	for i := range r.tasks {
		if t := &r.tasks[i]; t.Total > 0 && r.isQueued(i) {
			t.Share = t.Total / pending
		} else if t.Total > 0 {
			t.Share = t.Total / running
		}
	}
}

// given are the tickets of so many entries, from one on.
func (r *run) given(first, entries int) Given {
	return Given{tasks: r.tasks, bounds: r.bounds[first : first+entries+1]}
}
